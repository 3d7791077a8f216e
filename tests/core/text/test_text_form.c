/* Tests of core/text/text_form.h. */
#include "core/text/text_form.h"
#include "tests/testing.h"

static const struct {
    const char *why;
    framemap_str bytes;
    enum fm_text_form form;
} heads[] = {
    {"nothing", FM_STR_INIT(""), FM_FORM_PLAIN},
    {"ASCII", FM_STR_INIT("at f (a.js:1:2)\n"), FM_FORM_PLAIN},
    {"CR LF", FM_STR_INIT("a\r\nb\r\n"), FM_FORM_PLAIN},
    {"CR alone", FM_STR_INIT("a\rb\r"), FM_FORM_CR},
    {"one CR at the end, whose LF may follow", FM_STR_INIT("a\r"), FM_FORM_PLAIN},
    {"CR and LF, mixed", FM_STR_INIT("a\rb\nc"), FM_FORM_PLAIN},
    {"marked, little",
     FM_STR_INIT("\xFF\xFE"
                 "a\0"),
     FM_FORM_UTF16LE},
    {"marked, big", FM_STR_INIT("\xFE\xFF\0a"), FM_FORM_UTF16BE},
    {"UTF-32", FM_STR_INIT("\xFF\xFE\0\0a\0\0\0"), FM_FORM_PLAIN},
    {"little", FM_STR_INIT("a\0t\0 \0f\0"), FM_FORM_UTF16LE},
    {"big", FM_STR_INIT("\0a\0t\0 \0f"), FM_FORM_UTF16BE},
    {"too short to tell", FM_STR_INIT("a\0t\0"), FM_FORM_PLAIN},
    {"NUL bytes", FM_STR_INIT("a\0b\0\0\0\0\0\0\0\0\0"), FM_FORM_PLAIN},
};

static void recognizes(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(heads); i++)
        if (fm_text_form_of(heads[i].bytes) != heads[i].form) fail_msg("%s", heads[i].why);
}

/* Checks fm_text_form_is_certain: once it returns true after some bytes of a text, the form found so far is the form of
 * the whole text. */
static void certain_is_final(void **state)
{
    (void)state;
    char text[FM_FORM_HEAD + 8];
    for (size_t i = 0; i < COUNT_OF(heads); i++) {
        const framemap_str bytes = heads[i].bytes;
        if (bytes.size == 0) continue;
        for (size_t at = 0; at < sizeof text; at++) text[at] = bytes.data[at % bytes.size];
        const enum fm_text_form form = fm_text_form_of(fm_str(text, sizeof text));
        for (size_t size = 0; size < sizeof text; size++)
            if (fm_text_form_is_certain(fm_str(text, size)) && fm_text_form_of(fm_str(text, size)) != form)
                fail_msg("%s: at %zu", heads[i].why, size);
        assert_true(fm_text_form_is_certain(fm_str(text, FM_FORM_HEAD)));
    }
    assert_true(fm_text_form_is_certain(FM_STR("a\n")));
    assert_false(fm_text_form_is_certain(FM_STR("a\rb")));
    assert_false(fm_text_form_is_certain(FM_STR("\xFF\xFE")));
}

static const struct {
    const char *why;
    enum fm_text_form form;
    framemap_str bytes, utf8;
} rows[] = {
    {"ASCII, little", FM_FORM_UTF16LE, FM_STR_INIT("a\0\n\0"), FM_STR_INIT("a\n")},
    {"ASCII, big", FM_FORM_UTF16BE, FM_STR_INIT("\0a\0\n"), FM_STR_INIT("a\n")},
    {"a mark is a character", FM_FORM_UTF16LE,
     FM_STR_INIT("\xFF\xFE"
                 "a\0"),
     FM_STR_INIT("\xEF\xBB\xBF"
                 "a")},
    {"two and three bytes", FM_FORM_UTF16BE, FM_STR_INIT("\0\xE9\x20\xAC"), FM_STR_INIT("\xC3\xA9\xE2\x82\xAC")},
    {"a pair", FM_FORM_UTF16BE, FM_STR_INIT("\xD8\x3D\xDE\x00"), FM_STR_INIT("\xF0\x9F\x98\x80")},
    {"a high surrogate alone", FM_FORM_UTF16BE, FM_STR_INIT("\xD8\x3D\0a"),
     FM_STR_INIT("\xED\xA0\xBD"
                 "a")},
    {"a low surrogate alone", FM_FORM_UTF16BE, FM_STR_INIT("\xDE\x00\0a"),
     FM_STR_INIT("\xED\xB8\x80"
                 "a")},
    {"two high surrogates", FM_FORM_UTF16BE, FM_STR_INIT("\xD8\x3D\xD8\x3D\xDE\x00"),
     FM_STR_INIT("\xED\xA0\xBD\xF0\x9F\x98\x80")},
    {"a high surrogate at the end", FM_FORM_UTF16LE, FM_STR_INIT("a\0\x3D\xD8"), FM_STR_INIT("a\xED\xA0\xBD")},
    {"an odd byte", FM_FORM_UTF16LE, FM_STR_INIT("a\0b"), FM_STR_INIT("a")},
    {"an odd byte after half a pair", FM_FORM_UTF16LE, FM_STR_INIT("\x3D\xD8z"), FM_STR_INIT("\xED\xA0\xBD")},
    {"NUL", FM_FORM_UTF16LE, FM_STR_INIT("\0\0a\0"), FM_STR_INIT("\0a")},
    {"CR", FM_FORM_CR, FM_STR_INIT("a\rb\r\nc\n"), FM_STR_INIT("a\nb\n\rc\r")},
    {"plain", FM_FORM_PLAIN, FM_STR_INIT("\xFF\xFE\r"), FM_STR_INIT("\xFF\xFE\r")},
};

static void same(const char *why, const char *what, framemap_str got, framemap_str want)
{
    if (!fm_str_equal(got, want)) fail_msg("%s, %s: %zu bytes for %zu", why, what, got.size, want.size);
}

/* Reads and writes a text in pieces of `size` bytes. */
static void check_pieces(struct fm_heap *heap, const char *why, enum fm_text_form form, framemap_str bytes,
                         framemap_str utf8, size_t size)
{
    struct fm_form_reader reader = {.form = form};
    struct fm_form_writer writer = {.form = form};
    struct fm_buf text, back;
    fm_buf_init(&text, heap);
    fm_buf_init(&back, heap);
    for (size_t at = 0; at < bytes.size; at += size) fm_form_read(&reader, fm_str_slice(bytes, at, at + size), &text);
    fm_form_read_end(&reader, &text);
    same(why, "read", fm_buf_view(&text), utf8);
    for (size_t at = 0; at < text.size; at += size)
        fm_form_write(&writer, fm_str_slice(fm_buf_view(&text), at, at + size), &back);
    fm_form_write_end(&writer, &reader, &back);
    same(why, "written", fm_buf_view(&back), bytes);
    if (fm_form_size(form, fm_buf_view(&text)) + (reader.has_odd ? 1 : 0) != bytes.size) fail_msg("%s: size", why);
    fm_buf_free(&text);
    fm_buf_free(&back);
}

static void both_ways(void **state)
{
    (void)state;
    struct fm_heap heap;
    fm_heap_init(&heap, NULL, 0);
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        for (size_t size = 1; size < 12; size++)
            check_pieces(&heap, rows[i].why, rows[i].form, rows[i].bytes, rows[i].utf8, size);
    assert_int_equal(atomic_load(&heap.used), 0);
}

static const struct {
    const char *why;
    framemap_str utf8, bytes;
} malformed[] = {
    {"a byte that is none", FM_STR_INIT("a\xFFz"), FM_STR_INIT("\0a\xFF\xFD\0z")},
    {"cut", FM_STR_INIT("\xE2\x82"), FM_STR_INIT("\xFF\xFD")},
    {"cut before a letter", FM_STR_INIT("\xE2\x82z"), FM_STR_INIT("\xFF\xFD\0z")},
    {"four bytes, cut before a character", FM_STR_INIT("\xF0\x9F\xC3\xA9"), FM_STR_INIT("\xFF\xFD\0\xE9")},
    {"a lead before a lead", FM_STR_INIT("\xF0\xF0\x9F\x98\x80"), FM_STR_INIT("\xFF\xFD\xD8\x3D\xDE\x00")},
    {"overlong", FM_STR_INIT("\xC0\x8A"), FM_STR_INIT("\xFF\xFD\xFF\xFD")},
};

/* fm_form_write gives the same output however its input is divided into pieces. The input has any bytes, as names in
 * symbol files can have. */
static void writes_any_bytes(void **state)
{
    (void)state;
    struct fm_heap heap;
    const struct fm_form_reader none = {.has_odd = false};
    fm_heap_init(&heap, NULL, 0);
    for (size_t i = 0; i < COUNT_OF(malformed); i++) {
        for (size_t size = 1; size < 6; size++) {
            struct fm_form_writer writer = {.form = FM_FORM_UTF16BE};
            struct fm_buf out;
            fm_buf_init(&out, &heap);
            for (size_t at = 0; at < malformed[i].utf8.size; at += size)
                fm_form_write(&writer, fm_str_slice(malformed[i].utf8, at, at + size), &out);
            fm_form_write_end(&writer, &none, &out);
            same(malformed[i].why, "written", fm_buf_view(&out), malformed[i].bytes);
            fm_buf_free(&out);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(recognizes), cmocka_unit_test(certain_is_final),
                                       cmocka_unit_test(both_ways), cmocka_unit_test(writes_any_bytes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
