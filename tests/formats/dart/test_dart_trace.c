#include "core/text/buffer.h"
#include "tests/formats/formats_help.h"

#define STARS "*** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***\n"
#define ID "e7007f2a589d01294b5dc6b74cdc3dd9"

static const struct text_case texts[] = {
    {"3.13", "one text, vm_instructions 0",
     "Unhandled exception:\nBad state: x\n" STARS
     "pid: 1, tid: 2, name 1.ui\nos: android arch: arm64 comp: yes sim: no\nbuild_id: '" ID "'\n"
     "isolate_dso_base: 1000, vm_dso_base: 0\nisolate_instructions: 2000, vm_instructions: 0\n"
     "    #00 abs 0000000000002013 virt 0000000000001013 _kDartSnapshotText+0x13\n"
     "<asynchronous suspension>\n    #01 abs 0000000000002027 virt 0000000000001027 _kDartSnapshotText+0x27\n",
     "dart 9 thread:1.ui exception:Bad state: x arch:arm64\n#0 linked:0x1013 load:0x1000 id:" ID
     " f:_kDartSnapshotText+19\n- async-gap not-needed\n#1 linked:0x1027 load:0x1000 id:" ID
     " f:_kDartSnapshotText+39\n"},
    {"by starts", "an old VM prints the file: the nearer text below the address counts",
     STARS "os: linux arch: x64 comp: no sim: no\nisolate_instructions: 7000 vm_instructions: 3000\n"
           "    #00 abs 0000000000007813 /a/b.so\n    #01 abs 0000000000003a01 <unknown>\n",
     "dart 4 arch:x86_64\n#0 absolute:0x7813+2067\n#1 absolute:0x3a01+2561\n"},
    {"virtual", "without header and symbol the address as linked is left",
     "    #00 abs 00000000f0000013 virt 0000000000001013 /a/b.so\n", "dart 1\n#0 linked:0x1013\n"},
    {"nothing", "nor that", "    #00 abs 00000000f0000013 /a/b.so\n", "dart 1\n#0 absolute:0xf0000013 unknown-image\n"},
    {"units", "each has an id of its own; one that is not told of stays",
     STARS "build_id: '" ID "'\nloading_unit: 1, build_id: '" ID "', dso_base: 1000, instructions: 2000\n"
           "loading_unit: 2, build_id: '0123456789abcdef0123456789abcdef', dso_base: 8000, instructions: 9000\n"
           "isolate_dso_base: 1000, vm_dso_base: 0\nisolate_instructions: 2000, vm_instructions: 0\n"
           "    #00 abs 0000000000002013 unit 1 virt 0000000000001013 _kDartSnapshotText+0x13\n"
           "    #01 abs 0000000000009013 unit 2 virt 0000000000001013 _kDartSnapshotText+0x13\n"
           "    #02 abs 0000000000009013 unit 3 virt 0000000000001013 _kDartSnapshotText+0x13\n",
     "dart 7\n#0 linked:0x1013 load:0x1000 id:" ID " f:_kDartSnapshotText+19\n"
     "#1 m:loading unit 2 linked:0x1013 load:0x1000 id:0123456789abcdef0123456789abcdef f:_kDartSnapshotText+19\n"
     "#2 linked:0x1013 load:0x1000 f:_kDartSnapshotText unknown-image\n"},
    {"crashlytics", "the id on a line of its own, and words before each row",
     "BuildId: " ID "\nat . #00 abs 0 virt 0000000000203a2e _kDartIsolateSnapshotInstructions+0x7f\n",
     "dart 2\n#0 linked:0x203a2e id:" ID " f:_kDartIsolateSnapshotInstructions+127\n"},
    {"flutter on iOS", "the blank after Flutter's tag is not part of the header",
     "flutter: *** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***\n"
     "flutter: pid: 300, tid: 6171619328, name io.flutter.1.ui\nflutter: os: ios arch: arm64 comp: no sim: no\n"
     "flutter: isolate_dso_base: 1000, vm_dso_base: 1000\nflutter: isolate_instructions: 2000, vm_instructions: 1000\n"
     "flutter:     #00 abs 00002ae9 _kDartIsolateSnapshotInstructions+0xae9\n",
     "dart 6 thread:io.flutter.1.ui arch:arm64\n#0 absolute:0x2ae9 load:0x1000 "
     "f:_kDartIsolateSnapshotInstructions+2793\n"},
    {"two", "a header begins another",
     "    #00 abs 00000013 _kDartSnapshotText+0x13\n" STARS
     "    #01 abs 00000014 _kDartSnapshotText+0x14\n    #01 abs 00000015 _kDartSnapshotText+0x15\n",
     "dart 1\n#0 absolute:0x13 f:_kDartSnapshotText+19\ndart 3\n#1 absolute:0x14 f:_kDartSnapshotText+20\n"
     "dart 4\n#1 absolute:0x15 f:_kDartSnapshotText+21\n"},
    {"overflow", "numbers jump over what the VM left out",
     "#43 abs 13 _kDartSnapshotText+0x13\n...\n...\n#9915 abs 14 _kDartSnapshotText+0x14\n",
     "dart 1\n#43 absolute:0x13 f:_kDartSnapshotText+19\n- skipped not-needed\n- skipped not-needed\n"
     "#9915 absolute:0x14 f:_kDartSnapshotText+20\n"},
    {"sampled arm", "even addresses are no calls: the thread's place and return addresses",
     STARS "os: android arch: arm64 comp: yes sim: no\nisolate_instructions: 2000, vm_instructions: 1000\n"
           "    #00 abs 0000000000002ae8 _kDartIsolateSnapshotInstructions+0xae8\n    #01 abs 0000000000002a04 "
           "_kDartIsolateSnapshotInstructions+0xa04\n",
     "dart 4 arch:arm64\n#0 absolute:0x2ae8 f:_kDartIsolateSnapshotInstructions+2792\n"
     "#1 absolute:0x2a04 return f:_kDartIsolateSnapshotInstructions+2564\n"},
    {"sampled new", "Dart 3.13 has no isolate text",
     STARS "os: linux arch: x64 comp: no sim: no\nisolate_instructions: 2000, vm_instructions: 0\n"
           "    #03 abs 0000000000002ae9 _kDartIsolateSnapshotInstructions+0xae9\n",
     "dart 4 arch:x86_64\n#3 absolute:0x2ae9 return f:_kDartIsolateSnapshotInstructions+2793\n"},
    {"named", "names are there already",
     "#0      main.<anonymous closure> (package:app/main.dart:12:3)\n#1      _f (dart:core-patch/a.dart:7)\n#2      g "
     "(file:///x/y.dart)\n",
     "dart-symbolic 1\n#0 f:main.<anonymous closure> at:package:app/main.dart:12:3 not-needed\n#1 f:_f "
     "at:dart:core-patch/a.dart:7 not-needed\n"
     "#2 f:g at:file:///x/y.dart not-needed\n"},
    {"markers", "rows between frames that are not frames",
     "#0      f (package:app/main.dart:12:3)\n<asynchronous suspension>\n#1      new A.<anonymous closure> "
     "(org-dartlang-app:///b.dart:2:1)\n...     Normal element mounting (125 frames)\n#126    g "
     "(third_party/dart/sdk/lib/c.dart)\n#127    <invalid Dart instruction address>\n(elided 12 frames from class "
     "_RawReceivePort and dart:async)\n===== asynchronous gap ===========================\n#0      h "
     "(file:///tmp/d:7)\n(elided one frame from dart:async)\n",
     "dart-symbolic 1\n#0 f:f at:package:app/main.dart:12:3 not-needed\n- async-gap not-needed\n"
     "#1 f:new A.<anonymous closure> at:org-dartlang-app:///b.dart:2:1 not-needed\n"
     "- elided count:125 not-needed\n#126 f:g at:third_party/dart/sdk/lib/c.dart not-needed\n"
     "#127 invalid not-needed\n- elided count:12 not-needed\n- async-gap not-needed\n"
     "#0 f:h at:file:///tmp/d:7 not-needed\n- elided count:1 not-needed\n"},
    {"markers alone", "no frame above them", "<asynchronous suspension>\n...\n(elided 12 frames from dart:async)\n",
     ""},
    {"entities", "a trace that was copied from a page",
     "#0      main.&lt;anonymous closure&gt; (package:app/main.dart:12:3)\n&lt;asynchronous suspension&gt;\n",
     "dart-symbolic 1\n#0 f:main.<anonymous closure> at:package:app/main.dart:12:3 not-needed\n- async-gap "
     "not-needed\n"},
    {"flutter doctor", "a bullet before the first row",
     "    \xE2\x80\xA2 #0      f (package:app/main.dart:12:3)\n      #1      g (dart:async/zone.dart:1:2)\n",
     "dart-symbolic 1\n#0 f:f at:package:app/main.dart:12:3 not-needed\n#1 f:g at:dart:async/zone.dart:1:2 "
     "not-needed\n"},
    {"flutter run", "its tag before each line",
     "flutter: The following FooException was thrown building\nflutter: Bar(state: x#1(a:\nflutter: b)):\n"
     "flutter: FooException: one\nflutter: two\nflutter: \nflutter: When the exception was thrown, this was the "
     "stack:\nflutter: #0      f (package:app/main.dart:12:3)\nflutter: <asynchronous suspension>\n",
     "dart-symbolic 8 exception:The following FooException was thrown building\n"
     "#0 f:f at:package:app/main.dart:12:3 not-needed\n- async-gap not-needed\n! exception:FooException before:0\n"},
    {"crash", "the VM's dump has program counters as the machine had them",
     "os=linux, arch=x64, comp=no, sim=no\nisolate_instructions=2000, vm_instructions=0\n"
     "  pc 0x0000000000002013 fp 0x00007fff00000000 _kDartSnapshotText+0x13\n  pc 0x0000000000002027 fp "
     "0x00007fff00000010 "
     "_kDartSnapshotText+0x27\n"
     "  pc 0x0000000000009027 fp 0x00007fff00000010 /usr/bin/dart+0x27\n",
     "dart-crash 3 arch:x86_64\n- absolute:0x2013+19\n- absolute:0x2027 return+39\n- m:dart image:0x27 return\n"},
    {"crash, libraries and functions", "only their looks distinguish them",
     "  pc 0x11 fp 0x10 /x/lib (1)/libapp.so+0x27\n  pc 0x12 fp 0x10 libapp.so+0x28\n  pc 0x13 fp 0x10 dart+0x12340\n"
     "  pc 0x14 fp 0x10 C:\\app\\app.exe+0x29\n  pc 0x15 fp 0x10 clone+0x3f\n"
     "  pc 0x16 fp 0x10 shop::Cart::add(int, std::string)+0x1c\n  pc 0x17 fp 0x10 shop::run+0x12340\n",
     "dart-crash 1\n- m:libapp.so image:0x27\n- m:libapp.so image:0x28 return\n- m:dart image:0x12340 return\n"
     "- m:app.exe image:0x29 return\n- absolute:0x15 return f:clone+63\n"
     "- absolute:0x16 return f:shop::Cart::add(int, std::string)+28\n- absolute:0x17 return f:shop::run+74560\n"},
    {"crash, second list", "names are told, and places by the header",
     "os=linux, arch=x64, comp=no, sim=no\nisolate_instructions=2000, vm_instructions=0\n"
     "  pc 0x0000000000000000 fp 0x00007fff00000000 sp 0x0000000000000000 [Stub] Exit frame\n"
     "  pc 0x0000000000002027 fp 0x00007fff00000010 sp 0x00007fff00000008 [Optimized] _Set@3099033.add+0x1b\n",
     "dart-crash 3 arch:x86_64\n- absolute:0x0 f:Exit frame not-needed\n- absolute:0x2027 return+39\n"},
    {"crash, no distances", "code of the JIT, libraries without symbols, and old versions of the VM",
     "os=linux, arch=x64, comp=no, sim=no\nisolate_instructions=2000, vm_instructions=0\n"
     "  pc 0x0000000000000011 fp 0x00007fff00000010 dart::Assert::Fail(char const*, ...)\n"
     "  pc 0x0000000000000012 fp 0x00007fff00000010 Unknown symbol\n"
     "  pc 0x0000000000000013 fp 0x00007fff00000010 libapp.so+0x27\n"
     "  pc 0x0000000000000014 fp 0x00007fff00000010  \n-- End of DumpStackTrace\n"
     "  pc 0x0000000000000000 fp 0x00007fff00000000 sp 0x0000000000000000 [Stub] CallBootstrapNative\n"
     "  pc 0x0000000000002027 fp 0x00007fff00000010 sp 0x00007fff00000008 [Unoptimized] Cart.add\n",
     "dart-crash 3 arch:x86_64\n- absolute:0x11 f:dart::Assert::Fail(char const*, ...)\n- absolute:0x12 return\n"
     "- m:libapp.so image:0x27 return\ndart-crash 8 arch:x86_64\n- absolute:0x0 f:CallBootstrapNative not-needed\n"
     "- absolute:0x2027 return f:Cart.add not-needed\n"},
    {"crash, no header", "only names are told",
     "  pc 0x0000000000002027 fp 0x00007fff00000010 sp 0x00007fff00000008 [Optimized] _Set@3099033.add+0x1b\n",
     "dart-crash 1\n- absolute:0x2027 f:_Set@3099033.add not-needed\n"},
    {"near misses", "lines that only look alike",
     "#0 abs\n#00 abs xyz a\n#00 abs 12\n#00 ab 12 x\n#0 main (a.c:1)\n#0  (package:a.dart)\npc 0x10 fp 0x20\n#00 pc "
     "0010  /a.so (f+1)\n",
     "android-tombstone 8\n#0 m:a.so linked:0x10 f:f+1\n"},
};
static const framemap_frame chain[] = {{.kind = FRAMEMAP_KIND_DART,
                                        .index = 0,
                                        .function = {"A.inner", 7},
                                        .file = {"package:a/b.dart", 16},
                                        .line = 7,
                                        .column = 3,
                                        .inlined = true},
                                       {.kind = FRAMEMAP_KIND_DART,
                                        .index = -1,
                                        .function = {"made", 4},
                                        .file = {"package:a/b.dart", 16},
                                        .line = 8,
                                        .artificial = true},
                                       {.kind = FRAMEMAP_KIND_DART,
                                        .index = 1,
                                        .function = {"outer.<anonymous closure>", 25},
                                        .file = {"package:a/b.dart", 16},
                                        .line = 21}};
static const struct text_case looks[] = {
    {"plain", "the row moves to the line's begin; rows of the compiler's are left out",
     "    #00 abs 0013 _kDartSnapshotText+0x13\n",
     "#0      A.inner (package:a/b.dart:7:3)\n#1      outer.<anonymous closure> (package:a/b.dart:21)\n"},
    {"logcat", "one blank stands between a logger's words and the row",
     "I/flutter ( 3081):     #00 abs 0013 _kDartSnapshotText+0x13\n",
     "I/flutter ( 3081): #0      A.inner (package:a/b.dart:7:3)\nI/flutter ( 3081): #1      outer.<anonymous closure> "
     "(package:a/b.dart:21)\n"},
};
static const framemap_frame made[] = {
    {.kind = FRAMEMAP_KIND_DART, .index = -1, .function = {"stub X", 6}, .artificial = true}};

static void test_texts(void **state)
{
    (void)state;
    check_texts(texts, sizeof texts / sizeof *texts);
}
static void test_looks(void **state)
{
    (void)state;
    check_looks(looks, sizeof looks / sizeof *looks, chain, 3);
}

/* A frame is omitted if the compiler generated all of its functions. */
static void test_hidden(void **state)
{
    (void)state;
    struct parsed parsed;
    struct fm_buf out;
    const framemap_str text = text_of("a\n    #00 abs 0013 _kDartSnapshotText+0x13\nb\n");
    parse(&parsed, text);
    assert_int_equal(parsed.count, 1);
    parsed.traces[0].frames[0].status = FRAMEMAP_FRAME_OK;
    parsed.traces[0].frames[0].restored = (framemap_frame_list){made, 1};
    assert_int_equal(print_as(&parsed, text, "text", &out), FRAMEMAP_OK);
    same_text("hidden", "the text", fm_buf_view(&out), text_of("a\nb\n"));
    fm_buf_free(&out);
    parsed_free(&parsed);
}

/* A frame without a printed offset has the offset 0. */
static void test_no_offset(void **state)
{
    (void)state;
    struct parsed parsed;
    parse(
        &parsed,
        text_of(
            "  pc 0x0 fp 0x0 sp 0x0 [Stub] Exit frame\n  pc 0x27 fp 0x10 sp 0x8 [Optimized] _Set@3099033.add+0x1b\n"));
    assert_int_equal(parsed.count, 1);
    assert_int_equal(parsed.traces[0].frame_count, 2);
    for (size_t i = 0; i < 2; i++) {
        assert_false(parsed.traces[0].frames[i].has_function_offset);
        assert_int_equal(parsed.traces[0].frames[i].function_offset, 0);
    }
    parsed_free(&parsed);
}

/* Tests how the header of a trace and its error message are split into members. */
static void test_parts(void **state)
{
    (void)state;
    struct parsed parsed;
    parse(&parsed, text_of("Unhandled Exception: FooException: one\n  two\n" STARS
                           "pid: 12, tid: 34, name 1.ui\nos: ios arch: arm64 comp: yes sim: no\n"
                           "isolate_dso_base: 1000, vm_dso_base: 1000\n"
                           "    #00 abs 0000000000002013 virt 0000000000001013 _kDartSnapshotText+0x13\n"));
    assert_int_equal(parsed.count, 1);
    const framemap_trace *trace = &parsed.traces[0];
    const framemap_frame *frame = &trace->frames[0];
    same_text("parts", "type", trace->exception_type, text_of("FooException"));
    same_text("parts", "message", trace->exception_message, text_of("one\ntwo"));
    same_text("parts", "thread", trace->thread_name, text_of("1.ui"));
    same_text("parts", "thread id", trace->thread_id, text_of("34"));
    same_text("parts", "os", trace->os, text_of("ios"));
    assert_true(trace->has_process_id && trace->process_id == 12);
    assert_true(frame->has_absolute_address && frame->absolute_address == 0x2013);
    assert_true(frame->address == 0x1013 && frame->address_kind == FRAMEMAP_ADDRESS_LINKED);
    parsed_free(&parsed);
    parse(&parsed, text_of("The following FooException object was thrown building\nBar(state: x#1(a:\nb)):\none\n"
                           "two\n\nWhen the exception was thrown, this was the stack:\n"
                           "#0      f (package:app/main.dart:12:3)\n"));
    assert_int_equal(parsed.count, 1);
    same_text("box", "type", parsed.traces[0].exception_type, text_of("FooException"));
    same_text("box", "message", parsed.traces[0].exception_message, text_of("one\ntwo"));
    parsed_free(&parsed);
    parse(&parsed,
          text_of("## command\n\nflutter pub get\n\n## exception\n\nFooException: FooException: one\n, errno = "
                  "2)\n\n```\n#0      f (package:app/main.dart:12:3)\n```\n"));
    assert_int_equal(parsed.count, 1);
    same_text("tool", "type", parsed.traces[0].exception_type, text_of("FooException"));
    same_text("tool", "message", parsed.traces[0].exception_message, text_of("one\n, errno = 2)"));
    parsed_free(&parsed);
}

/* If a frame line contains words of a logger, these are kept when the name of the frame is restored. */
static void test_heads(void **state)
{
    (void)state;
    static const framemap_frame renamed[] = {{.kind = FRAMEMAP_KIND_DART,
                                              .index = 0,
                                              .function = {"Shop.total", 10},
                                              .file = {"package:a/b.dart", 16},
                                              .line = 7,
                                              .column = 3}};
    static const struct text_case rows[] = {{"flutter", "the tag stays", "flutter: #0      ex (package:a/b.dart:7:3)\n",
                                             "flutter: #0      Shop.total (package:a/b.dart:7:3)\n"},
                                            {"crashlytics", "the words stay",
                                             "at . #00 abs 0 virt 0000000000203a2e _kDartSnapshotText+0x7f\n",
                                             "at . #0      Shop.total (package:a/b.dart:7:3)\n"}};
    check_looks(rows, sizeof rows / sizeof *rows, renamed, 1);
}

static void test_crashes(void **state)
{
    (void)state;
    static const struct text_case rows[] = {
        {"signal", "process, thread and signal of the list of machine code",
         "===== CRASH =====\nsi_signo=Segmentation fault(11), si_code=1, si_addr=0x7f\n"
         "version=3.1.0 (stable) on \"android_arm64\"\n"
         "pid=12, thread=14, isolate_group=main(0x10), isolate=main(0x20)\n"
         "os=android, arch=arm64, comp=yes, sim=no\nisolate_instructions=2000, vm_instructions=1000\n"
         "  pc 0x11 fp 0x10 libapp.so+0x27\n-- End of DumpStackTrace\n"
         "  pc 0x0 fp 0x10 sp 0x0 [Stub] CallBootstrapNative\n",
         "dart-crash pid:12 tid:14 type:SIGSEGV signal:11 code:1 fault:0x7f frames:1\ndart-crash frames:1\n"},
        {"Apple", "the number twice",
         "si_signo=Abort trap: 6(6), si_code=x, si_addr=y\npid=x, thread=\n  pc 0x1 fp 0x1 a+0x1\n",
         "dart-crash type:SIGABRT signal:6 frames:1\n"},
        {"check", "no signal",
         "a.h: 253: error: unreachable code\nversion=2.5.0 on \"x\"\nthread=20, isolate=m(0x5)\n  pc 0x1 fp 0x1 "
         "a+0x1\n",
         "dart-crash tid:20 frames:1\n"},
        {"unknown", "a signal without a name", "si_signo=User defined signal 1\n  pc 0x1 fp 0x1 a+0x1\n",
         "dart-crash type:User defined signal 1 frames:1\n"},
    };
    check_models(rows, sizeof rows / sizeof *rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_texts),  cmocka_unit_test(test_looks),
                                       cmocka_unit_test(test_hidden), cmocka_unit_test(test_no_offset),
                                       cmocka_unit_test(test_parts),  cmocka_unit_test(test_heads),
                                       cmocka_unit_test(test_crashes)};
    return cmocka_run_group_tests_name("formats dart", tests, NULL, NULL);
}
