/* Implements gzip.h. */
#include "core/gzip.h"

#include "core/error.h"

#define ZLIB_CONST
#include <zlib.h>

#define GZIP_WINDOW (15 + 16) /* zlib's windowBits for gzip with the largest window */
#define ROOM ((size_t)64 << 10)
#define STEP ((size_t)1 << 20)

bool fm_is_gzip(framemap_str text) { return fm_str_starts(text, FM_STR("\x1f\x8b\x08")); }

static void *take_memory(voidpf arena, uInt count, uInt size) { return fm_arena_zalloc(arena, count, size); }
static void give_memory(voidpf arena, voidpf memory) { (void)arena, (void)memory; }

static framemap_status inflate_all(z_stream *stream, framemap_str data, uint64_t most, struct fm_buf *out,
                                   framemap_error *error)
{
    unsigned char room[ROOM];
    const size_t before = out->size;
    int result = Z_OK;
    while (data.size || result == Z_OK) {
        if (stream->avail_in == 0) {
            const size_t step = data.size < STEP ? data.size : STEP;
            stream->next_in = (const Bytef *)data.data;
            stream->avail_in = (uInt)step;
            data = fm_str_from(data, step);
        }
        stream->next_out = room;
        stream->avail_out = ROOM;
        result = inflate(stream, Z_NO_FLUSH);
        if (!fm_buf_add(out, room, ROOM - stream->avail_out)) return fm_error_memory(error);
        if (out->size - before > most) return fm_error_set(error, FRAMEMAP_E_LIMIT, "the data inflate to too much");
        if (result == Z_STREAM_END && (stream->avail_in || data.size))
            result = inflateReset(stream);
        else if (result == Z_STREAM_END)
            return FRAMEMAP_OK;
        if (result == Z_MEM_ERROR) return fm_error_memory(error);
        if (result == Z_BUF_ERROR && stream->avail_in == 0 && data.size == 0) break;
        if (result != Z_OK && result != Z_BUF_ERROR)
            return fm_error_set(error, FRAMEMAP_E_CORRUPT, "the gzip data are damaged");
    }
    return fm_error_set(error, FRAMEMAP_E_TRUNCATED, "the gzip data end early");
}

framemap_status fm_gunzip(framemap_str data, uint64_t most, struct fm_buf *out, framemap_error *error)
{
    struct fm_arena arena;
    fm_arena_init(&arena, out->heap);
    z_stream stream = {.zalloc = take_memory, .zfree = give_memory, .opaque = &arena};
    framemap_status status = FRAMEMAP_E_MEMORY;
    if (inflateInit2(&stream, GZIP_WINDOW) == Z_OK) {
        status = inflate_all(&stream, data, most, out, error);
        inflateEnd(&stream);
    } else {
        fm_error_memory(error);
    }
    fm_arena_free(&arena);
    return status;
}

static bool deflate_all(z_stream *stream, framemap_str text, struct fm_buf *out)
{
    unsigned char room[ROOM];
    int result = Z_OK;
    while (result == Z_OK) {
        if (stream->avail_in == 0 && text.size) {
            const size_t step = text.size < STEP ? text.size : STEP;
            stream->next_in = (const Bytef *)text.data;
            stream->avail_in = (uInt)step;
            text = fm_str_from(text, step);
        }
        stream->next_out = room;
        stream->avail_out = ROOM;
        result = deflate(stream, text.size ? Z_NO_FLUSH : Z_FINISH);
        if (!fm_buf_add(out, room, ROOM - stream->avail_out)) return false;
    }
    return result == Z_STREAM_END;
}

bool fm_gzip(framemap_str text, struct fm_buf *out)
{
    struct fm_arena arena;
    fm_arena_init(&arena, out->heap);
    z_stream stream = {.zalloc = take_memory, .zfree = give_memory, .opaque = &arena};
    bool ok = deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, 8, Z_DEFAULT_STRATEGY) == Z_OK;
    if (ok) {
        ok = deflate_all(&stream, text, out);
        deflateEnd(&stream);
    }
    fm_arena_free(&arena);
    return ok;
}
