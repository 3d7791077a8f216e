/* Tests of R8's rules for adjacent lines and for comments, and of the lines that R8 refuses or warns about: each row is
 * one mapping. */
#include "core/text/buffer.h"
#include "tests/mappers/java/r8_help.h"

#define V20 "# {\"id\":\"com.android.tools.r8.mapping\",\"version\":\"2.0\"}\n"
#define V22 "# {\"id\":\"com.android.tools.r8.mapping\",\"version\":\"2.2\"}\n"
#define SYNTHESIZED "# {\"id\":\"com.android.tools.r8.synthesized\"}\n"
#define OUTLINE "# {\"id\":\"com.android.tools.r8.outline\"}\n"
#define RESIDUAL(text) "# {\"id\":\"com.android.tools.r8.residualsignature\",\"signature\":\"" text "\"}\n"
#define REWRITE(conditions, actions) \
    "# {id:com.android.tools.r8.rewriteFrame,conditions:[" conditions "],actions:[" actions "]}\n"
#define CALLSITE(rest) "# {id:com.android.tools.r8.outlineCallsite," rest "}\n"
#define FILE_IS(name) "# {\"id\":\"sourceFile\",\"fileName\":\"" name "\"}\n"

struct row {
    const char *mapping, *wanted, *why;
    unsigned warnings, infos;
};

static const struct row members[] = {
    {"o.C -> a:\n 1:2:void m():3:4 -> a\n", "o.C -> a\n  a\n    = void o.C.m()\n      1:2 void o.C.m() 3:4\n",
     "one method", 0, 0},
    {"o.C -> a:\n int f -> a\n x.D o.E.g -> a\n", "o.C -> a\n  .a int o.C.f\n  .a x.D o.E.g\n",
     "fields, one of another class", 0, 0},
    {"o.C -> a:\n void m( int ,x.D[]) -> a\n void m(int,x.D[]):5 -> a\n",
     "o.C -> a\n  a\n    = void o.C.m(int,x.D[])\n      - void o.C.m(int,x.D[]) -\n      - void o.C.m(int,x.D[]) 5\n",
     "blanks make no difference between signatures", 0, 0},
    {"o.C -> a:\n 1:1:void q.I.i():5:5 -> a\n 1:1:void run():7 -> a\n",
     "o.C -> a\n  a\n    = void o.C.run()\n      1:1 void q.I.i() 5:5\n      1:1 void o.C.run() 7\n",
     "a chain answers as its outermost method", 0, 0},
    {"o.C -> a:\n void f(int) -> a\n 3:3:void g():30:30 -> a\n void h() -> b\n",
     "o.C -> a\n  a\n    = void o.C.f(int)\n      - void o.C.f(int) -\n    = void o.C.g()\n      3:3 void o.C.g() "
     "30:30\n"
     "  b\n    = void o.C.h()\n      - void o.C.h() -\n",
     "members under one name are parts", 0, 0},
    {"o.C -> a:\n 1:1:void f():1:1 -> a\n 2:2:void g():2:2 -> a\n 3:3:void f():3:3 -> a\n",
     "o.C -> a\n  a\n    = void o.C.f()\n      1:1 void o.C.f() 1:1\n      2:2 void o.C.g() 2:2\n      3:3 void "
     "o.C.f() 3:3\n",
     "when the last line is of the first method, all are one part", 0, 0},
    {"o.C -> a:\n 1:1:void f():1:1 -> a\n 2:2:void g():2:2 -> a\n 3:3:void f():3:3 -> a\n 4:4:void g():4:4 -> a\n",
     "o.C -> a\n  a\n    = void o.C.f()\n      1:1 void o.C.f() 1:1\n    = void o.C.f()\n      2:2 void o.C.g() 2:2\n"
     "    = void o.C.f()\n      3:3 void o.C.f() 3:3\n    = void o.C.f()\n      4:4 void o.C.g() 4:4\n",
     "else each turn is one; f was declared first for the residual signature that both have", 0, 0},
    {"o.C -> a:\n 1:2:void f():0:0 -> a\n 3:4:int f():0:0 -> a\n 5:6:void g():0:0 -> a\n",
     "o.C -> a\n  a\n    = void o.C.f()\n      1:2 void o.C.f() 0:0\n    = int o.C.f()\n      3:4 int o.C.f() 0:0\n"
     "    = void o.C.f()\n      5:6 void o.C.g() 0:0\n",
     "types make residual signatures differ, original names do not", 0, 0},
    {"o.C -> a:\n 1:1:void i():5:5 -> a\n 1:1:void run():7:7 -> a\n 2:2:void i():9:9 -> b\n",
     "o.C -> a\n  a\n    = void o.C.i()\n      1:1 void o.C.i() 5:5\n      1:1 void o.C.run() 7:7\n  b\n    = void "
     "o.C.i()\n"
     "      2:2 void o.C.i() 9:9\n",
     "two original lines on the caller: the callee is declared too, and was so first", 0, 0},
    {"o.C -> a:\n 1:1:void f():7:7 -> a\n 1:1:void g():9 -> b\n",
     "o.C -> a\n  a\n    = void o.C.f()\n      1:1 void o.C.f() 7:7\n"
     "  b\n    = void o.C.g()\n      1:1 void o.C.g() 9\n",
     "equal lines under different names are no chain", 0, 0},
    {"o.C -> a:\n 1:1:void f():7:7 -> a\n 2:2:void g():9 -> b\n 1:1:void h():8 -> a\n",
     "o.C -> a\n  a\n    = void o.C.f()\n      1:1 void o.C.f() 7:7\n      1:1 void o.C.h() 8\n  b\n    = void "
     "o.C.g()\n      2:2 void "
     "o.C.g() 9\n",
     "neighbours under a name are a chain though another name is between them; f had been declared by then", 0, 0},
    {"o.C -> a:\n int f -> a\n int g -> a\n int f -> b\n", "o.C -> a\n  .a int o.C.f\n  .b int o.C.f\n",
     "of fields with one residual signature the first stays", 0, 0},
    {"o.C -> a:\n void m() -> a\no.D -> a:\n void n() -> b\n",
     "o.D -> a\n  b\n    = void o.D.n()\n      - void o.D.n() -\n", "the last block of a residual name counts alone", 0,
     0},
    {"o.C -> a:\no.C -> b:\n", "o.C -> a\no.C -> b\n", "two names of one class", 0, 0},
    {"o.C -> a:\n 4294967295:0:void m() -> a\n", NULL, "a range of one negative number is none to R8", 0, 0},
};

static const struct row comments[] = {
    {V22 "o.C -> a:\n" SYNTHESIZED " void m() -> a\n" SYNTHESIZED,
     "o.C -> a S\n  a\n    = void o.C.m() S\n      - void o.C.m() -\n", "synthesized: a class and a method", 0, 0},
    {"o.C -> a:\n" SYNTHESIZED " void m() -> a\n" SYNTHESIZED,
     "o.C -> a\n  a\n    = void o.C.m()\n      - void o.C.m() -\n", "nothing is, without a map version", 0, 0},
    {V22 "o.C -> a:\n 1:1:void i():5:5 -> a\n" SYNTHESIZED " 1:1:void run():7 -> a\n 2:2:void i():6:6 -> b\n",
     "o.C -> a\n  a\n    = void o.C.run() S\n      1:1 void o.C.i() 5:5\n      1:1 void o.C.run() 7\n  b\n    = void "
     "o.C.i()\n"
     "      2:2 void o.C.i() 6:6\n",
     "comments of a callee apply to the member that is declared next", 0, 0},
    {V22 "o.C -> a:\n void f() -> a\n void g() -> a\n" SYNTHESIZED,
     "o.C -> a\n  a\n    = void o.C.f() S\n      - void o.C.f() -\n    = void o.C.f() S\n      - void o.C.g() -\n",
     "members of one residual signature share their comments", 0, 0},
    {V22 "o.C -> a:\n void f() -> a\n" OUTLINE SYNTHESIZED,
     "o.C -> a\n  a\n    = void o.C.f() SO\n      - void o.C.f() -\n", "both", 0, 0},
    {V22 "o.C -> a:\n void f() -> a\n" OUTLINE OUTLINE SYNTHESIZED SYNTHESIZED,
     "o.C -> a\n  a\n    = void o.C.f() SO\n      - void o.C.f() -\n",
     "synthesized twice: of the line and of the member", 2, 0},
    {V22 "o.C -> a:\n" FILE_IS("A.kt") FILE_IS("B.kt") "o.C -> b:\n" FILE_IS("C.kt"),
     "o.C -> a\no.C in C.kt\no.C -> b\no.C in C.kt\n", "a source file: once a block, and the last block counts", 1, 0},
    {"o.C -> a:\n" FILE_IS("") "o.D -> b:\n# {id:sourceFile,fileName:[5]}\n", "o.C -> a\no.C in \no.D -> b\no.D in 5\n",
     "an empty file name is one; a number, too", 0, 0},
    {"o.C -> a:\n" FILE_IS("A\\\"\\u0042") "o.D -> b:\n" FILE_IS("A\",\"fileName\":\"B") "o.E -> c:\n" FILE_IS(
         "\xc3\xa9 }#'"),
     "o.C -> a\no.C in A\"B\no.D -> b\no.D in B\no.E -> c\no.E in \xc3\xa9 }#'\n",
     "escapes, a name given twice, and marks of JSON within it", 0, 0},
    {"o.C -> a:\n" FILE_IS("A\",\"id\":\"x") "# {\"id\":\"sourceFile\",\"fileName\":\"A\"} x\n# "
                                             "{\"id\":\"sourceFile\",\"fileName\":\"A\n",
     "o.C -> a\n", "another id after it; no JSON", 0, 1},
    {"o.C -> a:\n# {\"id\":\"sourceFile\",\"fileName\":\"A\"} \n", "o.C -> a\no.C in A\n", "a blank after it", 0, 0},
    {"o.C -> a:\n# {id:sourceFile}\n# {id:sourceFile,fileName:null}\n# {id:sourceFile,fileName:{}}\n", "o.C -> a\n",
     "none", 0, 3},
    {"o.C -> a:\n void m() -> a\n" FILE_IS("A.kt"), "o.C -> a\n  a\n    = void o.C.m()\n      - void o.C.m() -\n",
     "of a member it says nothing", 0, 0},
    {FILE_IS("A.kt") "o.C -> a:\n", "o.C -> a\n", "nor before the first class", 0, 0},
    {"# {id:partitionSourceFiles,fileNameMappings:{o.C:C.kt,o.D:7}}\no.C -> a:\n# "
     "{id:partitionSourceFiles,fileNameMappings:{o.C:no}}\no.D "
     "-> b:\n",
     "o.C -> a\no.C in C.kt\no.D -> b\no.D in 7\n", "source files by class, only before classes", 0, 0},
    {V20 "o.C -> a:\n 1:1:void m():2 -> a\n" REWRITE("'throws(Lx/E;)','throws(Ly;)'",
                                                     "'removeInnerFrames(1)','removeInnerFrames(+2)'"),
     "o.C -> a\n  a\n    = void o.C.m()\n      1:1 void o.C.m() 2\n        throws x.E throws y rewrite 3\n",
     "conditions and actions", 0, 0},
    {V20 "o.C -> a:\n 1:1:void m():2 -> a\n" REWRITE("", "'removeInnerFrames(-1)'") REWRITE("", ""),
     "o.C -> a\n  a\n    = void o.C.m()\n      1:1 void o.C.m() 2\n        rewrite -1\n",
     "without conditions; a second one does not count", 1, 0},
    {V20 "o.C -> a:\n int f -> f\n" REWRITE("", "'removeInnerFrames(1)'"), "o.C -> a\n  .f int o.C.f\n",
     "of a field: nowhere to go", 0, 0},
    {V20 "o.C -> a:\n 1:1:void m():2 -> a\n int f -> f\n" REWRITE("", "'removeInnerFrames(1)'"),
     "o.C -> a\n  a\n    = void o.C.m()\n      1:1 void o.C.m() 2\n        rewrite 1\n  .f int o.C.f\n",
     "of a field after a method: it is the method's", 0, 0},
    {V20 "o.C -> a:\n 1:1:void m():2 -> a\n" CALLSITE("positions:{'1':4,'+2':'5',3:6.7}"),
     "o.C -> a\n  a\n    = void o.C.m()\n      1:1 void o.C.m() 2\n        outline position 1>4 position 2>5 position "
     "3>6\n",
     "call sites of outlines, which version 2.0 does not name", 0, 0},
    {V22 "o.C -> a:\n 1:1:void m():2 -> a\n" CALLSITE("positions:{},outline:'()I'"),
     "o.C -> a\n  a\n    = void o.C.m()\n      1:1 void o.C.m() 2\n        outline ()I\n",
     "an outline without class and name", 0, 0},
    {V22 "o.C -> a:\n 2:2:void f():3 -> b\n 1:1:void f():5 -> a\n" SYNTHESIZED RESIDUAL("(I)V"),
     "o.C -> a\n  a\n    = void o.C.f()\n      1:1 void o.C.f() 5\n        hidden 16\n  b\n    = void o.C.f()\n      "
     "2:2 void o.C.f() 3\n",
     "a signature that leads to nothing: the line is hidden for itself", 0, 0},
    {V22 "o.C -> a:\n 1:1:void m():2 -> a\n" CALLSITE("positions:{},outline:'La;b(I[Lx/D;)V'")
         CALLSITE("positions:{},outline:'La;c()V'"),
     "o.C -> a\n  a\n    = void o.C.m()\n      1:1 void o.C.m() 2\n        outline La;b(I[Lx/D;)V\n",
     "with a name; the second does not count", 1, 0},
    {V22 "o.C -> a:\n void f() -> a\n" RESIDUAL("(Lb;)V") " void g() -> a\n" SYNTHESIZED,
     "o.C -> a\n  a\n    = void o.C.f()\n      - void o.C.f() -\n    = void o.C.g() S\n      - void o.C.g() -\n",
     "a residual signature distinguishes members", 0, 0},
    {V22 "o.C -> a:\n void f() -> a\n" RESIDUAL("(Lx/D;[[IJ)V") " void g(x.D,int[][],long) -> a\n" SYNTHESIZED,
     "o.C -> a\n  a\n    = void o.C.f() S\n      - void o.C.f() -\n    = void o.C.f() S\n      - void "
     "o.C.g(x.D,int[][],long) -\n",
     "or makes them one", 0, 0},
    {V22 "o.C -> a:\n 1:1:void f():1:1 -> a\n" RESIDUAL("(Lb;)V") " 2:2:void f():2:2 -> a\n" SYNTHESIZED
                                                                  " void g() -> a\n",
     "o.C -> a\n  a\n    = void o.C.f() S\n      1:1 void o.C.f() 1:1\n      2:2 void o.C.f() 2:2\n    = void "
     "o.C.g()\n      - void "
     "o.C.g() -\n",
     "it holds for the next lines of the same member", 0, 0},
    {V22 "o.C -> a:\n int f -> a\n" RESIDUAL("Lb;") " int g -> a\n", "o.C -> a\n  .a int o.C.f\n  .a int o.C.g\n",
     "of fields", 0, 0},
    {V22 "o.C -> a:\n void f() -> a\n" RESIDUAL("()V") RESIDUAL("()V") RESIDUAL("()I"),
     "o.C -> a\n  a\n    = void o.C.f()\n      - void o.C.f() -\n",
     "another one than before: of the line and of the member", 2, 0},
    {V22 "o.C -> a:\n void f() -> a\n" RESIDUAL("VOLAPYK") " void g() -> a\n" RESIDUAL("(I)VOLAPYK"),
     "o.C -> a\n  a\n    = void o.C.f()\n      - void o.C.f() -\n    = void o.C.f()\n      - void o.C.g() -\n",
     "what is not a descriptor", 2, 0},
    {V22 "o.C -> a:\n void f() -> a\n" RESIDUAL("I") " int g -> a\n" RESIDUAL("()V"),
     "o.C -> a\n  a\n    = void o.C.f()\n      - void o.C.f() -\n  .a int o.C.g\n", "of the other kind of member", 2,
     0},
    {"# {id:com.android.tools.r8.mapping,version:'1.0'}\no.C -> a:\n void f() -> a\n" RESIDUAL("(") REWRITE("", "")
         SYNTHESIZED,
     "o.C -> a\n  a\n    = void o.C.f() S\n      - void o.C.f() -\n", "what a version does not know is not read", 0, 0},
    {V22 "o.C -> a:\n void f() -> a\n" RESIDUAL("(I)V") V20
     "o.D -> b:\n void f() -> a\n" RESIDUAL("(I)V") " void g(int) -> a\n",
     "o.C -> a\n  a\n    = void o.C.f()\n      - void o.C.f() -\no.D -> b\n  a\n    = void o.D.f()\n      - void "
     "o.D.f() -\n    = void "
     "o.D.g(int)\n      - void o.D.g(int) -\n",
     "though it was read under a version that knows it", 0, 0},
    {"# {id:com.android.tools.r8.mapping,version:'9.0'}\no.C -> a:\n" FILE_IS(
         "C.kt") " void f() -> a\n" SYNTHESIZED "# {id:com.android.tools.r8.mapping,version:'9.0'}\no.D -> b:\n",
     "o.C -> a\n  a\n    = void o.C.f()\n      - void o.C.f() -\no.C in C.kt\no.D -> b\n",
     "a version that is unknown, given twice", 2, 0},
    {"# {id:com.android.tools.r8.mapping,version:unknown}\n# {id:com.android.tools.r8.mapping,version:none}\no.C -> "
     "a:\n",
     "o.C -> a\n", "names that R8 has for none", 1, 0},
    {"# {id:com.android.tools.r8.mapping,version:2.3}\no.C -> a:\n# {id:com.android.tools.r8.mergedClasses}\n",
     "o.C -> a\n", "version 2.3", 0, 0},
    {V20 "o.C -> a:\n void f() -> a\n" V22 "   o.D -> b:\n",
     "o.C -> a\n  a\n    = void o.C.f()\n      - void o.C.f() -\no.D -> b\n",
     "a version ends the block: an indented line may be a class", 0, 0},
    {"# {id:x}\n# {\n# {}\no.C -> a:\n# {\"id\":[\"y\"]}\n", "o.C -> a\n",
     "no JSON: nothing; no id, unknown ids: worth knowing", 0, 3},
};

static void check_row(const struct row *row, bool strict)
{
    struct mapping m;
    struct fm_buf text;
    read_mapping(&m, framemap_str_of(row->mapping), "r8", strict, NULL);
    if ((m.status == FRAMEMAP_OK) != (row->wanted != NULL || !strict)) fail_msg("%s: %s", row->why, m.error.message);
    if (m.status == FRAMEMAP_OK && row->wanted) {
        fm_buf_init(&text, &m.heap);
        put_mapping(&m, &text);
        if (!fm_str_equal(fm_buf_view(&text), framemap_str_of(row->wanted)))
            fail_msg("%s: got\n%.*swanted\n%s", row->why, (int)text.size, text.data, row->wanted);
        if (m.warnings != row->warnings || m.infos != row->infos)
            fail_msg("%s: %u warnings and %u infos, not %u and %u: %s", row->why, m.warnings, m.infos, row->warnings,
                     row->infos, m.said);
        fm_buf_free(&text);
    }
    free_mapping(&m);
}

static void test_members(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(members); i++) check_row(&members[i], true);
}

static void test_comments(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(comments); i++) {
        check_row(&comments[i], true);
        check_row(&comments[i], false); /* these mappings have no faults, so strict and lenient reading give the same */
    }
}

/* Comments for which R8 refuses a mapping. Lenient reading reports each with its line, and skips it. */
static const struct {
    const char *line, *why;
} broken[] = {
    {"# {id:null}", "an id that is null"},
    {"# {id:{}}", "an id that is an object"},
    {"# {id:[a,b]}", "an id of two texts"},
    {"# {id:com.android.tools.r8.mapping}", "no version"},
    {"# {id:com.android.tools.r8.mapping,version:null}", "a version that is null"},
    {REWRITE("", ""), ""},
    {"# {id:com.android.tools.r8.rewriteFrame,actions:[]}", "no conditions"},
    {"# {id:com.android.tools.r8.rewriteFrame,conditions:[]}", "no actions"},
    {"# {id:com.android.tools.r8.rewriteFrame,conditions:{},actions:[]}", "conditions that are no list"},
    {REWRITE("'throws(La;'", ""), "a condition without an end"},
    {REWRITE("'throws(I)'", ""), "a condition on no class"},
    {REWRITE("'throws(La.b;)'", ""), "a class with a dot"},
    {REWRITE("'catches(La;)'", ""), "another condition"},
    {REWRITE("null", ""), "a condition that is null"},
    {REWRITE("", "'removeInnerFrames()'"), "an action without a number"},
    {REWRITE("", "'removeInnerFrames(1.5)'"), "with half a one"},
    {REWRITE("", "'removeOuterFrames(1)'"), "another action"},
    {REWRITE("", "')removeInnerFrames('"), "parentheses the wrong way round"},
    {CALLSITE("outline:'La;b()V'"), "no positions"},
    {CALLSITE("positions:[],outline:'La;b()V'"), "positions that are a list"},
    {CALLSITE("positions:{a:1},outline:'La;b()V'"), "a position that is not a number"},
    {CALLSITE("positions:{1:true},outline:'La;b()V'"), "one that leads to none"},
    {CALLSITE("positions:{}"), "no outline"},
    {CALLSITE("positions:{},outline:'La;b'"), "an outline that is not a method"},
    {RESIDUAL("(I"), "arguments without an end"},
    {RESIDUAL("()"), "no return type"},
    {RESIDUAL("(V)V"), "an argument that is void"},
    {RESIDUAL("(La)V"), "a class without an end"},
    {RESIDUAL("([)V"), "an array of nothing"},
    {RESIDUAL("x()V"), "text before the parenthesis"},
    {"# {id:com.android.tools.r8.residualsignature}", "no signature"},
    {"# {id:partitionSourceFiles}", "no files"},
    {"# {id:partitionSourceFiles,fileNameMappings:[]}", "files that are a list"},
    {"# {id:partitionSourceFiles,fileNameMappings:{a:null}}", "a file that is null"},
};

static void check_broken(const char *line, const char *why, const char *before, const char *after)
{
    char text[600];
    struct mapping m;
    const bool good = why[0] == 0; /* the first row has a comment without a fault, which must be accepted */
    snprintf(text, sizeof text, "%s%s\n%s", before, line, after);
    read_mapping(&m, framemap_str_of(text), "r8", true, NULL);
    if (m.status != (good ? FRAMEMAP_OK : FRAMEMAP_E_CORRUPT)) fail_msg("%s is not refused: %s", why, line);
    if (!good && (!m.error.has_line || m.error.line < 2)) fail_msg("%s: no line is reported", why);
    free_mapping(&m);
    read_mapping(&m, framemap_str_of(text), "r8", false, NULL);
    if (m.status != FRAMEMAP_OK || m.warnings != !good)
        fail_msg("%s: %u warnings, %s", why, m.warnings, m.error.message);
    if (!good && m.warned_line < 2) fail_msg("%s: no line is reported: %s", why, m.said);
    free_mapping(&m);
}

static void test_broken_comments(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(broken); i++) {
        /* R8 refuses the comment before a class, in a class and in a method. */
        check_broken(broken[i].line, broken[i].why, V22, "o.C -> a:\n");
        check_broken(broken[i].line, broken[i].why, V22 "o.C -> a:\n", "");
        check_broken(broken[i].line, broken[i].why, V22 "o.C -> a:\n void m() -> a\n", "");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_members),
        cmocka_unit_test(test_comments),
        cmocka_unit_test(test_broken_comments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
