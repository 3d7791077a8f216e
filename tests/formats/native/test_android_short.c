#include "tests/formats/formats_help.h"

static const struct text_case texts[] = {
    {"two", "no index: a stack is a run of rows",
     "pc 0x000000000004f0c4 libapp.so [arm64-v8a::77E6F9A1B2C3]\npc 0x0000000000000010 /system/lib64/libc.so "
     "[arm64-v8a::0011223344]\n",
     "android-short 1\n- m:libapp.so linked:0x4f0c4 id:77e6f9a1b2c3 arch:arm64-v8a\n"
     "- m:libc.so linked:0x10 id:0011223344 arch:arm64-v8a\n"},
    {"apart", "other text ends a stack", "pc 0x10 a.so [x86::0011223344]\na\nb\nc\npc 0x20 a.so [x86::0011223344]\n",
     "android-short 1\n- m:a.so linked:0x10 id:0011223344 arch:x86\nandroid-short 5\n- m:a.so linked:0x20 "
     "id:0011223344 arch:x86\n"},
    {"no id", "an id that is none is left out", "pc 0x10 a.so [x86::none]\n",
     "android-short 1\n- m:a.so linked:0x10 arch:x86\n"},
    {"long", "17 digits fit no register", "pc 0x00000000000000010 a.so [x86::0011223344]\n",
     "android-short 1\n- m:a.so id:0011223344 arch:x86 malformed\n"},
    {"near misses", "lines that only begin alike",
     "pc 10 a.so [x86::00]\npc 0x10 a.so [x86]\npc 0x10 [x86::00]\npc 0x10 a.so\n", ""},
    {"GrapheneOS", "the thread, the signal and the message are above; a name may hold parentheses",
     "type: crash\nflags: dev options enabled\nosVersion: google/shiba/shiba:16/BP2A.1/1:user/release-keys\nuid: 1000\n"
     "cmdline: com.example\nprocessUptime: 4s\n\nabortMessage: ouch\n\nsignal: 11 (SIGSEGV), code 9 (SEGV_MTESERR), "
     "faultAddr 900c\nthreadName: main\nMTE: enabled\n\nbacktrace:\n"
     "    /apex/lib64/libart.so (nterp_helper+152, pc 693388)\n"
     "    /data/app/~~A==/base.apk!libapp.so (pc 27c3d00)\n"
     "    /memfd:jit-cache (deleted) (a.b.-$$Nest$mc+1188, pc 21e1804)\n"
     "    /l/libui.so (run(void*) (.__uniq.226)+8, pc 55ee8)\n",
     "android-short 15 thread:main exception:signal: 11 (SIGSEGV), code 9 (SEGV_MTESERR), faultAddr 900c crashed\n"
     "- m:libart.so linked:0x693388 f:nterp_helper+152\n- m:libapp.so linked:0x27c3d00\n"
     "- m:/memfd:jit-cache (deleted) linked:0x21e1804 f:a.b.-$$Nest$mc+1188 unknown-image\n"
     "- m:libui.so linked:0x55ee8 f:run(void*) (.__uniq.226)+8\n"},
    {"GrapheneOS, alone", "rows without their header, as framemap printed them",
     "/l/libui.so (run(void*)+8, pc 55ee8) src/a.cc:7:3\n",
     "android-short 1\n- m:libui.so linked:0x55ee8 f:run(void*)+8 at:src/a.cc:7:3 not-needed\n"},
    {"near misses of GrapheneOS", "lines that only begin or end alike",
     "/l/a.so (pc)\n/l/a.so (f+1,pc 12)\n/l/a.so (rpc 12)\n/l/a.so (f, pc 1x)\na.so (pc 12)\n/l/a.so(pc 12)\n"
     "/l/a.so (f, pc 12) b\n[a] see (the rpc 12)\n",
     ""},
    {"Datadog", "numbers without a sign; all but the first are return addresses; the last is in no file",
     "0  pc 00052f3c  /data/app/~~x==/a.b-y==/lib/arm64/libapp.so (inner+24)\n"
     "1  pc 000530a0  /data/app/~~x==/a.b-y==/base.apk!/lib/arm64-v8a/libapp.so\n2  pc 7f00aa55\n"
     "0  pc 00052f3d  libapp.so\n",
     "android-short 1\n#0 m:libapp.so image:0x52f3c f:inner+24\n#1 m:libapp.so image:0x530a0 return\n"
     "#2 absolute:0x7f00aa55 return unknown-image\nandroid-short 4\n#0 m:libapp.so image:0x52f3d\n"},
    {"Datadog's JSON", "threads in strings",
     "{\"stack\":\"0  pc 00052f3c  /l/libapp.so\\n1  pc 000530a0  /l/libapp.so\\n\",\"b\":\"0  pc 00052f3c  "
     "/l/libapp.so\\n\"}\n",
     "android-short 1\n#0 m:libapp.so image:0x52f3c\n#1 m:libapp.so image:0x530a0 return\n"
     "android-short 1\n#0 m:libapp.so image:0x52f3c\n"},
    {"near misses of Datadog", "prose, and other numbers",
     "0  pc 00052f3c\n1  pc 0x52f3c  /l/a.so\n2 pc 00052f3c  /l/a.so\n3  pc 12  items\n4  pc x  /l/a.so\n", ""},
};
static const struct text_case looks[] = {
    {"Datadog", "its row with a name and a position", "1  pc 000530a0  /l/a.so (f+9)\n",
     "1  pc 000530a0  /l/a.so (inner(int)) src/a.cc:7:3\n1  pc 000530a0  /l/a.so (outer()) src/a.cc:21\n"},
    {"GrapheneOS", "the pc stays, the name gives way", "  /l/a.so (pc c7fdc)\n",
     "  /l/a.so (inner(int), pc c7fdc) src/a.cc:7:3\n  /l/a.so (outer(), pc c7fdc) src/a.cc:21\n"},
    {"chain", "one row for each function", "> pc 0x10 a.so [x86::0011223344]\n",
     "> pc 0x10 a.so [x86::0011223344] inner(int) at src/a.cc:7:3\n> pc 0x10 a.so [x86::0011223344] outer() at "
     "src/a.cc:21\n"},
};
static const struct text_case symbol_looks[] = {
    {"symbol", "without a file", "pc 0x10 a.so [x86::0011223344]\n", "pc 0x10 a.so [x86::0011223344] outer()+0x18\n"},
};

static void test_texts(void **state)
{
    (void)state;
    check_texts(texts, sizeof texts / sizeof *texts);
}
static void test_looks(void **state)
{
    (void)state;
    check_looks(looks, sizeof looks / sizeof *looks, fm_test_chain, 2);
    check_looks(symbol_looks, sizeof symbol_looks / sizeof *symbol_looks, fm_test_symbol, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_texts), cmocka_unit_test(test_looks)};
    return cmocka_run_group_tests_name("formats android-short", tests, NULL, NULL);
}
