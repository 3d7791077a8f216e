#include "tests/formats/formats_help.h"

static const struct text_case texts[] = {
    {"mixed", "a thread is one trace: frames of machine code, then managed ones, with the classes of locks",
     "\"main\" prio=5 tid=1 Native\n  | group=\"main\" sCount=1\n  | sysTid=12 nice=-10\n"
     "  native: #00 pc 00085e64  /l/libc.so (__ioctl+12)\n  native: #01 pc 00000001  /l/libart.so\n"
     "  at a.b.c(SourceFile:4)\n  - locked <0x0cd03f02> (a bl.q)\n  at a.b.d(Native method)\n\n"
     "\"Signal Catcher\" daemon prio=10 tid=6 Runnable\n  native: #00 pc 00000001  /l/libart.so\n"
     "  (no managed stack frames)\n",
     "android-anr 4 thread:main\n#0 m:libc.so linked:0x85e64 f:__ioctl+12\n#1 m:libart.so linked:0x1\n"
     "- c:a.b f:c at:SourceFile:4\n- c:a.b f:d not-needed\n! class:bl.q before:3\n"
     "android-anr 11 thread:Signal Catcher\n#0 m:libart.so linked:0x1\n"},
    {"lambdas", "their file is a word", "\"main\" prio=5 tid=1 Native\n  at -$$Lambda$a$b.accept (lambda)\n",
     "android-anr 2 thread:main\n- c:-$$Lambda$a$b f:accept at:lambda\n"},
    {"older printers", "no word before the frames of machine code",
     "\"main\" prio=5 tid=1 NATIVE\n  #00 pc 00085e64  /l/libc.so\n  at a.b.c(SourceFile:4)\n",
     "android-anr 2 thread:main\n#0 m:libc.so linked:0x85e64\n- c:a.b f:c at:SourceFile:4\n"},
    {"Android 5.0", "rows of machine code without a number, in a thread alone",
     "  native: pc 00000001  /l/a.so\n\"main\" prio=5 tid=1 Native\n  native: pc 00085e64  /l/libc.so (f()+12)\n"
     "  native: pc 00000001  /l/a.so\n  native: pc-less\n",
     "android-anr 3 thread:main\n- m:libc.so linked:0x85e64 f:f()+12\n- m:a.so linked:0x1\n"},
    {"ART's log", "a place before each line; rows of the kernel are no frames",
     "runtime.cc:565] \"main\" prio=5 tid=1 Native\nruntime.cc:565]   kernel: futex_wait+0x120/0x25e\n"
     "runtime.cc:565]   native: #00 pc 00000001  /l/a.so\nruntime.cc:565]   at a.b.c(SourceFile:4)\nruntime.cc:565]\n"
     "java_vm_ext.cc:65] \"x y\" prio=5 tid=2 Native\njava_vm_ext.cc:65]   at a.b.d(PG:1)\n"
     "r b.cc:1] \"z\" prio=5 tid=3 Native\n",
     "android-anr 3 thread:main\n#0 m:a.so linked:0x1\n- c:a.b f:c at:SourceFile:4\n"
     "android-anr 7 thread:x y\n- c:a.b f:d at:PG:1\n"},
    {"debuggerd -b", "frames of machine code alone",
     "----- pid 7 at 2025-06-24 01:02:55 -----\nCmd line: com.x\nABI: 'arm64'\n\n\"binder:7_1\" sysTid=12\n"
     "    #00 pc 00085e64  /l/libc.so (__ioctl+12) (BuildId: 0123456789)\n\n----- end 7 -----\n",
     "android-anr 6 thread:binder:7_1 arch:arm64\n"
     "#0 m:libc.so linked:0x85e64 id:0123456789 arch:arm64 f:__ioctl+12\n"},
    {"not attached", "a thread that ART does not know, without an id of it",
     "\"main\" prio=5 tid=1 Native\n  at a.b.c(PG:4)\n\n\"hwuiTask0\" prio=10 (not attached)\n  | sysTid=9 nice=-2\n"
     "  native: #00 pc 00085e64  /l/libc.so\n",
     "android-anr 2 thread:main\n- c:a.b f:c at:PG:4\nandroid-anr 6 thread:hwuiTask0\n#0 m:libc.so linked:0x85e64\n"},
    {"a tombstone below", "its line of stars ends the dump",
     "\"main\" tid=1 Native\n  at a.b.c (PG:4)\n\n*** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***\n"
     "pid: 0, tid: 12 >>> com.x <<<\n\nbacktrace:\n  #00  pc 0x0000000000085e64  /l/libc.so (abort+164)\n",
     "android-anr 2 thread:main\n- c:a.b f:c at:PG:4\n"
     "android-tombstone 8\n#0 m:libc.so linked:0x85e64 f:abort+164\n"},
    {"names", "quotes and blanks in the name of a thread", "\"a \"b\" c\" prio=5 tid=9 Waiting\n  at a.b.c(PG:4)\n",
     "android-anr 2 thread:a \"b\" c\n- c:a.b f:c at:PG:4\n"},
    {"console", "pastes lose the lines between title and frames",
     "\"main\" tid=1 Blocked\n  at a.b.c (SourceFile:4)\n  - waiting to lock <0x0cd03f02> (a bl.q) held by thread 21\n",
     "android-anr 2 thread:main\n- c:a.b f:c at:SourceFile:4\n! class:bl.q before:1\n"},
    {"ends", "other text ends a thread, and its frames belong to others",
     "\"main\" prio=5 tid=1 Native\n  at a.b.c(PG:4)\n1\n2\n3\n4\n5\n6\n7\n8\n9\n\tat a.b.d(PG:5)\n",
     "android-anr 2 thread:main\n- c:a.b f:c at:PG:4\njava 12 thread:main\n- c:a.b f:d at:PG:5\n"},
    {"JSON", "the quotes of a title are escaped",
     "{\"s\":\"\\\"main\\\" prio=5 tid=1 Native\\n  native: #00 pc 0001  /l.so\\n  at a.b.c(PG:4)\"}\n",
     "android-anr 1 thread:main\n#0 m:l.so linked:0x1\n- c:a.b f:c at:PG:4\n"},
    {"HotSpot", "its threads have the number of a native thread: a stack of Java",
     "\"main\" #1 prio=5 os_prio=0 tid=0x00007f nid=0x1a02 runnable [0x00007f]\n\tat a.b.c(PG:1)\n",
     "java 2 thread:main\n- c:a.b f:c at:PG:1\n"},
    {"Crashlytics", "titles without quotes; what only resembles one ends nothing",
     "main (native):tid=1 systid=12 \n#00 pc 0x99000 libc.so (syscall + 32) (BuildId: 0123456789)\n"
     "       at a.b.c(Native method)\n\nPool #0 (1) (timed waiting): tid=22 systid=14\n       at a.b.d(PG:4)\n"
     "x (waiting)\ntid=2 systid=3\n(x):tid=1 systid=2\nx (y):tid=a systid=2\nx y):tid=1 systid=2\n"
     "       at a.b.e(PG:5)\n",
     "android-anr 2 thread:main\n#0 m:libc.so linked:0x99000 id:0123456789 f:syscall+32\n- c:a.b f:c not-needed\n"
     "android-anr 6 thread:Pool #0 (1)\n- c:a.b f:d at:PG:4\n- c:a.b f:e at:PG:5\n"},
    {"Play Console without the title", "rows of machine code, and those of Java directly below",
     "  #00  pc 0x0000000000085e64  /l/libc.so (__ioctl+12)\n  #01  pc 0x0000000000000001  /l/libart.so\n"
     "  at a.b.c (SourceFile:4)\n  - waiting on <0x0cd03f02> (a bl.q)\n  at a.b.d (Native method)\n\n"
     "  #00  pc 0x0000000000085e64  /l/libc.so\n\n  at a.b.e (SourceFile:4)\n",
     "android-anr 1\n#0 m:libc.so linked:0x85e64 f:__ioctl+12\n#1 m:libart.so linked:0x1\n"
     "- c:a.b f:c at:SourceFile:4\n- c:a.b f:d not-needed\n! class:bl.q before:3\n"
     "android-tombstone 7\n#0 m:libc.so linked:0x85e64\njava 9\n- c:a.b f:e at:SourceFile:4\n"},
    {"prose", "titles without threads", "\"prio=5 tid=1\nhe said \"main\" tid=1\n\"x\" prio=5\n", ""},
};

static const struct text_case models[] = {
    {"process", "the header of the dump",
     "----- pid 1705 at 2025-06-24 01:02:55.783306276+0800 -----\nCmd line: com.x.app\n"
     "Build fingerprint: 'F/K/k:14/U/488:userdebug/test-keys'\nABI: 'arm'\nDALVIK THREADS (86):\n"
     "\"main\" prio=5 tid=1 Native\n  at a.b.c(PG:4)\n\n\"x\" prio=5 tid=2 Waiting\n  at a.b.c(PG:4)\n"
     "----- end 1705 -----\n----- pid 8 at 2025 -----\n\"main\" prio=5 tid=1 Sleeping\n  at a.b.c(PG:4)\n",
     "android-anr pid:1705 process:com.x.app os:14 tid:1 name:main state:Native frames:1\n"
     "android-anr pid:1705 process:com.x.app os:14 tid:2 name:x state:Waiting frames:1\n"
     "android-anr pid:8 tid:1 name:main state:Sleeping frames:1\n"},
    {"xCrash", "the process is in the header of its report",
     "*** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***\nTombstone maker: 'xCrash 2.4.6'\n"
     "OS version: '10'\nABI: 'arm64'\npid: 21  >>> x.sample <<<\n\n"
     "--- --- --- --- --- --- --- --- --- --- --- --- --- --- --- ---\nCmd line: x.sample\n"
     "\"main\" prio=5 tid=1 Native\n  native: #00 pc 00000001  /l/a.so\n",
     "android-anr pid:21 process:x.sample os:10 tid:1 name:main state:Native frames:1\n"},
};

static const framemap_frame chain[] = {
    {.class_name = {"com.x.In", 8}, .function = {"inner", 5}, .file = {"In.kt", 5}, .line = 7, .inlined = true},
    {.class_name = {"com.x.Main", 10}, .function = {"run", 3}, .file = {"Main.java", 9}, .line = 21}};

static void test_texts(void **state)
{
    (void)state;
    check_texts(texts, sizeof texts / sizeof *texts);
    check_models(models, sizeof models / sizeof *models);
}

/* Restored frames are printed in the form that their kind has in these reports: native or Java. */
static void test_looks(void **state)
{
    struct parsed parsed;
    struct fm_buf out;
    const framemap_str text =
        FM_STR("\"main\" prio=5 tid=1 Native\n  native: #00 pc 0001  /l/a.so\n  at a.b.c(PG:4)\n");
    (void)state;
    parse(&parsed, text);
    assert_int_equal(parsed.count, 1);
    assert_int_equal(parsed.traces[0].frame_count, 2);
    restore(&parsed.traces[0].frames[0], fm_test_chain, 2);
    restore(&parsed.traces[0].frames[1], chain, 2);
    assert_int_equal(print_as(&parsed, text, "text", &out), FRAMEMAP_OK);
    same_text("mixed", "the restored text", fm_buf_view(&out),
              FM_STR("\"main\" prio=5 tid=1 Native\n  native: #00 pc 0001  /l/a.so (inner(int)) src/a.cc:7:3\n"
                     "  native: #00 pc 0001  /l/a.so (outer()) src/a.cc:21\n  at com.x.In.inner(In.kt:7)\n"
                     "  at com.x.Main.run(Main.java:21)\n"));
    fm_buf_free(&out);
    parsed_free(&parsed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_texts), cmocka_unit_test(test_looks)};
    return cmocka_run_group_tests_name("formats android-anr", tests, NULL, NULL);
}
