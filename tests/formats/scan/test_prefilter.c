/* Tests the prefilter, which skips lines that contain none of the formats' needles. Parsing must give the same
 * traces with and without it, every scan must find the same lines, and each significant line must have a needle
 * of its format. */
#include "tests/formats/formats_help.h"

#include "core/mapfile.h"
#include "formats/parsers.h"
#include "formats/scan/line_clean.h"
#include "formats/scan/lines.h"
#include "formats/scan/prefilter.h"
#include "tests/formats/same_traces.h"
#include "tests/formats/scan/prefilter_all.h"
#include "tests/formats/scan/prefilter_lines.h"
#include "tests/testing.h"
#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>

static uint64_t random_state = 20261121;

static uint64_t next_random(uint64_t below)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (random_state >> 33) % below;
}

/* --- testing the prefilter alone --- */

static struct fm_prefilter_line first_of(const struct fm_prefilter *prefilter, fm_prefilter_scan *look,
                                         framemap_str text, size_t from)
{
    struct fm_prefilter_walk walk;
    fm_prefilter_start(&walk, prefilter, text);
    walk.scan = look;
    return fm_prefilter_next(&walk, from);
}

static size_t line_after(framemap_str text, size_t at)
{
    const size_t end = fm_str_find_byte(fm_str_from(text, at), '\n');
    return end == FM_NOT_FOUND ? text.size : at + end + 1;
}

/* Compares the parsers reported for a line by a walk over the text and by a plain scan of the line alone. */
static void check_parsers(const struct fm_prefilter *prefilter, struct fm_prefilter_walk *walk, framemap_str text,
                          size_t at)
{
    const size_t to = line_after(text, at);
    struct fm_prefilter_walk plain;
    fm_prefilter_start(&plain, prefilter, text);
    plain.scan = fm_prefilter_scan_plain;
    const struct fm_parser_set got = fm_prefilter_parsers(walk, at, to);
    assert_true(fm_parsers_equal(got, fm_prefilter_parsers(&plain, at, to)));
    assert_true(fm_parsers_equal(got, fm_prefilter_parsers(walk, at, to)));
}

/* Compares the lines found by one walk over the text and by scans that start anew at each line. */
static void check_walk(const struct fm_prefilter *prefilter, fm_prefilter_scan *look, framemap_str text)
{
    struct fm_prefilter_walk walk;
    fm_prefilter_start(&walk, prefilter, text);
    walk.scan = look;
    for (size_t at = 0; at < text.size;) {
        const struct fm_prefilter_line got = fm_prefilter_next(&walk, at),
                                       want = first_of(prefilter, fm_prefilter_scan_plain, text, at);
        uint64_t lines = 0;
        assert_int_equal(got.at, want.at);
        assert_int_equal(got.lines, want.lines);
        assert_true(got.at >= at && got.at <= text.size);
        assert_true(got.at == 0 || got.at == text.size || text.data[got.at - 1] == '\n');
        if (next_random(4) == 0) check_parsers(prefilter, &walk, text, got.at);
        for (size_t i = at; i < got.at; i++) lines += text.data[i] == '\n';
        assert_int_equal(got.lines, lines);
        at = got.at;
        for (uint64_t passed = next_random(4) ? 1 : next_random(60) + 1; passed > 0 && at < text.size; passed--)
            at = line_after(text, at);
        if (next_random(4)) continue;
        check_parsers(prefilter, &walk, text, at); /* `at` may be far after the last offset that was searched */
        at = line_after(text, at);
    }
}

/* Checks that all scans that this CPU can run have the same result. */
static void check_pass(const struct fm_prefilter *prefilter, framemap_str text)
{
    fm_prefilter_scan *look;
    for (unsigned skip = 0; (look = fm_prefilter_best_scan(skip)) != NULL; skip++) check_walk(prefilter, look, text);
}

/* Each needle is found at each position of a vector block, both on a line of its own and at the end of the text. */
static void test_each_word(void **state)
{
    enum { ROOM = 160 };
    struct fm_prefilter prefilter;
    (void)state;
    make_prefilter(&prefilter);
    assert_true(prefilter.count > 0 && prefilter.count < FM_PREFILTER_NEEDLES);
    for (size_t i = 0; i < prefilter.count; i++) {
        const struct fm_needle *needle = prefilter.words[i].needle;
        assert_true(needle->bin < 8 * FM_PREFILTER_BANKS && needle->probe + 3u <= needle->size &&
                    strlen(needle->word) == needle->size);
        for (size_t at = 0; at < 80; at++) {
            char text[ROOM];
            memset(text, '.', sizeof text);
            text[ROOM - 1] = '\n';
            memcpy(text + at, needle->word, needle->size);
            if (at) text[at - 1] = '\n';
            const struct fm_prefilter_line got = first_of(&prefilter, fm_prefilter_best_scan(0), fm_str(text, ROOM), 0);
            if (got.at != at || got.lines != (at != 0)) fail_msg("%s at %zu is found at %zu", needle->word, at, got.at);
            check_pass(&prefilter, fm_str(text, at + needle->size));
        }
    }
}

/* Appends a line to the text, and checks that the second line of the text is found. */
static void check_second_line(const struct fm_prefilter *prefilter, struct fm_buf *out, size_t second)
{
    fm_buf_str(out, FM_STR("\na line after it\n"));
    const framemap_str text = fm_buf_view(out);
    const struct fm_prefilter_line got = first_of(prefilter, fm_prefilter_best_scan(0), text, 0);
    if (got.at != second) fail_msg("%.*s is found at %zu", (int)text.size, text.data, got.at);
    check_pass(prefilter, text);
}

/* A needle is found even if a terminal, a logger or a web page has inserted bytes between the bytes of the needle. */
static void test_each_dirty_word(void **state)
{
    static const framemap_str between[] = {FM_STR_INIT("\0"), FM_STR_INIT("\033[1m"), FM_STR_INIT("\033(B"),
                                           FM_STR_INIT("\033]8;;x\a")};
    static const char coded[] = "<>&\"'", *const entities[] = {"&lt;", "&gt;", "&amp;", "&quot;", "&#x27;"};
    static const char before[] = "a line before it?a=1&b=2&l=3&g=4\n";
    struct fm_prefilter prefilter;
    struct fm_heap heap;
    struct fm_buf text;
    (void)state;
    make_prefilter(&prefilter);
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&text, &heap);
    for (size_t i = 0; i < prefilter.count; i++) {
        const struct fm_needle *needle = prefilter.words[i].needle;
        for (size_t cut = 1; cut < needle->size; cut++) {
            const char *found = strchr(coded, needle->word[cut]);
            for (size_t b = 0; b < sizeof between / sizeof *between; b++) {
                fm_buf_clear(&text);
                fm_buf_add(&text, before, sizeof before - 1);
                fm_buf_add(&text, needle->word, cut);
                fm_buf_add(&text, between[b].data, between[b].size);
                fm_buf_add(&text, needle->word + cut, needle->size - cut);
                check_second_line(&prefilter, &text, sizeof before - 1);
            }
            if (found == NULL) continue;
            fm_buf_clear(&text);
            fm_buf_add(&text, before, sizeof before - 1);
            fm_buf_add(&text, needle->word, cut);
            fm_buf_add(&text, entities[found - coded], strlen(entities[found - coded]));
            fm_buf_add(&text, needle->word + cut + 1, needle->size - cut - 1);
            check_second_line(&prefilter, &text, sizeof before - 1);
        }
    }
    fm_buf_free(&text);
}

static bool has_a_needle(const struct fm_prefilter *prefilter, framemap_str text)
{
    for (size_t i = 0; i < prefilter->count; i++) {
        const struct fm_needle *needle = prefilter->words[i].needle;
        if (fm_str_find(text, fm_str(needle->word, needle->size)) != FM_NOT_FOUND) return true;
    }
    return false;
}

/* A word that differs from a needle in one byte is not found, unless it contains another needle or a shape (a pattern
 * such as an address). Each byte of the needle is changed in turn: a byte of its probe (three bytes), one of the four
 * bytes that are compared next, or any other byte. */
static void test_each_wrong_word(void **state)
{
    struct fm_prefilter prefilter;
    size_t checked = 0;
    (void)state;
    make_prefilter(&prefilter);
    for (size_t i = 0; i < prefilter.count; i++) {
        const struct fm_needle *needle = prefilter.words[i].needle;
        for (size_t wrong = 0; wrong < needle->size; wrong++) {
            char text[160];
            memset(text, '.', sizeof text);
            memcpy(text + 8, needle->word, needle->size);
            text[8 + wrong] = '~';
            const framemap_str line = fm_str(text, sizeof text);
            if (has_a_needle(&prefilter, line) || fm_str_find(line, FM_STR("at ")) != FM_NOT_FOUND) continue;
            if (memchr(text, '@', sizeof text) || memchr(text, '#', sizeof text) || memchr(text, '\\', sizeof text))
                continue;
            if (fm_str_find(line, FM_STR("0x")) != FM_NOT_FOUND) continue;
            checked++;
            struct fm_prefilter_walk walk;
            fm_prefilter_start(&walk, &prefilter, line);
            if (fm_parsers_any(fm_prefilter_parsers(&walk, 0, line.size)))
                fail_msg("%.*s is taken for a needle", 60, text);
        }
    }
    assert_true(checked > 1000);
}

/* Whether a line could be offered to the format, by the rules of format.h. */
static bool is_candidate(const struct fm_format *format, const struct fm_line *line)
{
    const bool any = (format->firsts == NULL && format->lasts == NULL && format->any_of == 0) ||
                     (format->firsts && strchr(format->firsts, line->first)) ||
                     (format->lasts && strchr(format->lasts, line->last)) || (format->any_of & line->has) != 0;
    return line->first && any && (line->has & format->all_of) == format->all_of &&
           (format->probe == NULL || format->probe(line));
}

/* Whether a line is significant to the format apple-short only for one reason: its last column is in brackets, and so
 * could be an id. The format accepts only lines with an address, and an address is a shape. */
static bool is_only_bracketed(const struct fm_format *format, const struct fm_line *line)
{
    return format == &fm_apple_short && line->last == ']' && fm_str_find(line->text, FM_STR("0x")) == FM_NOT_FOUND;
}

/* Whether a line is one of the first lines of a text, which are offered to the parsers even without a needle. */
static bool is_first(const struct fm_format *format, const struct fm_line *line)
{
    return format == &fm_folded && line->text_number1 <= FM_FIRST_LINES;
}

enum { PARSER = 69 };

/* Checks a line that is significant to a format. The line must contain a needle of the format or a shape, and one of
 * the format's marks. prefilter: a prefilter with that format alone, as number PARSER. */
static size_t check_needles(const struct fm_format *format, const struct fm_prefilter *prefilter, framemap_str text)
{
    struct fm_lines lines = {.text = text};
    struct fm_line line;
    size_t count = 0;
    for (size_t at = 0; fm_lines_next(&lines, &line); at = lines.at) {
        if (lines.pieces.at) {
            lines.pieces.at = NULL;
            continue;
        }
        if (!is_candidate(format, &line) || !format->is_significant(&line) || is_only_bracketed(format, &line) ||
            is_first(format, &line))
            continue;
        struct fm_prefilter_walk walk;
        fm_prefilter_start(&walk, prefilter, fm_str_slice(text, 0, lines.at));
        if (fm_prefilter_next(&walk, at).at != at)
            fail_msg("%s needs another needle for: %.*s", format->info.name, (int)line.text.size, line.text.data);
        if (!fm_parsers_have(fm_prefilter_parsers(&walk, at, lines.at), PARSER) && !fm_line_is_dirty(&line))
            fail_msg("%s needs another mark for: %.*s", format->info.name, (int)line.text.size, line.text.data);
        count++;
    }
    return count;
}

static bool is_listed(framemap_str word)
{
    return fm_str_find(text_of(significant), word) != FM_NOT_FOUND ||
           fm_str_find(text_of(significant_other), word) != FM_NOT_FOUND ||
           fm_str_find(text_of(significant_apple), word) != FM_NOT_FOUND;
}

static void test_needles(void **state)
{
    const struct fm_format *format;
    (void)state;
    for (size_t i = 0; (format = fm_format_at(i)) != NULL; i++) {
        struct fm_prefilter prefilter;
        if (!format->is_significant) continue;
        fm_prefilter_init(&prefilter);
        fm_prefilter_add(&prefilter, format, PARSER);
        fm_prefilter_finish(&prefilter);
        const size_t count = check_needles(format, &prefilter, text_of(significant)) +
                             check_needles(format, &prefilter, text_of(significant_apple)) +
                             check_needles(format, &prefilter, text_of(significant_other)) +
                             check_needles(format, &prefilter, text_of(significant_native));
        if (format->needle_count > 0 && count == 0)
            fail_msg("%s finds none of the lines significant", format->info.name);
        for (size_t k = 0; k < format->needle_count; k++) {
            const framemap_str word = fm_str(format->needles[k].word, format->needles[k].size);
            if (!is_listed(word) && fm_str_find(text_of(significant_native), word) == FM_NOT_FOUND)
                fail_msg("%s: no line here for the needle \"%s\"", format->info.name, format->needles[k].word);
        }
    }
}

static const struct {
    const char *why, *text;
    bool found;
} shapes[] = {
    {"nothing", "a line of words: 12:30:45 (x=1) [y] /z/ -- 3.14 <w>\n", false},
    {"at, after nothing", "at f (x)\n", true},
    {"at, after a blank", "x at f(y)\n", true},
    {"at, and a tab", "(at\ty:1:2)\n", true},
    {"at, and words", "x at step 5\n", false},
    {"at, and a parenthesis on the next line", "x at step 5\n(y)\n", false},
    {"at, and nothing", "x at \n", false},
    {"at, and more than is looked at",
     "at "
     "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
     "xxxxxxxxxxxxxxxxxxxx"
     "xxxx\n",
     true},
    {"rows without a place", "  at  native\n", true},
    {"the same of a promise", "at index 0\n", true},
    {"the same of a place that is not known", "at unknown location\n", true},
    {"the same of a function that waits", "at async native\n", true},
    {"the same without a name", "at <anonymous>\n", true},
    {"the same of the engine's code", "at [native code]\n", true},
    {"at in a word", "format x\n", false},
    {"at after a tab in two characters", "\"\\tat f (x)\"\n", true},
    {"at after a letter without a backslash", "ntat f (x)\n", false},
    {"at before a word", " attempt\n", false},
    {"a sign", "a@b\n", true},
    {"a number", "#12\n", true},
    {"a heading", "# 12\n", false},
    {"a hex number", "x 0x1f\n", true},
    {"the same in capitals", "x 0X1F\n", true},
    {"no hex number", "10x faster\n", false},
    {"a place", "  a.js:1:2\n", true},
    {"a place before blanks and a return", "  a.js:1:2 \t\r\r\n", true},
    {"a time is like a place", "x 12:30:45\n", true},
    {"a line", "  a.js:1\n", false},
    {"an address and a line", "f https://a.b/c.js:1\n", true},
    {"a number at the end", "took 12\n", false},
    {"a return within", "12:30:45\rx\n", false},
    {"a colour", "\033[31mx\n", true},
    {"an escaped line end", "a\\nb\n", true},
    {"no line end", "x", true},
};

static void test_shapes(void **state)
{
    struct fm_prefilter prefilter;
    (void)state;
    make_prefilter(&prefilter);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const framemap_str text = text_of(shapes[i].text);
        const bool found = first_of(&prefilter, fm_prefilter_best_scan(0), text, 0).at < text.size;
        if (found != shapes[i].found) fail_msg("%s is %s", shapes[i].why, found ? "found" : "passed over");
        check_pass(&prefilter, text);
    }
}

static const struct fm_needle one_needle[] = {FM_NEEDLE("=> ", 0, 0)};

static const struct {
    const char *why, *text;
    uint8_t marks;
    bool found;
} marks[] = {
    {"no marks: no line without a needle and a shape", "x\n", 0, false},
    {"no marks: the word", "a => b\n", 0, true},
    {"no marks: at", "at f (x)\n", 0, true},
    {"no marks: a sign", "a@b\n", 0, true},
    {"no marks: a number", "#1\n", 0, true},
    {"no marks: a hex number", "0x1f\n", 0, true},
    {"no marks: a place", "a.js:1:2\n", 0, true},
    {"no marks: a colour", "\033[31mx\n", 0, true},
    {"no marks: an escaped line end", "a\\nb\n", 0, true},
    {"the word", "a => b\n", FM_MARK_WORD, true},
    {"the word, among shapes", "a => b\n", FM_MARK_WORD | FM_MARK_HEX, true},
    {"no word", "at f (x) @ #1 0x1:1:2\n", FM_MARK_WORD, false},
    {"at", "at f (x)\n", FM_MARK_AT, true},
    {"at and words", "at step 5\n", FM_MARK_AT, false},
    {"a sign", "a@b\n", FM_MARK_SIGN, true},
    {"a number", "#1\n", FM_MARK_NUMBER, true},
    {"another shape than a number", "0x1\n", FM_MARK_NUMBER, false},
    {"a hex number", "0x1f\n", FM_MARK_HEX, true},
    {"a place", "a.js:1:2\n", FM_MARK_END, true},
    {"no place", "a.js:1\n", FM_MARK_END, false},
    {"a shape on the next line", "a\n#1\n", FM_MARK_NUMBER, false},
};

/* Tests which parsers are reported for a line, from the shapes and marks that it contains. A shape counts only for
 * formats that name the shape, and for formats that name no marks. */
static void test_marks(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        const struct fm_format format = {FM_NEEDLES(one_needle), .marks = marks[i].marks};
        const framemap_str text = text_of(marks[i].text);
        struct fm_prefilter prefilter;
        struct fm_prefilter_walk walk;
        fm_prefilter_init(&prefilter);
        fm_prefilter_add(&prefilter, &format, PARSER);
        fm_prefilter_finish(&prefilter);
        fm_prefilter_start(&walk, &prefilter, text);
        const struct fm_parser_set got = fm_prefilter_parsers(&walk, 0, line_after(text, 0));
        struct fm_parser_set want = FM_PARSERS_NONE;
        if (marks[i].found) fm_parsers_add(&want, PARSER);
        if (!fm_parsers_equal(got, want)) fail_msg("%s: %d", marks[i].why, fm_parsers_any(got));
    }
}

/* The list of scans is sorted by speed, has at least one entry, and ends with the plain scan. */
static void test_ways(void **state)
{
    unsigned count = 0;
    (void)state;
    while (fm_prefilter_best_scan(count)) count++;
    assert_true(count >= 1 && fm_prefilter_best_scan(count - 1) == fm_prefilter_scan_plain);
    print_message("%u ways to look at a text on this CPU\n", count);
}

static void test_random(void **state)
{
    static const char letters[] = "at @#0x1:2\n\r\n \tz(.-*>=_[\033m\\nidge";
    /* size of the text in bytes; the text is several times as long as FM_PREFILTER_RUN */
    enum { SIZE = 4 * FM_PREFILTER_RUN + 352 };
    struct fm_prefilter prefilter;
    char text[SIZE];
    (void)state;
    make_prefilter(&prefilter);
    for (int round = 0; round < 3000; round += TEST_STEP) {
        const size_t size = (size_t)next_random(round % 4 ? 400 : SIZE), rare = 4u << 2 * (round % 5);
        for (size_t i = 0; i < size; i++)
            text[i] = round % 3 && next_random(rare) ? 'z' : letters[next_random(sizeof letters - 1)];
        check_pass(&prefilter, fm_str(text, size));
    }
}

/* --- testing the parsing of texts with the prefilter --- */

static const size_t pieces[] = {64, 512, 4096}; /* a few lines, many lines, more than most texts */

/* Checks that a text gives the same traces if it is parsed in pieces: of each `step`-th size, from number `first`
 * on. */
static void check_pieces(const char *name, framemap_str text, const struct parsed *all, size_t first, size_t step)
{
    for (size_t i = first % COUNT_OF(pieces); i < COUNT_OF(pieces); i += step) {
        const size_t piece = pieces[i];
        struct parsed read = {.traces = NULL};
        fm_heap_init(&read.heap, NULL, 0);
        fm_arena_init(&read.arena, &read.heap);
        assert_int_equal(fm_formats_parse_pieces(text, NULL, FM_PREFILTER_ALWAYS, piece, &read.arena, &read.traces,
                                                 &read.count, NULL),
                         FRAMEMAP_OK);
        if (!same_traces(all->traces, all->count, read.traces, read.count))
            fail_msg("%s is read otherwise in pieces of %zu bytes", name, piece);
        parsed_free(&read);
    }
}

/* Compares parsing with and without the prefilter. Formats are tested alone (each `step`-th format, from number `first`
 * on) and all together, for the whole text and in pieces. */
static void check_reading(const char *name, framemap_str text, size_t first, size_t step)
{
    size_t count;
    const framemap_format_info *const *infos = fm_format_infos(&count);
    for (size_t i = 0; i <= count; i++) {
        if (i < count && (!infos[i]->reads || i % step != first)) continue;
        const char *format = i < count ? infos[i]->name : NULL;
        struct parsed all = {.traces = NULL}, passed = {.traces = NULL};
        fm_heap_init(&all.heap, NULL, 0);
        fm_heap_init(&passed.heap, NULL, 0);
        fm_arena_init(&all.arena, &all.heap);
        fm_arena_init(&passed.arena, &passed.heap);
        assert_int_equal(
            fm_formats_parse_prefiltered(text, format, FM_PREFILTER_NEVER, &all.arena, &all.traces, &all.count, NULL),
            FRAMEMAP_OK);
        assert_int_equal(fm_formats_parse_prefiltered(text, format, FM_PREFILTER_ALWAYS, &passed.arena, &passed.traces,
                                                      &passed.count, NULL),
                         FRAMEMAP_OK);
        if (!same_traces(all.traces, all.count, passed.traces, passed.count))
            fail_msg("%s is read otherwise as %s", name, format ? format : "any");
        if (format == NULL) check_pieces(name, text, &all, first, step);
        parsed_free(&all);
        parsed_free(&passed);
    }
}

/* Writes some lines unchanged, or joins them into one line: a string with escaped line ends. */
static void put_some(struct fm_scan *lines, struct fm_buf *out)
{
    const bool string = next_random(2) == 0;
    framemap_str line;
    if (string) fm_buf_str(out, FM_STR("{\"s\":\""));
    for (uint64_t left = next_random(30); left && fm_scan_line(lines, &line); left--) {
        fm_buf_str(out, line);
        fm_buf_str(out, string ? FM_STR("\\n") : FM_STR("\n"));
    }
    if (string) fm_buf_str(out, FM_STR("\"}\n"));
}

/* Mixes the lines of a text with insignificant lines and with lines of another text. */
static void mix(framemap_str text, framemap_str other, struct fm_buf *out)
{
    static const char *const plain[] = {
        "11-21 00:00:43.251  4544 17617 I Service: metric index view (request=69012)\n",
        "10.1.2.3 - - [21/Nov/2026:00:00:01 +0000] \"GET /a HTTP/1.1\" 200 12 \"https://a.b/c\" \"x\"\n",
        "\n",
        "Error: things\n",
        "a.b.c: message\n",
        "Caused by: a.b\n",
        "main\n",
        "started in 12 ms\n",
        "\"main\" prio=5\n",
        "Unhandled Exception: x\n",
        "global code\n",
        "    at a.b (r8-map-id-1:2:3)\n", /* frame lines of Java that resemble those of other formats */
        "#9      a.B.c(C.java:1) (package:a/b.dart:1:2)\n",
        "#99      at a.B.c (C.java:1) (package:a/b.dart:1:2)\n"};
    struct fm_scan s = fm_scan_of(text), others = fm_scan_of(other);
    framemap_str line;
    while (fm_scan_line(&s, &line)) {
        if (next_random(8) == 0) put_some(&others, out);
        uint64_t between = next_random(4) ? 0 : next_random(40);
        while (between--) fm_buf_str(out, framemap_str_of(plain[next_random(sizeof plain / sizeof *plain)]));
        if (next_random(16) == 0) continue;
        fm_buf_str(out, line);
        fm_buf_str(out, next_random(16) ? FM_STR("\n") : FM_STR(" \r\n"));
    }
}

static void check_all_needles(framemap_str text)
{
    const struct fm_format *format;
    for (size_t i = 0; (format = fm_format_at(i)) != NULL; i++) {
        struct fm_prefilter prefilter;
        if (!format->is_significant) continue;
        fm_prefilter_init(&prefilter);
        fm_prefilter_add(&prefilter, format, PARSER);
        fm_prefilter_finish(&prefilter);
        check_needles(format, &prefilter, text);
    }
}

/* Reads a file alone, then mixed with insignificant lines, and then also with lines of the previous file, `other`;
 * afterwards `other` is this file. Mixed texts are long, so each is parsed by only a few of the formats alone; `number`
 * decides by which. */
static void read_file(const char *path, size_t number, struct fm_mapfile *other)
{
    struct fm_mapfile file;
    framemap_error error;
    if (fm_mapfile_open(path, &file, &error) != FRAMEMAP_OK) fail_msg("%s: %s", path, error.message);
    struct fm_heap heap;
    fm_heap_init(&heap, NULL, 0);
    check_reading(path, file.bytes, number % TEST_STEP, TEST_STEP);
    check_all_needles(file.bytes);
    for (int round = 0; round < 4; round += TEST_STEP) {
        struct fm_buf out;
        fm_buf_init(&out, &heap);
        mix(file.bytes, round % 2 ? other->bytes : fm_str(NULL, 0), &out);
        check_reading(path, fm_buf_view(&out), (number * 5 + (size_t)round) % 16, 16);
        fm_buf_free(&out);
    }
    fm_mapfile_close(other);
    *other = file;
}

static void test_files(void **state)
{
    static const char *const folders[] = {"corpus/demo", "corpus/javascript/stacks", "corpus/fuzz/formats",
                                          "corpus/fuzz/restore"};
    size_t files = 0;
    struct fm_mapfile other = {.bytes = {NULL, 0}};
    (void)state;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        char folder[1024], path[2048];
        struct dirent **entries;
        struct stat about;
        snprintf(folder, sizeof folder, "%s/%s", FM_SOURCE_DIR, folders[i]);
        const int count = scandir(folder, &entries, NULL, alphasort);
        assert_true(count > 0);
        for (int k = 0; k < count; k++) {
            snprintf(path, sizeof path, "%s/%s", folder, entries[k]->d_name);
            free(entries[k]);
            if (stat(path, &about) != 0 || !S_ISREG(about.st_mode)) continue;
            read_file(path, files++, &other);
        }
        free(entries);
    }
    fm_mapfile_close(&other);
    assert_true(files > 40);
}

/* Tests random stacks of frame lines that resemble those of other formats. A line that continue_frame accepts must be
 * parsed as though the line had been offered to all parsers. */
static void test_rows(void **state)
{
    static const char *const rows[] = {
        "    at f (/a/b.js:1:2)",
        "    at /a/b.js:1:2",
        "    at async f (b.js:1:2) {",
        "    at a.f (Main.java) (<anonymous>)",
        "    at a.f (<anonymous>)",
        "    at Array.forEach (<anonymous>)",
        "    at map (native)",
        "    at a.f (Native Method)",
        "    at a.b.f (SourceFile:1:2)",
        "    at a.b (r8-map-id-1:2:3)",
        "    at f (eval at g (/a/b.js:1:2), <anonymous>:1:1)",
        "    at a.f(eval at g (/a/b.js:1:2), <anonymous>:1:1)",
        "    at f (1:2)",
        "    at index (index 0)",
        "    at f \033[90m(/a/\033[39mb.js:1:2\033[90m)\033[39m",
        "    at \033[1mf\033[0m (\033[36m/a/b.js\033[0m:\033[33m1\033[0m:\033[33m2\033[0m)",
        "    at a.b.f\033[0m(A.java:1)",
        "    at f \033(a.js:1:2)",
        "    at a|b (a.js:1:2)",
        "    at os: a arch: b comp: c:1:2'",
        "    at f (address at a.bundle:1:22)",
        "\tat a.b.c(A.java:1)",
        "\tat a.b.<init>(Unknown Source)",
        "\tat java.base/a.b.c(SourceFile:12)",
        "\tat a.b",
        "\tat a.b.c(a:1)",
        "\tat a.c(b.js:1:2)",
        "Caused by: a.B: c",
        "\t... 3 more",
        "#1      f (package:a/b.dart:1:2)",
        "#2      a.f (dart:core/a.dart:3) (A.java:1)",
        "    #03 abs 0000000000000012 virt 0000000000000012 _kDartSnapshotText+0x12",
        "    #04 abs 12 _kDartIsolateSnapshotInstructions+0x1 _kDartSnapshotText+0x2",
        "    #05 abs 1234567 unit 2 virt 0000000000000012 x",
        "build_id: 'db6be54104a335f30ea580e5a332c416'",
        "isolate_instructions: 12, vm_instructions: 0",
        "f@/a/b.js:1:2",
        "",
        "words"};
    struct fm_heap heap;
    (void)state;
    fm_heap_init(&heap, NULL, 0);
    for (int round = 0; round < 1000; round += TEST_STEP) {
        struct fm_buf out;
        fm_buf_init(&out, &heap);
        for (uint64_t left = 2 + next_random(120), row = 0; left; left--) {
            if (next_random(3) == 0) row = next_random(sizeof rows / sizeof *rows);
            fm_buf_str(&out, framemap_str_of(rows[row]));
            fm_buf_byte(&out, '\n');
            if (next_random(2) == 0) row = (row + 1) % (sizeof rows / sizeof *rows);
        }
        check_reading("rows at random", fm_buf_view(&out), (size_t)round % 16, 16);
        fm_buf_free(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows),
                                       cmocka_unit_test(test_needles),
                                       cmocka_unit_test(test_each_word),
                                       cmocka_unit_test(test_each_dirty_word),
                                       cmocka_unit_test(test_each_wrong_word),
                                       cmocka_unit_test(test_shapes),
                                       cmocka_unit_test(test_marks),
                                       cmocka_unit_test(test_ways),
                                       cmocka_unit_test(test_random),
                                       cmocka_unit_test(test_files)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
