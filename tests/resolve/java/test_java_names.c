/* Tests of names without lines, of source files, of ProGuard's rules, and of the public query on mappings. */
#include "core/limits.h"
#include "resolve/resolve.h"
#include "tests/resolve/java/java_help.h"

static const char classes[] = "o.p.Cls -> a:\n"
                              "# {'id':'sourceFile','fileName':'Told.kt'}\n"
                              "    int f -> x\n"
                              "    java.lang.String q.Other.zf -> x\n"
                              "    int f -> y\n"
                              "    1:5:void m(int,long[]):10:14 -> b\n"
                              "    void x() -> x\n"
                              "o.p.FooKt -> c:\n"
                              "    1:1:void q.In.i():5:5 -> d\n"
                              "    1:1:void m():7 -> d\n"
                              "    void e() -> e\n"
                              "o.p.Cls$Inner -> a.b:\n"
                              "kept.One -> kept.One:\n";

static void source_files(void **state)
{
    (void)state;
    static const struct {
        const char *why, *class_name, *printed, *wanted;
        bool unknown;
    } rows[] = {
        {"of the class name", "o.Foo", "SourceFile", "Foo.java", false},
        {"of the outer class", "o.Foo$Bar", "Unknown Source", "Foo.java", false},
        {"a class that the compiler made", "o.Foo$$ExternalSyntheticLambda0", "", "Foo.java", false},
        {"a '$' in the package is none", "o.p$q.Foo", "PG", "Foo.java", false},
        {"an ending that is not known", "o.Foo", "Foo.scala", "Foo.java", false},
        {"the ending of the file, not of its words", "o.Foo", "go.x y", "Foo.java", false},
        {"Kotlin is kept", "o.Foo", "Foo.kt", "Foo.kt", false},
        {"after folders", "o.Foo$Bar", "a/b.kt", "Foo.kt", false},
        {"an ending alone", "o.Foo", ".kt", "Foo.kt", false},
        {"slashes at the end are nothing", "o.Foo", "b.kt//", "Foo.kt", false},
        {"a dot in a folder is none", "o.FooKt", "a.kt/b", "Foo.kt", false},
        {"a class of Kotlin's functions", "o.FooKt", "SourceFile", "Foo.kt", false},
        {"and what is inside", "o.FooKt$lambda$1", "", "Foo.kt", false},
        {"but not in a Java file", "o.FooKt", "Foo.java", "FooKt.java", false},
        {"in a Kotlin file", "o.FooKt", "Foo.kt", "Foo.kt", false},
        {"an inner class may end so", "o.Foo$BarKt", "SourceFile", "Foo.java", false},
        {"nothing before the '$'", "o.$Foo", "SourceFile", ".java", false},
        {"so in Kotlin", "o.$Foo", "Foo.kt", ".kt", false},
        {"a lambda's class", "o.-$$Lambda$x", "SourceFile", "-.java", false},
        {"nothing but the ending", "o.Kt", "SourceFile", ".kt", false},
        {"nothing but the ending, in Java", "o.Kt", "Foo.java", "Kt.java", false},
        {"without a package", "Foo$A", "SourceFile", "Foo.java", false},
        {"native code", "o.Foo", "Native Method", "Native Method", false},
        {"a class that is not known", "o.Foo", "SourceFile", "SourceFile", true},
    };
    struct mapped mapped;
    framemap_error error;
    open_mapping(&mapped, classes, "r8");
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const struct fm_java_frame frame = {.class_name = framemap_str_of(rows[i].class_name)};
        framemap_str got;
        assert_int_equal(fm_java_source(mapped.view, &frame, !rows[i].unknown, framemap_str_of(rows[i].printed),
                                        &mapped.arena, &got, &error),
                         FRAMEMAP_OK);
        if (!fm_str_equal(got, framemap_str_of(rows[i].wanted)))
            fail_msg("%s: %.*s", rows[i].why, (int)got.size, got.data);
    }
    close_mapping(&mapped);
}

/* Checks the source file that the mapping records for the first frame of an answer; "-": the mapping records no
 * file. */
static void files_of_first_frames(void **state)
{
    (void)state;
    static const struct {
        const char *why, *frame, *wanted;
    } rows[] = {
        {"a method's class", "a.b:3", "Told.kt"},
        {"a class alone", "a.zz:3", "Told.kt"},
        {"a class without data", "c.e:3", "-"},
        {"an inner class does not inherit", "a.b.zz:1", "-"},
        {"a class that is not renamed, but is the original of another", "o.p.Cls.zz:1", "Told.kt"},
        {"an inlined frame has its own class", "c.d:1", "-"},
    };
    struct mapped mapped;
    open_mapping(&mapped, classes, "r8");
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct fm_java_answer answer = ask_java(&mapped, rows[i].frame, false, NULL);
        const struct fm_java_frame *frame = &answer.chains[0].frames[0];
        if (frame->has_source != (rows[i].wanted[0] != '-')) fail_msg("%s", rows[i].why);
        if (frame->has_source) assert_str(frame->source, rows[i].wanted);
    }
    close_mapping(&mapped);
}

static void types(void **state)
{
    (void)state;
    static const struct {
        const char *why, *queried, *wanted;
    } rows[] = {
        {"a class", "a", "o.p.Cls"},
        {"an array", "a[][]", "o.p.Cls[][]"},
        {"an inner class", "a.b", "o.p.Cls$Inner"},
        {"with slashes", "a/b", "o/p/Cls$Inner"},
        {"an array of them", "a/b[]", "o/p/Cls$Inner[]"},
        {"not known", "zz[]", "zz[]"},
        {"a primitive type", "int[]", "int[]"},
        {"nothing", "", ""},
        {"brackets alone", "[]", "[]"},
        {"half brackets", "a[", "a["},
        {"kept as it is", "kept.One", "kept.One"},
    };
    struct mapped mapped;
    framemap_error error;
    open_mapping(&mapped, classes, "r8");
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        framemap_str got;
        assert_int_equal(fm_java_type(mapped.view, framemap_str_of(rows[i].queried), &mapped.arena, &got, &error),
                         FRAMEMAP_OK);
        if (!fm_str_equal(got, framemap_str_of(rows[i].wanted)))
            fail_msg("%s: %.*s", rows[i].why, (int)got.size, got.data);
    }
    framemap_str original;
    assert_true(fm_java_class(mapped.view, FM_STR("a"), &original));
    assert_str(original, "o.p.Cls");
    assert_false(fm_java_class(mapped.view, FM_STR("a[]"), &original));
    close_mapping(&mapped);
}

static void fields_and_methods(void **state)
{
    (void)state;
    struct mapped mapped;
    framemap_error error;
    const struct fm_java_member *members;
    size_t count;
    open_mapping(&mapped, classes, "r8");
    assert_int_equal(fm_java_fields(mapped.view, FM_STR("a"), FM_STR("x"), &mapped.arena, &members, &count, &error),
                     FRAMEMAP_OK);
    assert_int_equal(count, 2);
    assert_str(members[0].class_name, "o.p.Cls");
    assert_str(members[0].name, "f");
    assert_str(members[0].type, "int");
    assert_str(members[1].class_name, "q.Other");
    assert_str(members[1].name, "zf");
    assert_int_equal(fm_java_fields(mapped.view, FM_STR("a"), FM_STR("b"), &mapped.arena, &members, &count, &error),
                     FRAMEMAP_OK);
    assert_int_equal(count, 0);
    assert_int_equal(fm_java_methods(mapped.view, FM_STR("a"), FM_STR("b"), &mapped.arena, &members, &count, &error),
                     FRAMEMAP_OK);
    assert_int_equal(count, 1);
    assert_str(members[0].arguments, "int,long[]");
    assert_int_equal(fm_java_methods(mapped.view, FM_STR("c"), FM_STR("d"), &mapped.arena, &members, &count, &error),
                     FRAMEMAP_OK);
    assert_int_equal(count, 1); /* the other methods of this frame are inlined, so they are not members of the class */
    assert_str(members[0].name, "m");
    assert_int_equal(fm_java_methods(mapped.view, FM_STR("z"), FM_STR("d"), &mapped.arena, &members, &count, &error),
                     FRAMEMAP_OK);
    assert_int_equal(count, 0);
    close_mapping(&mapped);
    open_mapping(&mapped,
                 "o.p.Cls -> a:\n    1:1:void q.In.i():5:5 -> a\n    1:1:void z(int):7 -> a\n    2:2:int b():8 -> a\n  "
                 "  void z() -> a\n",
                 "r8");
    assert_int_equal(fm_java_methods(mapped.view, FM_STR("a"), FM_STR("a"), &mapped.arena, &members, &count, &error),
                     FRAMEMAP_OK);
    assert_int_equal(count, 3);
    assert_str(members[0].name, "b");
    assert_str(members[1].arguments, "");
    assert_str(members[2].arguments, "int");
    close_mapping(&mapped);
}

/* Checks that the fields of one class keep the order of the mapping, because R8 compares only their classes. */
static void order_of_fields(void **state)
{
    (void)state;
    static const char *const names[] = {"q", "z", "b", "z"}, *const field_types[] = {"short", "int", "char", "long"};
    struct mapped mapped;
    framemap_error error;
    const struct fm_java_member *members;
    size_t count;
    open_mapping(
        &mapped,
        "o.p.Cls -> a:\n    int z -> x\n    char b -> x\n    short a.A.q -> x\n    long z -> x\n    int z -> x\n",
        "r8");
    assert_int_equal(fm_java_fields(mapped.view, FM_STR("a"), FM_STR("x"), &mapped.arena, &members, &count, &error),
                     FRAMEMAP_OK);
    assert_int_equal(count, COUNT_OF(names));
    for (size_t i = 0; i < count; i++) {
        assert_str(members[i].name, names[i]);
        assert_str(members[i].type, field_types[i]);
    }
    close_mapping(&mapped);
}

/* Checks that alternatives are in the order in which Java compares their texts, by UTF-16 units, wherever the texts
 * begin to differ. A method with fewer arguments comes first. */
static void order_of_alternatives(void **state)
{
    (void)state;
    static const struct {
        const char *first, *second;
    } rows[] = {
        {"void commonBeginning1()", "void commonBeginning2()"},
        {"void commonBegin()", "void commonBeginning()"},
        {"void abcdefgh()", "void abcdefghi()"},
        {"void commonBeginning\xf0\x9f\x98\x80()", "void commonBeginning\xef\xbd\x9e()"}, /* in UTF-16 the names differ
                                                                                             in D83D and FF5E */
        {"void \xf0\x9f\x98\x80()", "void \xef\xbd\x9e()"},
        {"void common\xed\x9f\xbf()", "void common\xee\x80\x80()"}, /* in UTF-16 the names differ in D7FF and E000 */
        {"int common()", "void common()"},
        {"void common(z.z.z.z.z.z)", "void common(int,java.lang.String)"},
        {"void common(z,z,z,z,z,z,z,z,z)", "void common(a,a,a,a,a,a,a,a,a,a)"},
        {"void common(first.long.name.of.a.Type,first.long.name.of.a.Type,int)",
         "void common(first.long.name.of.a.Type,first.long.name.of.a.Type,long)"},
        {"void common(java.lang.String)", "void common(java.lang.String[])"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        for (unsigned turned = 0; turned < 2; turned++) {
            struct mapped mapped;
            char text[512];
            const char *const listed[] = {rows[i].first, rows[i].second};
            snprintf(text, sizeof text, "o.p.Cls -> a:\n    %s -> a\n    %s -> a\n", listed[turned],
                     listed[1 - turned]);
            open_mapping(&mapped, text, "r8");
            const struct fm_java_answer answer = ask_java(&mapped, "a.a", true, NULL);
            assert_int_equal(answer.chain_count, 2);
            for (size_t c = 0; c < 2; c++) {
                const struct fm_java_frame *frame = answer.chains[c].frames;
                char got[256];
                snprintf(got, sizeof got, "%.*s %.*s(%.*s)", (int)frame->type.size, frame->type.data,
                         (int)frame->method.size, frame->method.data, (int)frame->arguments.size,
                         frame->arguments.size ? frame->arguments.data : "");
                assert_string_equal(got, listed[c]);
            }
            close_mapping(&mapped);
        }
    }
}

/* Checks frames for an output that does not print lines. */
static void frames_without_a_slot(void **state)
{
    (void)state;
    struct mapped mapped;
    framemap_error error;
    struct fm_java_answer answer;
    open_mapping(&mapped, "o.p.Cls -> a:\n    void m():42:44 -> a\n    void m(int):7 -> a\n", "r8");
    struct fm_java_query query = {.class_name = FM_STR("a"), .method = FM_STR("a"), .no_slot = true, .verbose = true};
    assert_int_equal(fm_java_resolve(mapped.view, &query, &mapped.arena, &answer, &error), FRAMEMAP_OK);
    assert_int_equal(answer.chain_count, 2); /* lines do not distinguish alternatives if they are not printed */
    for (size_t i = 0; i < 2; i++) assert_int_equal(answer.chains[i].frames[0].line_kind, FM_JAVA_LINE_ECHO);
    close_mapping(&mapped);
}

/* --- testing the rules of ProGuard --- */

static void rules_of_proguard(void **state)
{
    (void)state;
    static const struct {
        const char *why, *members, *frame, *wanted;
    } rows[] = {
        {"no lines at all", "    void m() -> a\n", "a.a:7", "o.p.Cls.m:7"},
        {"equal lines", "    1:5:void m() -> a\n", "a.a:3", "o.p.Cls.m:3"},
        {"shifted lines", "    1:5:void m():10:14 -> a\n", "a.a:3", "o.p.Cls.m:12"},
        {"lines that do not go together are shifted all the same", "    1:5:void m():10:12 -> a\n", "a.a:3",
         "o.p.Cls.m:12"},
        {"one original line", "    1:5:void m():10 -> a\n", "a.a:3", "o.p.Cls.m:10"},
        {"one original line as a range", "    1:5:void m():10:10 -> a\n", "a.a:3", "o.p.Cls.m:10"},
        {"outside", "    1:5:void m():10:14 -> a\n", "a.a:9", "~o.p.Cls.a:9"},
        {"no line: the first original one", "    1:5:void m():10:14 -> a\n", "a.a", "o.p.Cls.m:10"},
        {"line 0 is not a line", "    1:5:void m():10:14 -> a\n", "a.a:0", "o.p.Cls.m:10"},
        {"a span that ends at 0 holds all", "    0:0:void m():10:14 -> a\n", "a.a:3", "o.p.Cls.m:10"},
        {"all that match, in their order",
         "    1:5:void z():10:14 -> a\n    3:3:void b():20:20 -> a\n    void c() -> a\n", "a.a:3",
         "o.p.Cls.z:12 | o.p.Cls.b:20 | o.p.Cls.c:3"},
        {"neighbours of equal lines are one chain", "    1:1:void q.In.i():5:5 -> a\n    1:1:void m():7 -> a\n",
         "a.a:1", "q.In.i:5 / o.p.Cls.m:7"},
        {"repeats stay", "    void m() -> a\n    void m() -> a\n", "a.a:1", "o.p.Cls.m:1 | o.p.Cls.m:1"},
        {"no line: all", "    1:1:void m():5:5 -> a\n    2:2:void m():6:6 -> a\n", "a.a", "o.p.Cls.m:5 | o.p.Cls.m:6"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct mapped mapped;
        char text[512];
        snprintf(text, sizeof text, "o.p.Cls -> a:\n%s", rows[i].members);
        open_mapping(&mapped, text, "proguard");
        expect(&mapped, rows[i].why, rows[i].frame, false, rows[i].wanted);
        close_mapping(&mapped);
    }
}

static void source_files_of_proguard(void **state)
{
    (void)state;
    static const char *const rows[][2] = {{"o.FooKt", "FooKt.java"}, {"o.Foo$Bar", "Foo.java"}, {"o.$Foo", ".java"},
                                          {"$Foo", "$Foo.java"},     {"x", "x.java"},           {"F$x", "F.java"}};
    struct mapped mapped;
    framemap_error error;
    open_mapping(&mapped, "o.p.Cls -> a:\n    void m() -> a\n", "proguard");
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const struct fm_java_frame frame = {.class_name = framemap_str_of(rows[i][0])};
        framemap_str got;
        assert_int_equal(
            fm_java_source(mapped.view, &frame, false, FM_STR("Native Method"), &mapped.arena, &got, &error),
            FRAMEMAP_OK);
        assert_str(got, rows[i][1]);
    }
    close_mapping(&mapped);
}

/* --- testing the public query --- */

enum { NO_LINE = -1 };
struct question {
    const char *why, *scope;
    int64_t line;
    bool in_stack; /* the query has the state of the lines above it */
    framemap_frame_status status;
    size_t frames, alternatives;
    const char *class_name, *function, *symbol, *file; /* class, function, symbol and file of the first frame */
    uint32_t line1;
};

static void check_question(struct mapped *mapped, const struct question *row)
{
    framemap_error error;
    framemap_frame frame;
    framemap_java_state state_out = {.has_outline = false};
    framemap_query query = FRAMEMAP_QUERY_INIT;
    query.scope = framemap_str_of(row->scope);
    query.no_position = row->line == NO_LINE;
    query.position = row->line == NO_LINE ? 0 : (uint64_t)row->line;
    query.java = row->in_stack ? &state_out : NULL;
    assert_int_equal(fm_resolve(mapped->view, &query, &mapped->arena, &frame, &error), FRAMEMAP_OK);
    if (frame.status != row->status || frame.restored.count != row->frames ||
        frame.alternative_count != row->alternatives)
        fail_msg("%s: status %d, %zu frames, %zu alternatives", row->why, (int)frame.status, frame.restored.count,
                 frame.alternative_count);
    assert_int_equal(frame.kind, FRAMEMAP_KIND_JAVA);
    assert_true((frame.reason != NULL) ==
                (frame.status == FRAMEMAP_FRAME_NO_MATCH || frame.status == FRAMEMAP_FRAME_AMBIGUOUS ||
                 (frame.status == FRAMEMAP_FRAME_OK && frame.restored.count == 0)));
    if (row->frames == 0) return;
    const framemap_frame *first = &frame.restored.frames[0];
    if (!fm_str_equal(first->class_name, framemap_str_of(row->class_name))) fail_msg("%s: class", row->why);
    assert_str(first->function, row->function);
    assert_str(first->symbol, row->symbol);
    assert_str(first->file, row->file);
    assert_int_equal(first->line, row->line1);
    assert_int_equal(first->inlined, row->frames > 1);
    assert_false(frame.restored.frames[row->frames - 1].inlined);
}

static void public_questions(void **state)
{
    (void)state;
    static const struct question rows[] = {
        {"a frame", "a.b", 3, false, FRAMEMAP_FRAME_OK, 1, 0, "o.p.Cls", "m", "void m(int,long[])", "Told.kt", 12},
        {"with inlined frames", "c.d", 1, false, FRAMEMAP_FRAME_OK, 2, 0, "q.In", "i", "void i()", "In.java", 5},
        {"without a line, in a stack", "c.d", NO_LINE, true, FRAMEMAP_FRAME_SYMBOL, 1, 0, "o.p.FooKt", "m", "void m()",
         "Foo.kt", 0},
        {"a method that is not known", "a.zz", 3, false, FRAMEMAP_FRAME_SYMBOL, 1, 0, "o.p.Cls", "zz", "", "Told.kt",
         3},
        {"a class that is not known", "zz.zz", 3, false, FRAMEMAP_FRAME_NO_MATCH, 0, 0, "", "", "", "", 0},
        {"a class alone", "a", NO_LINE, false, FRAMEMAP_FRAME_SYMBOL, 1, 0, "o.p.Cls", "", "", "Told.kt", 0},
        {"a class alone, nothing said of lines", "kept.One", 0, false, FRAMEMAP_FRAME_SYMBOL, 1, 0, "kept.One", "", "",
         "", 0},
        {"a class beside a member of that name", "a.b", NO_LINE, false, FRAMEMAP_FRAME_SYMBOL, 1, 0, "o.p.Cls", "m",
         "void m(int,long[])", "", 0},
        {"a type", "a.b[]", NO_LINE, false, FRAMEMAP_FRAME_SYMBOL, 1, 0, "o.p.Cls$Inner[]", "", "", "", 0},
        {"a field", "a.y", NO_LINE, false, FRAMEMAP_FRAME_SYMBOL, 1, 0, "o.p.Cls", "f", "int f", "", 0},
        {"a name of a method and of fields", "a.x", NO_LINE, false, FRAMEMAP_FRAME_AMBIGUOUS, 1, 2, "o.p.Cls", "x",
         "void x()", "", 0},
        {"in a stack it is the method", "a.x", NO_LINE, true, FRAMEMAP_FRAME_SYMBOL, 1, 0, "o.p.Cls", "x", "void x()",
         "Told.kt", 0},
        {"a class has no lines", "kept.One", 5, false, FRAMEMAP_FRAME_NO_MATCH, 0, 0, "", "", "", "", 0},
        {"no class in a stack", "kept.One", NO_LINE, true, FRAMEMAP_FRAME_NO_MATCH, 0, 0, "", "", "", "", 0},
        {"a line that no stack has", "a.b", (int64_t)1 << 40, false, FRAMEMAP_FRAME_SYMBOL, 1, 0, "o.p.Cls", "m",
         "void m(int,long[])", "Told.kt", 0},
        {"nothing", "", NO_LINE, false, FRAMEMAP_FRAME_NO_MATCH, 0, 0, "", "", "", "", 0},
        {"dots", "..", 1, false, FRAMEMAP_FRAME_NO_MATCH, 0, 0, "", "", "", "", 0},
        {"a name that ends in a dot", "a.", 1, false, FRAMEMAP_FRAME_SYMBOL, 1, 0, "o.p.Cls", "", "", "Told.kt", 1},
    };
    struct mapped mapped;
    open_mapping(&mapped, classes, "r8");
    for (size_t i = 0; i < COUNT_OF(rows); i++) check_question(&mapped, &rows[i]);
    close_mapping(&mapped);
}

static void public_alternatives_and_states(void **state)
{
    (void)state;
    static const char mapping[] = "# {'id':'com.android.tools.r8.mapping','version':'2.0'}\n"
                                  "o.p.Cls -> a:\n    void f(int) -> a\n    void f() -> a\n    1:1:int g():5:5 -> b\n"
                                  "    # {'id':'com.android.tools.r8.outline'}\n"
                                  "    4:4:int h():98:98 -> c\n    27:27:int h():0:0 -> c\n"
                                  "    # {'id':'com.android.tools.r8.outlineCallsite','positions':{'1':4}}\n";
    static const struct question rows[] = {
        {"overloads are distinguished", "a.a", 3, false, FRAMEMAP_FRAME_AMBIGUOUS, 1, 1, "o.p.Cls", "f", "void f()",
         "Cls.java", 3},
        {"so without a line", "a.a", NO_LINE, true, FRAMEMAP_FRAME_AMBIGUOUS, 1, 1, "o.p.Cls", "f", "void f()",
         "Cls.java", 0},
        {"a frame that is not shown", "a.b", 1, false, FRAMEMAP_FRAME_OK, 0, 0, "", "", "", "", 0},
    };
    struct mapped mapped;
    framemap_error error;
    framemap_frame frame;
    framemap_java_state state_out = {.has_outline = false};
    framemap_query query = FRAMEMAP_QUERY_INIT;
    open_mapping(&mapped, mapping, "r8");
    for (size_t i = 0; i < COUNT_OF(rows); i++) check_question(&mapped, &rows[i]);
    query.java = &state_out;
    query.scope = FM_STR("a.b");
    query.position = 1;
    query.printed_file = FM_STR("Cls.kt");
    assert_int_equal(fm_resolve(mapped.view, &query, &mapped.arena, &frame, &error), FRAMEMAP_OK);
    assert_true(state_out.has_outline && state_out.outline_line == 1);
    query.scope = FM_STR("a.c");
    query.position = 27;
    assert_int_equal(fm_resolve(mapped.view, &query, &mapped.arena, &frame, &error), FRAMEMAP_OK);
    assert_int_equal(frame.restored.frames[0].line, 98);
    assert_str(frame.restored.frames[0].file, "Cls.kt");
    assert_false(state_out.has_outline);
    close_mapping(&mapped);
}

/* Checks that the number of alternatives and of frames is bounded, and that each alternative has the right lines and
 * names. */
static void alternatives_that_are_many(void **state)
{
    (void)state;
    struct mapped mapped;
    framemap_error error;
    framemap_frame frame;
    framemap_query query = FRAMEMAP_QUERY_INIT;
    char text[1024] = "o.p.Cls -> a:\n    1:5:void m(int):1:6000 -> a\n    1:5:void f():1:6000 -> b\n";
    for (int i = 0; i < 20; i++) strcat(text, "    1:5:void q.R.o(long):7 -> b\n");
    open_mapping(&mapped, text, "r8");
    query.scope = FM_STR("a.a");
    query.position = 3;
    assert_int_equal(fm_resolve(mapped.view, &query, &mapped.arena, &frame, &error), FRAMEMAP_OK);
    assert_int_equal(frame.alternative_count + 1, FM_LIMIT_ALTERNATIVES);
    assert_true(frame.over_limit && strncmp(frame.reason, "over-limit", 10) == 0);
    query.scope = FM_STR("a.b");
    assert_int_equal(fm_resolve(mapped.view, &query, &mapped.arena, &frame, &error), FRAMEMAP_OK);
    assert_int_equal(frame.alternative_count + 1, FM_LIMIT_ANSWER_FRAMES / 21);
    assert_true(frame.over_limit);
    for (size_t i = 0; i < frame.alternative_count; i++) {
        const framemap_frame_list *chain = &frame.alternatives[i];
        assert_int_equal(chain->count, 21);
        assert_str(chain->frames[0].symbol, "void f()");
        assert_str(chain->frames[0].file, "Cls.java");
        assert_int_equal(chain->frames[0].line, i + 2);
        assert_str(chain->frames[20].symbol, "void o(long)");
        assert_str(chain->frames[20].file, "R.java");
        assert_int_equal(chain->frames[20].line, 7);
    }
    close_mapping(&mapped);
}

/* --- testing damaged indexes --- */

/* Makes queries to a damaged index: any byte may be damaged, so answers may be wrong, but each call must return. */
static void ask_damaged(const framemap_bytes *bytes)
{
    static const char *const scopes[] = {"a.b", "c.d", "a.x", "c.e", "a"};
    struct fm_heap heap;
    struct fm_arena arena;
    struct fm_view *view = NULL;
    framemap_frame frame;
    fm_heap_init(&heap, NULL, 0);
    fm_arena_init(&arena, &heap);
    if (fm_view_open(framemap_bytes_str(bytes), &heap, &view, NULL) == FRAMEMAP_OK) {
        for (size_t i = 0; i < 2 * COUNT_OF(scopes); i++) {
            framemap_query query = FRAMEMAP_QUERY_INIT;
            query.scope = framemap_str_of(scopes[i / 2]);
            query.position = 3;
            query.no_position = i % 2;
            framemap_status status = fm_resolve(view, &query, &arena, &frame, NULL);
            assert_true(status == FRAMEMAP_OK || status == FRAMEMAP_E_CORRUPT);
        }
    }
    fm_arena_free(&arena);
    fm_view_close(view);
    assert_true(heap.used == 0);
}

static void damage_does_no_harm(void **state)
{
    (void)state;
    static const unsigned char masks[] = {0x01, 0x10, 0x80, 0xff};
    struct mapped mapped;
    open_mapping(&mapped, classes, "r8");
    for (size_t i = 0; i < mapped.bytes.size; i++)
        for (size_t k = 0; k < COUNT_OF(masks); k++) {
            mapped.bytes.data[i] ^= masks[k];
            ask_damaged(&mapped.bytes);
            mapped.bytes.data[i] ^= masks[k];
        }
    close_mapping(&mapped);
}

/* --- testing lack of memory --- */

struct sweep {
    const framemap_bytes *bytes;
    const char *scope;
    uint64_t position;
};

static bool resolve_with(const framemap_allocator *allocator, void *context)
{
    const struct sweep *sweep = context;
    struct fm_heap heap;
    struct fm_arena arena;
    struct fm_view *view = NULL;
    framemap_error error;
    framemap_frame frame;
    framemap_query query = FRAMEMAP_QUERY_INIT;
    query.scope = framemap_str_of(sweep->scope);
    query.position = sweep->position;
    query.no_position = sweep->position == 0;
    fm_heap_init(&heap, allocator, 0);
    fm_arena_init(&arena, &heap);
    framemap_status status = fm_view_open(framemap_bytes_str(sweep->bytes), &heap, &view, &error);
    if (status == FRAMEMAP_OK) status = fm_resolve(view, &query, &arena, &frame, &error);
    assert_true(status == FRAMEMAP_OK || status == FRAMEMAP_E_MEMORY);
    if (status == FRAMEMAP_OK) assert_true(frame.restored.count > 0);
    fm_arena_free(&arena);
    fm_view_close(view);
    return status == FRAMEMAP_OK;
}

static void lack_of_memory_is_reported(void **state)
{
    (void)state;
    static const struct {
        const char *scope;
        uint64_t position;
    } rows[] = {{"a.b", 3}, {"c.d", 1}, {"a.x", 0}, {"a.b[]", 0}, {"a.zz", 3}, {"w.w", 2}};
    struct mapped mapped;
    char text[1024];
    snprintf(text, sizeof text, "%sw.W -> w:\n    1:5:void m():1:3000 -> w\n    2:2:void n():7:7 -> w\n", classes);
    open_mapping(&mapped, text, "r8");
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct sweep sweep = {&mapped.bytes, rows[i].scope, rows[i].position};
        sweep_allocations(resolve_with, &sweep);
    }
    close_mapping(&mapped);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(source_files),
        cmocka_unit_test(files_of_first_frames),
        cmocka_unit_test(types),
        cmocka_unit_test(fields_and_methods),
        cmocka_unit_test(order_of_fields),
        cmocka_unit_test(order_of_alternatives),
        cmocka_unit_test(frames_without_a_slot),
        cmocka_unit_test(rules_of_proguard),
        cmocka_unit_test(source_files_of_proguard),
        cmocka_unit_test(public_questions),
        cmocka_unit_test(public_alternatives_and_states),
        cmocka_unit_test(alternatives_that_are_many),
        cmocka_unit_test(damage_does_no_harm),
        cmocka_unit_test(lack_of_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
