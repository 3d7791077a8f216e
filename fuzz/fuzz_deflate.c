/* The decoder of compressed sections against zlib: what it takes, zlib takes, with the same bytes; and what zlib packs, it takes.
 * Input: two bytes of size and the stream; the same bytes are also packed, the first saying how. */
#include "mappers/image/deflate.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define STREAM_MOST ((size_t)1 << 16)

static struct fm_deflate tables;

/* Blocks of their own, so that a sanitizer sees what is read or written behind them. */
static void *copy_of(const void *from, size_t size)
{
    void *copy = malloc(size > 0 ? size : 1);
    assert(copy != NULL);
    if (size > 0) memcpy(copy, from, size);
    return copy;
}

static void decode(const uint8_t *stream, size_t stream_size, size_t size)
{
    unsigned char *in = copy_of(stream, stream_size), *out = malloc(size > 0 ? size : 1), *wanted = malloc(size > 0 ? size : 1);
    uLongf given = (uLongf)size;

    assert(out != NULL && wanted != NULL);
    if (fm_deflate_zlib(&tables, in, stream_size, out, size)) {
        assert(uncompress(wanted, &given, in, (uLong)stream_size) == Z_OK);
        assert(given == size && memcmp(out, wanted, size) == 0);
    }
    free(in);
    free(out);
    free(wanted);
}

static void round_trip(const uint8_t *text, size_t size, unsigned how)
{
    unsigned char packed[2 * STREAM_MOST];
    z_stream stream = {.zalloc = Z_NULL};
    unsigned char *plain = copy_of(text, size), *out = malloc(size > 0 ? size : 1);

    assert(out != NULL && deflateInit2(&stream, (int)(how % 10), Z_DEFLATED, 15, 9, (int)(how / 10 % 5)) == Z_OK);
    stream.next_in = plain;
    stream.avail_in = (uInt)size;
    stream.next_out = packed;
    stream.avail_out = sizeof packed;
    assert(deflate(&stream, Z_FINISH) == Z_STREAM_END);
    unsigned char *exact = copy_of(packed, stream.total_out);
    /* One code alone is no complete one, which is left to zlib: such streams have no distance, or one. */
    if (fm_deflate_zlib(&tables, exact, stream.total_out, out, size))
        assert(size == 0 || memcmp(out, text, size) == 0);
    else
        assert(how / 10 % 5 != Z_FIXED || how % 10 == 0);
    deflateEnd(&stream);
    free(exact);
    free(plain);
    free(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2 || size > STREAM_MOST) return 0;
    decode(data + 2, size - 2, (size_t)data[0] | (size_t)data[1] << 8);
    round_trip(data + 1, size - 1, data[0]);
    return 0;
}
