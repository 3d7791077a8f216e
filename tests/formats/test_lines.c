#include "formats_help.h"

#include "core/limits.h"
#include "formats/lines.h"

static const struct {
    const char *name, *why, *text;
    struct {
        const char *text, *body;
        uint64_t offset;
        char first, last;
    } lines[3];
    size_t count;
} rows[] = {
    {"empty", "no line at all", "", {{0}}, 0},
    {"ends", "LF, CR LF and none", "a\nb\r\nc", {{"a", "a", 0, 'a', 'a'}, {"b", "b", 2, 'b', 'b'}, {"c", "c", 5, 'c', 'c'}}, 3},
    {"blank", "a line of blanks has no first byte", " \t \nx\n", {{" \t ", "", 0, 0, 0}, {"x", "x", 4, 'x', 'x'}}, 2},
    {"quoted", "mail, markdown, diff", "> > a\n| b\n+c", {{"> > a", "a", 0, 'a', 'a'}, {"| b", "b", 6, 'b', 'b'}, {"+c", "c", 10, 'c', 'c'}}, 3},
    {"coloured", "opening and closing colours", "\033[1;31m  a\033[0m\n\033[m", {{"\033[1;31m  a\033[0m", "  a", 0, 'a', 'a'}, {"\033[m", "", 15, 0, 0}}, 2},
    {"mark", "a byte order mark", "\xEF\xBB\xBF" "a  ", {{"\xEF\xBB\xBF" "a  ", "a", 0, 'a', 'a'}}, 1},
    {"logged", "a logger's prefix is no body", "F/DEBUG ( 12):   a", {{"F/DEBUG ( 12):   a", "  a", 0, 'a', 'a'}}, 1},
};

static void test_rows(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct fm_lines lines = {.text = text_of(rows[i].text)};
        struct fm_line line;
        size_t count = 0;
        while (fm_lines_next(&lines, &line)) {
            if (count >= rows[i].count) fail_msg("%s has too many lines", rows[i].name);
            same_text(rows[i].name, "text", line.text, text_of(rows[i].lines[count].text));
            same_text(rows[i].name, "body", line.body, text_of(rows[i].lines[count].body));
            same_number(rows[i].name, "offset", line.offset, rows[i].lines[count].offset);
            same_number(rows[i].name, "number", line.number1, count + 1);
            assert_int_equal(line.first, rows[i].lines[count].first);
            assert_int_equal(line.last, rows[i].lines[count].last);
            count++;
        }
        same_number(rows[i].name, "lines", count, rows[i].count);
    }
}

static void test_long_line_is_passed_over(void **state)
{
    struct fm_heap heap;
    struct fm_buf text;
    struct fm_line line;
    (void)state;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&text, &heap);
    for (size_t i = 0; i <= FM_LIMIT_LINE; i++) fm_buf_byte(&text, '#');
    struct fm_lines lines = {.text = fm_buf_view(&text)};
    assert_true(fm_lines_next(&lines, &line));
    assert_int_equal(line.text.size, FM_LIMIT_LINE + 1);
    assert_int_equal(line.body.size, 0);
    assert_int_equal(line.first, 0);
    assert_false(fm_lines_next(&lines, &line));
    fm_buf_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows), cmocka_unit_test(test_long_line_is_passed_over)};
    return cmocka_run_group_tests_name("formats lines", tests, NULL, NULL);
}
