/* Tests of decompressing sections: for streams that are complete, truncated or damaged, the result must agree with
 * zlib. */
#include "mappers/native/image/inflate.h"
#include "tests/testing.h"

#include <stdlib.h>
#include <zlib.h>

#define TEXT_BYTES 70000

/* The kinds of texts to compress, on which the Huffman codes depend. */
enum kind { TEXT_RANDOM, TEXT_ENTRIES, TEXT_WORDS, TEXT_ONE_BYTE, TEXT_SKEWED, TEXT_KINDS };

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static void make_text(enum kind kind, unsigned char *out, size_t size)
{
    static const char word[] = "framemap debug info abbreviation ";
    uint32_t seed = 7;

    for (size_t i = 0; i < size; i++) {
        const uint32_t random = next_random(&seed);
        switch (kind) {
        case TEXT_RANDOM: out[i] = (unsigned char)random; break;
        case TEXT_ENTRIES: out[i] = (unsigned char)(i % 11 < 8 ? i % 11 * 5 : random % 23); break;
        case TEXT_WORDS: out[i] = (unsigned char)(random % 90 == 0 ? 'x' : word[i % (sizeof word - 1)]); break;
        case TEXT_ONE_BYTE: out[i] = 'a'; break;
        /* Each byte value is half as frequent as the previous one, which gives codes of all lengths up to the
         * longest. */
        default:
            out[i] = (unsigned char)(random == 0 ? 255 : (unsigned)__builtin_ctz(random | 1u << 23) * 9 + random % 3);
        }
    }
}

/* Compresses `size` bytes of a text. Returns the size of the compressed stream. */
static size_t pack(const unsigned char *text, size_t size, int level, int strategy, unsigned char *out, size_t room)
{
    z_stream stream = {.zalloc = Z_NULL};
    unsigned char *copy = malloc(size > 0 ? size : 1); /* zlib's input pointer is not const */

    assert_non_null(copy);
    if (size > 0) memcpy(copy, text, size);
    assert_int_equal(deflateInit2(&stream, level, Z_DEFLATED, 15, 8, strategy), Z_OK);
    stream.next_in = copy;
    stream.avail_in = (uInt)size;
    stream.next_out = out;
    stream.avail_out = (uInt)room;
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    deflateEnd(&stream);
    free(copy);
    return stream.total_out;
}

static bool unpack(const unsigned char *in, size_t in_size, unsigned char *out, size_t size)
{
    const framemap_str stored = {(const char *)in, in_size};
    framemap_error error;

    const framemap_status status = fm_inflate_into(FM_COMPRESSION_ZLIB, stored, out, size, &error);
    assert_true(status == FRAMEMAP_OK || status == FRAMEMAP_E_CORRUPT);
    return status == FRAMEMAP_OK;
}

static void what_zlib_packs(void **state)
{
    (void)state;
    static const size_t sizes[] = {300, 5000, TEXT_BYTES};
    static unsigned char text[TEXT_BYTES], packed[2 * TEXT_BYTES];

    for (int kind = 0; kind < TEXT_KINDS; kind++) {
        for (size_t i = 0; i < COUNT_OF(sizes); i++) {
            make_text((enum kind)kind, text, sizes[i]);
            for (int how = 0; how < 50; how++) {
                const int level = how % 10, strategy = how / 10;
                const size_t size = pack(text, sizes[i], level, strategy, packed, sizeof packed);
                /* The blocks are allocated separately, so that a sanitizer detects accesses past their ends. */
                unsigned char *in = malloc(size), *out = malloc(sizes[i]);
                assert_non_null(in);
                assert_non_null(out);
                memcpy(in, packed, size);
                if (!unpack(in, size, out, sizes[i]) || memcmp(out, text, sizes[i]) != 0)
                    fail_msg("text %d of %zu bytes, level %d, strategy %d", kind, sizes[i], level, strategy);
                assert_false(unpack(in, size, out, sizes[i] - 1));
                free(in);
                free(out);
            }
        }
    }
}

/* Checks that a stream is accepted if zlib accepts it, with the same bytes, and is refused otherwise. */
static bool as_zlib(const unsigned char *in, size_t in_size, size_t size)
{
    unsigned char *copy = malloc(in_size > 0 ? in_size : 1), *out = malloc(size), *wanted = malloc(size);
    uLongf given = (uLongf)size;

    assert_non_null(copy);
    assert_non_null(out);
    assert_non_null(wanted);
    if (in_size > 0) memcpy(copy, in, in_size);
    const bool good = unpack(copy, in_size, out, size);
    const bool taken = uncompress(wanted, &given, copy, (uLong)in_size) == Z_OK && given == size;
    if (good != taken || (good && memcmp(out, wanted, size) != 0)) fail_msg("not as zlib");
    free(copy);
    free(out);
    free(wanted);
    return good;
}

static void cut_and_damaged(void **state)
{
    (void)state;
    static unsigned char text[3000], packed[2 * sizeof text];

    for (int how = 0; how < 4; how++) {
        const int strategy = how == 1 ? Z_FIXED : Z_DEFAULT_STRATEGY, level = how == 2 ? 0 : 6;
        const size_t length = how == 3 ? 200 : sizeof text;
        make_text(TEXT_ENTRIES, text, length);
        const size_t size = pack(text, length, level, strategy, packed, sizeof packed);
        assert_true(as_zlib(packed, size, length));
        for (size_t i = 0; i < size; i++) assert_false(as_zlib(packed, i, length));
        for (size_t i = 0; i < size * 8; i++) {
            packed[i / 8] ^= (unsigned char)(1u << i % 8);
            as_zlib(packed, size, length);
            packed[i / 8] ^= (unsigned char)(1u << i % 8);
        }
        packed[size] = 'x'; /* the byte after a stream does not belong to the stream */
        assert_true(as_zlib(packed, size + 1, length));
    }
}

/* Checks that headers and blocks with a single error are refused. */
static void refused(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        size_t size;
        unsigned char bytes[16];
    } rows[] = {
        {"nothing", 0, {0}},
        {"a head alone", 2, {0x78, 0x9c}},
        {"another method", 11, {0x79, 0x9b, 0x01, 1, 0, 0xfe, 0xff, 'a', 0x00, 0x62, 0x00}},
        {"a window too large", 12, {0x88, 0x1c, 0x01, 1, 0, 0xfe, 0xff, 'a', 0x00, 0x62, 0x00, 0x62}},
        {"a dictionary", 12, {0x78, 0xbb, 0x01, 1, 0, 0xfe, 0xff, 'a', 0x00, 0x62, 0x00, 0x62}},
        {"a head that is not a multiple of 31", 12, {0x78, 0x9d, 0x01, 1, 0, 0xfe, 0xff, 'a', 0x00, 0x62, 0x00, 0x62}},
        {"a length without its complement", 12, {0x78, 0x9c, 0x01, 1, 0, 0xfe, 0xfe, 'a', 0x00, 0x62, 0x00, 0x62}},
        {"another checksum", 12, {0x78, 0x9c, 0x01, 1, 0, 0xfe, 0xff, 'a', 0x00, 0x62, 0x00, 0x63}},
        {"a block of the kind that is none", 12, {0x78, 0x9c, 0x07, 1, 0, 0xfe, 0xff, 'a', 0x00, 0x62, 0x00, 0x62}},
        {"a distance before the first byte", 8, {0x78, 0x9c, 0x03, 0x02, 0x00, 0, 0, 0}},
    };
    static const unsigned char good[] = {0x78, 0x9c, 0x01, 1, 0, 0xfe, 0xff, 'a', 0x00, 0x62, 0x00, 0x62};

    assert_true(as_zlib(good, sizeof good, 1));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        if (as_zlib(rows[i].bytes, rows[i].size, 1)) fail_msg("%s", rows[i].name);
    }
}

/* Checks concatenated streams, which GNU's linker makes if it joins compressed sections. */
static void one_behind_another(void **state)
{
    (void)state;
    static unsigned char text[5000], packed[2 * sizeof text], out[sizeof text];

    make_text(TEXT_WORDS, text, sizeof text);
    size_t size = pack(text, 3000, 6, Z_DEFAULT_STRATEGY, packed, sizeof packed);
    size += pack(text + 3000, 0, 6, Z_DEFAULT_STRATEGY, packed + size, sizeof packed - size);
    size += pack(text + 3000, 2000, 1, Z_DEFAULT_STRATEGY, packed + size, sizeof packed - size);
    assert_true(unpack(packed, size, out, sizeof text));
    assert_memory_equal(out, text, sizeof text);
    assert_false(unpack(packed, size, out, sizeof text - 1));
    assert_false(unpack(packed, size - 1, out, sizeof text));
    assert_true(unpack(packed, size - 1, out, 3000)); /* bytes beyond the requested size are not read */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_zlib_packs), cmocka_unit_test(one_behind_another),
                                       cmocka_unit_test(cut_and_damaged), cmocka_unit_test(refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
