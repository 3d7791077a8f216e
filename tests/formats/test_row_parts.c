#include "tests/formats/formats_help.h"

#include "formats/row_parts.h"
#include "formats/scan/document.h"
#include <stdlib.h>

static void test_digits(void **state)
{
    static const struct {
        const char *text;
        enum fm_digits want;
        uint64_t value;
        size_t left;
    } rows[] = {{"0x0", FM_DIGITS_FIT, 0, 0},
                {"0xFFFFffffFFFFffff", FM_DIGITS_FIT, UINT64_MAX, 0},
                {"0x10000000000000000", FM_DIGITS_LONG, 7, 0},
                {"0x00000000000000001 ", FM_DIGITS_LONG, 7, 1},
                {"0x", FM_DIGITS_NONE, 7, 2},
                {"0xg", FM_DIGITS_NONE, 7, 3},
                {"1f", FM_DIGITS_NONE, 7, 2},
                {"", FM_DIGITS_NONE, 7, 0},
                {"0X1f)", FM_DIGITS_FIT, 0x1f, 1}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct fm_scan s = fm_scan_of(text_of(rows[i].text));
        uint64_t value = 7;
        assert_int_equal(fm_row_0xhex(&s, &value), rows[i].want);
        same_number(rows[i].text, "value", value, rows[i].value);
        same_number(rows[i].text, "left", (uint64_t)(s.end - s.at), rows[i].left);
    }
}

static void test_index(void **state)
{
    static const struct {
        const char *text;
        bool good;
        int64_t value;
    } rows[] = {{"0", true, 0},  {"007 ", true, 7}, {"999999999", true, 999999999}, {"1000000000", false, -1},
                {"", false, -1}, {"x", false, -1}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct fm_scan s = fm_scan_of(text_of(rows[i].text));
        int64_t value = -1;
        if (fm_row_index(&s, &value) != rows[i].good || value != rows[i].value) fail_msg("\"%s\"", rows[i].text);
    }
}

static void test_groups(void **state)
{
    static const struct {
        const char *text, *before, *group; /* before: the text before the group; group: NULL if the text has no group */
    } rows[] = {{"a (b)", "a", "b"},         {"a  (b(c) d)", "a", "b(c) d"},
                {"a(b)", "a(b)", NULL},      {"(b)", "(b)", NULL},
                {"a (b", "a (b", NULL},      {"a b)", "a b)", NULL},
                {"a (b))", "a (b))", NULL},  {"", "", NULL},
                {"a (b) (c)", "a (b)", "c"}, {"a ()", "a", ""}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        framemap_str text = text_of(rows[i].text), group = {NULL, 0};
        bool found = fm_row_group(&text, &group);
        if (found != (rows[i].group != NULL)) fail_msg("%s: found %d", rows[i].text, found);
        same_text(rows[i].text, "before", text, text_of(rows[i].before));
        if (found) same_text(rows[i].text, "group", group, text_of(rows[i].group));
    }
}

static void test_distances(void **state)
{
    static const struct {
        const char *text;
        bool hex;
        const char *name; /* name: the name before "+distance"; NULL: the text has no distance */
        uint64_t distance;
    } rows[] = {{"f+12", false, "f", 12},
                {"f + 12", false, "f", 12},
                {"f +12", false, "f", 12},
                {"operator+ + 4", false, "operator+", 4},
                {"f+0x1f", true, "f", 31},
                {"f+0x1f", false, NULL, 0},
                {"f12", false, NULL, 0},
                {"f+", false, NULL, 0},
                {"+12", false, "", 12},
                {"f + 99999999999999999999", false, NULL, 0},
                {"f+0x12345678123456789", true, NULL, 0},
                {"f+12", true, "f", 12}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        framemap_str name = {NULL, 0};
        uint64_t distance = 0;
        bool found = fm_row_distance(text_of(rows[i].text), rows[i].hex, &name, &distance);
        if (found != (rows[i].name != NULL)) fail_msg("%s: found %d", rows[i].text, found);
        if (found) same_text(rows[i].text, "name", name, text_of(rows[i].name));
        same_number(rows[i].text, "distance", distance, rows[i].distance);
    }
}

static void test_places(void **state)
{
    static const struct {
        const char *text, *file; /* file: NULL if the text has no position */
        uint32_t line, column;
    } rows[] = {{"a.c:1", "a.c", 1, 0},     {"a.c:1:2", "a.c", 1, 2}, {"C:\\a b.c:1:2", "C:\\a b.c", 1, 2},
                {"a:b.c:1", "a:b.c", 1, 0}, {"a.c", NULL, 0, 0},      {":1", NULL, 0, 0},
                {"??:0", NULL, 0, 0},       {"a.c:", NULL, 0, 0},     {"a.c:4294967296", NULL, 0, 0},
                {"a.c:0", "a.c", 0, 0},     {"??:0:0", NULL, 0, 0},   {"12", NULL, 0, 0}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        framemap_str file = {NULL, 0};
        uint32_t line = 0, column = 0;
        bool found = fm_row_location(text_of(rows[i].text), &file, &line, &column);
        if (found != (rows[i].file != NULL)) fail_msg("%s: found %d", rows[i].text, found);
        if (found) same_text(rows[i].text, "file", file, text_of(rows[i].file));
        same_number(rows[i].text, "line", line, rows[i].line);
        same_number(rows[i].text, "column", column, rows[i].column);
    }
}

static void test_hermes_names(void **state)
{
    static const struct {
        const char *text, *function, *file; /* function: NULL if the text is not "name(file:line:column)" */
        uint32_t line, column;
    } rows[] = {{"run(/a/b.js:7:3)", "run", "/a/b.js", 7, 3},
                {"(b (1).js:7:3)", "", "b (1).js", 7, 3},
                {"run", NULL, NULL, 0, 0},
                {"run()", NULL, NULL, 0, 0},
                {"run(b.js:7:3) x", NULL, NULL, 0, 0},
                {"(", NULL, NULL, 0, 0},
                {"", NULL, NULL, 0, 0}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        framemap_str function = {NULL, 0}, file = {NULL, 0};
        uint32_t line = 0, column = 0;
        bool found = fm_row_hermes_name(text_of(rows[i].text), &function, &file, &line, &column);
        if (found != (rows[i].function != NULL)) fail_msg("%s: found %d", rows[i].text, found);
        if (!found) continue;
        same_text(rows[i].text, "function", function, text_of(rows[i].function));
        same_text(rows[i].text, "file", file, text_of(rows[i].file));
        same_number(rows[i].text, "line", line, rows[i].line);
        same_number(rows[i].text, "column", column, rows[i].column);
    }
}

static void test_ids(void **state)
{
    static const struct {
        const char *text, *id; /* id: NULL if the text has no id */
    } rows[] = {{"8C17697F-2E84-39E5-B491-FCF5169106FF", "8c17697f2e8439e5b491fcf5169106ff"},
                {"0123456789abcdef", "0123456789abcdef"},
                {"1234567", NULL},
                {"12345678", "12345678"},
                {"hello-world", NULL},
                {"", NULL},
                {"--------", NULL},
                {"00000000000000000000000000000000000000000000000000000000000000001", NULL}};
    struct fm_heap heap;
    struct fm_arena arena;
    (void)state;
    fm_heap_init(&heap, NULL, 0);
    fm_arena_init(&arena, &heap);
    struct fm_document doc = {.arena = &arena};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        framemap_str id = {NULL, 0};
        bool found = fm_row_id(text_of(rows[i].text), &doc, &id);
        if (found != (rows[i].id != NULL)) fail_msg("%s: found %d", rows[i].text, found);
        if (found) same_text(rows[i].text, "id", id, text_of(rows[i].id));
    }
    fm_arena_free(&arena);
}

/* Reference implementation: finds the last opening parenthesis, byte by byte. */
static bool plain_open(framemap_str text, size_t *open)
{
    size_t depth = 0;
    if (text.size == 0 || text.data[text.size - 1] != ')') return false;
    for (size_t at = text.size; at-- > 0;) {
        depth += text.data[at] == ')';
        depth -= text.data[at] == '(';
        *open = at;
        if (depth == 0) return true;
    }
    return false;
}

static void test_open(void **state)
{
    enum { TEXTS = 20000, LONGEST = 40 };
    static const char bytes[] = "()(ab))'*\x28\xA8\xA9";
    uint32_t random = 1;
    (void)state;
    for (int i = 0; i < TEXTS; i++) {
        const size_t size = 1 + (size_t)i % LONGEST;
        char *text = malloc(size);
        for (size_t at = 0; at < size; at++) {
            random = random * 1664525 + 1013904223;
            text[at] = random >> 30 ? 'x' : bytes[(random >> 8) % (sizeof bytes - 1)];
        }
        long depth = 0;
        for (size_t at = 0; at < size; at++) depth += (text[at] == '(') - (text[at] == ')');
        assert_int_equal(fm_row_depth(fm_str(text, size)), depth);
        text[size - 1] = ')';
        size_t open = 0, wanted = 0;
        assert_int_equal(fm_row_open(fm_str(text, size), &open), plain_open(fm_str(text, size), &wanted));
        assert_int_equal(open, wanted);
        free(text);
    }
}

/* Tests messages that have several lines, empty lines, or HTML entities. */
static void test_messages(void **state)
{
    struct fm_heap heap;
    struct fm_arena arena;
    (void)state;
    fm_heap_init(&heap, NULL, 0);
    fm_arena_init(&arena, &heap);
    struct fm_document doc = {.arena = &arena};
    const framemap_str lines[] = {FM_STR("one"), {NULL, 0}, FM_STR("two")};
    assert_true(fm_str_equal(fm_row_join(&doc, lines, 3), FM_STR("one\n\ntwo")));
    assert_ptr_equal(fm_row_join(&doc, lines, 1).data, lines[0].data);
    assert_int_equal(fm_row_join(&doc, lines, 0).size, 0);
    const framemap_str plain = FM_STR("a & b &lt c;");
    assert_ptr_equal(fm_row_decoded(&doc, plain).data, plain.data);
    assert_true(
        fm_str_equal(fm_row_decoded(&doc, FM_STR("&lt;fn&gt; &amp;amp; &#39;&quot;")), FM_STR("<fn> &amp; '\"")));
    fm_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_digits),       cmocka_unit_test(test_index),     cmocka_unit_test(test_groups),
        cmocka_unit_test(test_open),         cmocka_unit_test(test_distances), cmocka_unit_test(test_places),
        cmocka_unit_test(test_hermes_names), cmocka_unit_test(test_ids),       cmocka_unit_test(test_messages)};
    return cmocka_run_group_tests_name("formats rows", tests, NULL, NULL);
}
