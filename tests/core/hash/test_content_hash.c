/* Tests of core/hash/content_hash.h. */
#include "core/hash/content_hash.h"
#include "core/text/text.h"
#include "tests/testing.h"

/* The expected digests were computed with split and sha256sum, as content_hash.h describes. */
static void sizes_around_pieces(void **state)
{
    (void)state;
    static const struct {
        size_t size;
        const char *digest;
    } rows[] = {
        {0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {1, "c27cd49cb724724842a58b799b1009ecc968b3499767b73ee54693661ff723ca"},
        {8191, "667f9aab031fce8c4f7854d4ad075ade8365c78133befc2dc3197a9aa5f7440c"},
        {8192, "44b4a89980b3cdc2c076fa0cacf240f265d718bb6a6394268f15cccd79eb4f84"},
        {8193, "82eb78cf4c624e83965dd27f17dd013d2705c48dd179701aec5fc3040badd2bc"},
        {65535, "123af15d9c0b752f72cd2d1b88946e28fe6e738b01d6e5e6cecbbbd1d3d13893"},
        {65536, "bf93c97d12cc4bb2ddb00267fb78aa38267210548e7fb52cdbda42e5739b999f"},
        {65537, "00c44778ee8c55c649cbe6fb76c71ccde0c2529f9abdb889c56bafb47d7e8cc3"},
        {100000, "4c1c35ee7a4d0ab24eb9ca6626258a9d5a583015a9993eb299d3c66e09554260"},
        {600000, "d6ddeac1d2283c82f29d40bcc7f00a19ebeba7b7553c1f27cce3fbea56dac2ee"},
    };
    static char text[600000];
    memset(text, 'z', sizeof text);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        unsigned char digest[32];
        char hex[65] = {0};
        fm_content_hash(rows[i].size ? text : NULL, rows[i].size, digest);
        fm_hex_put(digest, sizeof digest, hex);
        assert_string_equal(hex, rows[i].digest);
    }
}

static unsigned char *any_bytes(size_t size)
{
    unsigned char *bytes = malloc(size);
    uint32_t number = 1;
    assert_non_null(bytes);
    for (size_t i = 0; i < size; i++) {
        number = number * 1664525 + 1013904223;
        bytes[i] = (unsigned char)(number >> 24);
    }
    return bytes;
}

/* Hashing pieces in parallel equals hashing them one by one, for every alignment, and for sizes that the vector code
 * does not handle. */
static void eight_as_one_by_one(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 63, 64, 65, 128, 192, 4096, 8192, 8256};
    unsigned char *bytes = any_bytes(8 * 8256 + 3);
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        const unsigned char *from = bytes + i % 4;
        unsigned char eight[8][32];
        fm_sha256_eight(from, sizes[i], eight);
        for (size_t j = 0; j < 8; j++) {
            unsigned char one[32];
            fm_sha256(from + j * sizes[i], sizes[i], one);
            assert_memory_equal(eight[j], one, sizeof one);
        }
    }
    free(bytes);
}

static void parts_as_a_whole(void **state)
{
    (void)state;
    const size_t size = 40 * FM_CONTENT_PIECE + 77;
    unsigned char *bytes = any_bytes(size), whole[32];
    fm_content_hash(bytes, size, whole);
    for (size_t pieces = 1; pieces < 42; pieces++) {
        const size_t part = pieces * FM_CONTENT_PIECE;
        unsigned char digest[32];
        struct fm_content_hash hash;
        fm_content_hash_begin(&hash);
        for (size_t at = 0; at < size; at += part)
            fm_content_hash_add(&hash, bytes + at, size - at < part ? size - at : part);
        fm_content_hash_end(&hash, digest);
        assert_memory_equal(digest, whole, sizeof whole);
    }
    bytes[size - 1] ^= 1;
    unsigned char other[32];
    fm_content_hash(bytes, size, other);
    assert_memory_not_equal(other, whole, sizeof whole);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sizes_around_pieces), cmocka_unit_test(eight_as_one_by_one),
                                       cmocka_unit_test(parts_as_a_whole)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
