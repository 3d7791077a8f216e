/* Tests of R8's line arithmetic: every shape of a mapping line with every kind of line in the stack trace. Expected
 * values are what R8's retrace prints. */
#include "core/text/buffer.h"
#include "index/read/table/tables.h"
#include "tests/resolve/java/java_help.h"

static const char head[] = "o.p.Cls -> a:\n";

/* Each row is a single member line, "SHAPE -> a". It is queried without a line, and with the lines 0, 3, 5 and 9. M:
 * the answer is the method without a line; A: the answer is the residual name in the original class. */
#define M "o.p.Cls.m"
#define A "~o.p.Cls.a"
#define OR " | "
static const struct {
    const char *shape;
    const char *none, *at_0, *at_3, *at_5, *at_9;
} shapes[] = {
    {"void m()", M, M, M ":3", M ":5", M ":9"},
    {"void m():42", M ":42", M ":42", M ":42", M ":42", M ":42"},
    {"void m():42:42", M ":42", M ":42", M ":42", M ":42", M ":42"},
    {"void m():42:44", M, M ":42", M ":42" OR M ":43" OR M ":44", M ":42" OR M ":43" OR M ":44",
     M ":42" OR M ":43" OR M ":44"},
    {"void m():0", M, M, M, M, M},
    {"void m():0:0", M, M, M, M, M},
    {"1:1:void m()", M, M, A ":3", A ":5", A ":9"},
    {"1:5:void m()", M, M, M ":3", M ":5", A ":9"},
    {"1:5:void m():10", M, M, M ":10", M ":10", A ":9"},
    {"1:5:void m():10:10", M, M, M ":10", M ":10", A ":9"},
    {"1:5:void m():10:14", M, M, M ":12", M ":14", A ":9"},
    {"1:5:void m():10:12", M, M, M ":10" OR M ":11" OR M ":12", M ":10" OR M ":11" OR M ":12", A ":9"},
    {"1:5:void m():0:0", M, M, M, M, A ":9"},
    {"1:5:void m():0", M, M, M, M, A ":9"},
    {"1:5:void m():0:4", M, M, M ":2", M ":4", A ":9"},
    {"0:0:void m():10:10", M ":10", M ":10", A ":3", A ":5", A ":9"},
    {"0:0:void m():10", M ":10", M ":10", A ":3", A ":5", A ":9"},
    {"0:0:void m():10:12", M, M ":10", A ":3", A ":5", A ":9"},
    {"0:5:void m():10:15", M ":10", M ":10", M ":13", M ":15", A ":9"},
    {"0:65535:void m():33", M ":33", M ":33", M ":33", M ":33", M ":33"},
    {"0:65535:void m():33:33", M ":33", M ":33", M ":33", M ":33", M ":33"},
    {"0:65535:void m()", M, M, M ":3", M ":5", M ":9"},
    {"0:65535:void m():33:34", M, M ":33", M ":33" OR M ":34", M ":33" OR M ":34", M ":33" OR M ":34"},
    {"5:3:void m():20:22", M, M, M ":20", M ":22", A ":9"},
    {"5:0:void m():20:20", M, M, A ":3", M ":20", A ":9"},
    {"3:5:void m():22:20", M, M, M ":20", M ":22", A ":9"},
    {"3:5:void m():22:0", M, M, M ":22", M ":22", A ":9"},
};

static void every_shape(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(shapes); i++) {
        struct mapped mapped;
        char text[128];
        snprintf(text, sizeof text, "%s    %s -> a\n", head, shapes[i].shape);
        open_mapping(&mapped, text, "r8");
        expect(&mapped, shapes[i].shape, "a.a", false, shapes[i].none);
        expect(&mapped, shapes[i].shape, "a.a:0", false, shapes[i].at_0);
        expect(&mapped, shapes[i].shape, "a.a:3", false, shapes[i].at_3);
        expect(&mapped, shapes[i].shape, "a.a:5", false, shapes[i].at_5);
        expect(&mapped, shapes[i].shape, "a.a:9", false, shapes[i].at_9);
        close_mapping(&mapped);
    }
}

struct row {
    const char *why, *members, *frame, *plain, *verbose; /* expected answers; NULL: not queried */
};

static void check_rows(const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct mapped mapped;
        char text[1024];
        snprintf(text, sizeof text, "%s%s", head, rows[i].members);
        open_mapping(&mapped, text, "r8");
        if (rows[i].plain) expect(&mapped, rows[i].why, rows[i].frame, false, rows[i].plain);
        if (rows[i].verbose) expect(&mapped, rows[i].why, rows[i].frame, true, rows[i].verbose);
        close_mapping(&mapped);
    }
}

#define VM "o.p.Cls.void m()"
static void lines_that_fan_out(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"no line, not verbose: one frame without a line; verbose: every line", "    void m():42:44 -> a\n", "a.a", M,
         VM ":42" OR VM ":43" OR VM ":44"},
        {"line 0 does not distinguish alternatives", "    void m():42:44 -> a\n", "a.a:0", M ":42",
         VM ":42" OR VM ":43" OR VM ":44"},
        {"the same under line 0 in the mapping", "    0:0:void m():10:12 -> a\n", "a.a", M,
         VM ":10" OR VM ":11" OR VM ":12"},
        {"a line beyond the catch-all", "    0:65535:void m():33 -> a\n", "a.a:70000", A ":70000", A ":70000"},
        {"outer frames come with each alternative", "    1:2:void m():7:9 -> a\n    1:2:void n():20 -> a\n", "a.a:1",
         M ":7 / o.p.Cls.n:20" OR M ":8 / o.p.Cls.n:20" OR M ":9 / o.p.Cls.n:20", NULL},
        {"only the innermost fans out; outer ones are reckoned",
         "    1:2:void m():5 -> a\n    1:2:void n():20:29 -> a\n", "a.a:2", M ":5 / o.p.Cls.n:21", NULL},
        {"an outer frame of an equal span", "    4:6:void m():5 -> a\n    4:6:void outer():60:62 -> a\n", "a.a:5",
         M ":5 / o.p.Cls.outer:61", NULL},
        {"an outer frame without original lines", "    4:6:void m():5 -> a\n    4:6:void outer() -> a\n", "a.a:5",
         M ":5 / o.p.Cls.outer:5", NULL},
        {"a digit more than 32 bits wraps around in the mapping", "    1:4294967299:void m():10:12 -> a\n", "a.a:2",
         M ":11", NULL},
        {"original lines at the end of 32 bits", "    1:2:void m():2147483646:2147483647 -> a\n", "a.a:2",
         M ":2147483647", NULL},
    };
    check_rows(rows, COUNT_OF(rows));
}

/* Checks that up to 65,536 alternatives are returned, as R8 returns them. If there are ten million, the others are left
 * out, and the answer reports this. */
static void fans_that_are_too_wide(void **state)
{
    (void)state;
    static const struct {
        const char *why, *members;
        size_t chains, depth;
        bool too_many;
    } rows[] = {
        {"as many lines as a method may have", "    0:65535:void m():1:65535 -> a\n    0:65535:void o():7 -> a\n",
         65535, 2, false},
        {"more than the limit", "    1:5:void m():1:10000000 -> a\n", (size_t)1 << 17, 1, true},
        {"all numbers there are", "    1:5:void m():0:2147483647 -> a\n", (size_t)1 << 17, 1, true},
        {"the limit counts frames", "    1:5:void m():1:10000000 -> a\n    1:5:void o():7 -> a\n", (size_t)1 << 16, 2,
         true},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct mapped mapped;
        char text[256];
        snprintf(text, sizeof text, "%s%s", head, rows[i].members);
        open_mapping(&mapped, text, "r8");
        struct fm_java_answer answer = ask_java(&mapped, "a.a:2", false, NULL);
        if (answer.chain_count != rows[i].chains || answer.too_many != rows[i].too_many)
            fail_msg("%s: %zu chains", rows[i].why, answer.chain_count);
        assert_true(answer.chains[answer.chain_count - 1].count == rows[i].depth);
        close_mapping(&mapped);
    }
}

enum { NAME = 300000 };

/* Checks two methods whose long names differ only in the last character; each has 65,000 alternatives. */
static void long_names_that_fan_out(void **state)
{
    (void)state;
    struct mapped mapped;
    char *name = malloc(NAME + 1), *text = malloc(2 * NAME + 256);
    assert_true(name && text);
    memset(name, 'n', NAME);
    name[NAME] = 0;
    snprintf(text, 2 * NAME + 256, "%s    1:5:void %sz():1:65000 -> a\n    2:5:void %sa():1:65000 -> a\n", head, name,
             name);
    open_mapping(&mapped, text, "r8");
    for (int verbose = 0; verbose < 2; verbose++) {
        struct fm_java_answer answer = ask_java(&mapped, "a.a:2", verbose, NULL);
        assert_int_equal(answer.chain_count, 130000);
        assert_int_equal(answer.chains[0].frames[0].method.data[NAME], 'a');
        assert_int_equal(answer.chains[64999].frames[0].line, 65000);
        assert_int_equal(answer.chains[65000].frames[0].method.data[NAME], 'z');
        assert_int_equal(answer.chains[65000].frames[0].line, 1);
    }
    close_mapping(&mapped);
    free(name);
    free(text);
}

/* --- comparing the fast path for usual frames with the general path --- */

static void same_frame(struct mapped *mapped, const struct fm_java_frame *wanted, uint32_t query_line,
                       const framemap_frame *frame)
{
    struct fm_buf symbol;
    fm_buf_init(&symbol, &mapped->heap);
    fm_buf_printf(&symbol, "%.*s ", (int)wanted->type.size, wanted->type.data);
    fm_buf_str(&symbol, wanted->method);
    fm_buf_printf(&symbol, "(%.*s)", (int)wanted->arguments.size, wanted->arguments.data);
    const int32_t shown = wanted->line > 0 ? wanted->line : 0;
    const uint32_t line = wanted->line_kind == FM_JAVA_LINE_NUMBER ? (uint32_t)shown : query_line;
    assert_true(fm_str_equal(frame->class_name, wanted->class_name) && fm_str_equal(frame->function, wanted->method));
    assert_true(fm_str_equal(frame->symbol, fm_buf_view(&symbol)) && fm_str_equal(frame->file, FM_STR("Cls.java")));
    assert_true(frame->line == line && frame->status == (line ? FRAMEMAP_FRAME_OK : FRAMEMAP_FRAME_SYMBOL));
    fm_buf_free(&symbol);
}

/* Checks that fm_resolve, which has a fast path of its own, gives equal frames. */
static void same_whole_frames(struct mapped *mapped, struct fm_java_query query)
{
    char scope[64];
    struct fm_java_answer plain;
    framemap_frame frame;
    framemap_java_state state = {.has_outline = true, .outline_line = 2};
    framemap_query public_query = FRAMEMAP_QUERY_INIT;
    snprintf(scope, sizeof scope, "%.*s.%.*s", (int)query.class_name.size, query.class_name.data,
             (int)query.method.size, query.method.data);
    public_query.scope = framemap_str_of(scope);
    public_query.position = (uint64_t)query.line;
    public_query.printed_file = FM_STR("SourceFile");
    query.signatures = true;
    for (int stated = 0; stated < 2; stated++) {
        public_query.java = stated ? &state : NULL;
        struct fm_java_state before = {.has_outline = stated != 0, .outline_line = stated ? 2 : 0};
        query.state = &before;
        assert_int_equal(fm_java_resolve_plain(mapped->view, &query, &mapped->arena, &plain, NULL), FRAMEMAP_OK);
        assert_int_equal(fm_resolve_java(mapped->view, &public_query, &mapped->arena, &frame, NULL), FRAMEMAP_OK);
        if (plain.result != FM_JAVA_METHOD) continue;
        assert_true(!stated ||
                    (state.has_outline == plain.state.has_outline && state.outline_line == plain.state.outline_line));
        assert_int_equal(frame.restored.count, plain.chain_count ? plain.chains[0].count : 0);
        assert_int_equal(frame.alternative_count, plain.chain_count ? plain.chain_count - 1 : 0);
        for (size_t i = 0; i < frame.restored.count; i++) {
            same_frame(mapped, &plain.chains[0].frames[i], (uint32_t)query.line, &frame.restored.frames[i]);
            assert_true(frame.restored.frames[i].inlined == (i + 1 < frame.restored.count));
        }
    }
}

static void same_answers(struct mapped *mapped, struct fm_java_query query)
{
    static const struct fm_java_state shown = {
        .exception = FM_STR_INIT("java.lang.NullPointerException"), .has_outline = true, .outline_line = 2};
    for (unsigned shape = 0; shape < 16; shape++) {
        struct fm_java_answer usual, plain;
        struct fm_buf texts[2];
        query.verbose = shape & 1;
        query.no_slot = shape & 2;
        query.signatures = shape & 4;
        query.state = shape & 8 ? &shown : NULL;
        assert_int_equal(fm_java_resolve(mapped->view, &query, &mapped->arena, &usual, NULL), FRAMEMAP_OK);
        assert_int_equal(fm_java_resolve_plain(mapped->view, &query, &mapped->arena, &plain, NULL), FRAMEMAP_OK);
        fm_buf_init(&texts[0], &mapped->heap);
        fm_buf_init(&texts[1], &mapped->heap);
        tell(&usual, true, &texts[0]);
        tell(&plain, true, &texts[1]);
        if (!fm_str_equal(fm_buf_view(&texts[0]), fm_buf_view(&texts[1])))
            fail_msg("line %d: %.*s\n  wanted %.*s", (int)query.line, (int)texts[0].size, texts[0].data,
                     (int)texts[1].size, texts[1].data);
        assert_true(usual.result == plain.result && usual.chain_count == plain.chain_count);
        assert_true(usual.state.has_outline == plain.state.has_outline &&
                    usual.state.outline_line == plain.state.outline_line);
        fm_buf_free(&texts[0]);
        fm_buf_free(&texts[1]);
    }
}

/* Checks methods with every form of packed spans, all in one class, each with another name. */
static void usual_frames_as_all(void **state)
{
    (void)state;
    static const char *const members[] = {
        "    1:5:void m():10:14 -> a\n",
        "    3:3:void in(int):7:7 -> b\n    3:3:void mid():20 -> b\n    3:3:void m():30 -> b\n    4:6:void m():31:33 "
        "-> b\n",
        "    1:5:void m():10:14 -> c\n    2:3:void n(java.lang.String):50:51 -> c\n    9:9:int o():7 -> c\n",
        "    9:9:int o():7 -> d\n    1:5:void m():10:14 -> d\n    6:7:void n():50:52 -> d\n    void m() -> d\n",
        "    1:1:void m():10 -> e\n    # {\"id\":\"com.android.tools.r8.synthesized\"}\n    2:2:void n():11 -> e\n",
        ("    1:1:void m():10 -> f\n    1:1:void n():11 -> f\n    # "
         "{\"id\":\"com.android.tools.r8.rewriteFrame\",\"conditions\":"
         "[\"throws(Ljava/lang/NullPointerException;)\"],\"actions\":[\"removeInnerFrames(1)\"]}\n    2:2:void n():12 "
         "-> f\n"),
        "    1:4:void m() -> g\n    5:9:void m():3:4 -> g\n    10:2147483647:void m():1:2147483638 -> g\n",
    };
    static const int32_t lines[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 64, 65, 99, 65535, INT32_MAX};
    char *text = malloc(1 << 16), *at = text;
    assert_non_null(text);
    at += sprintf(at, "%s", "# {\"id\":\"com.android.tools.r8.mapping\",\"version\":\"2.2\"}\no.p.Cls -> a:\n");
    for (size_t i = 0; i < COUNT_OF(members); i++) at += sprintf(at, "%s", members[i]);
    /* makes more spans than are scanned linearly, with lines in ascending order or unsorted */
    for (unsigned i = 0; i < 100; i++)
        at += sprintf(at, "    %u:%u:void m%u():%u -> h\n    %u:%u:void m%u():%u -> i\n", i + 1, i + 1, i % 7, 1000 + i,
                      100 - i, 102 - i, i % 5, 2 * i);
    struct mapped mapped;
    open_mapping(&mapped, text, "r8");
    for (const char *name = "abcdefghi"; *name; name++)
        for (size_t i = 0; i < COUNT_OF(lines); i++) {
            const struct fm_java_query query = {
                .class_name = FM_STR("a"), .method = fm_str(name, 1), .has_line = true, .line = lines[i]};
            same_answers(&mapped, query);
            same_whole_frames(&mapped, query);
        }
    close_mapping(&mapped);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_shape),
        cmocka_unit_test(lines_that_fan_out),
        cmocka_unit_test(fans_that_are_too_wide),
        cmocka_unit_test(long_names_that_fan_out),
        cmocka_unit_test(usual_frames_as_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
