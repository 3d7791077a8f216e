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
};
static const struct text_case looks[] = {
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
