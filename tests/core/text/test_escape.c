/* Tests of core/text/escape.h. */
#include "core/text/buffer.h"
#include "core/text/escape.h"
#include "core/text/utf8.h"
#include "tests/testing.h"
#include <framemap/framemap.h>

#define OTHERS "na\xC3\xAFve \xE2\x82\xAC \xE6\x97\xA5\xE6\x9C\xAC \xF0\x9F\x98\x80 \xE2\x80\x8D"
static const struct {
    const char *why, *text, *shown;
} rows[] = {
    {"nothing", "", ""},
    {"a name", "std::vector<int, a>::f(char const*)", "std::vector<int, a>::f(char const*)"},
    {"a line end", "f\n#1 g", "f\\n#1 g"},
    {"letters", "\n\r\t", "\\n\\r\\t"},
    {"other control characters of ASCII", "\x01\x1b[2J\x1f\x7f~ ", "\\x01\\x1b[2J\\x1f\\x7f~ "},
    {"a path of Windows stays, also where it reads as an escape", "C:\\new\\x1b", "C:\\new\\x1b"},
    {"of Latin-1, in UTF-8", "\xC2\x80 \xC2\x9B \xC2\x9F\xC2\xA0", "\\u0080 \\u009b \\u009f\xC2\xA0"},
    {"bytes that are not UTF-8: Latin-1 has control characters there", "\x80\x9F\xA0\xFF", "\\x80\\x9f\xA0\xFF"},
    {"an overlong line end", "\xC0\x8A", "\xC0\\x8a"},
    {"cut off", "a\xE2\x80", "a\xE2\\x80"},
    {"line ends of Unicode", "\xE2\x80\xA7\xE2\x80\xA8\xE2\x80\xA9", "\xE2\x80\xA7\\u2028\\u2029"},
    {"directions", "\xE2\x80\xAA\xE2\x80\xAE\xE2\x80\xAF", "\\u202a\\u202e\xE2\x80\xAF"},
    {"isolates", "\xE2\x81\xA5\xE2\x81\xA6\xE2\x81\xA9\xE2\x81\xAA", "\xE2\x81\xA5\\u2066\\u2069\xE2\x81\xAA"},
    {"other characters", OTHERS, OTHERS},
};

static bool gather(void *context, const char *data, size_t size) { return fm_buf_add(context, data, size); }
static bool refuse(void *context, const char *data, size_t size)
{
    (void)context, (void)data, (void)size;
    return false;
}

static void check(const char *why, const char *how, framemap_str got, framemap_str want)
{
    if (!fm_str_equal(got, want)) fail_msg("%s, %s: %.*s", why, how, (int)got.size, got.data ? got.data : "");
}

static void texts(void **state)
{
    struct fm_heap heap;
    struct fm_buf buf;
    (void)state;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&buf, &heap);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const framemap_str text = framemap_str_of(rows[i].text), shown = framemap_str_of(rows[i].shown);
        const bool plain = fm_str_equal(text, shown);
        if (fm_is_plain(text) != plain) fail_msg("%s: plain?", rows[i].why);
        fm_buf_clear(&buf);
        fm_buf_str(&buf, FM_STR("\n"));
        assert_true(fm_buf_escaped(&buf, text));
        check(rows[i].why, "appended", fm_str_from(fm_buf_view(&buf), 1), shown);
        buf.size = 1;
        fm_buf_str(&buf, text);
        assert_true(fm_buf_escape_from(&buf, 1));
        check(rows[i].why, "in place", fm_str_from(fm_buf_view(&buf), 1), shown);
        assert_int_equal(buf.data[0], '\n');
        assert_true(fm_is_plain(fm_str_from(fm_buf_view(&buf), 1))); /* escaping again changes nothing */
        fm_buf_clear(&buf);
        buf.shows = true;
        fm_buf_str(&buf, text);
        buf.shows = false;
        check(rows[i].why, "by a buffer that shows", fm_buf_view(&buf), shown);
        fm_buf_clear(&buf);
        assert_int_equal(framemap_plain_size(text), fm_plain_size(text));
        assert_true(framemap_write_escaped(text, gather, &buf));
        check(rows[i].why, "by the public call", fm_buf_view(&buf), shown);
        assert_int_equal(framemap_write_escaped(text, refuse, NULL), text.size == 0);
    }
    fm_buf_clear(&buf);
    assert_true(fm_buf_escaped(&buf, fm_str("a\0b", 3)));
    assert_str(fm_buf_view(&buf), "a\\x00b");
    fm_buf_free(&buf);
    assert_false(framemap_write_escaped(fm_str(NULL, 1), gather, &buf));
    assert_false(framemap_write_escaped(FM_STR("a"), NULL, NULL));
    assert_int_equal(framemap_plain_size(fm_str(NULL, 0)), 0);
}

/* Reference implementation: returns the size of the plain start of a text, byte by byte. */
static size_t plain_by_bytes(framemap_str text)
{
    const unsigned char *p = (const unsigned char *)text.data;
    for (size_t at = 0, size; at < text.size; at += size) {
        size = fm_character_size(p + at, text.size - at);
        if (p[at] < 0x20 || p[at] == 0x7F || (size == 0 && p[at] < 0xA0)) return at;
        if (size > 1 && fm_control_point(p + at, size)) return at;
        if (size == 0) size = 1;
    }
    return text.size;
}

/* Tests each byte at each offset of a block, alone and before other special bytes, since strings are scanned in
 * blocks. */
static void bytes_at_every_place(void **state)
{
    static const char *const others[] = {"", "\n", "\x7F", "\xC3\xA9", "\xC2\x9B", "\xE2\x80\xAE", "\x80", "\xFF"};
    (void)state;
    for (size_t other = 0; other < COUNT_OF(others); other++)
        for (unsigned byte = 0; byte < 256; byte += TEST_STEP)
            for (size_t size = 1; size < 300; size += 1 + size / 8)
                for (size_t at = 0; at < size; at += 1 + size / 40) {
                    char text[320];
                    const size_t after = strlen(others[other]);
                    memset(text, 'a' + (int)at % 20, size);
                    text[at] = (char)byte;
                    memcpy(text + size, others[other], after);
                    const framemap_str whole = fm_str(text, size + after);
                    if (fm_plain_size(whole) != plain_by_bytes(whole))
                        fail_msg("byte %u at %zu of %zu, before '%s'", byte, at, size, others[other]);
                }
}

/* Tests a string with very many escapes. If each escape caused another scan of the rest, the test would take hours. */
static void many_escapes(void **state)
{
    enum { SIZE = 2 << 20 };
    struct fm_heap heap;
    struct fm_buf buf;
    (void)state;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&buf, &heap);
    char *text = malloc(SIZE);
    assert_non_null(text);
    for (size_t i = 0; i < SIZE; i++) text[i] = i % 3 ? 'a' : '\n';
    assert_true(fm_buf_escaped(&buf, fm_str(text, SIZE)));
    assert_int_equal(buf.size, SIZE + (SIZE + 2) / 3);
    fm_buf_free(&buf);
    free(text);
}

static bool show_once(const framemap_allocator *allocator, void *context)
{
    struct fm_heap heap;
    struct fm_buf buf;
    (void)context;
    fm_heap_init(&heap, allocator, 0);
    fm_buf_init(&buf, &heap);
    fm_buf_str(&buf, FM_STR("name\n"));
    const bool good = fm_buf_escape_from(&buf, 0);
    if (good) assert_str(fm_buf_view(&buf), "name\\n");
    fm_buf_free(&buf);
    return good;
}

static void out_of_memory(void **state)
{
    (void)state;
    sweep_allocations(show_once, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts),
        cmocka_unit_test(bytes_at_every_place),
        cmocka_unit_test(many_escapes),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
