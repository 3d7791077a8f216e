/* Implements gzip.h: runs zlib's deflate over the text in steps of 1 MiB, with its memory taken from an arena. */
#include "core/gzip.h"

#define ZLIB_CONST
#include <zlib.h>

#define GZIP_WINDOW (15 + 16) /* zlib's windowBits for gzip with the largest window */
#define ROOM ((size_t)64 << 10)
#define STEP ((size_t)1 << 20)

static void *take_memory(voidpf arena, uInt count, uInt size) { return fm_arena_zalloc(arena, count, size); }
static void give_memory(voidpf arena, voidpf memory) { (void)arena, (void)memory; }

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
