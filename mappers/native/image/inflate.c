/* Decompresses whole sections, zlib and zstd. Neither library has a stable interface for an allocator, so both allocate
 * their working memory from the C library (libdeflate 12 KB, zstd 1.5 about 160 KB, for any input). The heap counts it
 * as FM_INFLATE_BYTES. */
#include "mappers/native/image/inflate.h"

#include "core/error.h"
#include <libdeflate.h>
#include <zstd.h>
#include <zstd_errors.h>

/* Decompresses zlib streams. Several may follow each other, because GNU's linker concatenates compressed sections. */
static bool inflate_streams(struct libdeflate_decompressor *decoder, framemap_str stored, unsigned char *out,
                            size_t size)
{
    const char *in = stored.data;
    size_t in_left = stored.size;

    while (size > 0) {
        size_t taken = 0, given = 0;
        if (libdeflate_zlib_decompress_ex(decoder, in, in_left, out, size, &taken, &given) != LIBDEFLATE_SUCCESS)
            return false;
        in += taken;
        in_left -= taken;
        out += given;
        size -= given;
    }
    return true;
}

static framemap_status inflate_zlib(framemap_str stored, unsigned char *out, size_t size, framemap_error *error)
{
    struct libdeflate_decompressor *decoder = libdeflate_alloc_decompressor();

    if (decoder == NULL) return fm_error_memory(error);
    const bool good = inflate_streams(decoder, stored, out, size);
    libdeflate_free_decompressor(decoder);
    return good ? FRAMEMAP_OK
                : fm_error_set(error, FRAMEMAP_E_CORRUPT, "its zlib data is damaged or does not have its stated size");
}

static framemap_status inflate_zstd(framemap_str stored, unsigned char *out, size_t size, framemap_error *error)
{
    const size_t result = ZSTD_decompress(out, size, stored.data, stored.size);

    if (ZSTD_isError(result)) {
        if (ZSTD_getErrorCode(result) == ZSTD_error_memory_allocation) return fm_error_memory(error);
        return fm_error_set(error, FRAMEMAP_E_CORRUPT, "its zstd data is damaged: %s", ZSTD_getErrorName(result));
    }
    if (result != size)
        return fm_error_set(error, FRAMEMAP_E_CORRUPT, "its zstd data inflates to %zu bytes instead of the stated %zu",
                            result, size);
    return FRAMEMAP_OK;
}

framemap_status fm_inflate_into(enum fm_compression method, framemap_str stored, unsigned char *out, size_t size,
                                framemap_error *error)
{
    if (size == 0) return FRAMEMAP_OK;
    return method == FM_COMPRESSION_ZLIB ? inflate_zlib(stored, out, size, error)
                                         : inflate_zstd(stored, out, size, error);
}

framemap_status fm_inflate(enum fm_compression method, framemap_str stored, uint64_t size, struct fm_arena *arena,
                           unsigned char **out, framemap_error *error)
{
    unsigned char *to = fm_arena_alloc(arena, (size_t)size);
    framemap_status status;

    if (to == NULL || !fm_heap_reserve(arena->heap, FM_INFLATE_BYTES)) return fm_error_memory(error);
    status = fm_inflate_into(method, stored, to, (size_t)size, error);
    fm_heap_unreserve(arena->heap, FM_INFLATE_BYTES);
    if (status == FRAMEMAP_OK) *out = to;
    return status;
}
