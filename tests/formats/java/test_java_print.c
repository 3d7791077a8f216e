/* Tests how restored frames of Java are printed: one frame on each line, several frames on one line, candidates,
 * hidden frames, and class names outside of frames. */
#include "core/text/buffer.h"
#include "tests/formats/formats_help.h"

static const framemap_frame chain[] = {
    {.class_name = {"com.x.In", 8}, .function = {"inner", 5}, .file = {"In.kt", 5}, .line = 7, .inlined = true},
    {.class_name = {"com.x.Main", 10}, .function = {"run", 3}, .file = {"Main.java", 9}, .line = 21}};

static const struct text_case looks[] = {
    {"chain", "each on a line like the row's", "\tat app//a.b.c(SourceFile:12) ~[a.jar:1]\r\n",
     "\tat app//com.x.In.inner(In.kt:7) ~[a.jar:1]\r\n\tat app//com.x.Main.run(Main.java:21) ~[a.jar:1]\r\n"},
    {"module", "of the file is repeated", "\tat a.b.c(app.core@1/SourceFile:12)\n",
     "\tat com.x.In.inner(app.core@1/In.kt:7)\n\tat com.x.Main.run(app.core@1/Main.java:21)\n"},
    {"log prefix", "is repeated", "E/x( 12): \tat a.b.c(SourceFile)\n",
     "E/x( 12): \tat com.x.In.inner(In.kt:7)\nE/x( 12): \tat com.x.Main.run(Main.java:21)\n"},
    {"other prefix", "so is what else stands before", "W  \tat a.b.c(SourceFile:1)\n",
     "W  \tat com.x.In.inner(In.kt:7)\nW  \tat com.x.Main.run(Main.java:21)\n"},
    {"blank and semicolon", "they stay", "a.b.c (SourceFile:1);\n",
     "com.x.In.inner (In.kt:7)\ncom.x.Main.run (Main.java:21);\n"},
    {"types", "are those of the outermost function", "I zygote  :   at void a.b.c(int, a.b) (SourceFile:1)\n",
     "I zygote  :   at com.x.In.inner(In.kt:7)\nI zygote  :   at void com.x.Main.run(int, a.b) (Main.java:21)\n"},
    {"short", "without at", "a.b.c(SourceFile:1)", "com.x.In.inner(In.kt:7)\ncom.x.Main.run(Main.java:21)"},
    {"JSON", "line ends as the string has them", "{\"s\":\"x\\r\\n\\tat a.b.c(SourceFile:1)\"}\n",
     "{\"s\":\"x\\r\\n\\tat com.x.In.inner(In.kt:7)\\r\\n\\tat com.x.Main.run(Main.java:21)\"}\n"},
    {"head of a string", "what stands before the string is not repeated", "{\"s\":\"at a.b.c(SourceFile:1)\\nx\"}\n",
     "{\"s\":\"at com.x.In.inner(In.kt:7)\\nat com.x.Main.run(Main.java:21)\\nx\"}\n"},
};

#define IN "com.x.In.inner(In.kt:7)"
#define MAIN "com.x.Main.run(Main.java:21)"

/* If a line has several frames, the restored frames are printed on one line, too, with the separators of the text. The
 * rest of the line is printed once. */
static const struct text_case line_looks[] = {
    {"blanks", "", "x at a.b.c(SourceFile:2) at c.d.e(SourceFile:1)\n",
     "x at " IN " at " MAIN " at " IN " at " MAIN "\n"},
    {"element", "the closing tag stays after everything", "<stack>q: x at a.b.c(SourceFile:2) at c.d.e(PG:1)</stack>\n",
     "<stack>q: x at " IN " at " MAIN " at " IN " at " MAIN "</stack>\n"},
    {"quotes", "so does the closing quote", "7,\"q: x; at a.b.c(PG:2); at c.d.e(PG:1)\",y\n",
     "7,\"q: x; at " IN "; at " MAIN "; at " IN "; at " MAIN "\",y\n"},
    {"array", "each a string", "{\"s\":[\"at a.b.c(PG:1)\",\"at c.d.e(PG:2)\"]}\n",
     "{\"s\":[\"at " IN "\",\"at " MAIN "\",\"at " IN "\",\"at " MAIN "\"]}\n"},
    {"syslog", "the prefix is there once",
     "Nov 21 10:00:00 h a[1]: a.x: m#012#011at a.b.c(PG:1)#012#011at c.d.e(PG:2)#012\n",
     "Nov 21 10:00:00 h a[1]: a.x: m#012#011at " IN "#012#011at " MAIN "#012#011at " IN "#012#011at " MAIN "#012\n"},
    {"cause between", "is no separator: that of the next two rows is",
     "x|at a.b.c(PG:1)|Caused by: q: y|at a.b.c(PG:1)|at c.d.e(PG:2)\n",
     "x|at " IN " at " MAIN "|Caused by: q: y|at " IN "|at " MAIN "|at " IN "|at " MAIN "\n"},
    {"parts of one frame", "one part knows of the other's frame on its line",
     "at a.b.c(PG:1) Caused by: q: y at a.b.c(PG:1)\n",
     "at " IN " at " MAIN " Caused by: q: y at " IN " at " MAIN "\n"},
    {"packaging", "is repeated with its row", "at a.b.c(PG:1) ~[a.jar:1] at c.d.e(PG:2)\n",
     "at " IN " ~[a.jar:1] at " MAIN " ~[a.jar:1] at " IN " at " MAIN "\n"},
    {"one row in an element", "with a blank, where the line has no separator",
     "<s>java.lang.Error: x</s><f>at a.b.c(PG:1)</f>\n", "<s>java.lang.Error: x</s><f>at " IN " at " MAIN "</f>\n"},
    {"last row of an element", "has its lines for itself", "<s>x\n\tat a.b.c(PG:1)</s>\n",
     "<s>x\n\tat " IN "\n\tat " MAIN "</s>\n"},
    {"break of HTML", "is of each line", "\tat a.b.c(PG:1)<br/>\n", "\tat " IN "<br/>\n\tat " MAIN "<br/>\n"},
    {"strings of a list", "quote and comma are of each line", "  \"at a.b.c(PG:1)\",\n",
     "  \"at " IN "\",\n  \"at " MAIN "\",\n"},
};

static void test_line_looks(void **state)
{
    (void)state;
    check_looks(line_looks, sizeof line_looks / sizeof *line_looks, chain, 2);
}

static void test_looks(void **state)
{
    (void)state;
    check_looks(looks, sizeof looks / sizeof *looks, chain, 2);
}

/* --- testing candidates, hidden frames, and class names outside of frames --- */

struct printed {
    struct parsed parsed;
    framemap_str text;
};

static framemap_frame *open_text(struct printed *p, const char *text)
{
    p->text = text_of(text);
    parse(&p->parsed, p->text);
    assert_int_equal(p->parsed.status, FRAMEMAP_OK);
    assert_true(p->parsed.count > 0);
    return p->parsed.traces[0].frames;
}

static void same_print(const char *row, struct printed *p, const char *want)
{
    struct fm_buf out;
    assert_int_equal(print_as(&p->parsed, p->text, "text", &out), FRAMEMAP_OK);
    same_text(row, "the restored text", fm_buf_view(&out), text_of(want));
    fm_buf_free(&out);
    parsed_free(&p->parsed);
}

static const framemap_frame one[] = {
    {.class_name = {"x.A", 3}, .function = {"f", 1}, .file = {"A.java", 6}, .line = 1},
    {.class_name = {"x.A", 3}, .function = {"o", 1}, .file = {"A.java", 6}, .line = 9}};
static const framemap_frame two[] = {
    {.class_name = {"x.B", 3}, .function = {"g", 1}, .file = {"B.java", 6}, .line = 2},
    {.class_name = {"x.A", 3}, .function = {"o", 1}, .file = {"A.java", 6}, .line = 9}};
static const framemap_frame_list others[8] = {{two, 2}, {two, 1}, {two, 2}, {two, 2},
                                              {two, 2}, {two, 2}, {two, 2}, {two, 2}};

/* Tests frames of native code that Unity adds to a stack of Java. */
static void test_unity(void **state)
{
    (void)state;
    static const framemap_frame found[] = {
        {.kind = FRAMEMAP_KIND_NATIVE, .function = {"f(int)", 6}, .file = {"a.c", 3}, .line = 7},
        {.kind = FRAMEMAP_KIND_NATIVE, .function = {"g", 1}}};
    struct printed p;
    framemap_frame *frame = open_text(&p, "\tat libx.0x12(Native Method)\n");
    frame->status = FRAMEMAP_FRAME_OK;
    frame->restored = (framemap_frame_list){found, 2};
    same_print("Unity", &p, "\tat libx.f(int)(a.c:7)\n\tat libx.g(Native Method)\n");
}

static void give(framemap_frame *frame, size_t count)
{
    frame->status = FRAMEMAP_FRAME_AMBIGUOUS;
    frame->restored = (framemap_frame_list){one, 2};
    frame->alternatives = others;
    frame->alternative_count = count;
}

static void test_candidates(void **state)
{
    (void)state;
    struct printed p;
    give(open_text(&p, "\tat a.b.c(SourceFile:12)\n"), 2);
    same_print("few", &p, "\tat x.A.f(A.java:1)\n\t<OR> at x.B.g(B.java:2)\n\tat x.A.o(A.java:9)\n");
    give(open_text(&p, "a.b.c(SourceFile:12)\n"), 1);
    same_print("few without at", &p, "x.A.f(A.java:1)\n<OR> x.B.g(B.java:2)\nx.A.o(A.java:9)\n");
    give(open_text(&p, "\tat a.b.c(SourceFile)\n"), 2);
    same_print("no line", &p, "\tat x.A.o(A.java:9) [one of 3]\n");
    give(open_text(&p, "\tat a.b.c(SourceFile:12)\n"), 8);
    same_print("many", &p, "\tat x.A.o(A.java:9) [one of 9]\n");
}

/* Tests which parts of a frame line are kept if the symbols have no file and no line for the frame, and which parts are
 * kept if they have both. */
static void test_places(void **state)
{
    (void)state;
    static const struct {
        const char *place, *kept, *why;
    } rows[] = {{"SourceFile:12", "SourceFile", "usual"},
                {"SourceFile:123456789", "SourceFile", "nine digits"},
                {"SourceFile:1234567890", "SourceFile", "ten"},
                {"SourceFile:2147483647", "SourceFile", "the largest line"},
                {"SourceFile:2147483648", "SourceFile:2147483648", "too many for 31 bits: text"},
                {"SourceFile:99999999999", "SourceFile:99999999999", "too many for 32 bits"},
                {"SourceFile:0", "SourceFile", "line 0"},
                {"SourceFile", "SourceFile", "no line"},
                {"SourceFile:-12", "SourceFile:-12", "no line, but a piece of the file"},
                {"My File.java:7", "My File.java", "a blank"},
                {"Datei\xc3\xa9.java:7", "Datei\xc3\xa9.java", "not ASCII"},
                {":12", "", "no file"},
                {"", "", "nothing"},
                {"Unknown Source", "Unknown Source", "words for no file"},
                {"Unknown Source:3", "Unknown Source", "the same with a line"},
                {"Native Method", "Native Method", "the same of another kind"},
                {"c.g:ads@@18.0.2:32", "c.g:ads@@18.0.2", "a library's version"},
                {":com.google.android.gms@2@1 (1-0):3", ":com.google.android.gms@2@1 (1-0)", "parentheses within"}};
    static const framemap_frame bare = {.class_name = {"x.A", 3}, .function = {"f", 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[128], want[128];
        for (int known = 0; known < 2; known++) {
            struct printed p;
            snprintf(text, sizeof text, "\tat p.q.r(SourceFile:1)\n\tat a.b.c(%s)\n", rows[i].place);
            snprintf(want, sizeof want, "\tat p.q.r(SourceFile:1)\n\tat x.A.f(%s)\n",
                     known ? "A.java:1" : rows[i].kept);
            framemap_frame *frames = open_text(&p, text);
            assert_int_equal(p.parsed.traces[0].frame_count, 2);
            frames[1].restored = (framemap_frame_list){known ? one : &bare, 1};
            same_print(rows[i].why, &p, want);
        }
    }
}

static void hide(framemap_frame *frame) { frame->status = FRAMEMAP_FRAME_OK; }

static void test_hidden(void **state)
{
    (void)state;
    struct printed p;
    hide(open_text(&p, "x\r\n\tat a.b.c(SourceFile:12)\r\ny\r\n"));
    same_print("a line", &p, "x\r\ny\r\n");
    hide(open_text(&p, "x\n\tat a.b.c(SourceFile:12)"));
    same_print("the last line", &p, "x\n");
    hide(open_text(&p, "{\"s\":\"x\\n\\tat a.b.c(SourceFile:12)\\ny\"}"));
    same_print("within a string", &p, "{\"s\":\"x\\ny\"}");
    hide(open_text(&p, "{\"s\":\"x\\n\\tat a.b.c(SourceFile:12)\"}"));
    same_print("the end of a string", &p, "{\"s\":\"x\"}");
    hide(open_text(&p, "x\n\tat a.b.c(SourceFile:12)</s>\ny\n"));
    same_print("what follows it stays", &p, "x\n</s>\ny\n");
}

/* If a line has several frames, hidden frames are omitted together with their separators. bits: bit i is set if frame i
 * is hidden. */
static void test_hidden_within(void **state)
{
    static const struct {
        const char *name;
        unsigned hidden;
        const char *want;
    } rows[] = {{"first", 1, "<s>at d.e.f(PG:2); at g.h.i(PG:3)</s>\n"},
                {"middle", 2, "<s>at a.b.c(PG:1); at g.h.i(PG:3)</s>\n"},
                {"last", 4, "<s>at a.b.c(PG:1); at d.e.f(PG:2)</s>\n"},
                {"first two", 3, "<s>at g.h.i(PG:3)</s>\n"},
                {"last two", 6, "<s>at a.b.c(PG:1)</s>\n"},
                {"ends", 5, "<s>at d.e.f(PG:2)</s>\n"},
                {"all", 7, "<s></s>\n"}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct printed p;
        framemap_frame *frames = open_text(&p, "<s>at a.b.c(PG:1); at d.e.f(PG:2); at g.h.i(PG:3)</s>\n");
        for (unsigned f = 0; f < 3; f++)
            if (rows[i].hidden >> f & 1) hide(&frames[f]);
        same_print(rows[i].name, &p, rows[i].want);
    }
}

static void test_mentions(void **state)
{
    (void)state;
    struct printed p;
    framemap_frame *frame = open_text(&p, "Caused by: a.b: a.c\n\tat a.b.c(SourceFile:12)\nCaused by: a.d\n");
    framemap_trace *traces = p.parsed.traces;
    assert_int_equal(p.parsed.count, 2);
    assert_int_equal(traces[0].mention_count, 2);
    assert_int_equal(traces[1].mention_count, 1);
    for (size_t i = 0; i < 2; i++) traces[0].mentions[i].restored = FM_STR("x.Y");
    traces[1].mentions[0].restored = FM_STR("x.Y");
    restore(frame, one, 1);
    same_print("classes", &p, "Caused by: x.Y: x.Y\n\tat x.A.f(A.java:1)\nCaused by: x.Y\n");
    open_text(&p, "{\"s\":\"a.b: x\\n\\tat a.b.c(SourceFile:12)\"}");
    p.parsed.traces[0].mentions[0].restored = FM_STR("x.\"\\");
    same_print("escaped", &p, "{\"s\":\"x.\\\"\\\\: x\\n\\tat a.b.c(SourceFile:12)\"}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_looks),         cmocka_unit_test(test_candidates),
                                       cmocka_unit_test(test_unity),         cmocka_unit_test(test_hidden),
                                       cmocka_unit_test(test_hidden_within), cmocka_unit_test(test_line_looks),
                                       cmocka_unit_test(test_mentions),      cmocka_unit_test(test_places)};
    return cmocka_run_group_tests_name("formats java printed", tests, NULL, NULL);
}
