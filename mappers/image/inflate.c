/* zlib's format and zstd's, whole sections at a time: the first by our own decoder, and by zlib what that one leaves. zlib's own memory is of our heap; zstd 1.5 takes such only through its unstable interface, so its
 * context (about 160 KB, whatever the input) is of the C library. */
#include "mappers/image/image_inner.h"

#include "core/fault.h"
#include "mappers/image/deflate.h"
#include <limits.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

static void *take_memory(voidpf arena, uInt count, uInt size) { return fm_arena_zalloc(arena, count, size); }

/* The arena ends with the stream. */
static void give_memory(voidpf arena, voidpf memory) { (void)arena, (void)memory; }

static uInt piece(size_t left) { return left > UINT_MAX ? UINT_MAX : (uInt)left; }

/* GNU's linker joins compressed sections, so that several streams may follow each other. */
static int run_zlib(z_stream *stream, framemap_str stored, unsigned char *out, size_t size)
{
    /* zlib takes its input without const, and leaves it alone. */
    union {
        const char *given;
        Bytef *taken;
    } from = {stored.data};
    size_t in_left = stored.size, out_left = size;
    int result = Z_OK;

    stream->next_in = from.taken;
    stream->next_out = out;
    while (result == Z_OK) {
        const uInt in = stream->avail_in = piece(in_left), room = stream->avail_out = piece(out_left);
        result = inflate(stream, Z_NO_FLUSH);
        in_left -= in - stream->avail_in;
        out_left -= room - stream->avail_out;
        if (result == Z_STREAM_END && out_left > 0) result = inflateReset(stream);
    }
    if (result == Z_STREAM_END) return Z_STREAM_END;
    return result == Z_MEM_ERROR ? Z_MEM_ERROR : Z_DATA_ERROR;
}

/* *done: it is one stream of the usual kind, and sound. Errors: MEMORY. */
static framemap_status inflate_quickly(framemap_str stored, unsigned char *out, size_t size, struct fm_heap *heap, bool *done,
                                       framemap_error *error)
{
    struct fm_deflate *tables = fm_heap_resize(heap, NULL, 0, sizeof *tables);

    if (tables == NULL) return fm_fault_memory(error);
    *done = fm_deflate_zlib(tables, (const unsigned char *)stored.data, stored.size, out, size);
    fm_heap_free(heap, tables, sizeof *tables);
    return FRAMEMAP_OK;
}

/* By zlib itself, which takes all that there is, and knows what is wrong. */
static framemap_status inflate_slowly(framemap_str stored, unsigned char *out, size_t size, struct fm_heap *heap, framemap_error *error)
{
    struct fm_arena arena;
    z_stream stream = {.zalloc = take_memory, .zfree = give_memory};

    fm_arena_init(&arena, heap);
    stream.opaque = &arena;
    int result = inflateInit(&stream);
    if (result == Z_OK) result = run_zlib(&stream, stored, out, size);
    fm_arena_free(&arena);
    if (result == Z_STREAM_END) return FRAMEMAP_OK;
    if (result == Z_MEM_ERROR) return fm_fault_memory(error);
    return fm_fault(error, FRAMEMAP_E_CORRUPT, "its zlib data is damaged, or shorter or longer than it says");
}

static framemap_status inflate_zstd(framemap_str stored, unsigned char *out, size_t size, framemap_error *error)
{
    const size_t result = ZSTD_decompress(out, size, stored.data, stored.size);

    if (ZSTD_isError(result)) {
        if (ZSTD_getErrorCode(result) == ZSTD_error_memory_allocation) return fm_fault_memory(error);
        return fm_fault(error, FRAMEMAP_E_CORRUPT, "its zstd data is damaged: %s", ZSTD_getErrorName(result));
    }
    if (result != size) return fm_fault(error, FRAMEMAP_E_CORRUPT, "its zstd data gives %zu bytes where %zu are promised", result, size);
    return FRAMEMAP_OK;
}

framemap_status fm_inflate_into(enum fm_compression method, framemap_str stored, unsigned char *out, size_t size, struct fm_heap *heap,
                                framemap_error *error)
{
    if (size == 0) return FRAMEMAP_OK;
    if (method == FM_COMPRESSION_ZSTD) return inflate_zstd(stored, out, size, error);
    bool done = false;
    const framemap_status status = inflate_quickly(stored, out, size, heap, &done, error);
    return status != FRAMEMAP_OK || done ? status : inflate_slowly(stored, out, size, heap, error);
}

framemap_status fm_inflate(enum fm_compression method, framemap_str stored, uint64_t size, struct fm_arena *arena, unsigned char **out,
                           framemap_error *error)
{
    unsigned char *to = fm_arena_alloc(arena, (size_t)size);
    framemap_status status;

    if (to == NULL) return fm_fault_memory(error);
    status = fm_inflate_into(method, stored, to, (size_t)size, arena->heap, error);
    if (status == FRAMEMAP_OK) *out = to;
    return status;
}
