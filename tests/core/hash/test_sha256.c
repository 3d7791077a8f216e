/* Tests of SHA-256 (core/hash/hash.h), in all variants. */
#include "core/hash/hash.h"
#include "tests/testing.h"

static void assert_digest(const void *data, size_t size, const char *wanted)
{
    unsigned char digest[32];
    char text[65];
    fm_sha256(data, size, digest);
    for (size_t i = 0; i < sizeof digest; i++) snprintf(text + 2 * i, 3, "%02x", digest[i]);
    assert_string_equal(text, wanted);
}

/* Tests the examples of FIPS 180-4, and NIST's SHA test vectors. */
static void published_vectors(void **state)
{
    (void)state;
    assert_digest("", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    assert_digest(NULL, 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    assert_digest("abc", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56,
                  "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    assert_digest("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnop"
                  "qrstnopqrstu",
                  112, "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
    char *million = malloc(1000000);
    assert_non_null(million);
    memset(million, 'a', 1000000);
    assert_digest(million, 1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    free(million);
}

/* Tests sizes around those where the padding needs a second block. sha256sum computed the expected digests. */
static void sizes_at_the_edge_of_a_block(void **state)
{
    (void)state;
    static const struct {
        size_t size;
        const char *digest;
    } rows[] = {
        {55, "5a383411d906da80612f366cb9b90ae54bcf6e7743b4117ace0884d98cd159ca"},
        {56, "c66a5b692b9a20229733ef8b87cfec52679c86a0c0245643484c46d4dcd82afa"},
        {63, "85021e4907c21645631d596eee989bf43c2cd56b074175d5393804dbf1744412"},
        {64, "72996563049cc84daa2c3f31fd5c3d10770e69d6ebbb8da5b6d76db303dbae43"},
        {65, "57685f5e43ddac1567f4d404c357c44bab70744b8b6af6009760389170c5c062"},
        {119, "de05957e72aca438f9b0c770cb2ee7fa0e58e08eb54536478db136d54c097abb"},
        {120, "46a063da7dc0c878899dfc50adf2558256652c05dd1afc0b1341f7608c7a4776"},
        {127, "87cdeb380917879fcd4c3b869ad644cbc7cbc6ff36b989cd4fe0f8123c13ca19"},
        {128, "8169c725edd39f00140ffcf57c45b9c5143e2ffe375869e4cf2805342715d2b1"},
        {129, "be5aab1a91c510a74cf7010cf9aba7d181268d499d81386950d365263b182203"},
        {4095, "c78f501d35da8808280018914f4b0fb71de7712c719bb9b63ef22ae8c4ebaaa5"},
        {4096, "80f1830e2934a1c06ceb7512d00bb936a9437c80411da172c1a274238b974795"},
        {65535, "301aeae7eff5d722001e9f09528aa91e24cc299a531c81f644390faecd3bbed5"},
        {65536, "d809b75df5a9b674736feaf68ee9939e1712b59b52228623eb61233f22707265"},
        {65537, "810c37bb91b70d110564f7739f88b79f6e2ad5b9553d5a7a8119bf3a376e87f9"},
        {65600, "0a4616346c08ddc5a4a9f43c5fafbbd56482a18b75b408a6b6706dd2e7b44054"},
    };
    static char text[65600];
    memset(text, 'z', sizeof text);
    for (size_t i = 0; i < COUNT_OF(rows); i++) assert_digest(text, rows[i].size, rows[i].digest);
}

/* Hashing many blocks at once gives the same as adding small parts, which hashes each block alone. */
static void many_blocks_as_one_by_one(void **state)
{
    (void)state;
    static unsigned char text[10000];
    uint32_t number = 1;
    for (size_t i = 0; i < sizeof text; i++) {
        number = number * 1664525 + 1013904223;
        text[i] = (unsigned char)(number >> 24);
    }
    for (size_t size = 0; size <= sizeof text; size += size < 1100 ? 1 : 89) {
        unsigned char whole[32], plain[32];
        struct fm_sha256 sha;
        const unsigned char *from = text + (sizeof text - size) % 7; /* the text starts at any alignment */
        const size_t bytes = size < 7 ? size : size - 7;
        fm_sha256(from, bytes, whole);
        fm_sha256_begin(&sha);
        for (size_t at = 0; at < bytes; at += 61) fm_sha256_add(&sha, from + at, bytes - at < 61 ? bytes - at : 61);
        fm_sha256_end(&sha, plain);
        assert_memory_equal(whole, plain, sizeof plain);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(published_vectors),
                                       cmocka_unit_test(sizes_at_the_edge_of_a_block),
                                       cmocka_unit_test(many_blocks_as_one_by_one)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
