#include "tests/formats/native/native_help.h"

static const struct text_case texts[] = {
    {"breakpad", "registers give addresses, the modules at the end give ids and load addresses",
     "Operating system: Linux\n                  5.10.0\nCPU: amd64\n     family 6\n\nCrash reason:  SIGSEGV "
     "/SEGV_MAPERR\nCrash address: 0x45\nProcess uptime: 2 seconds\n\nThread 2 (crashed)\n"
     " 0  shop!cart::add(int) [cart.cc : 58 + 0x3]\n    rip = 0x0000000000401d72   rsp = 0x00007fff5ae4aa20\n"
     "    r10 = 0x0000000000000131\n    Found by: given as instruction pointer in context\n"
     " 1  shop!main + 0x1f\n    rip = 0x0000000000401e00   rsp = 0x00007fff5ae4aa40\n    Found by: call frame info\n"
     " 2  libc.so.6 + 0x20830\n    rip = 0x00007f5140020830\n    Found by: stack scanning\n"
     " 3  0x7f0012345678\n\nThread 3 (name: \"pool 1\")\n 0  libc.so.6!poll + 0x2d\n\nLoaded modules:\n"
     "0x00400000 - 0x00416fff  shop  ???  (main)  (WARNING: No symbols, shop, B7C04F7B5C2A80AF870A1C234668A0DE0)\n"
     "0x7f5140000000 - 0x7f5140200fff  libc.so.6  ???\n",
     "minidump 11 thread:2 type:SIGSEGV signal:SIGSEGV code:SEGV_MAPERR fault:0x45 arch:x86_64 os:Linux "
     "version:5.10.0 crashed rip=0x401d72 rsp=0x7fff5ae4aa20 r10=0x131\n"
     "#0 m:shop absolute:0x401d72 load:0x400000 id:b7c04f7b5c2a80af870a1c234668a0de0 f:cart::add(int) at:cart.cc:58 "
     "not-needed trust:given as instruction pointer in context line+3\n"
     "#1 m:shop absolute:0x401e00 load:0x400000 return id:b7c04f7b5c2a80af870a1c234668a0de0 f:main+31 trust:call "
     "frame info\n"
     "#2 m:libc.so.6 image:0x20830 load:0x7f5140000000 return abs:0x7f5140020830 trust:stack scanning\n"
     "#3 absolute:0x7f0012345678 return\n"
     "minidump 24 thread:3 named:pool 1 arch:x86_64 os:Linux version:5.10.0\n"
     "#0 m:libc.so.6 load:0x7f5140000000 f:poll+45\n"},
    {"rust-minidump", "inlined frames, unloaded modules, offsets stepped back",
     "Thread 0 main (crashed) - tid: 4611\n 0  app!core::ptr::write::<u8> [mod.rs : 1574]\n    Found by: inlining\n"
     " 1  app!run [lib.rs : 133 + 0x0]\n     rip = 0x0000000102a68cd4\n    Found by: given as instruction pointer in "
     "context\n 2  app + 0x1fff\n     rip = 0x0000000102a02000\n    Found by: stack scanning\n"
     " 3  0x7f000460 (unloaded old.dll@0x460|0x700)\n",
     "minidump 2 thread:4611 named:main crashed rip=0x102a68cd4\n"
     "#0 m:app f:core::ptr::write::<u8> at:mod.rs:1574 not-needed inlined trust:inlining\n"
     "#1 m:app absolute:0x102a68cd4 f:run at:lib.rs:133 not-needed trust:given as instruction pointer in context "
     "line+0\n"
     "#2 m:app image:0x1fff abs:0x102a02000 trust:stack scanning\n"
     "#3 m:old.dll absolute:0x7f000460\n"},
    {"windows", "a function with brackets and an apostrophe; no title",
     " 0  app.exe!`anonymous namespace'::operator new[] [a b.cc : 7 + 0x1f]\n    eip = 0x0040429e\n    Found by: given "
     "as instruction pointer in context\n 1  app.exe\n",
     "minidump 1\n#0 m:app.exe absolute:0x40429e f:`anonymous namespace'::operator new[] at:a b.cc:7 not-needed "
     "trust:given as instruction pointer in context line+31\n#1 m:app.exe\n"},
    {"near misses", "lists of other programs", "Thread 1 is busy\n 1  apples\n0  a!b\n 2  pears + 3\n", ""},
    {"machine", "the four meanings of the last member",
     "OS|Linux|4.4.0\nCPU|amd64|family 6|4\nCrash|SIGSEGV /0x1|0x10|0\n"
     "Module|shop||shop|B7C04F7B5C2A80AF870A1C234668A0DE0|0x00400000|0x00416fff|1\n\n"
     "0|0|shop|cart::operator|(int)|src/cart.cc|58|0x3\n0|1|shop|main|||0x1f\n0|2|shop||||0x1234\n0|3|||||0x7f00\n"
     "1|0|shop||||0x10\n",
     "minidump-machine 6 thread:0 type:SIGSEGV signal:SIGSEGV fault:0x10 arch:x86_64 os:Linux version:4.4.0 crashed\n"
     "#0 m:shop load:0x400000 id:b7c04f7b5c2a80af870a1c234668a0de0 f:cart::operator|(int) at:src/cart.cc:58 "
     "not-needed line+3\n"
     "#1 m:shop load:0x400000 id:b7c04f7b5c2a80af870a1c234668a0de0 f:main+31 not-needed\n"
     "#2 m:shop image:0x1234 load:0x400000 return id:b7c04f7b5c2a80af870a1c234668a0de0\n"
     "#3 absolute:0x7f00 return\n"
     "minidump-machine 10 thread:1 arch:x86_64 os:Linux version:4.4.0\n"
     "#0 m:shop image:0x10 load:0x400000 id:b7c04f7b5c2a80af870a1c234668a0de0\n"},
    {"long", "17 digits", "0|0|||||0x12345678123456781\n", "minidump-machine 1 thread:0\n#0 malformed\n"},
    {"no rows", "tables of other programs", "0|1|2|3|4|5|6\n1|2|0x10\na|b|c|d|e|1|0x1\n", ""},
};
static const struct text_case looks[] = {
    {"chain", "the base of the producer's own form",
     "Thread 0 (crashed)\n 1  shop + 0x1234\n    Found by: stack scanning\n",
     "Thread 0 (crashed)\n 1  shop!inner(int) [src/a.cc : 7]\n 1  shop!outer() [src/a.cc : 21]\n    Found by: stack "
     "scanning\n"},
    {"machine", "members", "0|1|shop||||0x1234\n",
     "0|1|shop|inner(int)|src/a.cc|7|0x0\n0|1|shop|outer()|src/a.cc|21|0x0\n"},
};
static const struct text_case symbol_looks[] = {
    {"symbol", "the distance from the function", " 1  shop!f + 0x1\n", " 1  shop!outer() + 0x18\n"},
    {"machine symbol", "the distance from the function", "0|1|shop||||0x1234\n", "0|1|shop|outer()|||0x18\n"},
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
    check_looks(symbol_looks, sizeof symbol_looks / sizeof *symbol_looks, fm_test_symbol, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_texts), cmocka_unit_test(test_looks)};
    return cmocka_run_group_tests_name("formats minidump", tests, NULL, NULL);
}
