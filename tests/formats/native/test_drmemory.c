#include "tests/formats/native/native_help.h"

static const struct text_case texts[] = {
    {"console", "a mark before each line; a leak",
     "~~Dr.M~~ Dr. Memory version 2.5.0\n~~Dr.M~~\n"
     "~~Dr.M~~ Error #1: UNADDRESSABLE ACCESS beyond top of stack: reading 0x07cfae0-0x07cfae8 8 byte(s)\n"
     "~~Dr.M~~ # 0 .text                           [C:\\my src/main.cpp:11]\n"
     "~~Dr.M~~ # 1 shop.exe!std::f<int, char>      [D:/a/pseudo-reloc.c:472]\n~~Dr.M~~ #10 KERNEL32.dll!Thunk\n"
     "~~Dr.M~~ Note: @0:00:02.315 in thread 2368\n~~Dr.M~~ Note: instruction: or     $0x0\n~~Dr.M~~\n"
     "~~Dr.M~~ Error #2: LEAK 15 direct bytes 0x9d7e10-0x9d7e1f + 0 indirect bytes\n"
     "~~Dr.M~~ # 0 replace_malloc               [d:\\alloc_replace.c:2577]\n~~Dr.M~~\n~~Dr.M~~ FINAL SUMMARY:\n",

     "drmemory 4 thread:2368 type:UNADDRESSABLE ACCESS beyond top of stack message:UNADDRESSABLE ACCESS beyond "
     "top of stack: reading 0x07cfae0-0x07cfae8 8 byte(s)\n"
     "#0 f:.text at:C:\\my src/main.cpp:11 not-needed\n"
     "#1 m:shop.exe f:std::f<int, char> at:D:/a/pseudo-reloc.c:472 not-needed\n"
     "#10 m:KERNEL32.dll f:Thunk not-needed\n"
     "drmemory 11 type:LEAK message:LEAK 15 direct bytes 0x9d7e10-0x9d7e1f + 0 indirect bytes\n"
     "#0 f:replace_malloc at:d:\\alloc_replace.c:2577 not-needed\n"},
    {"file", "the process; who freed and allocated the memory; addresses",
     "Dr. Memory version 1.11.0\nDr. Memory results for pid 3452: \"shop.exe\"\n\n"
     "Error #1: UNADDRESSABLE ACCESS: reading 0x00ee82a3-0x00ee82a4 1 byte(s)\n# 0 <not in a module> (0x00000010)\n"
     "# 1 app.exe!?                       +0x12      (0x00401012 <app.exe+0x1012>)\n# 2 app!_start\n"
     "Note: @0:00:01.149 in thread 6756\nNote: 0x00ee82a3-0x00ee82a4 overlaps memory 0x1-0x2 that was freed here:\n"
     "Note: # 0 replace_free                  [/src/alloc_replace.c:2706]\n"
     "Note: the memory was allocated here:\nNote: # 0 replace_malloc        [/src/alloc_replace.c:2577]\n\n"
     "Error #2: UNINITIALIZED READ: reading register eax\n# 0 main               [/home/u/a.c:46]\n\n=====\n",

     "drmemory 5 thread:6756 type:UNADDRESSABLE ACCESS message:UNADDRESSABLE ACCESS: reading 0x00ee82a3-0x00ee8"
     "2a4 1 byte(s) process:shop.exe pid:3452\n"
     "#0 absolute:0x10 unknown-image\n"
     "#1 m:app.exe absolute:0x401012+18 unknown-image\n"
     "#2 m:app f:_start not-needed\n"
     "drmemory 10 freed-by of 0 process:shop.exe pid:3452\n"
     "#0 f:replace_free at:/src/alloc_replace.c:2706 not-needed\n"
     "drmemory 12 allocated-by of 0 process:shop.exe pid:3452\n"
     "#0 f:replace_malloc at:/src/alloc_replace.c:2577 not-needed\n"
     "drmemory 15 type:UNINITIALIZED READ message:UNINITIALIZED READ: reading register eax process:shop.exe pid"
     ":3452\n"
     "#0 f:main at:/home/u/a.c:46 not-needed\n"},
    {"near misses", "errors and lists of other tools",
     "Error #1: it\n\n\n\n\n\n# 0 main [a.c:1]\nError # 2: x\n# 0 f\n", ""},
};

static void test_texts(void **state)
{
    (void)state;
    check_told(texts, sizeof texts / sizeof *texts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_texts)};
    return cmocka_run_group_tests_name("formats drmemory", tests, NULL, NULL);
}
