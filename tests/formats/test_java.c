#include "formats/java_head.h"
#include "formats/java_name.h"
#include "formats/java_row.h"
#include "formats_help.h"

#include <ctype.h>
#include <stdlib.h>

#define AT(text) "\tat " text "\n"

static const struct text_case texts[] = {
    {"plain", "Throwable.printStackTrace; frames of the platform need nothing",
     "java.lang.IllegalStateException: no user\n" AT("a.b.c(SourceFile:12)") AT("java.lang.Thread.run(Thread.java:764)"),
     "java 2 exception:java.lang.IllegalStateException: no user\n- c:a.b f:c at:SourceFile:12\n"
     "- c:java.lang.Thread f:run at:Thread.java:764 not-needed\n! exception:java.lang.IllegalStateException before:0\n"},
    {"sources", "what stands between the parentheses in place of file and line",
     AT("a.a.a(Unknown Source:8)") AT("a.a.a(Unknown Source)") AT("x.Y.z(Native Method)") AT("a.a.a(SourceFile:-1)") AT("a.a.a(PG:13)")
         AT("a.a.a()") AT("a.a.a(:12)") AT("a.a.a(SourceFile:0)") AT("a.a.a(?:?) [?:?]") AT("a.a.a(SourceFile:99999999999)"),
     "java 1\n- c:a.a f:a at:Unknown Source:8\n- c:a.a f:a at:Unknown Source\n- c:x.Y f:z not-needed\n- c:a.a f:a at:SourceFile\n"
     "- c:a.a f:a at:PG:13\n- c:a.a f:a\n- c:a.a f:a:12\n- c:a.a f:a at:SourceFile\n- c:a.a f:a at:?:?\n- c:a.a f:a at:SourceFile\n"},
    {"names", "loaders, modules, hidden classes, constructors, Kotlin's and Scala's names",
     AT("app//java.base@17.0.1/a.b.c(SourceFile:1)") AT("java.base/java.util.List.of(List.java:1)")
         AT("a.b$$Lambda$14/0x0000000800c03000.run(Unknown Source)") AT("a.b.<init>(SourceFile:3)") AT("a.b.<clinit>(SourceFile:4)")
             AT("com.x.-$$Lambda$Main$x9.run(Unknown Source:2)") AT("com.x.Main$Companion.f$default(Main.kt:5)")
                 AT("com.x.$Proxy7.f(Unknown Source)") AT("a.$anonfun$f$1(b.scala:7)") AT("com.***.apm.T.f(T.kt:1)"),
     "java 1\n- m:java.base@17.0.1 c:a.b f:c at:SourceFile:1\n- m:java.base c:java.util.List f:of at:List.java:1 not-needed\n"
     "- c:a.b$$Lambda$14 f:run at:Unknown Source not-needed\n- c:a.b f:<init> at:SourceFile:3\n- c:a.b f:<clinit> at:SourceFile:4\n"
     "- c:com.x.-$$Lambda$Main$x9 f:run at:Unknown Source:2\n- c:com.x.Main$Companion f:f$default at:Main.kt:5 not-needed\n"
     "- c:com.x.$Proxy7 f:f at:Unknown Source not-needed\n- c:a f:$anonfun$f$1 at:b.scala:7\n- c:com.***.apm.T f:f at:T.kt:1 not-needed\n"},
    {"causes", "one stack with all that hangs on it; classes of each, the frame below, and what messages name",
     "Exception in thread \"main\" a.b.c: class d.e cannot be cast to f.g, e.g. this\n"
     "\tat a.a.a(SourceFile:1)\nCaused by: b0: oneword\n\tat a.a.a(SourceFile:2)\n\t... 3 more\n\tSuppressed: a.d\n"
     "\t\tat a.a.a(SourceFile:3)\n\t\t... 3 more\n\t[CIRCULAR REFERENCE: a.b.c: x]\n",
     "java 2 thread:main exception:a.b.c: class d.e cannot be cast to f.g, e.g. this\n- c:a.a f:a at:SourceFile:1\n- c:a.a f:a "
     "at:SourceFile:2\n"
     "- c:a.a f:a at:SourceFile:3\n! exception:a.b.c before:0\n! class:d.e before:0\n! class:f.g before:0\n! exception:b0 before:1\n"
     "! exception:a.d before:2\n! exception:a.b.c before:3\n"},
    {"a store's console", "heads without a thread, causes without a colon, rows with a blank before the place",
     "Exception a.b.c: x y\n  at a.a.a (SourceFile:1)\nCaused by a.d: x y\n  at a.a.a (SourceFile:2)\nCaused by lightning.\n",
     "java 2 exception:a.b.c: x y\n- c:a.a f:a at:SourceFile:1\n- c:a.a f:a at:SourceFile:2\n"
     "! exception:a.b.c before:0\n! exception:a.d before:1\n"},
    {"messages of several lines", "the line that names an exception is found above others",
     "12:00 ERROR com.x.Log - it failed\na.b.FooException: first\n  see a.b: c\n\n" AT("a.a.a(SourceFile:1)"),
     "java 5 exception:a.b.FooException: first\n- c:a.a f:a at:SourceFile:1\n! exception:a.b.FooException before:0\n"},
    {"short names", "a renamed exception of the default package right above; another word is none",
     "b0\n" AT("a.a.a(SourceFile:1)") "\n\n\n\n\n\n\n\n\n\nStacktrace:\n" AT("a.a.a(SourceFile:1)"),
     "java 2 exception:b0\n- c:a.a f:a at:SourceFile:1\n! exception:b0 before:0\n"
     "java 14\n- c:a.a f:a at:SourceFile:1\n"},
    {"two", "an exception's line at the begin of a stack ends the one before",
     "a.b: x\n" AT("a.a.a(SourceFile:1)") "a.c: y\n" AT("a.a.a(SourceFile:2)"),
     "java 2 exception:a.b: x\n- c:a.a f:a at:SourceFile:1\n! exception:a.b before:0\n"
     "java 4 exception:a.c: y\n- c:a.a f:a at:SourceFile:2\n! exception:a.c before:0\n"},
    {"logcat", "every logger's prefix, Android's words for the thread, other messages between",
     "01-03 08:34:32.728  4369  4369 E AndroidRuntime: FATAL EXCEPTION: main\n"
     "01-03 08:34:32.728  4369  4369 E AndroidRuntime: Process: com.x, PID: 4369\n"
     "01-03 08:34:32.728  4369  4369 E AndroidRuntime: java.lang.RuntimeException: Unable to start ComponentInfo{com.x/a.b}: a.c: z\n"
     "01-03 08:34:32.728  4369  4369 E AndroidRuntime: \tat a.b.c(SourceFile:1)\n"
     "01-03 08:34:32.728  4369  4369 I Other: hello\n"
     "01-03 08:34:32.728  4369  4369 E AndroidRuntime: \tat a.b.d(SourceFile:2)\n",
     "java 4 thread:main exception:java.lang.RuntimeException: Unable to start ComponentInfo{com.x/a.b}: a.c: z crashed\n"
     "- c:a.b f:c at:SourceFile:1\n- c:a.b f:d at:SourceFile:2\n! exception:java.lang.RuntimeException before:0\n! class:com.x before:0\n"
     "! class:a.b before:0\n! class:a.c before:0\n"},
    {"titles", "what reporters put before an exception",
     "Fatal Exception: a.b.c: x\n" AT("a.a.a(SourceFile:1)") "== Java Exception: a.b.d\n" AT("a.a.a(SourceFile:1)"),
     "java 2 exception:a.b.c: x\n- c:a.a f:a at:SourceFile:1\n! exception:a.b.c before:0\n"
     "java 4 exception:a.b.d\n- c:a.a f:a at:SourceFile:1\n! exception:a.b.d before:0\n"},
    {"ANR", "classes of locks; a lock does not part a stack",
     "\"main\" prio=5 tid=1 Blocked\n  | group=\"main\" sCount=1\n  at a.b.c(SourceFile:1)\n  - waiting to lock <0x0cd03f02> (a bl.q) held "
     "by thread 21\n"
     "  at a.b.d(Native method)\n  - locked <0x1> (a java.lang.Class<a.c>)\n\n\"Thread-2\" daemon prio=5 tid=2 Waiting\n  at a.b.e(PG:1)\n",
     "java 3 thread:main\n- c:a.b f:c at:SourceFile:1\n- c:a.b f:d not-needed\n! class:bl.q before:1\n! class:a.c before:2\n"
     "java 9 thread:Thread-2\n- c:a.b f:e at:PG:1\n"},
    {"short forms", "as SDKs upload them", "tg.a.e(MethodRecorder.kt:1)\ntg.a.f(SourceFile:2)\na.b.<init>(x:3)\n",
     "java 1\n- c:tg.a f:e at:MethodRecorder.kt:1\n- c:tg.a f:f at:SourceFile:2\n- c:a.b f:<init> at:x:3\n"},
    {"wrapped", "quotes, commas, packaging, closing tags, counts of hidden calls",
     "  \"at a.b.c(SourceFile:1)\",\n  \"a.b.d(SourceFile:2)\",\n" AT("a.b.e(SourceFile:3) ~[app-1.0 (x).jar:1.0]")
         AT("a.b.f(SourceFile:4) [app.jar:?]") AT("a.b.g(SourceFile:5) <5 internal calls>") "//\tat a.b.h(SourceFile:6)<br/>\n",
     "java 1\n- c:a.b f:c at:SourceFile:1\n- c:a.b f:d at:SourceFile:2\n- c:a.b f:e at:SourceFile:3\n- c:a.b f:f at:SourceFile:4\n"
     "- c:a.b f:g at:SourceFile:5\n- c:a.b f:h at:SourceFile:6\n"},
    {"map ids", "in place of the source, and for all rows below a line of the mapping's head",
     AT("a.b.c(r8-map-id-0123abc:1)") "\n\n\n\n\n\n\n\n\n# pg_map_id: 7f7f7f7\n" AT("a.b.c(SourceFile:1)"),
     "java 1\n- id:0123abc c:a.b f:c at:r8-map-id-0123abc:1\njava 12\n- id:7f7f7f7 c:a.b f:c at:SourceFile:1\n"},
    {"JSON", "escaped line ends part lines; a string ends a stack",
     "{\"a\":\"C:\\\\new\",\"stack\":\"a.b: \\\"x\\\"\\n\\tat a.a.\\u003cinit\\u003e(SourceFile:1)\\r\\n\\tat "
     "a.a.b(SourceFile:2)\",\"b\":\"q\\n\\tat a.a.c(PG:3)\\n\"}\n",
     "java 1 exception:a.b: \\\"x\\\"\n- c:a.a f:<init> at:SourceFile:1\n- c:a.a f:b at:SourceFile:2\n! exception:a.b before:0\n"
     "java 1 exception:q\n- c:a.a f:c at:PG:3\n! exception:q before:0\n"},
    {"JSON line by line", "as containers log: one stack, its exception in another string",
     "{\"log\":\"a.b: x\\n\",\"stream\":\"stderr\"}\n{\"log\":\"\\tat a.a.a(SourceFile:1)\\n\",\"stream\":\"stderr\"}\n"
     "{\"log\":\"\\tat a.a.b(SourceFile:2)\\n\",\"stream\":\"stderr\"}\n",
     "java 2 exception:a.b: x\n- c:a.a f:a at:SourceFile:1\n- c:a.a f:b at:SourceFile:2\n! exception:a.b before:0\n"},
    {"JSON in JSON", "and without quotes",
     "{\"m\":\"{\\\"stack\\\":\\\"a.b: x\\\\n\\\\tat a.a.a(SourceFile:1)\\\\n\\\"}\"}\na.b: x\\n\\tat a.a.b(SourceFile:2)\n",
     "java 1 exception:a.b: x\n- c:a.a f:a at:SourceFile:1\n! exception:a.b before:0\n"
     "java 2 exception:a.b: x\n- c:a.a f:b at:SourceFile:2\n! exception:a.b before:0\n"},
    {"nearly escaped", "a name that only begins as an escaped constructor",
     AT("a.b.&ltx.c(SourceFile:1)") AT("a.b.&lt;init&gt;(SourceFile:2)"),
     "java 1\n- c:a.b.&ltx f:c at:SourceFile:1\n- c:a.b f:<init> at:SourceFile:2\n"},
    {"prose", "words that look like rows of a stack",
     "at home (see x)\nlook at foo.bar for more (or baz)\nat a.b.c\nfoo.bar(baz)\nfoo.bar(null)\nf(x:12)\nmeet me at a.b(c:12) please\nat "
     "1.2.3(x:1)\n"
     "at .a.b(X.java:1)\nat a.b(X.java:1\nCaused by: x\nformat a.b.c(SourceFile:12\n",
     ""},
    {"others' rows", "JavaScript without a column, .NET, Python are nobody's; Dart's is its own",
     "    at foo.bar(index.js:10)\n    at Foo.Bar(String x) in "
     "C:\\x.cs:line 12\n"
     "    at Foo.Bar()\n#1      main (package:foo/x.dart:12:5)\n  File \"a.py\", line 3, in x\n",
     "dart 4\n#1 f:main at:package:foo/x.dart:12:5 not-needed\n"},
};

static void test_texts(void **state)
{
    (void)state;
    check_texts(texts, sizeof texts / sizeof *texts);
}

static const framemap_frame chain[] = {
    {.class_name = {"com.x.In", 8}, .function = {"inner", 5}, .file = {"In.kt", 5}, .line = 7, .inlined = true},
    {.class_name = {"com.x.Main", 10}, .function = {"run", 3}, .file = {"Main.java", 9}, .line = 21}};

static const struct text_case looks[] = {
    {"chain", "each on a line like the row's", "\tat app//a.b.c(SourceFile:12) ~[a.jar:1]\r\n",
     "\tat app//com.x.In.inner(In.kt:7) ~[a.jar:1]\r\n\tat app//com.x.Main.run(Main.java:21) ~[a.jar:1]\r\n"},
    {"log prefix", "is repeated", "E/x( 12): \tat a.b.c(SourceFile)\n",
     "E/x( 12): \tat com.x.In.inner(In.kt:7)\nE/x( 12): \tat com.x.Main.run(Main.java:21)\n"},
    {"other prefix", "so is what else stands before", "W  \tat a.b.c(SourceFile:1)\n",
     "W  \tat com.x.In.inner(In.kt:7)\nW  \tat com.x.Main.run(Main.java:21)\n"},
    {"short", "without at", "a.b.c(SourceFile:1)", "com.x.In.inner(In.kt:7)\ncom.x.Main.run(Main.java:21)"},
    {"JSON", "line ends as the string has them", "{\"s\":\"x\\r\\n\\tat a.b.c(SourceFile:1)\"}\n",
     "{\"s\":\"x\\r\\n\\tat com.x.In.inner(In.kt:7)\\r\\n\\tat com.x.Main.run(Main.java:21)\"}\n"},
    {"head of a string", "what stands before the string is not repeated", "{\"s\":\"at a.b.c(SourceFile:1)\\nx\"}\n",
     "{\"s\":\"at com.x.In.inner(In.kt:7)\\nat com.x.Main.run(Main.java:21)\\nx\"}\n"},
};

static void test_looks(void **state)
{
    (void)state;
    check_looks(looks, sizeof looks / sizeof *looks, chain, 2);
}

/* --- candidates, hidden rows, classes in place --- */

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

static const framemap_frame one[] = {{.class_name = {"x.A", 3}, .function = {"f", 1}, .file = {"A.java", 6}, .line = 1},
                                     {.class_name = {"x.A", 3}, .function = {"o", 1}, .file = {"A.java", 6}, .line = 9}};
static const framemap_frame two[] = {{.class_name = {"x.B", 3}, .function = {"g", 1}, .file = {"B.java", 6}, .line = 2},
                                     {.class_name = {"x.A", 3}, .function = {"o", 1}, .file = {"A.java", 6}, .line = 9}};
static const framemap_frame_list others[8] = {{two, 2}, {two, 1}, {two, 2}, {two, 2}, {two, 2}, {two, 2}, {two, 2}, {two, 2}};

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
}

static void test_mentions(void **state)
{
    (void)state;
    struct printed p;
    framemap_frame *frame = open_text(&p, "Caused by: a.b: a.c\n\tat a.b.c(SourceFile:12)\nCaused by: a.d\n");
    framemap_trace *trace = &p.parsed.traces[0];
    assert_int_equal(trace->mention_count, 3);
    for (size_t i = 0; i < 3; i++) trace->mentions[i].restored = FM_STR("x.Y");
    restore(frame, one, 1);
    same_print("classes", &p, "Caused by: x.Y: x.Y\n\tat x.A.f(A.java:1)\nCaused by: x.Y\n");
    open_text(&p, "{\"s\":\"a.b: x\\n\\tat a.b.c(SourceFile:12)\"}");
    p.parsed.traces[0].mentions[0].restored = FM_STR("x.\"\\");
    same_print("escaped", &p, "{\"s\":\"x.\\\"\\\\: x\\n\\tat a.b.c(SourceFile:12)\"}");
}

/* --- hostile --- */

static void test_prefixes(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        for (size_t size = 0; size <= strlen(texts[i].text); size++) {
            struct parsed parsed;
            struct fm_buf back;
            char *copy = malloc(size + 1);
            memcpy(copy, texts[i].text, size);
            framemap_str text = fm_str(copy, size);
            parse(&parsed, text);
            assert_int_equal(parsed.status, FRAMEMAP_OK);
            assert_int_equal(print_as(&parsed, text, "text", &back), FRAMEMAP_OK);
            same_text(texts[i].name, "a prefix that comes back", fm_buf_view(&back), text);
            fm_buf_free(&back);
            parsed_free(&parsed);
            free(copy);
        }
    }
}

/* Lines of 60 KB that could make a reader look at each byte again and again. */
static void test_long_lines(void **state)
{
    (void)state;
    static const char *const pieces[] = {"at ",   "at a.b(", "a.b(", "at a.b(c:1) x",          "\\n", "\\",
                                         "\"\\n", "\\\\n\"", "a.",   "\\tat a.b(c.java:1)\\n", "(a ", "a.b: "};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        enum { LINE = 60000, LINES = 16 };
        size_t piece = strlen(pieces[i]), used = 0;
        char *text = malloc((LINE + 16) * LINES);
        for (int line = 0; line < LINES; line++) {
            for (size_t at = 0; at + piece < LINE; at += piece, used += piece) memcpy(text + used, pieces[i], piece);
            text[used++] = '\n';
        }
        struct parsed parsed;
        parse(&parsed, fm_str(text, used));
        assert_int_equal(parsed.status, FRAMEMAP_OK);
        parsed_free(&parsed);
        free(text);
    }
}

/* The run that a text begins with: it may end sooner than a plain one, but not at a usual byte. */
static void check_run(framemap_str text)
{
    char *copy = malloc(text.size); /* of just that size, so that a look behind it is seen */
    memcpy(copy, text.data, text.size);
    const struct fm_java_run run = fm_java_run(fm_str(copy, text.size));
    size_t dot = SIZE_MAX;
    bool slashed = false;
    for (size_t i = 0; i < run.end; i++) {
        assert_true(fm_java_bytes[(unsigned char)copy[i]] <= FM_JAVA_SLASH);
        if (copy[i] == '.') dot = i;
        slashed |= copy[i] == '/';
    }
    if (run.end < text.size) assert_false(isalnum((unsigned char)copy[run.end]) || (copy[run.end] && strchr("./$-_", copy[run.end])));
    assert_int_equal(run.dot, dot);
    assert_int_equal(run.slashed, slashed);
    free(copy);
}

/* Names of all lengths, with each byte at each place that vectors look at: what the row says of its class and method is what its bytes say one by one. */
static void test_names(void **state)
{
    enum { LONGEST = 40 };
    (void)state;
    for (unsigned byte = 1; byte < 256; byte++) {
        for (size_t size = 1; size < LONGEST; size++) {
            const size_t place = (size * 7 + byte) % size;
            char *text = malloc(size + 8);
            for (size_t i = 0; i < size; i++) text[i] = i % 9 == 6 ? '.' : (char)('a' + i % 26);
            text[place] = (char)byte;
            memcpy(text + size, "(A.kt:1)", 8);
            size_t end = 0, dot = 0;
            while (end < size && strchr(" \t\n\v\f\r[];:()<>\",", text[end]) == NULL) end++;
            const bool begins = text[0] != '.' && !fm_is_digit(text[0]);
            assert_int_equal(fm_java_name(fm_str(text, size)), begins ? end : 0);
            check_run(fm_str(text, size));
            for (size_t i = 0; i < size; i++)
                if (text[i] == '.' && !fm_is_digit(text[i + 1])) dot = i;
            struct fm_java_row row;
            char *body = malloc(size + 11);
            memcpy(body, "at ", 3);
            memcpy(body + 3, text, size + 8);
            const bool is_row = fm_java_row(fm_str(body, size + 11), FM_JAVA_ALONE, &row);
            if (byte != '/' && byte != ',' && byte != '"' && end == size) {
                assert_int_equal(is_row, begins && dot && dot + 1 < size);
                if (is_row) same_text(body, "class", row.class_name, fm_str(body + 3, dot));
                if (is_row) same_text(body, "method", row.method, fm_str(body + 3 + dot + 1, size - dot - 1));
            }
            free(body);
            free(text);
        }
    }
}

/* A title behind words of all sizes and blanks, some of them with dots: found among the first eight words, wherever in the bytes that vectors look at they are. */
static void test_title_words(void **state)
{
    enum { MOST = 10, LONGEST = 140 };
    uint64_t random = 20261122;
    (void)state;
    for (int round = 0; round < 20000; round++) {
        char text[(MOST + 1) * (LONGEST + 4) + 16];
        size_t size = 0, words;
        for (words = 0; words < (size_t)(round % MOST); words++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            const size_t length = 1 + (random >> 40) % ((random >> 33) % 8 ? 12 : LONGEST);
            memset(text + size, 'x', length);
            if ((random >> 36) % 3 == 0) text[size] = "1(["[(random >> 50) % 3], text[size + length / 2] = '.';
            size += length;
            for (uint64_t blanks = (random >> 52) % 3 + 1; blanks; blanks--) text[size++] = blanks == 2 ? '\t' : ' ';
        }
        memcpy(text + size, "a.b.FooError: x", 15);
        char *body = malloc(size + 15);
        memcpy(body, text, size + 15);
        struct fm_java_head head;
        fm_java_head(fm_str(body, size + 15), &head);
        assert_int_equal(head.kind, words < 8 ? FM_JAVA_HEAD_TITLE : FM_JAVA_HEAD_NONE);
        if (words < 8) same_text("title", "name", head.name, fm_str(body + size, 12));
        free(body);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts),      cmocka_unit_test(test_looks),    cmocka_unit_test(test_candidates),
        cmocka_unit_test(test_hidden),     cmocka_unit_test(test_mentions), cmocka_unit_test(test_prefixes),
        cmocka_unit_test(test_long_lines), cmocka_unit_test(test_names),    cmocka_unit_test(test_title_words)};
    return cmocka_run_group_tests_name("formats java", tests, NULL, NULL);
}
