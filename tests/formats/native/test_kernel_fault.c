/* Tests lines of the Linux kernel's log that report a fault in a process. */
#include "tests/formats/native/native_help.h"

static const struct text_case texts[] = {
    {"mapping", "without the offset in the file nobody knows where the image starts",
     "[ 1122.175792] shop[1234]: segfault at 8 ip 00005581a2b3c1d4 sp 00007ffd1c402a90 error 4 in "
     "libcart.so[5581a2b3b000+1000]\n"
     "[ 1122.175808] Code: 00 48 39 ce 0f 84 07 06 00 00\n",
     "kernel-fault 1 thread:1234 named:shop type:segfault message:segfault at 8 signal:SIGSEGV fault:0x8 process:shop "
     "crashed\n"
     "- m:libcart.so absolute:0x5581a2b3c1d4 sp:0x7ffd1c402a90\n"},
    {"offset in the file", "newer kernels print it before the mapping; names have blanks; each line is a fault",
     "Feb  6 10:19:17 host kernel: [13927.517798] my app[809694]: segfault at 10 ip 00007f8cf4cb18e0 sp "
     "00007fff117e5d90 error 4 in libcart-1.so.2[4cf8e0,7f8cf48a6000+552000] likely on CPU 2 (core 8, socket 0)\n"
     "Feb  6 10:19:18 host kernel: my app[809695]: segfault at 0 ip 0000000000402669 sp 00007fff117e5d90 error 4 in "
     "shop[2669,402000+5000]\n",
     "kernel-fault 1 thread:809694 named:my app type:segfault message:segfault at 10 signal:SIGSEGV fault:0x10 "
     "process:my app crashed\n"
     "- m:libcart-1.so.2 absolute:0x7f8cf4cb18e0 file:0x7f8cf47e2000 sp:0x7fff117e5d90\n"
     "kernel-fault 2 thread:809695 named:my app type:segfault message:segfault at 0 signal:SIGSEGV fault:0x0 "
     "process:my app crashed\n"
     "- m:shop absolute:0x402669 file:0x400000 sp:0x7fff117e5d90\n"},
    {"traps", "other faults, with and without the kernel's own prefix, in dmesg -T, the journal and OpenWrt's log",
     "[Thu Feb  6 10:19:17 2025] traps: shop[12] general protection fault ip:8049007 sp:ffd563a0 error:402 in "
     "shop[8049000+1000]\n"
     "Aug 11 22:52:54 host kernel: traps: shop[13] general protection ip:401136 sp:7ffd1c40 error:0 in "
     "shop[400000+1000]\n"
     "<6>[   37.498052] traps: shop[14] trap invalid opcode ip:7feebeca33b4 sp:7ffee5d83ae0 error:0 in "
     "libc.so.6[7f33b4,7feebec26000+178000]\n"
     "Thu Aug 11 22:52:54 2022 kern.info kernel: [   37.498052] shop[15] trap divide error ip:401136 sp:7ffd1c40 "
     "error:0\n",
     "kernel-fault 1 thread:12 named:shop type:general protection fault message:general protection fault "
     "signal:SIGSEGV process:shop crashed\n"
     "- m:shop absolute:0x8049007 sp:0xffd563a0\n"
     "kernel-fault 2 thread:13 named:shop type:general protection message:general protection signal:SIGSEGV "
     "process:shop crashed\n"
     "- m:shop absolute:0x401136 sp:0x7ffd1c40\n"
     "kernel-fault 3 thread:14 named:shop type:invalid opcode message:trap invalid opcode signal:SIGILL process:shop "
     "crashed\n"
     "- m:libc.so.6 absolute:0x7feebeca33b4 file:0x7feebe4b0000 sp:0x7ffee5d83ae0\n"
     "kernel-fault 4 thread:15 named:shop type:divide error message:trap divide error signal:SIGFPE process:shop "
     "crashed\n"
     "- absolute:0x401136 sp:0x7ffd1c40\n"},
    {"nowhere", "the address is in no file, or zero, which old kernels spell",
     "systemd[1]: segfault at 1 ip 0000000000000001 sp 00007fff75097a90 error 14 likely on CPU 1 (core 1, socket 0)\n"
     "shop[7]: segfault at 0 ip           (null) sp 00007ffd error 14 in shop[400000+1000]\n"
     "shop[7]: segfault at (null) ip (null) sp 00007ffd error 14 in shop[400000+1000]\n"
     "shop[8]: segfault at 0 rip 400a5b rsp 7ffd1c40 error 4\n",
     "kernel-fault 1 thread:1 named:systemd type:segfault message:segfault at 1 signal:SIGSEGV fault:0x1 "
     "process:systemd crashed\n"
     "- absolute:0x1 sp:0x7fff75097a90\n"
     "kernel-fault 2 thread:7 named:shop type:segfault message:segfault at 0 signal:SIGSEGV fault:0x0 process:shop "
     "crashed\n"
     "- m:shop absolute:0x0 sp:0x7ffd\n"
     "kernel-fault 3 thread:7 named:shop type:segfault message:segfault at (null) signal:SIGSEGV fault:0x0 "
     "process:shop crashed\n"
     "- m:shop absolute:0x0 sp:0x7ffd\n"
     "kernel-fault 4 thread:8 named:shop type:segfault message:segfault at 0 signal:SIGSEGV fault:0x0 process:shop "
     "crashed\n"
     "- absolute:0x400a5b sp:0x7ffd1c40\n"},
    {"in a string of JSON", "a file that was deleted",
     "{\"MESSAGE\":\"shop[12]: segfault at 0 ip 2001d4 sp 7ffd error 6 in a b.so "
     "(deleted)[11d4,200000+1000]\",\"X\":1}\n"
     "{\"MESSAGE\":\"shop[13]: segfault at 0 ip 2001d4 sp 7ffd error 6 in a.so[11d4,200000+1000]: f at "
     "a.c:7\",\"X\":1}\n",
     "kernel-fault 1 thread:12 named:shop type:segfault message:segfault at 0 signal:SIGSEGV fault:0x0 process:shop "
     "crashed\n"
     "- m:a b.so absolute:0x2001d4 file:0x1ff000 sp:0x7ffd\n"
     "kernel-fault 2 thread:13 named:shop type:segfault message:segfault at 0 signal:SIGSEGV fault:0x0 process:shop "
     "crashed\n"
     "- m:a.so absolute:0x2001d4 file:0x1ff000 f:f at:a.c:7 not-needed sp:0x7ffd\n"},
    {"restored", "the function follows; what it was inlined into is not part of its position",
     "shop[1]: segfault at 8 ip 2001d4 sp 7ffd error 4 in a.so[11d4,200000+1000] likely on CPU 3 (core 3, socket 0): "
     "cart::add(int) at src/cart.cc:7:3 (inlined in main at src/main.cc:12:5)\n"
     "shop[1]: segfault at 8 ip 2001d4 sp 7ffd error 4 in a.so[11d4,200000+1000]: add+0x1f\n",
     "kernel-fault 1 thread:1 named:shop type:segfault message:segfault at 8 signal:SIGSEGV fault:0x8 process:shop "
     "crashed\n"
     "- m:a.so absolute:0x2001d4 file:0x1ff000 f:cart::add(int) at:src/cart.cc:7:3 not-needed sp:0x7ffd\n"
     "kernel-fault 2 thread:1 named:shop type:segfault message:segfault at 8 signal:SIGSEGV fault:0x8 process:shop "
     "crashed\n"
     "- m:a.so absolute:0x2001d4 file:0x1ff000 f:add+31 sp:0x7ffd\n"},
    {"arm64", "the counter is below the headline; newer kernels print the mapping, the newest the offset, too",
     "Aug 17 16:49:07 host kernel: my app[134]: unhandled level 1 translation fault (11) at 0x00000008, esr "
     "0x92000005\n"
     "Aug 17 16:49:07 host kernel: pgd = ffffffc0753f9000\n"
     "Aug 17 16:49:07 host kernel: [00000008] *pgd=0000000000000000\n"
     "Aug 17 16:49:07 host kernel: CPU: 3 PID: 134 Comm: my app Tainted: G           O 3.10.105 #3\n"
     "Aug 17 16:49:07 host kernel: PC is at 0x7f863750d0\n"
     "Aug 17 16:49:07 host kernel: pc : [<0000007f863750d0>] lr : [<0000007f863751a0>] pstate: a0000000\n"
     "[  331.720769] shop[94]: unhandled exception: DABT (lower EL), ESR 0x0000000092000006, level 2 translation fault "
     "in libcart.so.1[c73c,ffff9a012000+1c000]\n"
     "[  331.720774] CPU: 10 PID: 94 Comm: shop Not tainted 6.12.55 #18\n"
     "[  331.720785] pc : 0000ffff9a01e73c\n"
     "[  331.720788] lr : 0000ffff9a01fb90\n"
     "[  331.720795] shop[95]: unhandled alignment fault (7) at 0xffffcd912fe1, esr 0x92000021, in "
     "libcart.so[ffff9f31e000+2000]\n"
     "[  331.720799] pc : 0000ffff9f31ef00: add(int) at src/cart.cc:7:3\n",
     "kernel-fault 6 thread:134 named:my app type:level 1 translation fault message:unhandled level 1 translation "
     "fault (11) at 0x00000008, esr 0x92000005 signal:SIGSEGV fault:0x8 process:my app crashed\n"
     "- absolute:0x7f863750d0\n"
     "kernel-fault 9 thread:94 named:shop type:level 2 translation fault message:unhandled exception: DABT (lower EL), "
     "ESR 0x0000000092000006, level 2 translation fault signal:SIGSEGV process:shop crashed\n"
     "- m:libcart.so.1 absolute:0xffff9a01e73c file:0xffff9a012000\n"
     "kernel-fault 12 thread:95 named:shop type:alignment fault message:unhandled alignment fault (7) at "
     "0xffffcd912fe1, esr 0x92000021 signal:SIGBUS fault:0xffffcd912fe1 process:shop crashed\n"
     "- m:libcart.so absolute:0xffff9f31ef00 f:add(int) at:src/cart.cc:7:3 not-needed\n"},
    {"arm, riscv, mips", "the process has no number, or is named after the signal",
     "[   42.12] 8<--- cut here ---\n"
     "[   42.12] my app: unhandled page fault (11) at 0x00000004, code 0x805\n"
     "[   42.12] PC is at 0x104d4\n"
     "[   42.12] pc : [<000104d4>]    lr : [<b6e3d4a0>]    psr: 60000010\n"
     "[   42.13] shop (12): undefined instruction: pc=b6e3d4a0\n"
     "[   42.13] pc : [<b6e3d4a0>]: add at src/cart.c:7    lr : [<b6e3d4a0>]    psr: 60000010\n"
     "[ 8935.59] cart[72]: unhandled signal 11 code 0x1 at 0x0000000000000008 in libcart.so[3fab1a3000+6fb9000]\n"
     "[ 8935.59] CPU: 1 PID: 72 Comm: cart Not tainted 5.17.0 #7\n"
     "[ 8935.59] epc : 0000003faee8d1aa ra : 0000003faf093baa sp : 0000003faae67fc0\n"
     "[  123.40] do_page_fault(): sending SIGSEGV to my shop for invalid read access from 00000010\n"
     "[  123.40] epc = 0041f3f4 in shop[400000+80000]\n"
     "[  123.40] ra  = 00415d24 in shop[400000+80000]\n",
     "kernel-fault 4 named:my app type:page fault message:unhandled page fault (11) at 0x00000004, code 0x805 "
     "signal:SIGSEGV fault:0x4 process:my app crashed\n"
     "- absolute:0x104d4\n"
     "kernel-fault 6 thread:12 named:shop type:undefined instruction message:undefined instruction: pc=b6e3d4a0 "
     "signal:SIGILL process:shop crashed\n"
     "- absolute:0xb6e3d4a0 f:add at:src/cart.c:7 not-needed\n"
     "kernel-fault 9 thread:72 named:cart type:SIGSEGV message:unhandled signal 11 code 0x1 at 0x0000000000000008 "
     "signal:SIGSEGV fault:0x8 process:cart crashed\n"
     "- m:libcart.so absolute:0x3faee8d1aa\n"
     "kernel-fault 11 named:my shop type:SIGSEGV message:sending SIGSEGV to my shop for invalid read access from "
     "00000010 signal:SIGSEGV fault:0x10 process:my shop crashed\n"
     "- m:shop absolute:0x41f3f4\n"},
    {"counters alone", "without a headline, or far below it, they are no fault of a process",
     "pc : [<0000007f863750d0>] lr : [<0000007f863751a0>] pstate: a0000000\n"
     "shop[1]: unhandled promise rejection (see log)\nshop[1]: unhandled error (7)\npc : 0000ffff9a01e73c\n"
     "shop[1]: unhandled signal 11 code 0x1 at 0x8\n\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n"
     "18\n19\n20\n21\n22\n23\n24\n25\npc : 0000ffff9a01e73c\n",
     ""},
    {"near misses", "other messages, a process without a number, addresses that are no numbers",
     "shop[a]: segfault at 8 ip 2001d4 sp 7ffd error 4 in a.so[200000+1000]\n"
     "shop[1]: segfault at 8 ip 2001d4 sp 7ffd\n"
     "shop[1]: segfault at line 8 of the file\n"
     "shop[1] trap door ip: 7\n"
     "[1] general protection fault ip:401136 sp:7ffd error:0\n"
     "show_signal_msg: 1 callbacks suppressed\n",
     ""},
};

static void test_texts(void **state)
{
    (void)state;
    check_told(texts, sizeof texts / sizeof *texts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_texts)};
    return cmocka_run_group_tests_name("formats kernel fault", tests, NULL, NULL);
}
