#include "core/text/buffer.h"
#include "tests/formats/formats_help.h"

#include "core/cpu.h"
#include "core/limits.h"
#include "formats/scan/lines.h"

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
    {"ends",
     "LF, CR LF and none",
     "a\nb\r\nc",
     {{"a", "a", 0, 'a', 'a'}, {"b", "b", 2, 'b', 'b'}, {"c", "c", 5, 'c', 'c'}},
     3},
    {"blank", "a line of blanks has no first byte", " \t \nx\n", {{" \t ", "", 0, 0, 0}, {"x", "x", 4, 'x', 'x'}}, 2},
    {"quoted",
     "mail, markdown, diff",
     "> > a\n| b\n+c",
     {{"> > a", "a", 0, 'a', 'a'}, {"| b", "b", 6, 'b', 'b'}, {"+c", "c", 10, 'c', 'c'}},
     3},
    {"coloured",
     "opening and closing colours",
     "\033[1;31m  a\033[0m\n\033[m",
     {{"\033[1;31m  a\033[0m", "  a", 0, 'a', 'a'}, {"\033[m", "", 15, 0, 0}},
     2},
    {"mark",
     "a byte order mark",
     "\xEF\xBB\xBF"
     "a  ",
     {{"\xEF\xBB\xBF"
       "a  ",
       "a", 0, 'a', 'a'}},
     1},
    {"logged", "a logger's prefix is no body", "F/DEBUG ( 12):   a", {{"F/DEBUG ( 12):   a", "  a", 0, 'a', 'a'}}, 1},
    {"hard blanks in a prefix",
     "of a page from which a log was copied",
     "11-21\xC2\xA0"
     "10:00:00.000\xC2\xA0 12\xC2\xA0 13 F DEBUG \xC2\xA0 : \xC2\xA0 a",
     {{"11-21\xC2\xA0"
       "10:00:00.000\xC2\xA0 12\xC2\xA0 13 F DEBUG \xC2\xA0 : \xC2\xA0 a",
       "\xC2\xA0 a", 0, '\xC2', 'a'}},
     1},
    {"indented logs",
     "as in Markdown",
     "    11-21 10:00:00.000  12  13 F DEBUG   :   a\n\tF/DEBUG ( 12):   b\n  2026-11-21 10:00:00,123 ERROR  c",
     {{"    11-21 10:00:00.000  12  13 F DEBUG   :   a", "  a", 0, 'a', 'a'},
      {"\tF/DEBUG ( 12):   b", "  b", 47, 'b', 'b'},
      {"  2026-11-21 10:00:00,123 ERROR  c", " c", 67, 'c', 'c'}},
     3},
    {"boxes",
     "after a prefix, and indented",
     "I/flutter ( 12): \xE2\x94\x82 #0 a\n  \xE2\x94\x82  1: b",
     {{"I/flutter ( 12): \xE2\x94\x82 #0 a", "#0 a", 0, '#', 'a'}, {"  \xE2\x94\x82  1: b", " 1: b", 26, '1', 'b'}},
     2},
    {"logcat -v monotonic",
     "small numbers are indented; a number of this form before other text is not a time",
     "     1.345  8682  8683 F DEBUG   :       #00 pc 1\n  3456.789012  1  2 F DEBUG   : x\n     1.345  8682  8683 f",
     {{"     1.345  8682  8683 F DEBUG   :       #00 pc 1", "      #00 pc 1", 0, '#', '1'},
      {"  3456.789012  1  2 F DEBUG   : x", "x", 50, 'x', 'x'},
      {"     1.345  8682  8683 f", "     1.345  8682  8683 f", 84, '1', 'f'}},
     3},
    {"indented logs of the kernel",
     "a bracket alone is no time",
     "    [   28.106653]  d\n\tFeb  1 23:13:13 host kernel: [    8.1]  e\n    [0] f",
     {{"    [   28.106653]  d", " d", 0, 'd', 'd'},
      {"\tFeb  1 23:13:13 host kernel: [    8.1]  e", " e", 22, 'e', 'e'},
      {"    [0] f", "    [0] f", 65, '[', 'f'}},
     3},
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

static void check_has(const char *mark, unsigned has, size_t size, size_t at)
{
    enum { BEHIND = 80 };
    char text[100 + BEHIND];
    struct fm_line line;
    /* the text consists of letters only, so a mark at its end is directly before the line end */
    memset(text, 'r', size);
    memcpy(text + at, mark, strlen(mark));
    for (size_t k = 0; k < BEHIND; k++) text[size + k] = "\n(#@r:.[\\\033|"[k % 11];
    struct fm_lines lines = {.text = fm_str(text, size + BEHIND)}, last = {.text = fm_str(text, size + 1)};
    assert_true(fm_lines_next(&lines, &line));
    const unsigned all = fm_cpu_avx2() ? has : FM_HAS_ANY;
    if (line.has != all) fail_msg("\"%s\" at %zu of %zu: has %x", mark, at, size, line.has);
    assert_true(fm_lines_next(&last, &line));
    assert_int_equal(line.has & has, has);
}

/* Every property that a line has is reported. No other property is reported if AVX2 is used and enough text follows the
 * line. */
static void test_has(void **state)
{
    static const struct {
        const char *mark;
        unsigned has;
    } marks[] = {{"x", 0},
                 {"(", FM_HAS_PARENTHESIS},
                 {"#", FM_HAS_HASH},
                 {"@", FM_HAS_AT_SIGN},
                 {"r:", FM_HAS_ERROR},
                 {"\"", FM_HAS_QUOTE},
                 {"[", FM_HAS_BRACKET},
                 {"\\", FM_HAS_BACKSLASH},
                 {"\033", FM_HAS_COLOUR},
                 {"|", FM_HAS_BAR},
                 {"&", FM_HAS_CODED}};
    (void)state;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        for (size_t size = 2; size < 100; size++)
            for (size_t at = 0; at < size - 1; at++) check_has(marks[i].mark, marks[i].has, size, at);
}

/* Cases: a string with escaped line ends, and the pieces into which it is expected to be split, each in brackets. '!'
 * after a piece: it is the first of several lines in one escaped string. */
static const struct text_case escaped[] = {
    {"JSON", "from quote to quote; what stands between strings is a line too", "{\"a\":\"x\\n\\ty\\r\\nz\",\"b\":1}\n",
     "[x]![y][z][\",\"b\":1}]"},
    {"quotes within", "belong to the string", "{\"a\":\"say \\\"x\\\"\\ny\"}", "[say \\\"x\\\"]![y][\"}]"},
    {"JSON in JSON", "twice as many backslashes, and quotes with one",
     "{\"m\":\"{\\\"s\\\":\\\"x \\\\\\\"q\\\\\\\"\\\\ny\\\"}\"}", "[x \\\\\\\"q\\\\\\\"]![y][\\\"}\"}]"},
    {"no quotes", "an indent or a number sign after the line end", "a\\n\\tb\\nc\nd\\n#00\n", "[a]![b][c][d]![#00]"},
    {"a frame of gdb", "its strings have no line ends, after what quotes the line too",
     "#7  0x1 in f (s=0x2 \"%s\\n\") at a.c:3\n> #8  0x1 in f (s=0x2 \"%s\\n\") at a.c:3\n",
     "[#7  0x1 in f (s=0x2 \"%s\\n\") at a.c:3][#8  0x1 in f (s=0x2 \"%s\\n\") at a.c:3]"},
    {"a row of Elixir", "nor have its arguments",
     "  (a 1.0) lib/a.ex:1: A.f(\"x\\n at y\", 1)\nsee lib/a.ex:1: \"x\\n at y\"\n",
     "[  (a 1.0) lib/a.ex:1: A.f(\"x\\n at y\", 1)][x]![ at y][\"]"},
    {"a string in a message", "has no line ends unless something like a row follows one of them",
     "a.b.Bad: For input string: \"12\\n\"\n  print(\"%d\\n\", x, \"a\\nb\")\nBad: 'a\\n'\nlog(\"x\\n\", \"E: "
     "x\\nf@a.js:1:2\")\n",
     "[a.b.Bad: For input string: \"12\\n\"][  print(\"%d\\n\", x, \"a\\nb\")][Bad: 'a\\n'][x][][E: "
     "x]![f@a.js:1:2][\")]"},
    {"paths", "are no line ends", "C:\\new\\no\nat C:\\\\new\n", "[C:\\new\\no][at C:\\\\new]"},
    {"path in a record", "its name begins like a doubly escaped line end",
     "{\"log\":\"C:\\\\new\\\\ntdll.dll f\\n\",\"t\":1}\n{\"log\":\"x C:\\\\nn y\\\\nz\\nw\"}\n",
     "[C:\\\\new\\\\ntdll.dll f][x C:\\\\nn y\\\\nz]![w][\"}]"},
    {"no path", "a stack that was escaped twice, without quotes of its own",
     "{\"log\":\"x\\\\n\\\\ty\\n\",\"t\":1}\n{\"log\":\"x\\\\ny\"}\n", "[x]![y\\n][\",\"t\":1}][x]![y][\"}]"},
    {"two strings", "each begins", "\"a\\nb\" \"c\\nd\"", "[a]![b][c]![d][\"]"},
    {"line by line", "a logger that packs each line by itself parts no stack, and what follows each is no line",
     "{\"log\":\"x\\n\",\"t\":1}\n{\"log\":\"y\\n\"}\n", "[x][y]"},
    {"Node's strings", "each line has quotes of its own, of the kind that it need not escape",
     "  stack: 'say \"x\"\\n' +\n    `it's \"y\"\\n` +\n    \"it's\\n\" +\n    'z',\n    'last\\n',\n",
     "[say \"x\"][it's \"y\"][it's][    'z',][last]"},
    {"other single quotes", "do not close a string after a line end: those in double quotes count",
     "\"it's\\nx\"\nprint('a\\n') and\n\\n' +\nC:\\\\n' +\n", "[it's]![x][\"][print('a\\n') and][\\n' +][C:\\\\n' +]"},
    {"rsyslog", "control characters in octal; one sign alone is text",
     "Apr  7 10:00:00 h a[1]: x#012#012y #1#012#0 z\na#012#011\tat b#012\nsee #012 and #1\ncolour #012345\n",
     "[x]![][y #1][#0 z][a]![at b][see #012 and #1][colour #012345]"},
    {"rows of a list", "elements of one stack, with escapes; rows of Java and other strings keep their quotes",
     "[\n  \"#0 0x1 in f (s=\\\"x\\\") a.c:1\",\n  \"at A.B(String c)\",\n\"a.rb:1:in `f'\"\n"
     "\"at a.b(A.java:3)\",\n\"at a.b(Native Method)\",\n\"#0 a\", \"#1 b\"\n\"# x y\",\n]\n",
     "[[][#0 0x1 in f (s=\\\"x\\\") a.c:1][at A.B(String c)][a.rb:1:in `f']"
     "[\"at a.b(A.java:3)\",][\"at a.b(Native Method)\",][\"#0 a\", \"#1 b\"][\"# x y\",][]]"},
    {"list of strings", "each is a line, as is what an escaped line end ends in one; the text before is no line",
     "{\"m\":\"a\",\"stack\":[\"E: x\",\"    at f (/a.js:1:2)\", \"at /b.js:3:4\"],\"n\":1}\n"
     "{\"stackTrace\": [\"#0 f (\\\"x\\\")\\n    x[1]\\n\",\"#1 g\\n\"]}\n",
     "[E: x]![    at f (/a.js:1:2)][at /b.js:3:4][\"],\"n\":1}]"
     "[#0 f (\\\"x\\\")]![    x[1]][#1 g][\"]}]"},
    {"list after a string", "of several lines", "{\"m\":\"a\\nb\",\"trace\":[\"E: a\",\"b\",\"at f (/a.js:1:2)\"]} x",
     "[a]![b][E: a]![b][at f (/a.js:1:2)][\"]} x]"},
    {"two lists", "are two stacks",
     "{\"stack\":[\"E: a\",\"at f (/a.js:1:2)\"],\"cause\":{\"stack\":[\"E: b\",\"at g (/a.js:1:2)\"]}}",
     "[E: a]![at f (/a.js:1:2)][E: b]![at g (/a.js:1:2)][\"]}}]"},
    {"list in JSON within JSON", "has quotes with a backslash",
     "{\"m\":\"ERROR {\\\"stack\\\":[\\\"E: \\\\\\\"a\\\\\\\"\\\",\\\"at f (/a.js:1:2)\\\"]}\"}",
     "[E: \\\\\\\"a\\\\\\\"]![at f (/a.js:1:2)][\"]}\"}]"},
    {"list of rows of Firefox", "also without a function",
     "{\"backtrace\":[\"f@https://a.b/c.js:1:2\",\"@http://a.b/c.js:1:3\"]}\n"
     "{\"stack\":[\"mail me@http\",\"f@https://a.b/c.js:1\"]}\n",
     "[f@https://a.b/c.js:1:2]![@http://a.b/c.js:1:3][\"]}][{\"stack\":[\"mail me@http\",\"f@https://a.b/c.js:1\"]}]"},
    {"list of rows of Java", "without at, also of one row; with at, the rows of a line are read together",
     "{\"stackTrace\":[\"a.b.c(A.java:3)\",\"d/a.b.e(Unknown Source)\"]}\n"
     "{\"stackTrace\":[\"a.b.c(SourceFile:3)\"]}\n"
     "{\"stack\":[\"a.b c(A.java:3)\",\"f(3)\"]}\n",
     "[a.b.c(A.java:3)]![d/a.b.e(Unknown Source)][\"]}][a.b.c(SourceFile:3)]![\"]}][{\"stack\":[\"a.b "
     "c(A.java:3)\",\"f(3)\"]}]"},
    {"list of rows of Python", "with the source below each; on lines of their own they are one stack",
     "{\"stackTrace\":[\"  File \\\"a.py\\\", line 5, in f\\n    g()\\n\"]}\n"
     "[\n"
     "  \"  File \\\"a.py\\\", line 5, in f\\n    g()\\n\",\n"
     "  \"  File \\\"a.py\\\", line 5, in g\"\n"
     "]\n",
     "[  File \\\"a.py\\\", line 5, in f]![    g()][\"]}][[][  File \\\"a.py\\\", line 5, in f][    g()][][\",][  "
     "File \\\"a.py\\\", line 5, in g][]]"},
    {"no list of a stack", "another name, no row, one string, numbers, rows of Java, no end",
     "{\"lines\":[\"E: a\",\"at f (/a.js:1:2)\"]}\n{\"stack\":[\"a\",\"b (c)\"]}\n{\"stack\":[\"at f (/a.js:1:2)\"]}\n"
     "{\"stack\":[1]}\n{\"stack\":[\"a.B: x\",\"at a.b(A.java:3)\"]}\n{\"stack\":[\"E: a\",\"at f (/a.js:1:2)\n",
     "[{\"lines\":[\"E: a\",\"at f (/a.js:1:2)\"]}][{\"stack\":[\"a\",\"b (c)\"]}][{\"stack\":[\"at f (/a.js:1:2)\"]}]"
     "[{\"stack\":[1]}][{\"stack\":[\"a.B: x\",\"at a.b(A.java:3)\"]}][{\"stack\":[\"E: a\",\"at f (/a.js:1:2)]"},
    {"ends", "empty pieces, a backslash at the end", "\"\\n\\n\\", "[]![][\\]"},
};

static void test_escaped(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof escaped / sizeof *escaped; i++) {
        struct fm_lines lines = {.text = text_of(escaped[i].text)};
        struct fm_line line;
        struct fm_heap heap;
        struct fm_buf out;
        fm_heap_init(&heap, NULL, 0);
        fm_buf_init(&out, &heap);
        while (fm_lines_next(&lines, &line)) {
            fm_buf_printf(&out, "[%.*s]%s", (int)line.body.size, line.body.data, line.begins ? "!" : "");
            assert_ptr_equal(line.text.data, lines.text.data + line.offset);
        }
        same_text(escaped[i].name, "the pieces", fm_buf_view(&out), text_of(escaped[i].want));
        fm_buf_free(&out);
    }
}

/* fm_extents_at finds the same lines and pieces as fm_lines_next. */
static void test_extents(void **state)
{
    (void)state;
    static const char text[] = "a\r\nbc\n{\"s\":\"x\\r\\ny\"} \n\nd";
    static const struct {
        size_t at, from, to, after;
        const char *eol;
        unsigned run;
    } places[] = {{0, 0, 1, 3, "\r\n", 0},       {3, 3, 5, 6, "\n", 0},         {4, 3, 5, 6, "\n", 0},
                  {12, 12, 13, 17, "\\r\\n", 1}, {17, 17, 18, 18, "\\r\\n", 1}, {19, 18, 21, 21, "\n", 0},
                  {23, 23, 24, 24, "\n", 0}};
    /* offset of the tested part in a text: at its start, or after several GB */
    static const uint64_t bases[] = {0, UINT64_C(5) << 32};
    for (size_t b = 0; b < sizeof bases / sizeof *bases; b++) {
        const uint64_t base = bases[b];
        struct fm_extents extents = {.text = text_of(text), .base = base};
        for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
            const struct fm_extent *extent = fm_extents_at(&extents, base + places[i].at);
            same_number("extent", "from", extent->from, base + places[i].from);
            same_number("extent", "to", extent->to, base + places[i].to);
            same_number("extent", "after", extent->after, base + places[i].after);
            same_number("extent", "run", extent->run, places[i].run);
            same_text("extent", "line end", extent->eol, text_of(places[i].eol));
        }
        same_number("extent", "from, further above", fm_extents_at(&extents, base + 3)->from, base + 3);
    }
}

/* Extends the first line up to the end of the last one. This is possible only if no text is between the two lines, and
 * the last line has no prefix. */
static void test_extend(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text, *want;
    } texts[] = {{"LF", "a\nbc\n", "a\nbc"},
                 {"CR LF", "a\r\nbc", "a\r\nbc"},
                 {"a line between", "a\nx\nbc", "a"},
                 {"prefix of a logger", "a\nF/DEBUG ( 12): bc", "a"},
                 {"prefix of one byte", "a\n>bc", "a"},
                 {"blanks at the end", "a  \nbc", "a"}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct fm_lines lines = {.text = text_of(texts[i].text)};
        struct fm_line line;
        assert_true(fm_lines_next(&lines, &line));
        framemap_str slice = line.body, none = {NULL, 0};
        while (fm_lines_next(&lines, &line)) {
        }
        assert_int_equal(fm_line_extend(&line, &slice), strlen(texts[i].want) > 1);
        same_text(texts[i].name, "slice", slice, text_of(texts[i].want));
        assert_false(fm_line_extend(&line, &none));
    }
    char copy[] = "a\nbc"; /* a cleaned copy of a line, which may by chance be directly after the slice in memory */
    const struct fm_line cleaned = {
        .text = FM_STR("b\0c"), .body = fm_str(copy + 2, 2), .printed = FM_STR("b\0c"), .cleaned = fm_str(copy + 2, 2)};
    framemap_str slice = fm_str(copy, 1);
    assert_false(fm_line_extend(&cleaned, &slice));
}

static void test_put_escaped(void **state)
{
    (void)state;
    static const struct {
        unsigned run;
        const char *want;
    } wants[] = {{0, "a\"\\\t"}, {1, "a\\\"\\\\ "}, {2, "a\\\\\\\"\\\\\\\\ "}};
    for (size_t i = 0; i < sizeof wants / sizeof *wants; i++) {
        struct fm_heap heap;
        struct fm_buf out;
        fm_heap_init(&heap, NULL, 0);
        fm_buf_init(&out, &heap);
        fm_pieces_put(&out, FM_STR("a\"\\\t"), wants[i].run);
        same_text("escaped", "text", fm_buf_view(&out), text_of(wants[i].want));
        fm_buf_free(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows),
                                       cmocka_unit_test(test_has),
                                       cmocka_unit_test(test_escaped),
                                       cmocka_unit_test(test_extents),
                                       cmocka_unit_test(test_extend),
                                       cmocka_unit_test(test_put_escaped),
                                       cmocka_unit_test(test_long_line_is_passed_over)};
    return cmocka_run_group_tests_name("formats lines", tests, NULL, NULL);
}
