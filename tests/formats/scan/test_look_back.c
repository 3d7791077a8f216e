/* Tests that looking back from a line finds the same earlier lines, whether they were split one by one or skipped. */
#include "tests/formats/formats_help.h"

#include "formats/scan/document.h"
#include "formats/scan/lines.h"
#include "formats/scan/look_back.h"

struct setting {
    struct fm_line_ring ring;
    struct fm_document doc;
};

static void set(struct setting *setting, framemap_str text)
{
    *setting = (struct setting){.ring.text = text, .ring.reach = 1 << 16};
    setting->doc.ring = &setting->ring;
}

static void push(struct setting *setting)
{
    fm_line_ring_slot(&setting->ring)->lane = fm_line_ring_slot(&setting->ring)->line.origin;
    fm_line_ring_push(&setting->ring, FM_PARSERS_NONE);
}

/* Splits a text into lines, and adds all lines but the last to the look-back. */
static void keep_all(struct setting *setting, framemap_str text)
{
    struct fm_lines lines = {.text = text};
    set(setting, text);
    while (fm_lines_next(&lines, &fm_line_ring_slot(&setting->ring)->line) && lines.at < text.size) push(setting);
    setting->doc.lane = fm_line_ring_slot(&setting->ring)->line.origin;
}

/* Skips all lines of a text but the last. */
static void pass_all(struct setting *setting, framemap_str text)
{
    struct fm_lines lines = {.text = text}, last = lines;
    struct fm_line line;
    set(setting, text);
    while (last = lines, fm_lines_next(&lines, &line) && lines.at < text.size);
    fm_line_ring_skip(&setting->ring, last.number1, last.at);
    assert_true(fm_lines_next(&last, &fm_line_ring_slot(&setting->ring)->line));
    setting->doc.lane = fm_line_ring_slot(&setting->ring)->line.origin;
}

/* Returns the bodies of the lines above the current one, nearest first, with '|' after each. */
static const char *walk(struct setting *setting, uint64_t floor, unsigned most)
{
    static char out[400];
    struct fm_look_back above = fm_look_back_from(&setting->doc, &fm_line_ring_slot(&setting->ring)->line, floor, most);
    size_t size = 0;
    for (struct fm_line *line; (line = fm_look_back_next(&above)) != NULL;) {
        assert_true(line->text.data == setting->ring.text.data + line->offset);
        if (!fm_line_cut(line)) continue;
        assert_true(size + line->body.size + 2 < sizeof out);
        memcpy(out + size, line->body.data, line->body.size);
        size += line->body.size;
        out[size++] = '|';
    }
    out[size] = '\0';
    return out;
}

static const struct {
    const char *why, *text;
    uint64_t floor;
    unsigned most;
    const char *want;
} rows[] = {
    {"nothing above", "x", 0, 16, ""},
    {"nearest first", "a\nb\nc\nx\n", 0, 16, "c|b|a|"},
    {"so many", "a\nb\nc\nx\n", 0, 2, "c|b|"},
    {"none in front of the floor", "a\nb\nc\nx\n", 2, 16, "c|b|"},
    {"nor one that the floor is in", "a\nbb\nc\nx\n", 3, 16, "c|"},
    {"blank lines", "\n\na\n\n \t\nb\n\nx\n", 0, 16, "b|a|"},
    {"blank lines are so many, too", "a\n\n\nx\n", 0, 2, ""},
    {"returns", "a\r\n\r\nb\r\nx\r\n", 0, 16, "b|a|"},
    {"a logger's prefix",
     "11-21 10:00:00.000     1     2 I tag: a\n11-21 10:00:00.000     1     2 I tag: \n"
     "11-21 10:00:00.000     1     2 I other: b\n11-21 10:00:00.000     1     2 I tag: x\n",
     0, 16, "a|"},
    {"more than are ring", "0\n1\n2\n3\n4\n5\n6\n7\n8\n9\na\nb\nc\nd\ne\nf\ng\nh\nx\n", 0, 16,
     "h|g|f|e|d|c|b|a|9|8|7|6|5|4|3|2|"},
};

static void test_rows(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct setting setting;
        keep_all(&setting, text_of(rows[i].text));
        const char *got = walk(&setting, rows[i].floor, rows[i].most);
        if (strcmp(got, rows[i].want) != 0) fail_msg("%s: cut out, %s", rows[i].why, got);
        pass_all(&setting, text_of(rows[i].text));
        /* the first turn splits the skipped lines, so the second turn finds them already split */
        for (int turn = 0; turn < 2; turn++) {
            got = walk(&setting, rows[i].floor, rows[i].most);
            if (strcmp(got, rows[i].want) != 0) fail_msg("%s: passed over, %s", rows[i].why, got);
        }
    }
}

/* Checks which lines are omitted when a parser looks back: lines that are frames of parsers before it, and its own
 * context lines. */
static void test_hidden(void **state)
{
    const framemap_str text = FM_STR("a\nb\nc\nx\n");
    struct setting setting;
    (void)state;
    keep_all(&setting, text);
    setting.ring.lines[0].hidden = fm_parsers_from(2);
    fm_parsers_add(&setting.ring.lines[1].hidden, 1);
    setting.doc.parser = 0;
    assert_string_equal(walk(&setting, 0, 16), "c|b|a|");
    setting.doc.parser = 1;
    assert_string_equal(walk(&setting, 0, 16), "c|a|");
    /* the numbers of the other lines are too far from that of the current line */
    assert_string_equal(walk(&setting, 0, 2), "c|");
    setting.doc.parser = 3;
    assert_string_equal(walk(&setting, 0, 16), "c|b|");
}

/* Tests looking back from a line that was offered earlier. */
static void test_earlier(void **state)
{
    struct setting setting;
    (void)state;
    keep_all(&setting, FM_STR("a\nb\nc\nx\n"));
    struct fm_look_back above = fm_look_back_from(&setting.doc, &setting.ring.lines[2].line, 0, 16);
    const struct fm_line *line = fm_look_back_next(&above);
    assert_non_null(line);
    assert_int_equal(line->number1, 2);
}

/* Tests skipped lines, then the pieces of a string, which have the same line number, then skipped lines again. */
static void test_between(void **state)
{
    const framemap_str text = FM_STR("a\nb\n\"c\\nd\"\ne\n\nf\n\"g\\nh\"\n");
    struct fm_lines lines = {.text = text};
    struct setting setting;
    (void)state;
    set(&setting, text);
    fm_line_ring_skip(&setting.ring, 2, 4);
    fm_lines_skip(&lines, 4, 2);
    while (fm_lines_next(&lines, &fm_line_ring_slot(&setting.ring)->line) && lines.number1 == 3)
        fm_line_ring_push(&setting.ring, FM_PARSERS_NONE);
    assert_int_equal(fm_line_ring_slot(&setting.ring)->line.offset, 11);
    fm_line_ring_skip(&setting.ring, 3, 16);
    lines = (struct fm_lines){.text = text};
    fm_lines_skip(&lines, 16, 6);
    while (fm_lines_next(&lines, &fm_line_ring_slot(&setting.ring)->line) &&
           fm_line_ring_slot(&setting.ring)->line.offset < 17)
        fm_line_ring_push(&setting.ring, FM_PARSERS_NONE);
    assert_string_equal(walk(&setting, 0, 16), "f|e|\"|d|c|b|a|");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows), cmocka_unit_test(test_hidden),
                                       cmocka_unit_test(test_earlier), cmocka_unit_test(test_between)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
