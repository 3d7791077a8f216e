#include "tests/formats/native/native_help.h"

static const struct text_case texts[] = {
    {"images", "modules without a name, a mapping that is not the first, logs before elements, what an address is",
     "<== fatal exception: process crasher[4320] thread initial-thread[4332]\n"
     "[9.021] 1104:1106> {{{reset}}}\n"
     "ctx: {{{module:0x0:libdemo.so:elf:73461bc941eaa3203f2e8a1e602a57471b4727f2}}}\n"
     "{{{mmap:0x11000:0x8000:load:0:rx:0x1000}}}\n{{{mmap:0x10000:0x1000:load:0:r:0}}}\n"
     "{{{module:1::elf:09859c99ea115fa1}}}\n{{{mmap:0x50000:4096:load:1:rx:0x0}}}\n"
     "{{{bt:0:0x11344:pc}}}\n{{{bt:1:0x000113d4:ra:sp 0x3f540e65ef0}}} tail\n{{{bt:2:0x50010}}}\n"
     "{{{bt:0:0x60010}}}\n",
     "symbolizer-markup 8 thread:4332 named:initial-thread process:crasher pid:4320 crashed\n"
     "#0 m:libdemo.so absolute:0x11344 load:0x10000 id:73461bc941eaa3203f2e8a1e602a57471b4727f2\n"
     "#1 m:libdemo.so absolute:0x113d4 load:0x10000 return id:73461bc941eaa3203f2e8a1e602a57471b4727f2\n"
     "#2 m:<main> absolute:0x50010 load:0x50000 return id:09859c99ea115fa1\n"
     "symbolizer-markup 11\n#0 absolute:0x60010 return\n"},
    {"a kernel", "an image that is linked to a high address begins where its first mapping is",
     "{{{module:0:kernel:elf:0bf16acb54de1cee}}}\n"
     "{{{mmap:0xffffffff10000000:0x1ae1f0:load:0:rx:0xffffffff00000000}}}\n{{{bt:0:0xffffffff10088574}}}\n",
     "symbolizer-markup 3\n#0 m:kernel absolute:0xffffffff10088574 load:0xffffffff10000000 return "
     "id:0bf16acb54de1cee\n"},
    {"near misses", "elements of other tags, cut ones, templates",
     "{{{bt:0}}}\n{{{bt:x:0x1}}}\n{{{bt:0:1}}}\n{{{bt:0:0x1\n{{{pc:0x12}}}\n{{{name}}}\n{{{mmap:0x1:0x1:load:7:r:0}}}"
     "\n",
     ""},
};

static const struct text_case looks[] = {
    {"symbolizer-markup", "functions that were inlined have numbers after the frame's", "{{{bt:2:0x10:ra}}}\n",
     "#2.1 0x0000000000000010 in inner(int) src/a.cc:7:3\n"
     "#2 0x0000000000000010 in outer() src/a.cc:21\n"},
};

static void test_texts(void **state)
{
    (void)state;
    check_told(texts, sizeof texts / sizeof *texts);
}
static void test_looks(void **state)
{
    (void)state;
    check_looks(looks, sizeof looks / sizeof *looks, fm_test_chain, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_texts), cmocka_unit_test(test_looks)};
    return cmocka_run_group_tests_name("formats symbolizer markup", tests, NULL, NULL);
}
