/* Tests of dispatch.h with small formats: which lines are offered to which parser, with which number, and which lines a
 * parser sees when it looks back. */
#include "tests/formats/formats_help.h"

#include "core/error.h"
#include "formats/scan/dispatch.h"

/* What was offered to the parsers. For each line: its number in the text, a '/', and its number in its lane (the lines
 * of one process and thread). For a line "ask": the bodies of the lines above it, nearest first. */
static char seen[400];

static void note(const char *format, ...) FM_PRINTF(1, 2);
static void note(const char *format, ...)
{
    const size_t used = strlen(seen);
    va_list args;
    va_start(args, format);
    vsnprintf(seen + used, sizeof seen - used, format, args);
    va_end(args);
}

static enum fm_line_role note_line(void *state, struct fm_document *doc, const struct fm_line *line)
{
    (void)state;
    (void)doc;
    note("%u/%u ", (unsigned)line->text_number1, (unsigned)line->number1);
    return FM_ROLE_NONE;
}

/* Notes each line, and takes those that begin with "alpha". */
static enum fm_line_role note_and_take(void *state, struct fm_document *doc, const struct fm_line *line)
{
    note_line(state, doc, line);
    return fm_str_starts(line->body, FM_STR("alpha")) ? FM_ROLE_CONTEXT : FM_ROLE_NONE;
}

static bool never(const struct fm_line *line)
{
    (void)line;
    return false;
}
static bool is_marked(const struct fm_line *line) { return fm_str_starts(line->body, FM_STR("!")); }

/* Notes the lines above "ask". */
static enum fm_line_role look_up(void *state, struct fm_document *doc, const struct fm_line *line)
{
    struct fm_look_back above = fm_look_back_from(doc, line, 0, FM_LOOK_BACK_MOST);
    (void)state;
    if (!fm_str_equal(line->body, FM_STR("ask"))) return FM_ROLE_NONE;
    for (const struct fm_line *one; (one = fm_look_back_next(&above)) != NULL;)
        note("%.*s ", (int)one->body.size, one->body.data);
    note("| ");
    return FM_ROLE_NONE;
}
/* Does what look_up does, and also takes the lines "frame" and "context". */
static enum fm_line_role take_or_look_up(void *state, struct fm_document *doc, const struct fm_line *line)
{
    if (fm_str_equal(line->body, FM_STR("frame"))) return FM_ROLE_FRAME;
    if (fm_str_equal(line->body, FM_STR("context"))) return FM_ROLE_CONTEXT;
    return look_up(state, doc, line);
}
/* Takes "frame" as context. A later parser may take the same line as a frame. */
static enum fm_line_role hide_or_look_up(void *state, struct fm_document *doc, const struct fm_line *line)
{
    if (fm_str_equal(line->body, FM_STR("frame"))) return FM_ROLE_CONTEXT;
    return look_up(state, doc, line);
}

static const struct fm_needle words[] = {FM_NEEDLE("alpha", 0, 0)};
static const struct fm_format
    with_needle = {.info = {.name = "with-needle"}, FM_NEEDLES(words), .marks = FM_MARK_WORD, .offer = note_line},
    with_mark = {.info = {.name = "with-mark"},
                 FM_NEEDLES(words),
                 .marks = FM_MARK_WORD,
                 .is_significant = is_marked,
                 .offer = note_line},
    watcher = {.info = {.name = "watcher"}, .is_significant = never, .offer = note_line},
    taking_watcher = {.info = {.name = "taking-watcher"}, .is_significant = never, .offer = note_and_take},
    silent = {.info = {.name = "silent"}, FM_NEEDLES(words), .marks = FM_MARK_WORD, .offer = look_up},
    looker = {.info = {.name = "looker"}, .offer = look_up},
    taker = {.info = {.name = "taker"}, .offer = take_or_look_up},
    hider = {.info = {.name = "hider"}, .offer = hide_or_look_up};

static void check(const char *why, const struct fm_format *const *formats, size_t count, enum fm_prefilter_use use,
                  const char *text, const char *want)
{
    static struct fm_parser_table parsers;
    static struct fm_dispatch dispatch;
    struct fm_heap heap;
    struct fm_arena arena;
    seen[0] = '\0';
    fm_heap_init(&heap, NULL, 0);
    fm_arena_init(&arena, &heap);
    fm_parser_table_init(&parsers, formats, count);
    assert_true(fm_dispatch_open(&dispatch, &heap, &arena, &parsers, use, UINT64_MAX, UINT64_MAX));
    fm_dispatch_window(&dispatch, text_of(text), 0);
    fm_dispatch_parse(&dispatch, strlen(text));
    fm_dispatch_end_all(&dispatch, FRAMEMAP_CLOSED_BY_END, strlen(text));
    fm_dispatch_close(&dispatch);
    fm_arena_free(&arena);
    if (strcmp(seen, want) != 0) fail_msg("%s: %s, not %s", why, seen, want);
}

/* The first four lines of a text are offered without a needle, later ones are not. */
static void first_lines(void **state)
{
    static const struct fm_format *const needle[] = {&with_needle}, *const mark[] = {&with_mark};
    (void)state;
    check("all lines", needle, 1, FM_PREFILTER_ALWAYS, "a\nb\nc\nd\ne\nf\n", "1/1 2/2 3/3 4/4 ");
    check("lines that the prefilter has not skipped", mark, 1, FM_PREFILTER_ALWAYS, "a\nb\nc\n! d\n! e\n! alpha\n",
          "4/4 6/6 ");
    check("the line after them", mark, 1, FM_PREFILTER_ALWAYS, "a\nb\nc\nd\n! e\n! alpha\n", "6/6 ");
}

#define ONE "11-21 10:00:00.000     1     1 I tag: "
#define TWO "11-21 10:00:00.000     2     2 I tag: "

/* A parser without marks is offered a line without a needle only if it took one of the FM_LINES_AFTER lines above.
 * Lines of other threads do not count towards this number. */
static void lines_after(void **state)
{
    static const struct fm_format *const watched[] = {&silent, &watcher}, *const taken[] = {&silent, &taking_watcher},
                                         *const mark[] = {&with_mark};
    static const char apart[] = "\n\n\n\n" ONE "! alpha\n" TWO "x\n" TWO "x\n" TWO "x\n" ONE "! alpha\n";
    (void)state;
    static const char text[] = "\n\n\n\nx\nalpha\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nalpha\n";
    check("lines without a needle", watched, 2, FM_PREFILTER_ALWAYS, text, "6/6 17/17 ");
    check("lines without a needle below a line that was taken", taken, 2, FM_PREFILTER_ALWAYS, text,
          "6/6 7/7 8/8 9/9 10/10 11/11 12/12 13/13 14/14 17/17 ");
    check("lines of another thread", mark, 1, FM_PREFILTER_ALWAYS, apart, "5/5 9/6 ");
    check("the same without the prefilter", mark, 1, FM_PREFILTER_NEVER, apart, "5/5 9/6 ");
}

/* Checks which lines a parser does not see when it looks back. A frame is hidden from the parser that took it and from
 * the parsers after that one, which were not offered it; parsers before it see the frame. A line of context is hidden
 * only from the parser that took it. */
static void hidden_lines(void **state)
{
    static const struct fm_format *const after[] = {&taker, &looker}, *const before[] = {&looker, &taker},
                                         *const three[] = {&looker, &taker, &looker},
                                         *const context[] = {&hider, &taker};
    static const char text[] = "a\nframe\nb\ncontext\nask\n";
    (void)state;
    check("a parser after", after, 2, FM_PREFILTER_ALWAYS, text, "b a | context b a | ");
    check("a parser before", before, 2, FM_PREFILTER_ALWAYS, text, "context b frame a | b a | ");
    check("a parser before, for which it is context", context, 2, FM_PREFILTER_ALWAYS, text, "context b a | b a | ");
    check("both", three, 3, FM_PREFILTER_NEVER, text, "context b frame a | b a | context b a | ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(first_lines), cmocka_unit_test(lines_after),
                                       cmocka_unit_test(hidden_lines)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
