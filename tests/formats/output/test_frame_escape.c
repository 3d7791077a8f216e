/* Tests that control characters in names from symbol files are escaped, whatever the format of the text. There is a
 * sample for each entry of the table of formats. */
#include "core/text/buffer.h"
#include "core/text/escape.h"
#include "formats/output/frame_escape.h"
#include "tests/formats/formats_help.h"

#define STARS "*** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***\n"
#define ZEROS_64 "0000000000000000000000000000000000000000000000000000000000000000"
/* 184 zero bytes, as hexadecimal digits */
#define ZEROS ZEROS_64 ZEROS_64 ZEROS_64 ZEROS_64 ZEROS_64 "000000000000000000000000000000000000000000000000"
#define ID "e7007f2a589d01294b5dc6b74cdc3dd9"

static const struct {
    const char *format, *text;
} samples[] = {
    {"java",
     "a.b: a.c\n\tat a.b.c(SourceFile:1)\n\tat a.b.c(SourceFile:2)\nCaused by: a.b\n\tat a.b.d(Unknown Source)\n"},
    {"dart", STARS "pid: 1, tid: 2, name 1.ui\nos: android arch: arm64 comp: yes sim: no\nbuild_id: '" ID "'\n"
                   "isolate_dso_base: 1000, vm_dso_base: 0\nisolate_instructions: 2000, vm_instructions: 0\n"
                   "    #00 abs 0000000000002013 virt 0000000000001013 _kDartSnapshotText+0x13\n"},
    {"dart-crash", "  pc 0x00007f5fd5a4a2a4 fp 0x00007ffe3e5b4f30 _kDartSnapshotText+0x13\n"},
    {"js-v8", "Error: x\n    at f (a.js:1:2)\n    at a.js:1:2\n"},
    {"unreal", "LogAndroid: Error: [Callstack] 0x0000007ca9b58754 libShop.so(0x00000000003db754)![Unknown]()  []\n"},
    {"hermes", "Error: x\n    at g (address at a.hbc:1:2)\n"},
    {"android-tombstone", "    #00 pc 0001  /d/base.apk!l.so (offset 0x1000) (f+4) (BuildId: 00112233AA)\n"},
    {"sentry-event",
     "{\"stacktrace\":{\"frames\":[{\"function\":\"f\",\"abs_path\":\"a.js\",\"lineno\":1,\"colno\":2}]}}\n"},
    {"bugsnag-event", "{\"stacktrace\":[{\"method\":\"f\",\"file\":\"a.js\",\"lineNumber\":1,\"columnNumber\":2}]}\n"},
    {"measure-event",
     "{\"frames\":[{\"class_name\":\"a.b\",\"method_name\":\"c\",\"file_name\":\"PG\",\"line_num\":3}]}\n"},
    {"crashlytics-export", "{\"frames\":[{\"symbol\":\"a.b.c\",\"file\":\"PG\",\"line\":3,\"owner\":\"x\"}]}\n"},
    {"cdp-call-frames",
     "{\"callFrames\":[{\"functionName\":\"f\",\"url\":\"a.js\",\"lineNumber\":1,\"columnNumber\":2}]}\n"},
    {"react-native-frames", "{\"stack\":[{\"methodName\":\"f\",\"file\":\"a.js\",\"lineNumber\":1,\"column\":2}]}\n"},
    {"android-anr", "\"main\" prio=5 tid=1 Native\n  native: #00 pc 0001  /l.so (f+4)\n"},
    {"android-short", "pc 0x10 a.so [x86::0011223344]\n"},
    {"apple-sample", "    24 ???  (in A)  load address 0x1000 + 0x10  [0x1010]\n"},
    {"apple-spindump", "  9  ??? (A + 16) [0x1010]\n"},
    {"apple-ips", "{\"threads\":[{\"frames\":[{\"imageOffset\":1,\"imageIndex\":0},{\"imageOffset\":2,\"imageIndex\":0}"
                  ",{\"imageOffset\":3,"
                  "\"imageIndex\":0}]}],\"usedImages\":[{\"base\":4096,\"size\":64,\"name\":\"A\"}]}\n"},
    {"apple-crash",
     "Process: A [1]\nThread 0 name: main\nThread 0 Crashed:\n0   A   0x0000000100000010 f+ 16 (b:) + 1\n"
     "Last Exception Backtrace:\n(0x100000010\n0x20)\n"
     "Binary Images:\n0x100000000 - 0x100000fff A arm64 <8C17697F-2e84-39e5-b491-fcf5169106ff> /A\n\n"},
    {"apple-one-line", "Thread 0: 0 a.dylib 0x0000000100000010 f + 1 1 A 0x0000000100000020 0x100000000 + 32\n"},
    {"apple-short", "App  0x0000000100000030 0x100000000 + 48 [8C17697F-2e84-39e5-b491-fcf5169106ff]\n"},
    {"apple-symbols",
     "*** First throw call stack:\n0   B   0x0000000200000010 B + 16\n1   B   0x0000000200000020 g + 1\n"},
    {"dart-symbolic", "flutter: #0      f (package:a/b.dart:1:2)\n#1      g (dart:async)\n"},
    {"dart-terse", "package:a/b.dart 1:2  f\ndart:async        g\nat h(b.dart:1)\n1  ???                            "
                   "0x0 k + 1 (b.dart:1)\nmain.dart.js 1:2  f\n"},
    {"minidump", "Thread 0 (crashed)\n 0  a!f + 0x1\n    eip = 0x10\n 1  b + 0x10\n"},
    {"minidump-machine", "0|0|a||||0x10\n0|1|a||||0x20\n"},
    {"minidump-json", "{\"frames\":[{\"module\":\"a\",\"module_offset\":\"0x10\",\"offset\":\"0x1010\"}]}\n"},
    {"error-event", "{\"backtrace\":[{\"file\":\"a.js\",\"function\":\"f\",\"line\":1,\"column\":2}]}\n"},
    {"error-event", "{\"backtrace\":[{\"b\":\"1000\",\"o\":\"10\",\"s\":\"f\"}]}\n"},
    {"error-event", "{\"nativeStack\":[{\"pc\":\"0x10\",\"symbol\":\"f+1 [a]\"}]}\n"},
    {"error-event", "{\"stack\":[{\"funcName\":\"f\",\"library\":\"a.js\",\"line\":1,\"column\":2}]}\n"},
    {"error-event", "{\"kind\":\"crashReport\",\"threads\":[{\"frames\":[{\"kind\":\"x\",\"address\":\"0x10\"}]}]}\n"},
    {"microdump", "-----BEGIN BREAKPAD MICRODUMP-----\nO A x86 01 i686\nC " ZEROS "10000000" ZEROS "\n"},
    {"symbolizer-markup", "{{{bt:0:0x10:pc}}}\n{{{bt:1:0x20}}}\n"},
    {"simpleperf", "Overhead  Command  Symbol\n1.00%     a        l.so[+1]\n       |\n       -- l.so[+1]\n"},
    {"leak-trace", "\xE2\x94\x9C\xE2\x94\x80 a.b instance\n\xE2\x95\xB0\xE2\x86\x92 a.c instance\n"},
    {"gdb", "#0  0x10 in f () from /a.so\n#1  0x20 in g () from /a.so\n"},
    {"lldb", "frame #0: 0x10 a`f + 1\nframe #1: 0x20 a`g + 1\n"},
    {"dotnet", "   at a!<BaseAddress>+0x10\n   at a!<BaseAddress>+0x20\n"},
    {"swift", "*** Program crashed: x ***\nThread 0 crashed:\n0 0x10 <unknown> in a\n1 [ra] 0x20\n"},
    {"coredump", "#0  0x10 f (a.so + 0x1)\n#1  0x20 n/a (/a.so + 0x2)\n"},
    {"coredump", "TID 7:\n#0  0x10 f\n#1  0x20 - 1 g - /usr/bin/a\n"},
    {"glog", "    @     0x10  f\n    @     0x20  (unknown)\n"},
    {"boost", " 0# f in ./app\n 1# 0x10 in ./app\n"},
    {"mozilla", "#01: ???[/l/a.so +0x10]\n#02: g[/l/a.so +0x20]\n"},
    {"xorg", "(EE) 0: /a (f+0x1) [0x10]\n(EE) 1: /a (0x10+0x1) [0x11]\n"},
    {"tizen", " 0: f + 0x1 (0x10) [/a] + 0x1\n 1: (0x20) [/a] + 0x2\n"},
    {"backward", "#1    Object \"/a\", at 0x10, in f\n#0    Object \"/a\", at 0x20, in g\n"},
    {"execinfo", "0x10 <f+1> at ./app\n0x20: (g+0x1)\n"},
    {"execinfo", "0x10 - /l/a.so : f\n0x20 - /l/a.so : g\n"},
    {"clickhouse", "0. f @ 0x10 in /a\n1. a.cc:3: g @ 0x20 in /a\n"},
    {"kernel-fault", "a[1]: segfault at 8 ip 1010 sp 7f error 4 in a.so[10,1000+1000]\n"},
    {"kernel-fault", "a: unhandled page fault (11) at 0x0, code 0x805\npc : [<00001010>]    lr : [<00001020>]\n"},
    {"zig", "???:?:?: 0x10 in f (libc.so)\na.zig:1:2: 0x20 in g (b)\n"},
    {"apple-panic",
     "panic(cpu 2 caller 0x1): x\nBacktrace (CPU 2), Frame : Return Address\n0x10 : 0x20 \n0x30 : 0x40 k : "
     "f + 0x1\n"},
    {"hotspot", "C  [a.so+0x10]  f+0x1\nV  [a.so+0x20]\n"},
    {"perf-script", "a 1 1.500000: cycles:\n 7f5a main+0x1c (/a)\n 7f5b g (/a)\n"},
    {"rust", "wasm backtrace:\n    0: 0x61 - a.wasm!f\n    1: 0x62 - <unknown>!g\n    2: 0x63 - b.wasm!h\n"},
    {"samples", "0x0000000105340708(Flutter + 0x002b4708)\n"},
    {"sanitizer", "==1==ERROR: AddressSanitizer: x\n    #1 0x55 in f(int) (/l/b.so+0x10) (BuildId: 00112233AA)\n"},
    {"sanitizer", "  record_addr:0x1 record:0x55 (/l/b.so+0x10)\n"},
    {"glibc", "./a(+0x1) [0x11]\r\n./a(f+0x1)[0x21]\r\n"},
    {"js-other", "Error: x\n    at f (a.js:1)\n    at g (a.js:3)\n"},
    {"js-devtools", "f @ a.js:1:2\n(anonymous) @ a.js:3\n"},
    {"js-opera", "Error thrown at line 4, column 1 in f(x) in http://h/a.js:\n  x\nLine 1 of linked script "
                 "http://h/a.js: In function f\n"},
    {"js-dump",
     "==== JS stack trace ====\n    0: f [0x1] [/a.js:~2] [pc=0x3](this=1)\n    1: g [0x1] [/a.js:3] (this=1)\n"},
    {"js-console", "http://h/a.js: Line 1 : Uncaught Error: x\n"},
    {"js-console", "\xE2\x9A\xA1  Error: x\n\xE2\x9A\xA1  URL: http://h/a.js\n\xE2\x9A\xA1  a.js:1:2\n"},
    {"js-console", "{\"line\":1,\"column\":2,\"sourceURL\":\"http://h/a.js\"}\n"},
    {"js-console",
     "{\"type\":\"js.error\",\"error\":{\"message\":\"Uncaught Error: x\",\"url\":\"http://h/a.js\",\"line\":1,"
     "\"col\":2}}\n"},
    {"js-one-line", "Error: x at f (a.js:1:2) at g (a.js:3:4)\n"},
    {"js-one-line", "f@http://h/a.js:1:2g@http://h/a.js:3:4\n"},
    {"js-spidermonkey", "f/<@a.js:1:2\ng@a.js:3:4\n"},
    {"js-jsc", "f@a.js:1:2\n[native code]\n"},
    /* these stacks are within JSON strings, so the names are escaped twice */
    {"java", "{\"s\":\"Caused by: a.b: x\\n\\tat a.b.d(SourceFile:2)\\n\\tat a.b.d(SourceFile:3)\"}\n"},
    {"js-v8", "{\"s\":\"Error: x\\n    at f (a.js:1:2)\\n    at g (a.js:1:2)\"}\n"},
    {"android-tombstone", "{\"s\":\"x\\n#00 pc 0001  /l.so\"}\n"},
    {"rust", "{\"s\":\"wasm backtrace:\\n    0: 0x61 - a.wasm!f\\n    1: 0x62 - <unknown>!g\"}\n"},
    {"android-anr", "{\"s\":\"\\\"main\\\" tid=1 Native\\n  #00 pc 0001  /l.so\"}\n"},
};

#define HOSTILE "\n#0 forged\x1b[31m\t\r\x7f\xC2\x9B\xE2\x80\xA8\xE2\x80\xAE"
#define TEXT(words) {words, sizeof words - 1}
static const framemap_frame hostile[] = {
    {.class_name = TEXT("x.Y" HOSTILE),
     .function = TEXT("inner" HOSTILE),
     .symbol = TEXT("_Z5inner" HOSTILE),
     .name = TEXT("name" HOSTILE),
     .module = TEXT("lib" HOSTILE),
     .id = TEXT("aa" HOSTILE),
     .arch = TEXT("x86" HOSTILE),
     .file = TEXT("src/a.cc" HOSTILE),
     .declared_file = TEXT("src/a.h" HOSTILE),
     .line = 7,
     .column = 3,
     .inlined = true,
     .context = TEXT("one\x1b[31m\ttab\r\ntwo\rhalf\xC2\x9B\n"),
     .context_line = 6},
    {.class_name = TEXT("x.Z"), .function = TEXT("outer" HOSTILE), .file = TEXT("na\xC3\xAFve.cc"), .line = 21},
    {.symbol = TEXT("alone" HOSTILE),
     .function = TEXT("alone" HOSTILE),
     .has_function_offset = true,
     .function_offset = 4}};

static framemap_str shown(struct fm_arena *arena, framemap_str text)
{
    struct fm_buf buf;
    framemap_str kept;
    fm_buf_init(&buf, arena->heap);
    fm_buf_escaped(&buf, text);
    assert_true(fm_arena_str(arena, fm_buf_view(&buf), &kept));
    fm_buf_free(&buf);
    return kept;
}

/* Copies a chain with harmless names in place of the hostile ones. The chain and the copy must have the same form when
 * they are printed. */
static void disarm(struct fm_arena *arena, const framemap_frame *chain, size_t count, framemap_frame *out)
{
    for (size_t i = 0; i < count; i++) {
        out[i] = chain[i];
        framemap_str *const fields[] = {&out[i].class_name, &out[i].function, &out[i].symbol,
                                        &out[i].name,       &out[i].module,   &out[i].id,
                                        &out[i].arch,       &out[i].file,     &out[i].declared_file};
        for (size_t f = 0; f < sizeof fields / sizeof *fields; f++) *fields[f] = shown(arena, *fields[f]);
        if (out[i].context.size) out[i].context = FM_STR("one\\x1b[31m\ttab\ntwo\nhalf\\u009b\n");
    }
}

static void dress(struct parsed *parsed, const framemap_frame *chain, const framemap_frame_list *others,
                  framemap_str class_name)
{
    for (size_t t = 0; t < parsed->count; t++) {
        framemap_trace *trace = &parsed->traces[t];
        for (size_t f = 0; f < trace->frame_count; f++) {
            restore(&trace->frames[f], chain + f % 3, f % 3 == 2 ? 1 : 2);
            if (trace->frames[f].kind != FRAMEMAP_KIND_JAVA) continue;
            trace->frames[f].alternatives = others;
            trace->frames[f].alternative_count = 1;
        }
        for (size_t m = 0; m < trace->mention_count; m++) trace->mentions[m].restored = class_name;
    }
}

static bool has(framemap_str text, const char *words) { return fm_str_find(text, text_of(words)) != FM_NOT_FOUND; }

static void check_sample(const char *format, framemap_str text)
{
    struct parsed parsed;
    struct fm_buf got, want;
    framemap_frame harmless[3];
    parse_as(&parsed, text, format, NULL);
    if (parsed.count == 0) fail_msg("%s: the sample has no stack", format);
    disarm(&parsed.arena, hostile, 3, harmless);
    const framemap_frame_list bad = {hostile + 1, 1}, good = {harmless + 1, 1};
    dress(&parsed, harmless, &good, harmless[0].class_name);
    assert_int_equal(print_as(&parsed, text, "text", &want), FRAMEMAP_OK);
    dress(&parsed, hostile, &bad, hostile[0].class_name);
    assert_int_equal(print_as(&parsed, text, "text", &got), FRAMEMAP_OK);
    const framemap_str out = fm_buf_view(&got);
    same_text(format, "what is printed", out, fm_buf_view(&want));
    if (has(out, "\n#0 forged") || has(out, "\x1b") || has(out, "\x7f") || has(out, "\xC2\x9B") ||
        has(out, "\xE2\x80\xAE"))
        fail_msg("%s: a control character comes out", format);
    if (!has(out, "\\n#0 forged\\")) fail_msg("%s: the name does not come out", format);
    fm_buf_free(&got);
    fm_buf_free(&want);
    parsed_free(&parsed);
}

static void every_format(void **state)
{
    const struct fm_format *format;
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
        check_sample(samples[i].format, text_of(samples[i].text));
    for (size_t row = 0; (format = fm_format_at(row)) != NULL; row++) {
        bool any = format->print_frame == NULL;
        for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
            any = any || strcmp(samples[i].format, format->info.name) == 0;
        if (!any) fail_msg("%s has no sample here", format->info.name);
    }
}

/* Names from the report itself, not from symbol files, are printed unchanged, with their colours. */
static void what_the_report_says(void **state)
{
    static const char text[] = "a.b: x\n\tat a.b.c\x1b(SourceFile:1)\n";
    struct parsed parsed;
    struct fm_buf out;
    (void)state;
    parse(&parsed, text_of(text));
    assert_int_equal(parsed.count, 1);
    framemap_frame chain = {.class_name = FM_STR("x.Y\x1b"), .file = FM_STR("Y.java"), .line = 3};
    chain.function = parsed.traces[0].frames[0].function;
    char copy[8];
    assert_true(chain.function.size < sizeof copy);
    memcpy(copy, chain.function.data, chain.function.size);
    chain.function.data = copy;
    restore(&parsed.traces[0].frames[0], &chain, 1);
    assert_int_equal(print_as(&parsed, text_of(text), "text", &out), FRAMEMAP_OK);
    same_text("a name of the report", "text", fm_buf_view(&out), FM_STR("a.b: x\n\tat x.Y\\x1b.c\x1b(Y.java:3)\n"));
    fm_buf_free(&out);
    parsed_free(&parsed);
}

/* To avoid printing the frame lines of inlined calls twice, the program compares them with the lines that were printed.
 * A name that contains the end of one line and the start of the next must not be mistaken for these lines. */
static void inlined_rows(void **state)
{
    static const struct {
        const char *what, *text, *inner, *outer, *want;
    } rows[] = {{"plain", "\tat a.b.c(SourceFile:1)\n", "in", "out", "\tat x.Y.in(Y:3)\n\tat x.Y.out(Y:3)\n"},
                {"a line end and a prefix", "\tat a.b.c(SourceFile:1)\n", "in(Y:3)\n\tat x.Y.z", "out",
                 "\tat x.Y.in(Y:3)\\n\\tat x.Y.z(Y:3)\n\tat x.Y.out(Y:3)\n"},
                {"the same in the last row", "\tat a.b.c(SourceFile:1)\n", "in", "out\n\t",
                 "\tat x.Y.in(Y:3)\n\tat x.Y.out\\n\\t(Y:3)\n"},
                {"a tab where the row of the text has blanks", "  at a.b.c(SourceFile:1)\n", "\tin", "out",
                 "  at x.Y.\\tin(Y:3)\n  at x.Y.out(Y:3)\n"},
                {"a line end of the other kind", "\tat a.b.c(SourceFile:1)\r\n", "in\n", "o\rut",
                 "\tat x.Y.in\\n(Y:3)\r\n\tat x.Y.o\\rut(Y:3)\r\n"}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[64];
        struct parsed parsed;
        struct fm_buf out;
        snprintf(text, sizeof text, "a.b: x\n%s", rows[i].text);
        parse(&parsed, text_of(text));
        assert_int_equal(parsed.count, 1);
        framemap_frame chain[] = {{.class_name = FM_STR("x.Y"), .file = FM_STR("Y"), .line = 3},
                                  {.class_name = FM_STR("x.Y"), .file = FM_STR("Y"), .line = 3}};
        chain[0].function = text_of(rows[i].inner);
        chain[1].function = text_of(rows[i].outer);
        restore(&parsed.traces[0].frames[0], chain, 2);
        assert_int_equal(print_as(&parsed, text_of(text), "text", &out), FRAMEMAP_OK);
        same_text(rows[i].what, "text", fm_str_from(fm_buf_view(&out), 7), text_of(rows[i].want));
        fm_buf_free(&out);
        parsed_free(&parsed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_format), cmocka_unit_test(what_the_report_says),
                                       cmocka_unit_test(inlined_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
