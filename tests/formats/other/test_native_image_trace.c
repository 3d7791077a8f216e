#include "tests/formats/other/other_help.h"

static const struct text_case texts[] = {
    {"GraalVM 24", "letters for the kinds of code; the signal is far above",
     "[ [ SubstrateSegfaultHandler caught a segfault in thread 0x00007f0102030000 ] ]\n"
     "siginfo: si_signo: 11, si_code: 1, si_addr: 0x0000000000000010\n"
     "\n"
     "General purpose register values:\n"
     "  RAX 0x0000000000000000 is null\n"
     "  RIP 0x00005605dca90f60 points into AOT compiled code "
     "com.oracle.svm.core.code.CodeInfo@0x00007f22be702000\n"
     "\n"
     "Printing instructions (ip=0x00005605dca90f60):\n"
     "  0x00005605dca90f40: 0x48 0x8b\n"
     "\n"
     "Stacktrace for the failing thread 0x00007f0102030000 (A=AOT compiled, J=JIT compiled, D=deoptimized, "
     "i=inlined):\n"
     "  A  SP 0x00007ffe64e4f080 IP 0x00005605dca90f60 size=32    com.example.Cart.total(Cart.java:12)\n"
     "  i  SP 0x00007ffe64e4f0a0 IP 0x00005605dca91000 size=48    com.example.Cart.add(Cart.java:7)\n"
     "  A  SP 0x00007ffe64e4f0a0 IP 0x00005605dca91000 size=48    com.example.Main.main(Main.java:3)\n"
     "\n"
     "VM mutexes:\n"
     "  mutex \"mainVMOperationControlWorkQueue\" is unlocked.\n",
     "native-image line:12 lines:3 thread:0x00007f0102030000 type:SIGSEGV signal:SIGSEGV crashed\n"
     "  f:com.example.Cart.total at:Cart.java l:12 a:94583176892256\n"
     "  f:com.example.Cart.add at:Cart.java l:7 a:94583176892416 inlined\n"
     "  f:com.example.Main.main at:Main.java l:3 a:94583176892416\n"},
    {"GraalVM 22", "the kind of code in brackets",
     "Stacktrace for the failing thread 0x0000000002a6a640:\n"
     "  SP 0x00007f8b9bff3790 IP 0x0000000000c1eb60 size=48    [image code] com.example.Cart.total(Cart.java:12)\n"
     "  SP 0x00007f8b9bff3790 IP 0x0000000000c1eb60 size=48    [image code] com.example.Cart.add(Cart.java:7)\n"
     "  SP 0x00007f8b9bff37c0 IP 0x0000000000c718a4 size=32    [image code] com.example.Main.main(Main.java:3)\n",
     "native-image line:2 lines:3 thread:0x0000000002a6a640 crashed\n"
     "  f:com.example.Cart.total at:Cart.java l:12 a:12708704\n"
     "  f:com.example.Cart.add at:Cart.java l:7 a:12708704\n"
     "  f:com.example.Main.main at:Main.java l:3 a:13047972\n"},
    {"GraalVM 21", "stages: those before the last have no names; no 0x",
     "Stacktrace Stage 0:\n"
     "  RSP 00007f8b9bff3790 RIP 0000000000c1eb60  FrameSize 32\n"
     "Stacktrace Stage 1:\n"
     "  SP 00007f8b9bff3790 IP 0000000000c1eb60  com.oracle.svm.core.code.CodeInfo@0x7f89 name = image code\n"
     "\n"
     "Stacktrace Stage 2:\n"
     "  RSP 00007f8b9bff3790 RIP 0000000000c1eb60  [image code] com.example.Cart.total(Cart.java:12)\n"
     "  RSP 00007f8b9bff3790 RIP 0000000000c1eb60  [image code] com.example.Cart.add(Cart.java:7)\n"
     "  RSP 00007f8b9bff37c0 RIP 0000000000c718a4  [image code] com.example.Main.main(Main.java:3)\n",
     "native-image line:7 lines:3 crashed\n"
     "  f:com.example.Cart.total at:Cart.java l:12 a:12708704\n"
     "  f:com.example.Cart.add at:Cart.java l:7 a:12708704\n"
     "  f:com.example.Main.main at:Main.java l:3 a:13047972\n"},
    {"near misses", "registers, dumps of the stack, prose",
     "  RSP 0x00007ffe64e4f080 RIP 0x00005605dca90f60\n"
     "SP 0x1 is not IP 0x2 f(a.java:1)\n"
     "SP 0x1 IP 0x2 f(A.java:1)\n"
     "SP 0x1 IP 0x2 a.b c(A.java:1)\n"
     "siginfo: si_signo: x\n"
     "  0x00007ffe64e4f080: 0x00007ffe64e500e0 0x00007f22be7adfce\n",
     ""},
};

OTHER_TESTS("formats native-image", texts)
