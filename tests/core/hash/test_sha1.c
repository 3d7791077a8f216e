/* Compares SHA-1 with the examples of FIPS 180-4 and with hashes made by Python's hashlib, however the text is divided.
 */
#include "tests/testing.h"

#include "core/hash/sha1.h"
#include "core/text/text.h"

static void check(size_t head, framemap_str text, const char *wanted)
{
    unsigned char hash[FM_SHA1_SIZE];
    char digits[2 * FM_SHA1_SIZE + 1] = {0};
    fm_sha1(fm_str_slice(text, 0, head), fm_str_from(text, head), hash);
    fm_hex_put(hash, sizeof hash, digits);
    if (strcmp(digits, wanted) != 0) fail_msg("%zu of %zu bytes: %s", head, text.size, digits);
}

static void hashes(void **state)
{
    static const struct {
        size_t size; /* number of letters "a" that are hashed; 0: `text` is hashed */
        const char *text, *hash;
    } rows[] = {
        {0, "", "da39a3ee5e6b4b0d3255bfef95601890afd80709"},
        {0, "abc", "a9993e364706816aba3e25717850c26c9cd0d89d"},
        {0, "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "84983e441c3bd26ebaae4aa1f95129e5e54670f1"},
        {55, "", "c1c8bbdc22796e28c0e15163d20899b65621d65a"},
        {56, "", "c2db330f6083854c99d4b5bfb6e8f29f201be699"},
        {63, "", "03f09f5b158a7a8cdad920bddc29b81c18a551f5"},
        {64, "", "0098ba824b5c16427bd7a1122a5a442a25ec644d"},
        {65, "", "11655326c708d70319be2610e8a57d9a5b959d3b"},
        {119, "", "ee971065aaa017e0632a8ca6c77bb3bf8b1dfc56"},
        {120, "", "f34c1488385346a55709ba056ddd08280dd4c6d6"},
        {128, "", "ad5b3fdbcb526778c2839d2f151ea753995e26a0"},
        {200, "", "e61cfffe0d9195a525fc6cf06ca2d77119c24a40"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char many[256];
        memset(many, 'a', sizeof many);
        const framemap_str text = rows[i].size ? fm_str(many, rows[i].size) : framemap_str_of(rows[i].text);
        for (size_t head = 0; head <= text.size && head <= 64; head++) check(head, text, rows[i].hash);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(hashes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
