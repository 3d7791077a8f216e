#include "tests/formats/formats_help.h"

static const struct text_case texts[] = {
    {"raw", "address and module: the module's offset counts",
     "==12==ERROR: AddressSanitizer: heap-use-after-free on address 0x60\n"
     "    #0 0x55d0c5fe1a2b  (/path/My Lib.so+0x1234) (BuildId: 77e6f9a1b2)\n    #1 0x55d0 (/l/b.so+0x10)\n\n0x60 is "
     "located here\n"
     "freed by thread T0 here:\n    #0 0x77 (/l/b.so+0x11)\n",
     "sanitizer 2 exception:==12==ERROR: AddressSanitizer: heap-use-after-free on address 0x60 crashed\n"
     "#0 m:My Lib.so linked:0x1234 id:77e6f9a1b2\n#1 m:b.so linked:0x10\nsanitizer 7\n#0 m:b.so linked:0x11\n"},
    {"symbolised", "function, file and line: nothing is needed",
     "#0 0x64801a in read(unsigned int const*&) skia/src/a b.cpp:1819:15\n#1 0x1 in main /src/a.c:3\n",
     "sanitizer 1\n#0 absolute:0x64801a f:read(unsigned int const*&) skia/src/a at:b.cpp:1819:15 not-needed\n"
     "#1 absolute:0x1 f:main at:/src/a.c:3 not-needed\n"},
    {"open name", "a blank within a name's parentheses does not begin a file",
     "#0 0x1 in f(int, char const*)\n#1 0x2 in operator delete(void*)\n",
     "sanitizer 1\n#0 absolute:0x1 f:f(int, char const*)\n#1 absolute:0x2 f:operator delete(void*)\n"},
    {"windows", "module with backslashes, distance in hex",
     "  #28 0x7712ab8e in Init+0x8e (C:\\win dows\\ntdll.dll+0x5ab8e)\n",
     "sanitizer 1\n#28 m:ntdll.dll linked:0x5ab8e f:Init+142\n"},
    {"fuchsia", "sub index and module in angles",
     "   #3.1    0x000071dc39153f4c in f(char) ../toy.cc:12 <<app>>+0xacf4c\n",
     "sanitizer 1\n#3 m:<app> linked:0xacf4c f:f(char) at:../toy.cc:12 not-needed\n"},
    {"thread sanitizer", "no addresses: believed after a headline",
     "WARNING: ThreadSanitizer: data race (pid=1)\n    #0 w /src/t.cc:3 (t+0x123f)\n    #1 <null> <null> (t+0x10)\n    "
     "#2 start f.c:9\n",
     "sanitizer 2 exception:WARNING: ThreadSanitizer: data race (pid=1) crashed\n"
     "#0 m:t linked:0x123f f:w at:/src/t.cc:3 not-needed\n#1 m:t linked:0x10\n#2 f:start at:f.c:9 not-needed\n"},
    {"unknown place", "?? is no file", "#0 0x1 in f ??:0\n", "sanitizer 1\n#0 absolute:0x1 f:f\n"},
    {"no 0x", "bare digits count only before a name", "#0 beef12 in f a.c:1\n#1 beef12\n",
     "sanitizer 1\n#0 absolute:0xbeef12 f:f at:a.c:1 not-needed\n"},
    {"long", "17 digits", "#0 0x12345678123456781 (/l/b.so+0x10)\n#1 0x1 (/l/b.so+0x12345678123456781)\n",
     "sanitizer 1\n#0 f:(/l/b.so+0x10) malformed\n#1 m:b.so malformed\n"},
    {"near misses", "headings, libFuzzer's progress, issue numbers",
     "#1 is first\n# 0x10\n#2\tINITED cov: 3 ft: 4\n#12: cov: 1\n#12 0x\n", ""},
};
static const struct text_case looks[] = {
    {"chain", "as symbolised by the sanitizer, number repeated",
     "    #1 0x55d0  (/l/b.so+0x10) (BuildId: 0011223344)\n",
     "    #1 0x55d0 in inner(int) src/a.cc:7:3\n    #1 0x55d0 in outer() src/a.cc:21\n"},
};
static const struct text_case symbol_looks[] = {
    {"no address", "as TSan prints it", "#0 0x1 (/l/b.so+0x10)\n    #1 <null> <null> (t+0x10)\n",
     "#0 0x1 in outer() (/l/b.so+0x10)\n    #1 outer() (t+0x10)\n"},
    {"symbol", "the module stays where there is no file", "    #1 0x55d0  (/l/b.so+0x10) (BuildId: 0011223344)\n",
     "    #1 0x55d0 in outer() (/l/b.so+0x10) (BuildId: 0011223344)\n"},
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
    return cmocka_run_group_tests_name("formats sanitizer", tests, NULL, NULL);
}
