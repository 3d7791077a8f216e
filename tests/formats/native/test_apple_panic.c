#include "tests/formats/native/native_help.h"

#define HEAD                                                                           \
    "panic(cpu 2 caller 0xffffff80003ed5fc): \"empty hash: f(0x1)\"@/src/pmap.h:844\n" \
    "Panicked task 0xffffff9044ffb5d8: 11 threads: pid 220: my airportd\n"             \
    "Backtrace (CPU 2), panicked thread: 0xffffff95098390c8, Frame : Return Address\n"

static const struct text_case texts[] = {
    {"x86", "images are listed below; what is in no extension is in the kernel",
     HEAD
     "0xffffff97439cbb10 : 0xffffff80104f368c \n0xffffff97439cbb90 : 0xffffff80105ed5fc mach_kernel : _panic + 0x4c1\n"
     "0xffffff97439cbea0 : 0xffffff7f811e99a7 \n      Kernel Extensions in backtrace:\n"
     "         com.example.disk(1.5.2)[F452C9FD-94A1-366D-BF2F-89BDDDA08364]@0xffffff7f811de000->0xffffff7f8121bfff\n"
     "            dependency: com.example.base(1)[F452C9FD-94A1-366D-BF2F-89BDDDA08365]@0xffffff7f80000000->"
     "0xffffff7f80000fff\n\nBSD process name corresponding to current thread: kernel_task\n\nKernel version:\n"
     "Darwin Kernel Version 16.1.0: Wed Oct 19 20:31:56 PDT 2016; root:xnu-3789\n"
     "Kernel UUID: 75CA1C4D-7BF4-321B-B544-D8F1B6D60EF8\nKernel slide:     0x0000000010000000\n"
     "Kernel text base: 0xffffff8010200000\n__HIB  text base: 0xffffff8010100000\n",

     "apple-panic 4 type:panic message:\"empty hash: f(0x1)\"@/src/pmap.h:844 process:my airportd pid:220 crash"
     "ed\n"
     "- m:kernel absolute:0xffffff80104f368c load:0xffffff8010200000 return id:75ca1c4d7bf4321bb544d8f1b6d60ef8"
     "\n"
     "- m:kernel absolute:0xffffff80105ed5fc load:0xffffff8010200000 return id:75ca1c4d7bf4321bb544d8f1b6d60ef8"
     " f:_panic+1217\n"
     "- m:com.example.disk absolute:0xffffff7f811e99a7 load:0xffffff7f811de000 return id:f452c9fd94a1366dbf2f89"
     "bddda08364\n"},
    {"arm64", "the version is above the stack; its code has a slide of its own",
     "panic(cpu 5 caller 0xfffffe0027c2c0f8): Kernel data abort. at pc 0x1, lr 0x2 (saved state: 0x3)\n"
     "\t  x0:  0x0000000000000000 x1:  0x0000000000000000\n\nDebugger message: panic\n"
     "Kernel version: Darwin Kernel Version 25.0.0: Mon Aug 25 2025; root:xnu-12377\n"
     "Kernel UUID: CBC2F718-53E4-3C8D-BEC7-FB6DDC3318E1\nKernel slide:      0x000000002564c000\n"
     "Kernel text base:  0xfffffe002c650000\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n"
     "Panicked task 0xfffffe27356e0e38: 373 pages, 4 threads: pid 350: watchdogd\n"
     "Panicked thread: 0xfffffe2169397728, backtrace: 0xfffffe7c18403160, tid: 3926\n"
     "\t\t  lr: 0xfffffe002a2593ac  fp: 0xfffffe7c184031f0\n\t\t  lr: 0xfffffe002a3b7c38  fp: 0xfffffe7c18403260\n"
     "\nlast started kext at 52436: com.example.x 1.0\n",

     "apple-panic 21 thread:3926 type:panic message:Kernel data abort. at pc 0x1, lr 0x2 (saved state: 0x3) ver"
     "sion:Darwin Kernel Version 25.0.0 process:watchdogd pid:350 crashed\n"
     "- absolute:0xfffffe002a2593ac return unknown-image\n"
     "- absolute:0xfffffe002a3b7c38 return unknown-image\n"},
    {"near misses", "prose, and rows without a panic",
     "panic(cpu 2): no\npanic(cpu 2 caller x\nBacktrace (CPU 2), Frame : Return Address\n"
     "0xffffff97439cbb10 : 0xffffff80104f368c\n",
     ""},
};
static const struct text_case looks[] = {
    {"rows", "image, name and position", HEAD "0xffffff97439cbb10 : 0xffffff80104f368c\n",
     HEAD "0xffffff97439cbb10 : 0xffffff80104f368c ?\?? : inner(int) (src/a.cc:7:3)\n"
          "0xffffff97439cbb10 : 0xffffff80104f368c ?\?? : outer() (src/a.cc:21)\n"},
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
    return cmocka_run_group_tests_name("formats apple-panic", tests, NULL, NULL);
}
