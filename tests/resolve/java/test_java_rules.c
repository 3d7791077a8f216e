/* Tests of the rules that select the spans of a mapping for a frame: parts, groups, alternatives, hidden frames, and
 * the state passed on to the next line. Expected values are what R8's retrace prints. */
#include "core/limits.h"
#include "index/write/class_builder.h"
#include "tests/resolve/java/java_help.h"

struct row {
    const char *why, *frame, *plain, *verbose; /* expected answers, in short and in verbose form; NULL: not queried */
};
struct table {
    const char *mapping;
    struct row rows[8]; /* rows of the answer; a row with the frame NULL ends them */
};

static void check_table(const struct table *table)
{
    struct mapped mapped;
    open_mapping(&mapped, table->mapping, "r8");
    for (const struct row *row = table->rows; row < table->rows + COUNT_OF(table->rows) && row->frame; row++) {
        if (row->plain) expect(&mapped, row->why, row->frame, false, row->plain);
        if (row->verbose) expect(&mapped, row->why, row->frame, true, row->verbose);
    }
    close_mapping(&mapped);
}

static void groups_and_parts(void **state)
{
    (void)state;
    static const struct table tables[] = {
        {"o.p.Cls -> a:\n"
         "    4:6:void q.In.inner():20:22 -> a\n"
         "    4:6:void mid():50 -> a\n"
         "    4:6:void outer(int):60 -> a\n",
         {{"an inline group", "a.a:5", "q.In.inner:21 / o.p.Cls.mid:50 / o.p.Cls.outer:60",
           "q.In.void inner():21 / o.p.Cls.void mid():50 / o.p.Cls.void outer(int):60"},
          {"no line: the entry, without inlined frames", "a.a", "o.p.Cls.outer", "o.p.Cls.void outer(int)"},
          {"outside: the class alone, in verbose too", "a.a:9", "~o.p.Cls.a:9", "~o.p.Cls.a:9"},
          {"a method that is not there", "a.b:9", "~o.p.Cls.b:9", NULL},
          {"a class that is not there", "b.a:9", "~b.a:9", NULL},
          {"names are whole", "a.aa", "~o.p.Cls.aa", NULL}}},
        {"o.p.Cls -> a:\n"
         "    0:0:void q.In.inner():20 -> a\n"
         "    0:0:void outer(int):60 -> a\n"
         "    1:2:void outer(int):70:71 -> a\n",
         {{"a span for no line wins", "a.a", "q.In.inner:20 / o.p.Cls.outer:60", NULL},
          {"line 0 is the same", "a.a:0", "q.In.inner:20 / o.p.Cls.outer:60", NULL},
          {"and does not replace others", "a.a:2", "o.p.Cls.outer:71", NULL}}},
        {"o.p.Cls -> a:\n    void f(int) -> a\n    int e(java.lang.String) -> a\n    void f() -> a\n",
         {{"overloads of one name read the same", "a.a:4", "o.p.Cls.e:4 | o.p.Cls.f:4",
           "o.p.Cls.int e(java.lang.String):4 | o.p.Cls.void f():4 | o.p.Cls.void f(int):4"},
          {"and so without a line", "a.a", "o.p.Cls.e | o.p.Cls.f", NULL}}},
        {"o.p.Cls -> a:\n    void f(int) -> a\n    3:3:void g():30:30 -> a\n    void h(long) -> a\n",
         {{"a span with the line wins", "a.a:3", "o.p.Cls.g:30", NULL},
          {"else those without lines", "a.a:7", "o.p.Cls.f:7 | o.p.Cls.h:7", NULL},
          {"and without a line them only", "a.a", "o.p.Cls.f | o.p.Cls.h", NULL}}},
        {"o.p.Cls -> a:\n    1:10:void f():1:10 -> a\n    5:5:void f():100:100 -> a\n",
         {{"within a method the first counts", "a.a:5", "o.p.Cls.f:5", NULL}}},
        {"o.p.Cls -> a:\n    1:10:void f():1:10 -> a\n    5:5:void g():100:100 -> a\n",
         {{"of two methods both", "a.a:5", "o.p.Cls.f:5 | o.p.Cls.g:100", NULL}}},
        {"o.p.Cls -> a:\n    1:10:void foo():0:0 -> a\n    11:20:void bar():0:0 -> a\n",
         {{"methods of one renamed signature share the first one's entry", "a.a", "o.p.Cls.foo", NULL}}},
        {"o.p.Cls -> a:\n    6:9:int f():4 -> a\n    7:7:void g():2:3 -> a\n",
         {{"an entry has no lines, though its first span may mean several", "a.a:0", "o.p.Cls.f | o.p.Cls.g",
           "o.p.Cls.int f() | o.p.Cls.void g()"}}},
        {"o.p.Cls -> a:\n    1:10:void foo():0:0 -> a\n    11:20:void bar(int):0:0 -> a\n",
         {{"of two signatures each has its own", "a.a", "o.p.Cls.bar | o.p.Cls.foo", NULL}}},
        {"o.p.Cls -> a:\n"
         "    1:1:void q.In.i1():1:1 -> a\n    1:1:void zz():2 -> a\n    1:5:void aa(int):7 -> a\n"
         "    1:1:void q.In.i3():11:11 -> a\n    1:1:void q.In.i2():12 -> a\n    1:1:void bb(char):13 -> a\n",
         {{"alternatives with inlined frames", "a.a:1",
           "o.p.Cls.aa:7 | q.In.i1:1 / o.p.Cls.zz:2 | q.In.i3:11 / q.In.i2:12 / o.p.Cls.bb:13", NULL}}},
        {"o.p.Cls -> a:\n    1:2:void f(int):1:2 -> a\n    3:4:void g():3:4 -> a\n    5:6:void f(int):5:6 -> a\n",
         {{"where first and last agree, all is one part", "a.a", "o.p.Cls.f", NULL},
          {"whose lines are found all the same", "a.a:4", "o.p.Cls.g:4", NULL}}},
        {"o.p.Cls -> a:\n    1:2:void f():1:2 -> a\n    void f():7 -> a\n    void f():8:9 -> a\n    5:6:void f():5:6 "
         "-> a\n",
         {{"all spans without lines of a part, each alone", "a.a:9", "o.p.Cls.f:7 | o.p.Cls.f:8 | o.p.Cls.f:9", NULL},
          {"but one for no line", "a.a", "o.p.Cls.f:7", NULL}}},
    };
    for (size_t i = 0; i < COUNT_OF(tables); i++) check_table(&tables[i]);
}

static void order_of_alternatives(void **state)
{
    (void)state;
    static const struct table tables[] = {
        {"o.p.Cls -> a:\n    void \303\251t\303\251() -> a\n    void abc() -> a\n    void Abc() -> a\n    void _x() -> "
         "a\n    void ab() -> "
         "a\n",
         {{"by code units", "a.a:1",
           "o.p.Cls.Abc:1 | o.p.Cls._x:1 | o.p.Cls.ab:1 | o.p.Cls.abc:1 | o.p.Cls.\303\251t\303\251:1", NULL}}},
        {"o.p.Cls -> a:\n    void \357\274\241() -> a\n    void \360\220\220\200() -> a\n    void \355\237\273() -> "
         "a\n",
         {{"a pair of surrogates before U+FF21, after U+D7FB", "a.a:1",
           "o.p.Cls.\355\237\273:1 | o.p.Cls.\360\220\220\200:1 | o.p.Cls.\357\274\241:1", NULL}}},
        {"o.p.Cls -> a:\n    void m(int,int) -> a\n    void m(zz) -> a\n    int m(zz) -> a\n    void m() -> a\n    "
         "void m(a.b) -> a\n",
         {{"types before arguments, fewer arguments before more", "a.a:1", "o.p.Cls.m:1",
           "o.p.Cls.int m(zz):1 | o.p.Cls.void m():1 | o.p.Cls.void m(a.b):1 | o.p.Cls.void m(zz):1 | o.p.Cls.void "
           "m(int,int):1"}}},
        {"o.p.Cls -> a:\n    void m(a$b,c) -> a\n    void m(a,c) -> a\n    void m(a,b) -> a\n",
         {{"arguments one by one: a comma is not a letter", "a.a:1", NULL,
           "o.p.Cls.void m(a,b):1 | o.p.Cls.void m(a,c):1 | o.p.Cls.void m(a$b,c):1"}}},
        {"o.p.Cls -> a:\n    void q.B.m():3 -> a\n    void q.A.z():2 -> a\n    void p.Z.a():9 -> a\n",
         {{"classes first", "a.a:1", "p.Z.a:9 | q.A.z:2 | q.B.m:3", NULL}}},
        {"o.p.Cls -> a:\n    void m():5 -> a\n    int m():9 -> a\n    long m():2 -> a\n",
         {{"types before lines, though they are not shown", "a.a:1", "o.p.Cls.m:9 | o.p.Cls.m:2 | o.p.Cls.m:5",
           "o.p.Cls.int m():9 | o.p.Cls.long m():2 | o.p.Cls.void m():5"},
          {"without a line in the stack they read the same", "a.a", "o.p.Cls.m",
           "o.p.Cls.int m():9 | o.p.Cls.long m():2 | o.p.Cls.void m():5"}}},
        {"o.p.Cls -> a:\n    1:1:void m():5:5 -> a\n    1:1:void x():6 -> a\n    1:1:void m():5:5 -> a\n    1:1:void "
         "y():7 -> a\n",
         {{"one group, as the lines are equal", "a.a:1", "o.p.Cls.m:5 / o.p.Cls.x:6 / o.p.Cls.m:5 / o.p.Cls.y:7",
           NULL}}},
        {"o.p.Cls -> a:\n    1:1:void m():5:5 -> a\n    1:1:void x():6 -> a\n    1:2:void m():5:5 -> a\n    1:2:void "
         "y():7 -> a\n",
         {{"a repeated first frame takes its outer frames along", "a.a:1", "o.p.Cls.m:5 / o.p.Cls.x:6", NULL}}},
    };
    for (size_t i = 0; i < COUNT_OF(tables); i++) check_table(&tables[i]);
}

#define VERSION "# {'id':'com.android.tools.r8.mapping','version':'2.2'}\n"
#define SYNTHETIC "    # {'id':'com.android.tools.r8.synthesized'}\n"
static void put_overload(struct fm_buf *out, const char *type, size_t count)
{
    fm_buf_printf(out, "    void m(%s", type);
    for (size_t i = 1; i < count; i++) fm_buf_printf(out, ",%s", type);
    fm_buf_printf(out, ") -> c\n");
}

/* Checks that of two overloads, the one with fewer arguments comes first, even if its argument types are longer. */
static void long_lists_of_arguments(void **state)
{
    (void)state;
    static const size_t counts[] = {1, 2, 4, 5, 1020, 1021, 1024, 1025, 2040, 2049, 4081, 5000};
    for (size_t i = 0; i < COUNT_OF(counts); i++) {
        struct fm_heap heap;
        struct fm_buf text;
        struct mapped mapped;
        fm_heap_init(&heap, NULL, 0);
        fm_buf_init(&text, &heap);
        fm_buf_printf(&text, "o.p.Cls -> a.a:\n");
        put_overload(&text, "a", counts[i] + 1);
        put_overload(&text, "long.name", counts[i]);
        fm_buf_byte(&text, '\0');
        open_mapping(&mapped, text.data, NULL);
        const struct fm_java_answer answer = ask_java(&mapped, "a.a.c", true, NULL);
        assert_int_equal(answer.chain_count, 2);
        assert_true(fm_str_starts(answer.chains[0].frames->arguments, FM_STR("long.name")));
        assert_true(fm_str_starts(answer.chains[1].frames->arguments, FM_STR("a")));
        close_mapping(&mapped);
        fm_buf_free(&text);
    }
}

static void frames_that_are_hidden(void **state)
{
    (void)state;
    static const struct table tables[] = {
        {VERSION "o.p.Cls -> a:\n    1:1:void q.In.i():5:5 -> a\n    1:1:void run():0 -> a\n" SYNTHETIC,
         {{"the frame of a synthetic method", "a.a:1", "q.In.i:5", NULL}, {"nothing is left", "a.a", "-", NULL}}},
        {VERSION "o.p.Cls -> a:\n    1:1:void f():5:5 -> a\n    2:2:void f():0 -> a\n" SYNTHETIC,
         {{"the mark is the method's, whatever the line", "a.a:1", "-", NULL}}},
        {VERSION "o.p.Cls -> a:\n    1:1:void f():5:5 -> a\n" SYNTHETIC "    2:2:void g(int):6:6 -> a\n",
         {{"not another's", "a.a:2", "o.p.Cls.g:6", NULL}, {"of two one is hidden", "a.a", "o.p.Cls.g", NULL}}},
        {VERSION "o.p.Cls -> a:\n    2:2:void f():3 -> b\n    1:1:void f():5 -> a\n" SYNTHETIC
                 "    # {'id':'com.android.tools.r8.residualsignature','signature':'(I)V'}\n",
         {{"a method that is declared under another signature answers for itself", "a.a:1", "-", NULL},
          {"and not for one of another name", "a.b:2", "o.p.Cls.f:3", NULL}}},
        {VERSION "o.p.Cls -> a:\n    1:1:void f():4 -> a\n    # "
                 "{'id':'com.android.tools.r8.residualsignature','signature':'(I)V'}\n"
                 "    1:1:void h():5 -> a\n" SYNTHETIC,
         {{"so with an inlined one", "a.a:1", "o.p.Cls.f:4", NULL}}},
        {VERSION "o.p.Cls -> a:\n# {'id':'com.android.tools.r8.synthesized'}\n    1:1:void f():5:5 -> a\n",
         {{"a synthetic class hides nothing", "a.a:1", "o.p.Cls.f:5", NULL}}},
    };
    for (size_t i = 0; i < COUNT_OF(tables); i++) check_table(&tables[i]);
}

/* The steps of one stack: "!a.b" is the line of an exception, the others are frames. */
struct step {
    const char *line, *wanted;
};
struct story {
    const char *why, *mapping;
    struct step steps[6]; /* the steps; a step with the line NULL ends them */
};

static void tell_story(const struct story *story)
{
    struct mapped mapped;
    struct fm_java_state state = {.has_outline = false};
    open_mapping(&mapped, story->mapping, "r8");
    for (const struct step *step = story->steps; step < story->steps + COUNT_OF(story->steps) && step->line; step++) {
        if (step->line[0] == '!')
            state = fm_java_exception(framemap_str_of(step->line + 1));
        else
            expect_state(&mapped, story->why, step->line, false, &state, step->wanted);
    }
    close_mapping(&mapped);
}

#define REWRITE(conditions, count)                                              \
    "    # {'id':'com.android.tools.r8.rewriteFrame','conditions':[" conditions \
    "],'actions':['removeInnerFrames(" count ")']}\n"
#define NPE "'throws(Ljava/lang/NullPointerException;)'"
#define TWO_FRAMES "    4:4:void q.In.inlinee():23:23 -> a\n    4:4:void caller():7 -> a\n"
#define INLINEE "q.In.inlinee:23 / o.p.Cls.caller:7"
#define CALLER "o.p.Cls.caller:7"

static void rewritten_frames(void **state)
{
    (void)state;
    static const struct story stories[] = {
        {"the frame below the exception",
         VERSION "o.p.Cls -> a:\n" TWO_FRAMES REWRITE(NPE, "1"),
         {{"!java.lang.NullPointerException", NULL}, {"a.a:4", CALLER}, {"a.a:4", INLINEE}}},
        {"another exception",
         VERSION "o.p.Cls -> a:\n" TWO_FRAMES REWRITE(NPE, "1"),
         {{"!java.lang.Error", NULL}, {"a.a:4", INLINEE}}},
        {"no exception", VERSION "o.p.Cls -> a:\n" TWO_FRAMES REWRITE(NPE, "1"), {{"a.a:4", INLINEE}}},
        {"frames that are not known let the exception through",
         VERSION "o.p.Cls -> a:\n" TWO_FRAMES REWRITE(NPE, "1"),
         {{"!java.lang.NullPointerException", NULL},
          {"java.util.Objects.requireNonNull:9", "~java.util.Objects.requireNonNull:9"},
          {"a.zz:1", "~o.p.Cls.zz:1"},
          {"a.a:4", CALLER}}},
        {"every condition has to hold",
         VERSION "o.p.Cls -> a:\n" TWO_FRAMES REWRITE(NPE ",'throws(Lb;)'", "1"),
         {{"!java.lang.NullPointerException", NULL}, {"a.a:4", INLINEE}}},
        {"no condition holds always",
         VERSION "o.p.Cls -> a:\n" TWO_FRAMES REWRITE("", "1"),
         {{"a.a:4", CALLER}, {"a.a:4", CALLER}}},
        {"all frames",
         VERSION "o.p.Cls -> a:\n" TWO_FRAMES REWRITE(NPE, "2"),
         {{"!java.lang.NullPointerException", NULL}, {"a.a:4", "-"}, {"a.a:4", INLINEE}}},
        {"more frames than there are: none",
         VERSION "o.p.Cls -> a:\n" TWO_FRAMES REWRITE(NPE, "3"),
         {{"!java.lang.NullPointerException", NULL}, {"a.a:4", INLINEE}}},
        {"fewer than none",
         VERSION "o.p.Cls -> a:\n" TWO_FRAMES REWRITE(NPE, "-1"),
         {{"!java.lang.NullPointerException", NULL}, {"a.a:4", INLINEE}}},
        {"lines of one group add up",
         VERSION "o.p.Cls -> a:\n    4:4:void q.In.x():1:1 -> a\n" REWRITE(
             NPE, "1") "    4:4:void q.In.y():2:2 -> a\n" REWRITE(NPE, "1") "    4:4:void z():3 -> a\n",
         {{"!java.lang.NullPointerException", NULL}, {"a.a:4", "o.p.Cls.z:3"}}},
        {"a renamed exception is recognised by its residual name",
         VERSION "x.Boom -> b:\no.p.Cls -> a:\n" TWO_FRAMES REWRITE("'throws(Lb;)'", "1"),
         {{"!b", NULL}, {"a.a:4", CALLER}}},
    };
    for (size_t i = 0; i < COUNT_OF(stories); i++) tell_story(&stories[i]);
}

static void rewrites_that_ask_too_much_are_counted(void **state)
{
    (void)state;
    struct mapped mapped;
    open_mapping(&mapped, VERSION "o.p.Cls -> a:\n" TWO_FRAMES REWRITE("", "3"), "r8");
    assert_int_equal(ask_java(&mapped, "a.a:4", false, NULL).removed_too_many, 1);
    assert_int_equal(ask_java(&mapped, "a.a:5", false, NULL).removed_too_many, 0);
    close_mapping(&mapped);
}

#define OUTLINE "out.Line -> x:\n    1:2:int outline():0:0 -> a\n    # {'id':'com.android.tools.r8.outline'}\n"
#define CALLSITE(positions) \
    "    # {'id':'com.android.tools.r8.outlineCallsite','positions':{" positions "},'outline':'Lx;a()I'}\n"
#define CALLER_CLASS                                                                                             \
    "some.Class -> b:\n    4:4:int caller(int):98:98 -> s\n    5:5:int caller(int):100:100 -> s\n    27:27:int " \
    "caller(int):0:0 -> s\n"
static void outlines(void **state)
{
    (void)state;
    static const struct story stories[] = {
        {"the line of the outline chooses the caller's",
         VERSION OUTLINE CALLER_CLASS CALLSITE("'1':4,'2':5"),
         {{"x.a:1", "-"},
          {"b.s:27", "some.Class.caller:98"},
          {"x.a:2", "-"},
          {"b.s:27", "some.Class.caller:100"},
          {"b.s:27", "some.Class.caller"}}},
        {"positions in any order, and of duplicates the last",
         VERSION OUTLINE CALLER_CLASS CALLSITE("'7':4,'2':4,'-3':4,'1':5,'2':5,'1':4,'5':5"),
         {{"x.a:1", "-"}, {"b.s:27", "some.Class.caller:98"}, {"x.a:2", "-"}, {"b.s:27", "some.Class.caller:100"}}},
        {"an outline that is not there",
         VERSION OUTLINE CALLER_CLASS CALLSITE("'1':4,'2':5"),
         {{"x.a:9", "~out.Line.a:9"}, {"b.s:27", "some.Class.caller"}}},
        {"a line that the call site does not name is used as it is, and is not found",
         VERSION OUTLINE CALLER_CLASS CALLSITE("'2':5"),
         {{"x.a:1", "-"}, {"b.s:27", "~some.Class.s:27"}}},
        {"an outline without a line: -1 is nowhere",
         VERSION OUTLINE CALLER_CLASS CALLSITE("'1':4"),
         {{"x.a", "-"}, {"b.s:27", "~some.Class.s:27"}}},
        {"a caller without a line",
         VERSION OUTLINE
         "some.Class -> b:\n    4:4:int caller(int):98:98 -> s\n    0:0:int caller(int):0:0 -> s\n" CALLSITE("'1':4"),
         {{"x.a:1", "-"}, {"b.s", "some.Class.caller:98"}}},
        {"frames that are not known keep the line",
         VERSION OUTLINE CALLER_CLASS CALLSITE("'1':4"),
         {{"x.a:1", "-"}, {"q.r:1", "~q.r:1"}, {"b.s:27", "some.Class.caller:98"}}},
        {"others forget it",
         VERSION OUTLINE CALLER_CLASS CALLSITE("'1':4") "    void other() -> t\n",
         {{"x.a:1", "-"}, {"b.t:1", "some.Class.other:1"}, {"b.s:27", "some.Class.caller"}}},
        {"and an exception too",
         VERSION OUTLINE CALLER_CLASS CALLSITE("'1':4"),
         {{"x.a:1", "-"}, {"!java.lang.Error", NULL}, {"b.s:27", "some.Class.caller"}}},
        {"a call site that leads to itself",
         VERSION OUTLINE "some.Class -> b:\n    27:27:int caller(int):7:7 -> s\n" CALLSITE("'1':27"),
         {{"x.a:1", "-"}, {"b.s:27", "some.Class.caller:7"}}},
        {"a call site in an outline leads there",
         VERSION "out.Line -> x:\n    1:2:int outline():5:6 -> a\n"
                 "    # {'id':'com.android.tools.r8.outline'}\n" CALLSITE("'1':2,'2':1"),
         {{"x.a:1", "-"}, {"x.a:1", "-"}, {"x.a:1", "-"}}},
    };
    for (size_t i = 0; i < COUNT_OF(stories); i++) tell_story(&stories[i]);
}

static void what_is_told_to_the_next(void **state)
{
    (void)state;
    static const char mapping[] =
        VERSION OUTLINE "o.p.Cls -> a:\n    1:5:void f():1:5 -> a\n    3:3:void g():9:9 -> a\n";
    static const struct {
        const char *why, *frame;
        /* the expected state after the frame: whether it has an exception; whether it has an outline */
        bool exception, outline;
        int32_t line;
    } rows[] = {
        {"a frame that is found", "a.a:1", false, false, 0},
        {"several answers", "a.a:3", false, false, 0},
        {"a class alone", "a.a:9", true, false, 0},
        {"nothing", "q.a:9", true, false, 0},
        {"an outline", "x.a:2", false, true, 2},
        {"an outline without a line", "x.a", false, true, -1},
        {"an outline at line 0", "x.a:0", false, true, 0},
    };
    struct mapped mapped;
    open_mapping(&mapped, mapping, "r8");
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct fm_java_state passed_on = fm_java_exception(FM_STR("java.lang.Error"));
        ask_java(&mapped, rows[i].frame, false, &passed_on);
        if ((passed_on.exception.size != 0) != rows[i].exception || passed_on.has_outline != rows[i].outline ||
            passed_on.outline_line != rows[i].line)
            fail_msg("%s: %d %d %d", rows[i].why, (int)passed_on.exception.size, passed_on.has_outline,
                     (int)passed_on.outline_line);
    }
    close_mapping(&mapped);
}

/* --- testing mappings that are made to be slow to resolve --- */

enum { MANY = 100000 / TEST_STEP };

/* Makes copies of the line, in each of which # is replaced by the number of the copy. */
static char *many_lines(const char *head, const char *line)
{
    char *text = malloc(strlen(head) + 1 + (size_t)MANY * (strlen(line) + 32)), *at = text;
    assert_non_null(text);
    at = stpcpy(at, head);
    for (int i = 1; i <= MANY; i++)
        for (const char *c = line; *c; c++) {
            if (*c == '#')
                at += sprintf(at, "%d", i);
            else
                *at++ = *c;
        }
    *at = 0;
    return text;
}

/* Checks how many chains and frames are returned for 100,000 lines that differ only in their numbers. In quadratic
 * time, the test would run for hours. */
static void methods_of_many_ranges(void **state)
{
    (void)state;
    static const struct {
        const char *why, *line, *frame;
        size_t chains, frames; /* number of chains, and of frames in the first chain */
    } rows[] = {
        {"as many methods, without a line", "    #:#:t# m():# -> a\n", "a.a", 1, 1},
        {"as many names", "    #:#:t# m#():7 -> a\n", "a.a", MANY, 1},
        {"one of as many", "    #:#:t# m#():7 -> a\n", "a.a:5000", 1, 1},
        {"as many that all have the line", "    1:100000:t# m#():7 -> a\n    2:100000:void o#():7 -> a\n", "a.a:5000",
         2 * MANY, 1},
        {"as many without lines", "    t# m#():# -> a\n", "a.a:3", MANY, 1},
        {"one chain of as many", "    1:2:t# m#():# -> a\n", "a.a:1", 1, MANY},
        {"one method of as many ranges", "    #:#:void m():# -> a\n", "a.a:27777", 1, 1},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct mapped mapped;
        char *text = many_lines("o.p.Cls -> a:\n", rows[i].line);
        open_mapping(&mapped, text, "r8");
        for (int verbose = 0; verbose < 2; verbose++) {
            struct fm_java_answer answer = ask_java(&mapped, rows[i].frame, verbose, NULL);
            if ((!verbose && answer.chain_count != rows[i].chains) || answer.chains[0].count != rows[i].frames)
                fail_msg("%s: %zu chains, %zu frames", rows[i].why, answer.chain_count, answer.chains[0].count);
        }
        close_mapping(&mapped);
        free(text);
    }
}

enum { SHARING = 20000, NOTES = 2000 };

/* Makes an index of one method whose spans form one chain and all refer to the same long list of notes: 40 million
 * notes in 100 KB. */
static void share_notes(struct fm_builder *builder, struct fm_note *notes, struct fm_span *spans)
{
    framemap_error error;
    uint32_t name, text, list, member;
    assert_int_equal(fm_builder_name(builder, FM_STR("o.p.Cls"), &name, &error), FRAMEMAP_OK);
    assert_int_equal(fm_builder_string(builder, FM_STR("m"), &text, &error), FRAMEMAP_OK);
    for (size_t i = 0; i < NOTES; i++)
        notes[i] = (struct fm_note){.kind = FM_NOTE_REWRITE, .text = FM_NONE, .count = i + 1 == NOTES};
    assert_int_equal(fm_builder_notes(builder, notes, NOTES, &list, &error), FRAMEMAP_OK);
    const struct fm_member row = {.holder = name, .name = text, .type = text, .arguments = text};
    assert_int_equal(fm_builder_member(builder, &row, &member, &error), FRAMEMAP_OK);
    for (size_t i = 0; i < SHARING; i++)
        spans[i] = (struct fm_span){.residual_from = 1,
                                    .residual_to = 2,
                                    .member = member,
                                    .entry = member,
                                    .notes = list,
                                    .flags = FM_SPAN_RESIDUAL};
    spans[0].flags |= FM_SPAN_PART;
    assert_int_equal(fm_builder_class(builder, FM_STR("a"), name, 0, &error), FRAMEMAP_OK);
    assert_int_equal(fm_builder_method(builder, FM_STR("a"), spans, SHARING, &error), FRAMEMAP_OK);
}

static void comments_that_are_shared(void **state)
{
    (void)state;
    struct mapped mapped = {.bytes = {NULL, 0, {NULL, NULL}}};
    struct fm_builder *builder;
    struct fm_built built;
    framemap_error error;
    struct fm_note *notes = calloc(NOTES, sizeof *notes);
    struct fm_span *spans = calloc(SHARING, sizeof *spans);
    const struct fm_builder_about about = {.kind = FM_STR("r8"), .id = FM_STR("0")};
    assert_true(notes && spans);
    fm_heap_init(&mapped.heap, NULL, 0);
    fm_arena_init(&mapped.arena, &mapped.heap);
    assert_int_equal(fm_builder_create(&mapped.heap, &builder, &error), FRAMEMAP_OK);
    assert_int_equal(fm_builder_about(builder, &about, &error), FRAMEMAP_OK);
    share_notes(builder, notes, spans);
    assert_int_equal(fm_builder_finish(builder, &built, &error), FRAMEMAP_OK);
    fm_builder_free(builder);
    assert_int_equal(fm_view_open(fm_str(built.data, built.size), &mapped.heap, &mapped.view, &error), FRAMEMAP_OK);
    struct fm_java_answer answer = ask_java(&mapped, "a.a:1", false, NULL);
    assert_int_equal(answer.chain_count, 1);
    /* Reading a list takes one step for each note, and one more that finds the end of the list. */
    const size_t heeded = FM_LIMIT_JAVA_NOTES / (NOTES + 1);
    assert_int_equal(answer.chains[0].count, SHARING - heeded);
    fm_view_close(mapped.view);
    fm_arena_free(&mapped.arena);
    fm_heap_free(&mapped.heap, built.data, built.size);
    assert_true(mapped.heap.used == 0);
    free(notes);
    free(spans);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_and_parts),
        cmocka_unit_test(order_of_alternatives),
        cmocka_unit_test(long_lists_of_arguments),
        cmocka_unit_test(frames_that_are_hidden),
        cmocka_unit_test(rewritten_frames),
        cmocka_unit_test(rewrites_that_ask_too_much_are_counted),
        cmocka_unit_test(outlines),
        cmocka_unit_test(what_is_told_to_the_next),
        cmocka_unit_test(methods_of_many_ranges),
        cmocka_unit_test(comments_that_are_shared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
