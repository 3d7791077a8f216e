#include "tests/formats/native/native_help.h"

static const struct text_case texts[] = {
    {"raw", "address and module: the module's offset counts",
     "==12==ERROR: AddressSanitizer: heap-use-after-free on address 0x60\n"
     "    #0 0x55d0c5fe1a2b  (/path/My Lib.so+0x1234) (BuildId: 77e6f9a1b2)\n    #1 0x55d0 (/l/b.so+0x10)\n\n0x60 is "
     "located here\n"
     "freed by thread T0 here:\n    #0 0x77 (/l/b.so+0x11)\n",
     "sanitizer 2 exception:==12==ERROR: AddressSanitizer: heap-use-after-free on address 0x60 crashed\n"
     "#0 m:My Lib.so linked:0x1234 id:77e6f9a1b2\n#1 m:b.so linked:0x10\nsanitizer 7 thread:T0\n#0 m:b.so "
     "linked:0x11\n"},
    {"history", "HWASan's list of the functions that ran on the stack: a trace of its own",
     "==5==ERROR: HWAddressSanitizer: tag-mismatch on address 0x60\n    #0 0x1 in f a.c:1\n\n"
     "Address 0x60 is located in stack of thread T0\nThread: T0 0xeffe stack: [0x1,0x2) sz: 1 tls: [0x3,0x4)\n"
     "Previously allocated frames:\n"
     "  record_addr:0x7f8a40 record:0x1ffaaaaabc9120f8 in cart::add(int, char const*) /src/my cart.cc:38:3\n"
     "  record_addr:0x7f8a38 record:0xc3f3aaaaabc53e54  (/l/b.so+0x13e54) (BuildId: 77e6f9a1b2)\n"
     "  record_addr:0x7f8a30 record:0x6a9ff8a40c1 in g (/l/b.so+0xe0c1)\n  record_addr:0x7f8a28 record:none\n",
     "sanitizer 2 exception:==5==ERROR: HWAddressSanitizer: tag-mismatch on address 0x60 crashed\n"
     "#0 absolute:0x1 f:f at:a.c:1 not-needed\nsanitizer 7\n"
     "- absolute:0xaaaabc9120f8 f:cart::add(int, char const*) at:/src/my cart.cc:38:3 not-needed\n"
     "- m:b.so linked:0x13e54 id:77e6f9a1b2\n- m:b.so linked:0xe0c1 f:g\n"},
    {"headings", "as Markdown shows a report's lines of equal signs below them; another heading",
     "## ERROR: AddressSanitizer: heap-use-after-free on address 0x60 in thread T0\n#### WRITE of size 8 at 0x60 "
     "thread T0\n"
     "    #0 0x55d0 (/l/b.so+0x10)\n\n#### 0x60 is located here\nfreed by thread T0 here:\n"
     "    #0 0x77 (/l/b.so+0x11)\n# See below\n",
     "sanitizer 3 thread:T0 exception:ERROR: AddressSanitizer: heap-use-after-free on address 0x60 in thread T0 "
     "crashed\n"
     "#0 m:b.so linked:0x10\nsanitizer 7 thread:T0\n#0 m:b.so linked:0x11\n"},
    {"symbolised", "function, file and line: nothing is needed",
     "#0 0x64801a in read(unsigned int const*&) skia/src/a b.cpp:1819:15\n#1 0x1 in main /src/a.c:3\n",
     "sanitizer 1\n#0 absolute:0x64801a f:read(unsigned int const*&) skia/src/a at:b.cpp:1819:15 not-needed\n"
     "#1 absolute:0x1 f:main at:/src/a.c:3 not-needed\n"},
    {"open name", "a blank within a name's parentheses does not begin a file",
     "#0 0x1 in f(int, char const*)\n#1 0x2 in operator delete(void*)\n",
     "sanitizer 1\n#0 absolute:0x1 f:f(int, char const*)\n#1 absolute:0x2 f:operator delete(void*)\n"},
    {"one row each", "another address is another stack; the same one is an inlined function",
     "#0 0x10 in f /src/a.c:3\nhint\n#0 0x20 in g /src/b.c:4\n#0 0x20 in h (/l/b.so+0x7)\n#0.1 0x30 in k /src/b.c:9\n",
     "sanitizer 1\n#0 absolute:0x10 f:f at:/src/a.c:3 not-needed\nsanitizer 3\n"
     "#0 absolute:0x20 f:g at:/src/b.c:4 not-needed\n#0 m:b.so linked:0x7 f:h\n"
     "#0 absolute:0x30 f:k at:/src/b.c:9 not-needed\n"},
    {"windows", "module with backslashes, distance in hex",
     "  #28 0x7712ab8e in Init+0x8e (C:\\win dows\\ntdll.dll+0x5ab8e)\n",
     "sanitizer 1\n#28 m:ntdll.dll linked:0x5ab8e f:Init+142\n"},
    {"Apple", "the architecture is after the image's name",
     "    #0 0x7fff7dd12144 in start (libdyld.dylib:x86_64+0x1144)\n    #1 0x10 (cart:arm64e+0x100003f04)\n"
     "    #2 0x11 (a:b+0x3)\n",
     "sanitizer 1\n#0 m:libdyld.dylib linked:0x1144 arch:x86_64 f:start\n#1 m:cart linked:0x100003f04 arch:arm64e\n"
     "#2 m:a:b linked:0x3\n"},
    {"Visual Studio's positions", "the option symbolize_vs_style",
     "#0 0x7ff611ce1424 in main C:\\my src\\a.cc(7,3)\n#1 0x7ff611ce133b in A::f(int) const D:/src/b.inl(78)\n"
     "#2 0x10 in f(3)\n#3 0x11 in g C:\\a.cc(0)\n",
     "sanitizer 1\n#0 absolute:0x7ff611ce1424 f:main at:C:\\my src\\a.cc:7:3 not-needed\n"
     "#1 absolute:0x7ff611ce133b f:A::f(int) const at:D:/src/b.inl:78 not-needed\n#2 absolute:0x10 f:f(3)\n"
     "#3 absolute:0x11 f:g C:\\a.cc(0)\n"},
    {"Unity on Android", "the image before the name, the distance after it",
     " #0 0x6fbf77ec8c (libunity.so) GetStacktrace(int) 0x38\n"
     " #1 0x6fbfd33388 (libunity.so) Log(Kind, list<char, A<char> >, Object*) 0x9c\n"
     " #2 0x6fbfd33399 (libil2cpp.so) ? 0x0\n #3 0x6fbfd33399 (libil2cpp.so) f\n #4 0x6fbfd33399 (a b) f 0x1\n",
     "sanitizer 1\n#0 m:libunity.so absolute:0x6fbf77ec8c f:GetStacktrace(int)+56\n"
     "#1 m:libunity.so absolute:0x6fbfd33388 f:Log(Kind, list<char, A<char> >, Object*)+156\n"
     "#2 m:libil2cpp.so absolute:0x6fbfd33399\n#3 absolute:0x6fbfd33399 f:(libil2cpp.so) f\n"
     "#4 absolute:0x6fbfd33399 f:(a b) f 0x1\n"},
    {"Unity", "what it prints of itself: methods of Mono, with and without arguments",
     "#0  0x00000000000000 in (Unknown)\n#1  0x0000013c7c in  Cart:Add (int) {0x7fd9} + 0x5d (0x15 0x16) [0x13 - Unity "
     "Child Domain]\n#2  0x007f7302ec in Cart:Run () \n#3  0x007f7302ed in UnityMain(int, char**)\n",
     "sanitizer 1\n#0 absolute:0x0\n#1 absolute:0x13c7c f:Cart:Add (int)\n#2 absolute:0x7f7302ec f:Cart:Run ()\n"
     "#3 absolute:0x7f7302ed f:UnityMain(int, char**)\n"},
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
static const struct text_case reports[] = {
    {"gfortran", "positions on lines of their own, what is not known, the signal",
     "Program received signal SIGSEGV: Segmentation fault - invalid memory reference.\n\nBacktrace for this error:\n"
     "#0  0x7f4e5c1b2d3f in ???\n#1  0x55d0c5fe1a2b in foo_\n\tat /home/my u/foo.f90:12\n#2  0x55d0c5fe1b00 in main\n"
     "\tat main.f90:3\nSegmentation fault (core dumped)\n\n\n\n\n\n\n\n\nAt line 7 of file a.f90\n"
     "Fortran runtime error: Index '5' of dimension 1\n\nError termination. Backtrace:\n#0  0x55d0c5fe1a2b in foo_\n",

     "sanitizer 4 type:SIGSEGV message:Segmentation fault - invalid memory reference. signal:SIGSEGV crashed\n"
     "#0 absolute:0x7f4e5c1b2d3f\n"
     "#1 absolute:0x55d0c5fe1a2b f:foo_ at:/home/my u/foo.f90:12 not-needed\n"
     "#2 absolute:0x55d0c5fe1b00 f:main at:main.f90:3 not-needed\n"
     "sanitizer 22 type:Fortran runtime error message:Index '5' of dimension 1 crashed\n"
     "#0 absolute:0x55d0c5fe1a2b f:foo_\n"},
    {"wrapped by a mail", "after the function, within its parentheses, before and within an id",
     "==55==ERROR: AddressSanitizer: SEGV on unknown address 0x000000000001\n"
     "    #0 0x7fd666828816 in raise (/usr/lib64/libc.so.6+0x90890)\n    (BuildId: 87fd890df7ad90f70987ad98fa890f78)\n"
     "    #1 0x90890d89 in fuzzer::FuzzerDriver(int*, char***, int (*)(unsigned\n    char const*, unsigned long))\n"
     "    third_party/FuzzerDriver.cpp:223:3\n    #2 0x908f90d in main\n    /my src/FuzzerMain.cpp\n"
     "    #3 0x90908f908df in __libc_start_main\n    (/usr/lib64/libc.so.6+0xf9) (BuildId:\n"
     "    908a09fd90f8d90f8d90f90dfd9081)\n    #4 0x908 in _start src/start.S:993\n    #5 0x909\n"
     "AddressSanitizer can not provide additional info.\n    #6 0x90a in f\n==55==ABORTING\n",

     "sanitizer 2 type:SEGV message:SEGV on unknown address 0x000000000001 signal:SIGSEGV fault:0x1 pid:55 cras"
     "hed\n"
     "#0 m:libc.so.6 linked:0x90890 id:87fd890df7ad90f70987ad98fa890f78 f:raise path:/usr/lib64/libc.so.6 abs:0"
     "x7fd666828816\n"
     "#1 absolute:0x90890d89 f:fuzzer::FuzzerDriver(int*, char***, int (*)(unsigned char const*, unsigned long)"
     ") at:third_party/FuzzerDriver.cpp:223:3 not-needed\n"
     "#2 absolute:0x908f90d f:main\n"
     "#3 m:libc.so.6 linked:0xf9 id:908a09fd90f8d90f8d90f90dfd9081 f:__libc_start_main path:/usr/lib64/libc.so."
     "6 abs:0x90908f908df\n"
     "#4 absolute:0x908 f:_start at:src/start.S:993 not-needed\n"
     "#5 absolute:0x909\n"
     "#6 absolute:0x90a f:f\n"},
    {"sections", "each stack of a report is a part of the first one",
     "==12==ERROR: AddressSanitizer: heap-use-after-free on address 0x602 at pc 0x55 bp 0x7f sp 0x7f\n"
     "READ of size 4 at 0x602 thread T2 (reader)\n    #0 0x55a7 in use(int) /src/a.cc:7:3\n"
     "    #1 0x55b8 (/bin/app+0x12b8) (BuildId: 77e6f9a1b2)\n\n"
     "0x602 is located 4 bytes inside of 16-byte region [0x600,0x610)\nfreed by thread T1 (writer) here:\n"
     "    #0 0x55d0 in operator delete[](void*) (/bin/app+0x12d0)\n\npreviously allocated by thread T0 here:\n"
     "    #0 0x55e0 in make(int) /my src/a.cc:5\n\nThread T1 (writer) created by T0 here:\n"
     "    #0 0x55f0 in pthread_create <null>\n",
     "sanitizer 3 thread:T2 named:reader type:heap-use-after-free message:heap-use-after-free on address 0x602 at pc "
     "0x55 bp 0x7f sp 0x7f pid:12 crashed\n"
     "#0 absolute:0x55a7 f:use(int) at:/src/a.cc:7:3 not-needed\n"
     "#1 m:app linked:0x12b8 id:77e6f9a1b2 path:/bin/app abs:0x55b8\n"
     "sanitizer 8 freed-by of 0 thread:T1 named:writer pid:12\n"
     "#0 m:app linked:0x12d0 f:operator delete[](void*) path:/bin/app abs:0x55d0\n"
     "sanitizer 11 allocated-by of 0 thread:T0 pid:12\n#0 absolute:0x55e0 f:make(int) at:/my src/a.cc:5 not-needed\n"
     "sanitizer 14 thread-created of 0 thread:T1 named:writer pid:12\n#0 absolute:0x55f0 f:pthread_create\n"},
    {"Swift", "functions of the compiler have words in the place of a file",
     "WARNING: ThreadSanitizer: Swift access race (pid=9)\n  Modifying access of Swift variable at 0x7b by thread T1:\n"
     "    #0 Cart.count.setter <compiler-generated> (Shop:x86_64+0x4ad)\n"
     "    #1 partial apply for closure #1 in Cart.load() <compiler-generated> (Shop:x86_64+0xd0e)\n"
     "    #2 closure #1 in Cart.load() Cart.swift:22 (Shop:x86_64+0xc5d)\n"
     "    #3 0x10a2 in thunk for @escaping @callee_guaranteed () -> () <compiler-generated>\n",
     "sanitizer 3 type:Swift access race message:Swift access race (pid=9) pid:9 crashed\n"
     "#0 m:Shop linked:0x4ad arch:x86_64 f:Cart.count.setter\n"
     "#1 m:Shop linked:0xd0e arch:x86_64 f:partial apply for closure #1 in Cart.load()\n"
     "#2 m:Shop linked:0xc5d arch:x86_64 f:closure #1 in Cart.load() at:Cart.swift:22 not-needed\n"
     "#3 absolute:0x10a2 f:thunk for @escaping @callee_guaranteed () -> ()\n"},
    {"a file without a line", "a relative one, and none with line 0",
     "#0 0x1 (/l/b.so+0x10)\n#1 add(int) cart.cc (t+0x10)\n#2 std::function<void (int)>::operator()(int) const "
     "../src/my.h (t+0x10)\n#3 operator delete(void*) <null>:0 (t+0x10)\n#4 unsigned long f<char>(int) (t+0x10)\n"
     "#5 w.part.0 (t+0x10)\n",
     "sanitizer 1\n#0 m:b.so linked:0x10 path:/l/b.so abs:0x1\n#1 m:t linked:0x10 f:add(int) at:cart.cc\n"
     "#2 m:t linked:0x10 f:std::function<void (int)>::operator()(int) const at:../src/my.h\n"
     "#3 m:t linked:0x10 f:operator delete(void*)\n#4 m:t linked:0x10 f:unsigned long f<char>(int)\n"
     "#5 m:t linked:0x10 f:w.part.0\n"},
    {"race", "TSan's sections",
     "WARNING: ThreadSanitizer: data race (pid=9)\n  Write of size 4 at 0x7b by thread T2 (mutexes: write M1):\n"
     "    #0 w a.c:3 (a+0x12)\n\n"
     "  Previous write of size 4 at 0x7b by main thread:\n    #0 w a.c:3 (a+0x12)\n\n"
     "  Location is heap block of size 4 at 0x7b allocated by main thread:\n    #0 malloc <null> (a+0x1)\n\n"
     "  Thread T2 'w' (tid=7, running) created by main thread at:\n    #0 pthread_create <null> (a+0x2)\n",
     "sanitizer 3 thread:T2 type:data race message:data race (pid=9) pid:9 crashed\n#0 m:a linked:0x12 f:w at:a.c:3 "
     "not-needed\nsanitizer 6 previous-access of 0 thread:main pid:9\n#0 m:a linked:0x12 f:w at:a.c:3 not-needed\n"
     "sanitizer 9 allocated-by of 0 thread:main pid:9\n#0 m:a linked:0x1 f:malloc\n"
     "sanitizer 12 thread-created of 0 thread:T2 named:w pid:9\n#0 m:a linked:0x2 f:pthread_create\n"},
    {"mutexes", "where each was created, and which thread had it before",
     "WARNING: ThreadSanitizer: data race (pid=7)\n  Write of size 4 at 0x7b04 by thread T2 (mutexes: write M0):\n"
     "    #0 g() /a.cc:12:5 (x+0xd12)\n\n  Mutex M0 (0x5581) created at:\n    #0 main /a.cc:20:3 (x+0xd13)\n\n"
     "  Mutex M1 previously acquired by the same thread here:\n    #0 main /a.cc:29:3 (x+0xd14)\n",
     "sanitizer 3 thread:T2 type:data race message:data race (pid=7) pid:7 crashed\n#0 m:x linked:0xd12 f:g() "
     "at:/a.cc:12:5 not-needed\nsanitizer 6 allocated-by of 0 pid:7\n#0 m:x linked:0xd13 f:main at:/a.cc:20:3 "
     "not-needed\nsanitizer 9 previous-access of 0 pid:7\n#0 m:x linked:0xd14 f:main at:/a.cc:29:3 not-needed\n"},
    {"leaks", "no stack of their own: the first leak is what the others belong to",
     "==7==ERROR: LeakSanitizer: detected memory leaks\n\nDirect leak of 8 byte(s) in 1 object(s) allocated from:\n"
     "    #0 0x10 in malloc (/a+0x10)\n\nIndirect leak of 9 byte(s) in 1 object(s) allocated from:\n"
     "    #0 0x20 in malloc (/a+0x20)\n",
     "sanitizer 4 leak of 0 type:detected memory leaks message:Direct leak of 8 byte(s) in 1 object(s) allocated from: "
     "pid:7 crashed\n#0 m:a linked:0x10 f:malloc path:/a abs:0x10\n"
     "sanitizer 7 leak of 0 message:Indirect leak of 9 byte(s) in 1 object(s) allocated from: pid:7\n"
     "#0 m:a linked:0x20 f:malloc path:/a abs:0x20\n"},
    {"signals", "a signal's thread, address and registers",
     "==5==ERROR: AddressSanitizer: SEGV on unknown address 0x0010 (pc 0x1 bp 0x2 sp 0x3 T4)\n    #0 0x1 in f a.c:1\n\n"
     "==5==Register values:\nrax = 0x0000000000000001  rbx = 0x0000000000000002\n",
     "sanitizer 2 thread:T4 type:SEGV message:SEGV on unknown address 0x0010 (pc 0x1 bp 0x2 sp 0x3 T4) signal:SIGSEGV "
     "fault:0x10 pid:5 crashed rax=0x1 rbx=0x2\n#0 absolute:0x1 f:f at:a.c:1 not-needed\n"},
    {"fuzzer and Chromium", "titles without the name of a sanitizer",
     "==6== ERROR: libFuzzer: timeout after 26 seconds\n    #0 0x1 in f a.c:1\n\n\n\n\n\n\n\n\n\n"
     "Received signal 11 SEGV_MAPERR 000000000010\n#0 0x1 in f a.c:1\n",
     "sanitizer 2 type:timeout message:timeout after 26 seconds pid:6 crashed\n#0 absolute:0x1 f:f at:a.c:1 "
     "not-needed\nsanitizer 13 type:SEGV_MAPERR signal:SIGSEGV code:SEGV_MAPERR fault:0x10 crashed\n#0 absolute:0x1 "
     "f:f at:a.c:1 "
     "not-needed\n"},
    {"Chromium", "a signal without a code", "Received signal 6\n#0 0x1 in f a.c:1\n",
     "sanitizer 2 type:SIGABRT signal:SIGABRT crashed\n#0 absolute:0x1 f:f at:a.c:1 not-needed\n"},
    {"no stack", "an error without a stack does not name a later one",
     "a.c:1:2: runtime error: x\n1\n2\n3\n4\n5\n6\n7\n8\n9\n#0 0x1 in f a.c:1\n",
     "sanitizer 11\n#0 absolute:0x1 f:f at:a.c:1 not-needed\n"},
    {"no main stack", "the title of an error is not that of who created the thread",
     "==5==ERROR: AddressSanitizer: heap-use-after-free on address 0x60\nREAD of size 4 at 0x60 thread T9\n"
     "Thread T4 (a) created by T0 here:\n    #0 0x55f0 in pthread_create <null>\n",
     "sanitizer 4 thread:T4 named:a\n#0 absolute:0x55f0 f:pthread_create\n"},
    {"numbers", "frames that are merged of two stacks stay one stack until number 0",
     "==5==ERROR: HWAddressSanitizer: allocation-tail-overwritten; heap object [0x1,0x2)\n    #0 0x1 in f a.c:1\n"
     "    #9 0x2 in g a.c:2\n    #4 0x3 in h a.c:3\n    #0 0x1 in f a.c:1\n",
     "sanitizer 2 type:allocation-tail-overwritten message:allocation-tail-overwritten; heap object [0x1,0x2) pid:5 "
     "crashed\n#0 absolute:0x1 f:f at:a.c:1 not-needed\n#9 absolute:0x2 f:g at:a.c:2 not-needed\n"
     "#4 absolute:0x3 f:h at:a.c:3 not-needed\nsanitizer 5\n#0 absolute:0x1 f:f at:a.c:1 not-needed\n"},
    {"no names", "words in place of one", "#0 0x1 <unknown>\n#1 0x2 (<unknown module>)\n",
     "sanitizer 1\n#0 absolute:0x1\n#1 absolute:0x2\n"},
    {"cpptrace", "\"at\" before the position or the module, inlined functions without an address, lines of source",
     "Stack trace (most recent call first):\n#0 0x00005591bdbc88b8 in f(int) at /my src/a.cc:24:12\n"
     "     23:   x();\n   > 24:   y();\n                ^\n     25:   z();\n     26: }\n"
     "#1 (inlined)          in g() at /my src/a.cc:30\n#2 0x00005591bdbc8911 in at(int) at a.cc:5\n"
     "#3 0x00005591bdbc87a4 in _start at /usr/bin/app\n#4 0x00005591bdbc87a5 at /usr/bin/app\n",
     "sanitizer 2\n#0 absolute:0x5591bdbc88b8 f:f(int) at:/my src/a.cc:24:12 not-needed\n"
     "#1 f:g() at:/my src/a.cc:30 not-needed inlined\n"
     "#2 absolute:0x5591bdbc8911 f:at(int) at:a.cc:5 not-needed\n"
     "#3 m:app absolute:0x5591bdbc87a4 f:_start path:/usr/bin/app\n#4 m:app "
     "absolute:0x5591bdbc87a5 path:/usr/bin/app\n"},
    {"GWP-ASan", "what a stack is to the first",
     "Use After Free at 0x10 by thread 12 here:\n    #0 0x1 in f a.c:1\n\n0x10 was deallocated by thread 12 here:\n"
     "    #0 0x2 in g a.c:2\n\n0x10 was allocated by thread 13 here:\n    #0 0x3 in h a.c:3\n",
     "sanitizer 2\n#0 absolute:0x1 f:f at:a.c:1 not-needed\nsanitizer 5 freed-by of 0 thread:12\n"
     "#0 absolute:0x2 f:g at:a.c:2 not-needed\nsanitizer 8 allocated-by of 0 thread:13\n"
     "#0 absolute:0x3 f:h at:a.c:3 not-needed\n"},
    {"FreeBSD", "its kernel prints \"at\"", "#0 0xffffffff80abc123 at kdb_backtrace+0x67\n",
     "sanitizer 1\n#0 absolute:0xffffffff80abc123 f:kdb_backtrace+103\n"},
    {"Fuchsia", "sub indexes are inlined", "   #3.1    0x71dc in f(char) ../toy.cc:12 <<app>>+0xac\n",
     "sanitizer 1\n#3 m:<app> linked:0xac f:f(char) at:../toy.cc:12 not-needed abs:0x71dc inlined sub:1\n"},
};
static const struct text_case looks[] = {
    {"wrapped", "one row of all its lines", "#1 0x55d0c5fe1a2b in f\n    (/path/lib.so+0x1234)\nx\n",
     "#1 0x55d0c5fe1a2b in inner(int) src/a.cc:7:3\n"
     "#1 0x55d0c5fe1a2b in outer() src/a.cc:21\n"
     "x\n"},
    {"chain", "as symbolised by the sanitizer, number repeated",
     "    #1 0x55d0  (/l/b.so+0x10) (BuildId: 0011223344)\n",
     "    #1 0x55d0 in inner(int) src/a.cc:7:3\n    #1 0x55d0 in outer() src/a.cc:21\n"},
    {"an element of a list", "each frame of the row is an element, so that the list stays JSON",
     "[\n    \"#1 0x55d0  (/l/b.so+0x10)\",\n    \"x\"\n]\n",
     "[\n    \"#1 0x55d0 in inner(int) src/a.cc:7:3\",\n\"#1 0x55d0 in outer() src/a.cc:21\",\n    \"x\"\n]\n"},
};
static const struct text_case symbol_looks[] = {
    {"cpptrace", "the module is replaced by a position", "#6 0x55d0 in _start at /usr/bin/app\n",
     "#6 0x55d0 in outer()\n"},
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
static void test_told(void **state)
{
    (void)state;
    check_told(reports, sizeof reports / sizeof *reports);
}
static void test_looks(void **state)
{
    (void)state;
    check_looks(looks, sizeof looks / sizeof *looks, fm_test_chain, 2);
    check_looks(symbol_looks, sizeof symbol_looks / sizeof *symbol_looks, fm_test_symbol, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_texts), cmocka_unit_test(test_told),
                                       cmocka_unit_test(test_looks)};
    return cmocka_run_group_tests_name("formats sanitizer", tests, NULL, NULL);
}
