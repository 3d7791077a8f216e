#include "tests/formats/formats_help.h"

#include "formats/scan/quoting.h"

static const struct {
    const char *name, *start, *body, *end;
} rows[] = {
    {"nothing", "", "#0 f", ""},
    {"a serial console", "\r", "#0 f", ""},
    {"quoted on a serial console", "\r> ", "#0 f", ""},
    {"a mail", "> ", "#0 f", ""},
    {"a mail in a mail", ">> ", "#0 f", ""},
    {"a mail in a mail, with blanks", "> > ", "#0 f", ""},
    {"a mail in a page", "&gt; &gt;", "#0 f", ""},
    {"other entities", "", "&lt;a&gt; b", ""},
    {"a table", "| ", "#0 f", " |"},
    {"a bar is no table's", "", "#0 f |", ""},
    {"an added line", "+", "  at f", ""},
    {"a removed line", "-", "  at f", ""},
    {"a removed header", "-", "Thread 0 Crashed:", ""},
    {"a list", "-", " at f", ""},
    {"a sentence in a list", "", "- something", ""},
    {"a divider", "", "--------- beginning of crash", ""},
    {"a method of Objective-C", "", "-[A b]", ""},
    {"an arrow", "", "-> 0x1", ""},
    {"a comment of C", "// ", "#0 f", ""},
    {"a comment of a script", "# ", "#0 f", ""},
    {"the same before Apple's row", "# ", "0   App   0x1 f + 1", ""},
    {"a heading", "", "# Title", ""},
    {"a frame", "", "#1  0x1 in f", ""},
    {"code", "`", "#0 f", "`"},
    {"a word as code", "", "`f` is g", ""},
    {"a fence", "", "```", ""},
    {"a fence with its language", "", "```shell-session", ""},
    {"a fence before text", "```", "panic: f", ""},
    {"a fence after text", "", "#0 f", "```"},
    {"a fence around text", "```", "at a.b (a.c:1)", "```"},
    {"two marks", "", "``a: b", ""},
    {"code of several lines, the first", "`", "panic: f", ""},
    {"code of several lines, the last", "", "#0 f", "`"},
    {"code of one line that is no frame", "`", "panic: f (g)", "`"},
    {"code in a sentence", "", "see `f`", ""},
    {"two codes", "", "`f` and `g`", ""},
    {"a name of MSVC", "", "`anonymous namespace'::f(int)", ""},
    {"bold text", "**", "Thread 0 Crashed:", "**"},
    {"bold rows, the first", "**", "2   App   0x10020b168 f + 1", ""},
    {"a divider of stars", "", "*** *** ***", ""},
    {"dropped messages", "", "** 12 printk messages dropped **", ""},
    {"a power", "", "** p", ""},
    {"a paragraph", "<p>", "#0 f", "</p>"},
    {"bold", "<b>", "    #0 0x1 in f", "</b>"},
    {"a class", "<pre class=\"x\">", "#0 f", ""},
    {"two elements", "<li><code>", "#0 f", "</code></li>"},
    {"breaks", "", "#0 f", "<br>"},
    {"breaks of XML", "", "#0 f", "<br />"},
    {"an anonymous function", "", "at f (<anonymous>", ""},
    {"a template", "", "#0 f<p1>", ""},
    {"no element", "", "<unknown>", ""},
    {"a failure of JUnit", "<failure message=\"a > b &lt;\" type='c\">'>", "a.b: c", "</failure>"},
    {"its data", "<error><![CDATA[", "a.b: c", "]]></error></testcase>"},
    {"the last line of its data", "", "  at f", "]]></failure>"},
    {"an array in a type", "", "drop<[[u8; 4]]>", ""},
    {"a name in a type", "", "drop<error>", ""},
    {"Unreal's crash context", "<CallStack>", "Shop!f() [a.cpp:3]", "</CallStack>"},
    {"a name with a namespace", "<log4j:throwable>", "a.b: c", "</log4j:throwable>"},
    {"a tag that is cut", "", "<failure message=\"a > b", ""},
    {"a colour", "\033[31m", "#0 f", "\033[0m"},
    {"a bright colour", "\033[1;31m", "#0 f", "\033[0m"},
    {"a link", "\033]8;;http://x\a", "#0 f", ""},
    {"a link, other end", "\033]8;;http://x\033\\", "#0 f", ""},
    {"a colour as JSON spells it", "\\u001b[31m", "#0 f", "\\u001B[39m"},
    {"a colour as rsyslog spells it", "#033[1;31m", "#0 f", "#033[0m"},
    {"a colour as programs spell it", "\\x1b[31m", "#0 f", "\\x1B[m"},
    {"a colour as cat -v spells it", "^[[31m", "#0 f", "^[[m"},
    {"another escape", "", "\\u001c[31m #0 f \\u001c[31m", ""},
    {"an escape that is no colour", "", "\\u001b[31k #0 f ^[31m", ""},
    {"a row of a stack with that number", "", "#033 f", ""},
    {"the line of a box", "\xE2\x94\x82 ", "#0 f", ""},
    {"a bold line, without a blank", "\xE2\x94\x83", "", ""},
    {"a border of a box", "\xE2\x94\x9C\xE2\x94\x84\xE2\x94\x84\xE2\x95\xAE", "", ""},
    {"another sign of boxes", "", "\xE2\x94\x94 a", ""},
    {"a byte order mark", "\xEF\xBB\xBF", "#0 f", ""},
    {"a mark and a mail", "\xEF\xBB\xBF> ", "#0 f", ""},
    {"control characters", "\x01\x02", "#0 f", "\x01"},
    {"blanks at the end", "", "#0 f", " \t\r"},
    {"a link of Android Studio", "", "a.b: no", " (Ask Gemini)"},
    {"its later name, blanks", "", "a.b: no", " (Explain with AI) "},
    {"words that are no link", "", "a.b: no (with AI)", ""},
};

static const struct {
    const char *name, *body, *end;
} columns[] = {
    {"nothing", "at f (a.js:1:2)", ""},
    {"the last column", "at f (a.js:1:2)", "\""},
    {"a column after it", "at f (a.js:1:2)", "\",next"},
    {"quoted columns", "at f (a.js:1:2)", "\",\"next column\",\"\""},
    {"no value", "at f (a.js:1:2)", "\",,"},
    {"blanks", "at f (a.js:1:2)", " \t\",x"},
    {"quotes in the column are doubled", "File \"\"/a.py\"\", line 3", "\",x"},
    {"a doubled quote at the end", "raise E(\"\"x\"\"", "\",x"},
    {"only doubled quotes", "File \"\"/a.py\"\", line 3", ""},
    {"the first line of a column", "1,\"2026-11-21\",\"Error: x", ""},
    {"a record on one line", "\"at f (a.js:1:2)\",x", ""},
    {"a string of JSON", "  \"at f (a.js:1:2)\",", ""},
    {"the end of a column alone", "\",x", ""},
    {"blanks before the end of a column", "  \",x", ""},
    {"quotes in a line", "File \"/a.py\", line 3", ""},
    {"quotes in a message", "said \"a\", then", ""},
    {"an escaped quote", "x: \\\", y", ""},
    {"inches", "12\" x 4\"", ""},
};

static void test_columns(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        char line[256];
        snprintf(line, sizeof line, "%s%s", columns[i].body, columns[i].end);
        same_number(columns[i].name, "column", fm_quoting_column_end(text_of(line)), strlen(columns[i].body));
        for (size_t size = 1; size <= strlen(line); size++)
            assert_true(fm_quoting_column_end(fm_str(line, size)) <= size);
    }
}

static void test_rows(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char line[256];
        snprintf(line, sizeof line, "%s%s%s", rows[i].start, rows[i].body, rows[i].end);
        same_number(rows[i].name, "start", fm_quoting_start(text_of(line)), strlen(rows[i].start));
        same_number(rows[i].name, "end", fm_quoting_end(text_of(line)), strlen(line) - strlen(rows[i].end));
    }
}

/* Lines are truncated at each byte; the sizes that are found in a line are never greater than the line. Each line is
 * copied to a block of its size, so that sanitizers detect a read past its end. */
static void test_every_cut(void **state)
{
    (void)state;
    struct fm_heap heap;
    fm_heap_init(&heap, NULL, 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char line[256];
        snprintf(line, sizeof line, "%s%s%s", rows[i].start, rows[i].body, rows[i].end);
        for (size_t size = 1; size <= strlen(line); size++) {
            char *copy = fm_heap_zalloc(&heap, size, 1);
            assert_non_null(copy);
            memcpy(copy, line, size);
            const framemap_str text = fm_str(copy, size);
            if (fm_quoting_start(text) > size || fm_quoting_end(text) > size) fail_msg("%s, %zu", rows[i].name, size);
            fm_heap_free(&heap, copy, size);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows), cmocka_unit_test(test_columns),
                                       cmocka_unit_test(test_every_cut)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
