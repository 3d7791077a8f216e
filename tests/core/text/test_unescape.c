/* Tests core/text/unescape.h. */
#include "core/text/unescape.h"
#include "tests/testing.h"

static const struct {
    const char *why, *text, *decoded;
    unsigned run;
} rows[] = {
    {"no escape", "a.b: c", "a.b: c", 1},
    {"not in a string", "C:\\new", "C:\\new", 0},
    {"letters", "\\n\\t\\r\\b\\f\\/\\\"\\'", "\n\t\r\b\f/\"'", 1},
    {"a path of Windows", "C:\\\\new\\\\u00e9.js", "C:\\new\\u00e9.js", 1},
    {"a backslash before a code", "\\\\\\u00e9", "\\\xC3\xA9", 1},
    {"codes of all sizes", "\\u0041\\u00e9\\u20AC\\ud83d\\ude00", "A\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80", 1},
    {"half of a pair", "\\ud83d \\ude00 \\ud83d\\u0041", "\\ud83d \\ude00 \\ud83dA", 1},
    {"not an escape", "\\x41 \\u12 \\u12g4 \\q \\", "\\x41 \\u12 \\u12g4 \\q \\", 1},
    {"JSON in JSON", "\\\\n\\\\\\\"a\\\\\\\"\\\\\\\\b\\\\u00e9", "\n\"a\"\\b\xC3\xA9", 2},
    {"JSON in JSON, escapes of the outer string", "\\u00e9\\\"\\/", "\xC3\xA9\"/", 2},
    {"one level deeper", "\\\\\\\\n\\\\\\\\\\\\\\\"\\\\\\\\\\\\\\\\", "\n\"\\", 4},
    {"three backslashes escape a quote, not a letter", "\\\\\\n", "\\\\\\n", 2},
    {"a pair at the end", "\\\\", "\\", 1},
};

static void texts(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const framemap_str text = framemap_str_of(rows[i].text), want = framemap_str_of(rows[i].decoded);
        char *out = malloc(text.size), *copy = malloc(text.size); /* of the exact size, so that ASan sees more */
        memcpy(copy, text.data, text.size);
        const framemap_str got = fm_str(out, fm_unescape(fm_str(copy, text.size), rows[i].run, out));
        if (!fm_str_equal(got, want)) fail_msg("%s: %.*s", rows[i].why, (int)got.size, got.data);
        free(copy);
        free(out);
    }
}

/* Random texts of the bytes that matter: the decoded text is not longer, and one without a backslash is unchanged. */
static void random_texts(void **state)
{
    static const char bytes[] = "\\\\\\\\un\"/dD8c0e9 ";
    (void)state;
    uint32_t random = 1;
    for (size_t round = 0; round < 100000; round++) {
        char text[24], out[sizeof text];
        size_t slashes = 0;
        random = random * 1664525u + 1013904223u;
        const size_t size = random >> 16 & 15;
        for (size_t i = 0; i < size; i++) {
            random = random * 1664525u + 1013904223u;
            text[i] = bytes[(random >> 16) % (sizeof bytes - 1)];
            slashes += text[i] == '\\';
        }
        const size_t got = fm_unescape(fm_str(text, size), 1u << (round % 3), out);
        assert_true(got <= size);
        if (slashes == 0) assert_memory_equal(out, text, size);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(texts), cmocka_unit_test(random_texts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
