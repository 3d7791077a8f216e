/* Tests streams: the output must have the same bytes wherever the text is divided: after each byte, after each line, at
 * random offsets. The texts are those of corpus/demo and, if FRAMEMAP_CASES names a folder, all texts in it. Two
 * crashes with alternating lines must be separated. A flush may only have the effect that some frames are restored with
 * less context. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "core/text/buffer.h"
#include "tests/testing.h"
#include <framemap/framemap.h>
#include <glob.h>

#define DEMO FM_SOURCE_DIR "/corpus/demo"

static framemap_session *session;
static struct fm_heap heap;
static uint64_t hold; /* value of the option hold_bytes */

static int open_session(void **state)
{
    static const char *const paths[] = {DEMO "/symbols"};
    const framemap_session_options options = {
        .size = sizeof options, .symbol_paths = paths, .symbol_path_count = 1, .cache_path = ""};
    framemap_error error;
    (void)state;
    fm_heap_init(&heap, NULL, 0);
    return framemap_session_open(&options, &session, &error) != FRAMEMAP_OK;
}

static int close_session(void **state)
{
    (void)state;
    framemap_session_close(session);
    return 0;
}

static bool gather(void *context, const char *data, size_t size) { return fm_buf_add(context, data, size); }

enum cut { ONE, BYTES, LINES, RANDOM, WHOLE /* WHOLE: the whole text in one call */ };

static size_t piece(enum cut cut, framemap_str rest)
{
    static uint32_t seed = 1;
    const char *end = cut == LINES ? memchr(rest.data, '\n', rest.size) : NULL;
    seed = seed * UINT32_C(1664525) + UINT32_C(1013904223);
    const size_t size = cut == ONE     ? rest.size
                        : cut == BYTES ? 1
                        : cut == LINES ? (end ? (size_t)(end - rest.data) + 1 : rest.size)
                                       : 1 + (seed >> 8) % 300;
    return size < rest.size ? size : rest.size;
}

static void run(framemap_str text, const char *output, enum cut cut, struct fm_buf *out)
{
    const framemap_stream_options options = {
        .size = sizeof options, .restore = {.size = sizeof options.restore, .output = output}, .hold_bytes = hold};
    framemap_stream *stream;
    framemap_error error;
    fm_buf_init(out, &heap);
    if (cut == WHOLE) {
        assert_int_equal(framemap_session_restore(session, text, &options.restore, gather, out, NULL, &error),
                         FRAMEMAP_OK);
        return;
    }
    assert_int_equal(framemap_stream_open(session, &options, gather, out, &stream, &error), FRAMEMAP_OK);
    for (size_t at = 0, size; at < text.size; at += size) {
        size = piece(cut, fm_str_from(text, at));
        assert_int_equal(framemap_stream_feed(stream, fm_str(text.data + at, size), &error), FRAMEMAP_OK);
    }
    assert_int_equal(framemap_stream_close(stream, NULL, &error), FRAMEMAP_OK);
}

/* Returns the number of ways to divide a text that gave another output. */
static unsigned differences(const char *path, framemap_str text, const char *output)
{
    static const char *const names[] = {"one piece", "bytes", "lines", "random pieces", "one call"};
    struct fm_buf want, got;
    unsigned count = 0;
    run(text, output, ONE, &want);
    for (enum cut cut = BYTES; cut <= WHOLE; cut++) {
        run(text, output, cut, &got);
        if (!fm_str_equal(fm_buf_view(&got), fm_buf_view(&want))) {
            print_error("%s as %s differs by %s\n", path, output, names[cut]);
            count++;
        }
        fm_buf_free(&got);
    }
    fm_buf_free(&want);
    return count;
}

/* Tests every `step`-th file. */
static unsigned check_all(const char *pattern, size_t step)
{
    glob_t found;
    unsigned count = 0;
    if (glob(pattern, 0, NULL, &found) != 0) return 0;
    for (size_t i = 0; i < found.gl_pathc; i += step) {
        framemap_file *file;
        framemap_error error;
        if (framemap_file_open(found.gl_pathv[i], NULL, &file, &error) != FRAMEMAP_OK) continue;
        const framemap_str bytes = framemap_file_bytes(file),
                           text = fm_str(bytes.data, bytes.size < 200000 ? bytes.size : 200000);
        static const char *const outputs[] = {"text", "json", "sentry", "plain", "java"};
        for (size_t o = 0; o < sizeof outputs / sizeof *outputs; o++)
            count += differences(found.gl_pathv[i], text, outputs[o]);
        framemap_file_close(file);
    }
    globfree(&found);
    return count;
}

static void test_cuts(void **state)
{
    const char *cases = getenv("FRAMEMAP_CASES");
    char pattern[4096];
    (void)state;
    unsigned count = check_all(DEMO "/*.txt", 1) + check_all(DEMO "/*.log", 1) + check_all(DEMO "/*.crash", 1);
    if (cases) {
        snprintf(pattern, sizeof pattern, "%s/stacks/*/*.txt", cases);
        count += check_all(pattern, TEST_STEP);
    }
    assert_int_equal(count, 0);
}

/* Tests the texts of the demo, repeated many times. A stream processes a long text in batches, and these end at many
 * different offsets. */
static void test_long(void **state)
{
    static const char *const outputs[] = {"text", "json", "sentry"};
    enum { ROUNDS = 12 };
    glob_t found;
    struct fm_buf text;
    (void)state;
    assert_int_equal(glob(DEMO "/*.[tlc][xor][tga]*", 0, NULL, &found), 0);
    assert_true(found.gl_pathc > 5);
    fm_buf_init(&text, &heap);
    for (size_t round = 0; round < ROUNDS; round++)
        for (size_t i = 0; i < found.gl_pathc; i++) {
            framemap_file *file;
            framemap_error error;
            if (framemap_file_open(found.gl_pathv[i], NULL, &file, &error) != FRAMEMAP_OK) continue;
            const framemap_str bytes = framemap_file_bytes(file);
            if (bytes.size < 20000) fm_buf_str(&text, bytes);
            fm_buf_str(&text, FM_STR("\na line between two texts\n"));
            framemap_file_close(file);
        }
    globfree(&found);
    for (size_t o = 0; o < sizeof outputs / sizeof *outputs; o++)
        assert_int_equal(differences("all of the demo", fm_buf_view(&text), outputs[o]), 0);
    fm_buf_free(&text);
}

/* An exception with its cause is one event, wherever the text is divided. So are a sanitizer's error and the stack that
 * freed the memory. */
static void test_events(void **state)
{
    static const char *const stacks[] = {
        "x.y.Error: a\n\tat a.b.c(SourceFile:1)\n\tat a.b.d(SourceFile:2)\nCaused by: x.y.Inner: b\n"
        "\tat a.b.e(SourceFile:3)\n\t... 1 more\n",
        "==1==ERROR: AddressSanitizer: heap-use-after-free on address 0x602000000010\n    #0 0x55e1 in f /a.c:1:1\n"
        "freed by thread T0 here:\n    #0 0x55e2 in g /a.c:2:1\n\nSUMMARY: AddressSanitizer\n"};
    static const char *const outputs[] = {"sentry", "otlp", "markdown", "plain", "java", "json"};
    enum { EVENTS = 150 };
    (void)state;
    for (size_t s = 0; s < sizeof stacks / sizeof *stacks; s++) {
        struct fm_buf text, out;
        fm_buf_init(&text, &heap);
        for (size_t i = 0; i < EVENTS; i++) {
            fm_buf_str(&text, framemap_str_of(stacks[s]));
            fm_buf_str(&text, FM_STR("a line without a stack\n\n"));
        }
        for (size_t o = 0; o < sizeof outputs / sizeof *outputs; o++)
            assert_int_equal(differences("chains", fm_buf_view(&text), outputs[o]), 0);
        run(fm_buf_view(&text), "sentry", ONE, &out);
        assert_int_equal(fm_str_count_byte(fm_buf_view(&out), '\n'), EVENTS);
        fm_buf_free(&out);
        fm_buf_free(&text);
    }
}

/* If the text of an event is too long, several events are written. Each has the same threads, in whatever pieces the
 * text comes. No more text is held back than for a stack. */
static void test_long_event(void **state)
{
    enum { THREADS = 600, FRAMES = 12 };
    static const enum cut cuts[] = {BYTES, LINES, RANDOM};
    struct fm_buf text, whole, out;
    (void)state;
    fm_buf_init(&text, &heap);
    fm_buf_str(&text, FM_STR("----- pid 1 at 2026-01-01 00:00:00 -----\nCmd line: com.x\n\n"));
    for (unsigned i = 0; i < THREADS; i++) {
        char title[64];
        snprintf(title, sizeof title, "\"t%u\" prio=5 tid=%u Native\n", i, i);
        fm_buf_str(&text, framemap_str_of(title));
        for (unsigned f = 0; f < FRAMES; f++) fm_buf_str(&text, FM_STR("  at a.b(c:1)\n"));
        fm_buf_str(&text, FM_STR("\n"));
    }
    hold = 4096;
    run(fm_buf_view(&text), "sentry", ONE, &whole);
    /* there are several events, since the dump is larger than the text that may be held back */
    assert_true(fm_str_count_byte(fm_buf_view(&whole), '\n') > 10);
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        run(fm_buf_view(&text), "sentry", cuts[i], &out);
        assert_true(fm_str_equal(fm_buf_view(&out), fm_buf_view(&whole)));
        fm_buf_free(&out);
    }
    hold = 0;
    fm_buf_free(&whole);
    fm_buf_free(&text);
}

/* Appends an .ips report with this many threads, in two lines or in many. */
static void put_report(struct fm_buf *text, unsigned threads, bool indented)
{
    const char *eol = indented ? "\n " : "";
    char part[400];
    snprintf(part, sizeof part,
             "{\"app_name\":\"shop\",\"bug_type\":\"309\"}\n{%s\"usedImages\":[{\"base\":4096,\"size\":65536,"
             "\"name\":\"shop\",\"uuid\":\"11223344-aabb-ccdd-1122-3344aabbccdd\"}],%s\"threads\":[%s",
             eol, eol, eol);
    fm_buf_str(text, framemap_str_of(part));
    for (unsigned i = 0; i < threads; i++) {
        snprintf(part, sizeof part,
                 "%s{\"id\":%u,%s\"frames\":[{\"imageOffset\":%u,%s\"imageIndex\":0},{\"imageOffset\":64,"
                 "\"imageIndex\":0}]}%s",
                 i > 0 ? "," : "", i, eol, i, eol, eol);
        fm_buf_str(text, framemap_str_of(part));
    }
    fm_buf_str(text, FM_STR("]}\n"));
}

/* Returns the number of traces that a text has, if it is divided in this way. */
static uint64_t traces_of(framemap_str text, enum cut cut)
{
    struct fm_buf out;
    run(text, "json", cut, &out);
    const size_t at = fm_str_find(fm_buf_view(&out), FM_STR("\"traces\":"));
    assert_int_not_equal(at, FM_NOT_FOUND);
    const uint64_t count = strtoull(out.data + at + strlen("\"traces\":"), NULL, 10);
    fm_buf_free(&out);
    return count;
}

/* A JSON document may be longer than a stack, also if it is one line. One that is too long passes unchanged. */
static void test_documents(void **state)
{
    enum { THREADS = 700, TOO_MANY = 6000, HOLD = 4096, MOST = 64 * HOLD };
    static const char *const outputs[] = {"text", "json", "sentry"};
    struct fm_buf text;
    (void)state;
    hold = HOLD;
    for (unsigned indented = 0; indented < 2; indented++) {
        fm_buf_init(&text, &heap);
        fm_buf_str(&text, FM_STR("a line above\n"));
        for (unsigned i = 0; i < 2; i++) put_report(&text, THREADS, indented);
        fm_buf_str(&text, FM_STR("a line below\n"));
        assert_true(text.size > 2 * 8 * HOLD && text.size < 2 * MOST);
        for (size_t o = 0; o < sizeof outputs / sizeof *outputs; o++)
            assert_int_equal(differences("reports", fm_buf_view(&text), outputs[o]), 0);
        assert_int_equal(traces_of(fm_buf_view(&text), RANDOM), 2 * THREADS);
        fm_buf_clear(&text);
        put_report(&text, TOO_MANY, indented);
        assert_true(text.size > MOST);
        const uint64_t count = traces_of(fm_buf_view(&text), ONE);
        assert_true(count < TOO_MANY);
        for (enum cut cut = LINES; cut <= RANDOM; cut++) assert_int_equal(traces_of(fm_buf_view(&text), cut), count);
        assert_int_equal(traces_of(fm_buf_view(&text), WHOLE), TOO_MANY);
        fm_buf_free(&text);
    }
    hold = 0;
}

/* framemap_stream_in_document reports an incomplete JSON document, but no other text that is held back. */
static void test_in_document(void **state)
{
    static const struct {
        const char *text;
        bool in_document;
    } cases[] = {{"{\"app_name\":\"shop\",\"bug_type\":\"309\"}\n{\"usedImages\": [", true},
                 {"{\n \"crashReportVersion\": 1,\n \"callStackTree\": {\n", true},
                 {"a line\n[\n", true},
                 {"continue? [y/n] ", false},
                 {"[sudo] password: ", false},
                 {"[1.0] java.lang.Error: x\n\tat a.b.c(SourceFile:1)\n", false},
                 {"{\"a\": 1}\n", false}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        framemap_stream *stream;
        framemap_error error;
        struct fm_buf out;
        fm_buf_init(&out, &heap);
        assert_int_equal(framemap_stream_open(session, NULL, gather, &out, &stream, &error), FRAMEMAP_OK);
        assert_int_equal(framemap_stream_feed(stream, framemap_str_of(cases[i].text), &error), FRAMEMAP_OK);
        if (framemap_stream_in_document(stream) != cases[i].in_document) fail_msg("%s", cases[i].text);
        assert_int_equal(framemap_stream_flush(stream, &error), FRAMEMAP_OK);
        assert_false(framemap_stream_in_document(stream));
        assert_int_equal(framemap_stream_close(stream, NULL, &error), FRAMEMAP_OK);
        fm_buf_free(&out);
    }
    assert_false(framemap_stream_in_document(NULL));
}

#define TAG_A "11-21 13:05:17.402  10  10 E AndroidRuntime: "
#define TAG_B "11-21 13:05:17.402  20  21 E AndroidRuntime: "

/* Tests two processes that crash at the same time. */
static void test_lanes(void **state)
{
    const framemap_str text =
        FM_STR(TAG_A "FATAL EXCEPTION: main\n" TAG_B "FATAL EXCEPTION: worker\n" TAG_A "x.y.One: first\n" TAG_B
                     "x.y.Two: second\n" TAG_A "\tat q.b.c(SourceFile:1)\n" TAG_B "\tat q.e.f(SourceFile:2)\n" TAG_A
                     "\tat q.b.d(SourceFile:3)\n" TAG_B "\tat q.e.g(SourceFile:4)\n");
    struct fm_buf out;
    (void)state;
    run(text, "json", LINES, &out);
    const framemap_str json = fm_buf_view(&out);
    assert_int_not_equal(fm_str_find(json, FM_STR("\"traces\":2,\"frames\":4")), FM_NOT_FOUND);
    assert_int_not_equal(fm_str_find(json, FM_STR("\"pid\":20,\"tid\":21")), FM_NOT_FOUND);
    assert_int_not_equal(fm_str_find(json, FM_STR("\"raw\":\"x.y.Two: second\"")), FM_NOT_FOUND);
    fm_buf_free(&out);
}

/* Text that cannot belong to a stack is written at once. A flush also writes an incomplete stack, and an incomplete
 * line, such as a prompt. */
static void test_flush(void **state)
{
    const framemap_stream_options options = {.size = sizeof options};
    framemap_stream *stream;
    framemap_error error;
    struct fm_buf out;
    (void)state;
    fm_buf_init(&out, &heap);
    assert_int_equal(framemap_stream_open(session, &options, gather, &out, &stream, &error), FRAMEMAP_OK);
    assert_int_equal(framemap_stream_feed(stream, FM_STR("one line\n"), &error), FRAMEMAP_OK);
    assert_false(framemap_stream_waits(stream));
    assert_int_equal(out.size, 9);
    assert_int_equal(framemap_stream_feed(stream, FM_STR("  at a.b.c(SourceFile:1)\n> "), &error), FRAMEMAP_OK);
    assert_true(framemap_stream_waits(stream));
    assert_int_equal(framemap_stream_flush(stream, &error), FRAMEMAP_OK);
    assert_false(framemap_stream_waits(stream));
    assert_true(fm_str_ends(fm_buf_view(&out), FM_STR("\n> ")));
    assert_int_equal(framemap_stream_feed(stream, FM_STR("answer\n"), &error), FRAMEMAP_OK);
    assert_int_equal(framemap_stream_close(stream, NULL, &error), FRAMEMAP_OK);
    assert_true(fm_str_ends(fm_buf_view(&out), FM_STR("\n> answer\n")));
    fm_buf_free(&out);
}

/* framemap_stream_others_wait reports that lines of another process are held back; a flush writes these lines. */
static void test_others(void **state)
{
#define ROW(pid, text) "11-21 10:00:00.000   " pid "   " pid " E App: " text "\n"
    static const char *const quiet[] = {ROW("300", "took 12 ms, in all"), ROW("400", "took 3 ms, in all")};
    static const char *const stack[] = {ROW("300", "java.lang.Error: x"), ROW("300", "\tat a.b.c(SourceFile:1)")};
    framemap_stream *stream;
    framemap_error error;
    struct fm_buf out;
    uint64_t line = 1;
    (void)state;
    fm_buf_init(&out, &heap);
    assert_int_equal(framemap_stream_open(session, NULL, gather, &out, &stream, &error), FRAMEMAP_OK);
    for (size_t i = 0; i < sizeof quiet / sizeof *quiet; i++) {
        assert_int_equal(framemap_stream_feed(stream, framemap_str_of(quiet[i]), &error), FRAMEMAP_OK);
        assert_false(framemap_stream_others_wait(stream, &line));
        assert_int_equal(line, 0);
    }
    for (size_t i = 0; i < sizeof stack / sizeof *stack; i++) {
        assert_int_equal(framemap_stream_feed(stream, framemap_str_of(stack[i]), &error), FRAMEMAP_OK);
        assert_false(framemap_stream_others_wait(stream, &line));
        assert_int_equal(line, 3 + i);
    }
    assert_int_equal(framemap_stream_feed(stream, FM_STR(ROW("400", "more")), &error), FRAMEMAP_OK);
    assert_true(framemap_stream_others_wait(stream, &line));
    assert_int_equal(line, 4);
    assert_int_equal(framemap_stream_flush(stream, &error), FRAMEMAP_OK);
    assert_false(framemap_stream_others_wait(stream, &line));
    assert_true(fm_str_ends(fm_buf_view(&out), FM_STR("more\n")));
    assert_int_equal(framemap_stream_close(stream, NULL, &error), FRAMEMAP_OK);
    fm_buf_free(&out);
#undef ROW
}

/* Appends the addresses that are looked up for a stack, each after a blank. flush_at: the stream is flushed before this
 * row; 0: it is not flushed. */
static void looked_up(const char *title, const char *const *rows, size_t flush_at, struct fm_buf *out)
{
    static const framemap_str mark = FM_STR_INIT("\"lookup\":\"");
    const framemap_stream_options options = {.size = sizeof options,
                                             .restore = {.size = sizeof options.restore, .output = "json"}};
    framemap_stream *stream;
    struct fm_buf json;
    fm_buf_init(&json, &heap);
    fm_buf_init(out, &heap);
    assert_int_equal(framemap_stream_open(session, &options, gather, &json, &stream, NULL), FRAMEMAP_OK);
    assert_int_equal(framemap_stream_feed(stream, framemap_str_of(title), NULL), FRAMEMAP_OK);
    for (size_t i = 0; rows[i]; i++) {
        if (flush_at && i == flush_at) assert_int_equal(framemap_stream_flush(stream, NULL), FRAMEMAP_OK);
        assert_int_equal(framemap_stream_feed(stream, framemap_str_of(rows[i]), NULL), FRAMEMAP_OK);
    }
    framemap_error error;
    assert_int_equal(framemap_stream_close(stream, NULL, &error), FRAMEMAP_OK);
    framemap_str rest = fm_buf_view(&json);
    for (size_t at; (at = fm_str_find(rest, mark)) != FM_NOT_FOUND;) {
        rest = fm_str_from(rest, at + mark.size);
        fm_buf_byte(out, ' ');
        fm_buf_str(out, fm_str_slice(rest, 0, fm_str_find_byte(rest, '"')));
    }
    fm_buf_free(&json);
}

/* In some formats, the first address of a stack is exact, and the other addresses are return addresses. The first row
 * after a flush is not the first row of the stack. */
static void test_flushed_addresses(void **state)
{
    static const struct {
        const char *title, *rows[4], *addresses;
    } cases[] = {
        {"Process: Demo [21]\nCode Type: X86-64 (Native)\n\nThread 0 Crashed:\n",
         {"0   Demo 0x10054 0x10000 + 84\n", "1   Demo 0x100e4 0x10000 + 228\n", "2   Demo 0x10188 0x10000 + 392\n"},
         " 0x10054 0x100e3 0x10187"},
        {"Process: Demo [21]\nCode Type: X86-64 (Native)\n\nThread 0 Crashed:\n",
         {"0   Demo 0x10054 0x10000 + 84\n", "1   libsystem_platform.dylib 0x20020 _sigtramp + 32\n",
          "2   Demo 0x10188 0x10000 + 392\n"},
         " 0x10054 0x2001f 0x10188"},
        {"",
         {"Demo 0x10054 Demo + 84 [1F6C4CD6-A6C0-3D55-A1D2-6E7A55E6D7B1]\n",
          "libsystem_platform.dylib 0x20020 _sigtramp + 32 [2F6C4CD6-A6C0-3D55-A1D2-6E7A55E6D7B1]\n",
          "Demo 0x10188 Demo + 392 [1F6C4CD6-A6C0-3D55-A1D2-6E7A55E6D7B1]\n"},
         " 0x10054 0x2001f 0x10188"},
        {"Program received signal SIGSEGV, Segmentation fault.\n",
         {"#0  0x0000000000005139 in f () from /l/a.so\n", "#1  0x0000000000005159 in g () from /l/a.so\n",
          "#2  0x0000000000005179 in main () from /l/a.so\n"},
         " 0x5139 0x5158 0x5178"},
        {"* thread #1, stop reason = signal SIGSEGV\n",
         {"  * frame #0: 0x0000000100000f54 app`f + 4\n", "    frame #1: 0x0000000100000f74 app`g + 4\n",
          "    frame #2: 0x0000000100000f94 app`main + 4\n"},
         " 0x100000f54 0x100000f73 0x100000f93"},
        {"app 21 100.0: 1 cycles:\n",
         {"\t7f5a f+0x1c (/lib/a.so)\n", "\t8f5b g+0x1c (/lib/a.so)\n", "\t9f5c h+0x1c (/lib/a.so)\n\n"},
         " 0x7f5a 0x8f5a 0x9f5b"},
        {"Thread 0 (crashed)\n",
         {" 0  app!f [a.cc : 1 + 0x2]\n    rip = 0x0000000000401136\n", " 1  app + 0x1156\n", " 2  app + 0x1176\n"},
         " 0x401136 0x1155 0x1175"},
        {"Native frames: (J=compiled Java code, j=interpreted, Vv=VM code, C=native code)\n",
         {"C  [libc.so.6+0x12]  f+0x1\n", "C  [libc.so.6+0x22]  g+0x1\n", "C  [libc.so.6+0x32]  h+0x1\n"},
         " 0x12 0x21 0x31"},
        {"Received signal 11 SEGV_MAPERR 7f6b0c580000\n==== C stack trace ====\n",
         {"[0x7f6b13882bf1]\n", "[0x7f6b137dadb5]\n", "[0x7f6b0d5c2340]\n"},
         " 0x7f6b13882bf0 0x7f6b137dadb4 0x7f6b0d5c233f"},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (size_t flush_at = 0; flush_at < 3; flush_at++) {
            struct fm_buf out;
            looked_up(cases[c].title, cases[c].rows, flush_at, &out);
            if (!fm_str_equal(fm_buf_view(&out), framemap_str_of(cases[c].addresses)))
                fail_msg("%s, flush at %zu:%.*s", cases[c].title, flush_at, (int)out.size, out.data);
            fm_buf_free(&out);
        }
}

/* The rows of a tree of calls are callers if a deeper row follows, also below a flush. The row directly above a flush
 * is taken for the innermost one. */
static void test_flushed_tree(void **state)
{
    static const char title[] = "Analysis Tool:   /usr/bin/sample\n\nCall graph:\n    5 Thread_1   a  (serial)\n";
    static const char *const rows[] = {"    + 5 f  (in Demo) + 4  [0x10010]\n",
                                       "    +   5 g  (in Demo) + 4  [0x10020]\n",
                                       "    +     5 h  (in Demo) + 4  [0x10030]\n", NULL};
    static const char *const wanted[] = {" 0x1000f 0x1001f 0x10030", " 0x10010 0x1001f 0x10030",
                                         " 0x1000f 0x10020 0x10030"};
    (void)state;
    for (size_t flush_at = 0; flush_at < 3; flush_at++) {
        struct fm_buf out;
        looked_up(title, rows, flush_at, &out);
        if (!fm_str_equal(fm_buf_view(&out), framemap_str_of(wanted[flush_at])))
            fail_msg("flush at %zu:%.*s", flush_at, (int)out.size, out.data);
        fm_buf_free(&out);
    }
}

/* Tests a stack that is ended by a flush and continues without further frames. The rest of the stack must hold back no
 * text. The memory of earlier text must be freed, although the thread and process of the stack are still known;
 * sanitizers detect reads of freed memory. */
static void test_flushed_rest(void **state)
{
    static const struct {
        size_t step;
        unsigned flush;
    } cases[] = {{20, 7}, {20, 11}, {31, 11}, {50, 7}};
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const framemap_stream_options options = {
            .size = sizeof options, .restore = {.size = sizeof options.restore, .output = "json"}, .hold_bytes = 4096};
        framemap_file *file;
        assert_int_equal(framemap_file_open(DEMO "/logcat.txt", NULL, &file, NULL), FRAMEMAP_OK);
        const framemap_str text = framemap_file_bytes(file);
        struct fm_buf out;
        framemap_stream *stream = NULL;
        unsigned pieces = 0;
        fm_buf_init(&out, &heap);
        assert_int_equal(framemap_stream_open(session, &options, gather, &out, &stream, NULL), FRAMEMAP_OK);
        for (int round = 0; round < 20; round++)
            for (size_t at = 0; at < text.size; at += cases[c].step) {
                assert_int_equal(framemap_stream_feed(stream, fm_str_slice(text, at, at + cases[c].step), NULL),
                                 FRAMEMAP_OK);
                if (++pieces % cases[c].flush == 0) assert_int_equal(framemap_stream_flush(stream, NULL), FRAMEMAP_OK);
            }
        framemap_error error;
        assert_int_equal(framemap_stream_close(stream, NULL, &error), FRAMEMAP_OK);
        assert_true(out.size > 0);
        fm_buf_free(&out);
        framemap_file_close(file);
    }
}

/* Returns the registers in the JSON of a stream's last trace. flush_at: the stream is flushed before this line of the
 * text; 0: it is not flushed. */
static void last_registers(framemap_str text, size_t flush_at, struct fm_buf *out)
{
    static const framemap_str mark = FM_STR_INIT("\"registers\":{");
    const framemap_stream_options options = {.size = sizeof options,
                                             .restore = {.size = sizeof options.restore, .output = "json"}};
    framemap_stream *stream;
    struct fm_buf json;
    framemap_error error;
    fm_buf_init(&json, &heap);
    fm_buf_init(out, &heap);
    assert_int_equal(framemap_stream_open(session, &options, gather, &json, &stream, NULL), FRAMEMAP_OK);
    for (size_t at = 0, line = 0, size; at < text.size; at += size, line++) {
        size = fm_str_find_byte(fm_str_from(text, at), '\n') + 1;
        if (flush_at && line == flush_at) assert_int_equal(framemap_stream_flush(stream, NULL), FRAMEMAP_OK);
        assert_int_equal(framemap_stream_feed(stream, fm_str(text.data + at, size), NULL), FRAMEMAP_OK);
    }
    assert_int_equal(framemap_stream_close(stream, NULL, &error), FRAMEMAP_OK);
    const framemap_str all = fm_buf_view(&json);
    const size_t at = fm_str_find_last(all, mark);
    const framemap_str rest = at == FM_NOT_FOUND ? fm_str(NULL, 0) : fm_str_from(all, at + mark.size);
    fm_buf_str(out, fm_str_slice(rest, 0, rest.size ? fm_str_find_byte(rest, '}') : 0));
    fm_buf_free(&json);
}

/* Registers of a stack that is written early: the rest of the stack has them as well, and those that follow. */
static void test_flushed_registers(void **state)
{
    static const struct {
        const char *why, *text;
        size_t flush_from, flush_to; /* the lines before which the stream is flushed */
        const char *registers;
    } cases[] = {
        {"the registers of the first frame, and not of the next",
         "CPU: amd64\nThread 0 (crashed)\n 0  app!f [a.cc : 1 + 0x2]\n"
         "    rax = 0x01   rdx = 0x02\n    rcx = 0x03   rbx = 0x04\n    rsi = 0x05   rdi = 0x06\n"
         "    r08 = 0x08   r09 = 0x09\n    r10 = 0x0a   r11 = 0x0b\n    r12 = 0x0c   r13 = 0x0d\n"
         "    r14 = 0x0e   r15 = 0x0f\n    rbp = 0x10   rsp = 0x11\n    rip = 0x12\n"
         "    Found by: given as instruction pointer in context\n"
         " 1  app!main [a.cc : 9 + 0x2]\n    rip = 0x22\n    Found by: call frame info\n"
         " 2  app!start\n    rip = 0x32\n    Found by: call frame info\n",
         3, 18,
         "\"rax\":\"0x1\",\"rdx\":\"0x2\",\"rcx\":\"0x3\",\"rbx\":\"0x4\",\"rsi\":\"0x5\",\"rdi\":\"0x6\",\"r08\":"
         "\"0x8\","
         "\"r09\":\"0x9\",\"r10\":\"0xa\",\"r11\":\"0xb\",\"r12\":\"0xc\",\"r13\":\"0xd\",\"r14\":\"0xe\",\"r15\":"
         "\"0xf\","
         "\"rbp\":\"0x10\",\"rsp\":\"0x11\",\"rip\":\"0x12\""},
        {"rows that do not say how the frame was found: each frame still has registers of its own",
         "CPU: amd64\nThread 0 (crashed)\n 0  app!f [a.cc : 1 + 0x2]\n    rax = 0x01   rip = 0x02\n"
         " 1  app!main [a.cc : 9 + 0x2]\n    rip = 0x22\n 2  app!start\n    rip = 0x32\n",
         3, 7, "\"rax\":\"0x1\",\"rip\":\"0x2\""},
        {"the kernel's registers are those of a trace with one frame; the next trace has them if it was written early",
         "[   12.1] BUG: kernel NULL pointer dereference, address: 0000000000000008\n"
         "[   12.2] CPU: 1 PID: 412 Comm: cart Not tainted 6.1.0 #1\n[   12.3] RIP: 0010:cart_add+0x1c/0x90 [cart]\n"
         "[   12.4] RSP: 0018:ffffc90000a57d90 EFLAGS: 00010283\n[   12.5] RAX: 0000000000000001 RBX: "
         "0000000000000002\n"
         "[   12.6] RCX: 0000000000000003 RDX: 0000000000000004\n[   12.7] Call Trace:\n"
         "[   12.8]  cart_write+0x2c/0x40 [cart]\n[   12.9]  vfs_write+0x3c/0x50\n",
         1, 8,
         "\"RSP\":\"0xffffc90000a57d90\",\"EFLAGS\":\"0x10283\",\"RAX\":\"0x1\",\"RBX\":\"0x2\",\"RCX\":\"0x3\","
         "\"RDX\":\"0x4\""},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (size_t flush_at = cases[c].flush_from - 1; flush_at <= cases[c].flush_to; flush_at++) {
            struct fm_buf out;
            last_registers(framemap_str_of(cases[c].text), flush_at < cases[c].flush_from ? 0 : flush_at, &out);
            if (!fm_str_equal(fm_buf_view(&out), framemap_str_of(cases[c].registers)))
                fail_msg("%s, flush at %zu: %.*s", cases[c].why, flush_at, (int)out.size, out.data);
            fm_buf_free(&out);
        }
}

/* A Dart stack that is written in parts: the numbers go on, since Dart's rows are numbered anew. Two stacks whose rows
 * alternate are apart. */
static void test_flushed_numbers(void **state)
{
#define HEAD(tid)                                                                                             \
    "*** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***\npid: 25392, tid: " tid                  \
    ", name DartWorker\nos: linux arch: x64 comp: no sim: no\nbuild_id: '7865a788effaac4f68fe03b1a21f3c66'\n" \
    "isolate_dso_base: 7f41fbaf4000, vm_dso_base: 0\nisolate_instructions: 7f41fbaf5400, vm_instructions: 0\n"
#define ROW(number, low) \
    "    #" number " abs 00007f41fbaf54" low " virt 00000000000014" low " _kDartSnapshotText+0x" low "\n"
    static const char *const parts[] = {HEAD("21") ROW("00", "61"), ROW("01", "66") ROW("02", "6b"), ROW("03", "70"),
                                        "\n" HEAD("22") ROW("00", "61"), ROW("01", "66")};
    static const char path[] = FM_SOURCE_DIR "/corpus/dart/app.x64-3.13.symbols";
    framemap_error error;
    (void)state;
    assert_int_equal(framemap_session_add(session, path, &error), FRAMEMAP_OK);
    for (unsigned flushes = 0; flushes < 1u << 4; flushes++) {
        const framemap_stream_options options = {.size = sizeof options};
        framemap_stream *stream;
        struct fm_buf out;
        fm_buf_init(&out, &heap);
        assert_int_equal(framemap_stream_open(session, &options, gather, &out, &stream, NULL), FRAMEMAP_OK);
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
            assert_int_equal(framemap_stream_feed(stream, framemap_str_of(parts[i]), NULL), FRAMEMAP_OK);
            if (flushes >> i & 1) assert_int_equal(framemap_stream_flush(stream, NULL), FRAMEMAP_OK);
        }
        assert_int_equal(framemap_stream_close(stream, NULL, &error), FRAMEMAP_OK);
        unsigned next = 0, stacks = 0;
        framemap_str rest = fm_buf_view(&out);
        for (size_t at; (at = fm_str_find(rest, FM_STR("\n#"))) != FM_NOT_FOUND;) {
            rest = fm_str_from(rest, at + 2);
            const unsigned number = (unsigned)strtoul(rest.data, NULL, 10);
            if (number == 0) stacks++;
            if (number != (number ? next : 0)) fail_msg("flushes %x: %.*s", flushes, (int)out.size, out.data);
            next = number + 1;
        }
        if (stacks != 2 || next < 2) fail_msg("flushes %x: %.*s", flushes, (int)out.size, out.data);
        fm_buf_free(&out);
    }
#undef HEAD
#undef ROW
}

/* The order of traces does not depend on the cuts, although a row begins above the line that shows it to be one, and
 * lines of another process are between the two. */
static void test_alternating(void **state)
{
#define ROW(pid, text) "11-21 10:00:00.000   " pid "   " pid " E App: " text "\n"
#define QUIET ROW("400", "took 3 ms, in all") ROW("400", "took 4 ms, in all") ROW("400", "took 5 ms, in all")
#define PAUSE QUIET QUIET QUIET QUIET QUIET QUIET QUIET QUIET /* after as many lines, a stack has ended */
#define OTHER ROW("400", "java.lang.Error: x") ROW("400", "\tat a.b.c(SourceFile:1)") PAUSE
    static const struct {
        const char *why, *text;
    } cases[] = {
        {"a row of Go without a title", ROW("300", "main.run(0x1)") OTHER ROW("300", "\t/app/main.go:12 +0x1d")},
        {"a row of Go below a title",
         ROW("300", "goroutine 7 [running]:") ROW("300", "main.run(0x1)") OTHER ROW("300", "\t/app/main.go:12 +0x1d")},
        {"a second row of Go",
         ROW("300", "goroutine 7 [running]:") ROW("300", "main.run(0x1)") ROW("300", "\t/app/main.go:12 +0x1d")
             ROW("300", "main.main()") OTHER ROW("300", "\t/app/main.go:24 +0x2d") QUIET},
    };
    static const char *const outputs[] = {"text", "json", "plain", "sentry"};
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (size_t o = 0; o < sizeof outputs / sizeof *outputs; o++)
            assert_int_equal(differences(cases[c].why, framemap_str_of(cases[c].text), outputs[o]), 0);
#undef OTHER
#undef PAUSE
#undef QUIET
#undef ROW
}

/* Appends the functions in the JSON of a stream's frames, each after a blank. flush_at: the stream is flushed before
 * this line of the text; 0: it is not flushed. */
static void functions_of(framemap_str text, size_t flush_at, struct fm_buf *out)
{
    static const framemap_str mark = FM_STR_INIT("\"printed\":{\"function\":\"");
    const framemap_stream_options options = {.size = sizeof options,
                                             .restore = {.size = sizeof options.restore, .output = "json"}};
    framemap_stream *stream;
    struct fm_buf json;
    framemap_error error;
    fm_buf_init(&json, &heap);
    fm_buf_init(out, &heap);
    assert_int_equal(framemap_stream_open(session, &options, gather, &json, &stream, NULL), FRAMEMAP_OK);
    for (size_t at = 0, line = 0, size; at < text.size; at += size, line++) {
        size = fm_str_find_byte(fm_str_from(text, at), '\n') + 1;
        if (flush_at && line == flush_at) assert_int_equal(framemap_stream_flush(stream, NULL), FRAMEMAP_OK);
        assert_int_equal(framemap_stream_feed(stream, fm_str(text.data + at, size), NULL), FRAMEMAP_OK);
    }
    assert_int_equal(framemap_stream_close(stream, NULL, &error), FRAMEMAP_OK);
    framemap_str rest = fm_buf_view(&json);
    for (size_t at; (at = fm_str_find(rest, mark)) != FM_NOT_FOUND;) {
        rest = fm_str_from(rest, at + mark.size);
        fm_buf_byte(out, ' ');
        fm_buf_str(out, fm_str_slice(rest, 0, fm_str_find_byte(rest, '"')));
    }
    fm_buf_free(&json);
}

/* No frame is lost by a flush, also not one of two lines between which the flush is. */
static void test_flushed_frames(void **state)
{
    static const struct {
        const char *why, *text, *functions;
    } cases[] = {
        {"the position of a frame of Go is below its function",
         "goroutine 1 [running]:\nmain.run(0xc000012345, 0x3)\n\t/app/main.go:12 +0x1d\nmain.main()\n"
         "\t/app/main.go:24 +0x1d\ncreated by main.start in goroutine 7\n\t/app/main.go:40 +0x9a\n",
         " main.run main.main main.start"},
        {"source lines of IPython are between the rows, of which the last one is far below",
         "ZeroDivisionError                         Traceback (most recent call last)\nFile ~/shop.py:2, in f(x)\n"
         "      1 def f(x):\n----> 2     g(x)\n      3     a = 1\n      4     b = 2\n      5     c = 3\n      6     d "
         "= 4\n"
         "      7     e = 5\n      8     f = 6\n      9     g = 7\n     10     h = 8\n     11     i = 9\n     12     j "
         "= 0\n\n"
         "File ~/shop.py:14, in g(x)\n     13 def g(x):\n---> 14     return 1 / x\n\nZeroDivisionError: division by "
         "zero\n",
         " f g"},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const framemap_str text = framemap_str_of(cases[c].text);
        for (size_t flush_at = 0; flush_at < fm_str_count_byte(text, '\n'); flush_at++) {
            struct fm_buf out;
            functions_of(text, flush_at, &out);
            if (!fm_str_equal(fm_buf_view(&out), framemap_str_of(cases[c].functions)))
                fail_msg("%s, flush at %zu:%.*s", cases[c].why, flush_at, (int)out.size, out.data);
            fm_buf_free(&out);
        }
    }
}

/* JSON strings that contain stacks stay in their line, even if the text before them was written earlier. */
static void test_strings(void **state)
{
#define URL "https://shop.example/js/shop.js?v=7"
    static const char text[] =
        "a line\n"
        "{\"m\":\"x\",\"stack\":\"c@" URL ":1:185\\n@" URL ":1:255\\n\",\"n\":1}\n"
        "ERROR\t{\"stack\":[\"Error: x\",\"    at c (" URL ":1:185)\",\"    at " URL ":1:255\"],\"n\":1}\n";
#undef URL
    struct fm_buf out;
    (void)state;
    assert_int_equal(differences("strings", FM_STR(text), "text"), 0);
    run(FM_STR(text), "text", LINES, &out);
    const framemap_str printed = fm_buf_view(&out);
    assert_int_equal(fm_str_count_byte(printed, '\n'), 3);
    assert_int_equal(fm_str_find(printed, FM_STR(":1:185")), FM_NOT_FOUND);
    fm_buf_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cuts),
                                       cmocka_unit_test(test_events),
                                       cmocka_unit_test(test_long),
                                       cmocka_unit_test(test_lanes),
                                       cmocka_unit_test(test_flush),
                                       cmocka_unit_test(test_others),
                                       cmocka_unit_test(test_documents),
                                       cmocka_unit_test(test_in_document),
                                       cmocka_unit_test(test_long_event),
                                       cmocka_unit_test(test_flushed_rest),
                                       cmocka_unit_test(test_flushed_registers),
                                       cmocka_unit_test(test_flushed_numbers),
                                       cmocka_unit_test(test_strings),
                                       cmocka_unit_test(test_alternating),
                                       cmocka_unit_test(test_flushed_frames),
                                       cmocka_unit_test(test_flushed_addresses),
                                       cmocka_unit_test(test_flushed_tree)};
    return cmocka_run_group_tests_name("streams", tests, open_session, close_session);
}
