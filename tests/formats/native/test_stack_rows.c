/* Tests the frame lines of debuggers and of stack-trace libraries. */
#include "tests/formats/native/native_help.h"

static const struct text_case texts[] = {
    {"gdb", "threads, a signal handler, arguments on two lines, no address",
     "Program received signal SIGSEGV, Segmentation fault.\n#0  0x00007ffff7e4ace1 in raise () from /lib64/libc.so.6\n"
     "#1  <signal handler called>\n#2  0x0000555555555131 in cart::add (this=0x0, n=3,\n    name=\"x (y)\") at "
     "src/cart.cc:12\n#3  main () at main.c:5\n5\t  return add();\n\nThread 2 (Thread 0x7f12 (LWP 123) \"my "
     "worker\"):\n"
     "#0  0x0000000000000000 in ?? ()\n#1  std::f<(a)1>(int) (x=<optimized out>) at /usr/include/a b.h:3\n",

     "gdb 2 type:SIGSEGV signal:SIGSEGV crashed\n"
     "#0 m:libc.so.6 absolute:0x7ffff7e4ace1 f:raise path:/lib64/libc.so.6\n"
     "#1 f:<signal handler called> not-needed\n"
     "#2 absolute:0x555555555131 f:cart::add at:src/cart.cc:12 not-needed\n"
     "#3 f:main at:main.c:5 not-needed\n"
     "gdb 10 thread:123 named:my worker\n"
     "#0 absolute:0x0\n"
     "#1 f:std::f<(a)1>(int) at:/usr/include/a b.h:3 not-needed\n"},
    {"gdb, a session", "what it prints between the signal and the stack does not part them",
     "Thread 1 \"app\" received signal SIGSEGV, Segmentation fault.\n0x0000555555555131 in add (this=0x0)\n"
     "    at cart.c:12\n12\t  return this->n;\n(gdb) bt full\n#0  0x0000555555555131 in add (this=0x0) at cart.c:12\n",
     "gdb 6 type:SIGSEGV signal:SIGSEGV crashed\n#0 absolute:0x555555555131 f:add at:cart.c:12 not-needed\n"},
    {"gdb, the frame at which the program stopped",
     "its signal is that of the stack that is shown below, not of another's",
     "Program terminated with signal SIGSEGV, Segmentation fault.\n#0  0x10 in f (n=1) at a.c:1\n"
     "1\t        && g())\n\n(gdb) bt\n#0  0x10 in f (n=1) at a.c:1\n#1  0x20 in main () at a.c:9\n"
     "(gdb) thread 2\n#0  0x30 in poll () from /lib64/libc.so.6\n",

     "gdb 2 type:SIGSEGV signal:SIGSEGV crashed\n#0 absolute:0x10 f:f at:a.c:1 not-needed\n"
     "gdb 6 type:SIGSEGV signal:SIGSEGV crashed\n#0 absolute:0x10 f:f at:a.c:1 not-needed\n"
     "#1 absolute:0x20 return f:main at:a.c:9 not-needed\n"
     "gdb 9\n#0 m:libc.so.6 absolute:0x30 f:poll path:/lib64/libc.so.6\n"},
    {"DrKonqi", "images after \"at\", functions without a name",
     "Thread 2 (Thread 0x7f12 (LWP 20)):\n#0  0x00007f58ef27f4ec in read () at /lib64/libc.so.6\n"
     "#1  0x00007f58edf2a1df in  () at /usr/lib64/libcart.so.0\n"
     "#2  0x00007f58ef99ac6b in cart::run(int) () at /usr/lib64/libcart.so.0\n"
     "#3  0x00007f58ef99ac6c in clone () at ../sysdeps/clone.S:95\n#4  0x1 in  () at b.c:5\n",

     "gdb 2 thread:20\n"
     "#0 m:libc.so.6 absolute:0x7f58ef27f4ec f:read path:/lib64/libc.so.6\n"
     "#1 m:libcart.so.0 absolute:0x7f58edf2a1df return path:/usr/lib64/libcart.so.0\n"
     "#2 m:libcart.so.0 absolute:0x7f58ef99ac6b return f:cart::run(int) path:/usr/lib64/libcart.so.0\n"
     "#3 absolute:0x7f58ef99ac6c return f:clone at:../sysdeps/clone.S:95 not-needed\n"
     "#4 absolute:0x1 return at:b.c:5\n"},
    {"gdb bt full", "local variables, positions and arguments on lines of their own, a frame without an address",
     "Thread 1 (LWP 8):\n#0  0x00007f0000000010 in poll () from /lib64/libc.so.6\nNo symbol table info available.\n"
     "#1  cart::wait (n=3)\n    at src/wait.cc:9\n        a = 1\n        b = {\n          c = 2\n        }\n"
     "        d = \"x\"\n        e = 0\n        f = 0\n        g = 0\n        h = 0\n        i = 0\n"
     "#2  0x00007f0000000020 in cart::add (\n    this=0x0,\n    n=3)\n    at src/cart.cc:12\nNo locals.\n"
     "#3  0x00007f0000000030 in start () at run.c:4\n",

     "gdb 2 thread:8\n"
     "#0 m:libc.so.6 absolute:0x7f0000000010 f:poll path:/lib64/libc.so.6\n"
     "#1 f:cart::wait at:src/wait.cc:9 not-needed\n"
     "#2 absolute:0x7f0000000020 return f:cart::add at:src/cart.cc:12 not-needed\n"
     "#3 absolute:0x7f0000000030 return f:start at:run.c:4 not-needed\n"},
    {"gdb, old titles",
     "gdb up to 7.0 gives a thread's number only; frames without a place, and without a name or an image",
     "Thread 10 (Thread 19961):\n#0  wait ()\n    at src/wait.S:162\n"
     "#1  0x00007f0000000010 in log (text=0x81f6d38 \"stopped (%s)\\n\") at log.c:811\n"
     "#2  0x0000000000000002 in  ()\n#3  0x00007f0000000030 in start () at run.c:4\n\n"
     "Thread 1 (Thread 0x7f12):\n#0  0x00007f0000000040 in poll () from /lib64/libc.so.6\n",

     "gdb 2 thread:19961\n"
     "#0 f:wait at:src/wait.S:162 not-needed\n"
     "#1 absolute:0x7f0000000010 return f:log at:log.c:811 not-needed\n"
     "#2 absolute:0x2 return\n"
     "#3 absolute:0x7f0000000030 return f:start at:run.c:4 not-needed\n"
     "gdb 9 thread:1\n"
     "#0 m:libc.so.6 absolute:0x7f0000000040 f:poll path:/lib64/libc.so.6\n"},
    {"gdb, wrapped after \"in\"", "the next line is the call; alone such a row may be another's",
     "#0  0x10 in f () from /l/x.so\n#1  0x20 in\n    a::g<int> (n=3) at a.cc:7\n#2  0x30 in\n    h () from\n    "
     "/l/y.so\n"
     "#3  0x40 in k () at a.cc:9\n",
     "gdb 1\n#0 m:x.so absolute:0x10 f:f path:/l/x.so\n#1 absolute:0x20 return f:a::g<int> at:a.cc:7 not-needed\n"
     "#2 m:y.so absolute:0x30 return f:h path:/l/y.so\n#3 absolute:0x40 return f:k at:a.cc:9 not-needed\n"},
    {"gdb, wrapped", "rows continue on the next line before \"()\", and after \"from\" and \"at\"",
     "Thread 1 (LWP 8):\n#0  0x00007f0000000010 in poll () from\n    /lib64/libc.so.6\n"
     "#1  0x00007f0000000020 in cart::add(int, char)\n    () from /usr/lib64/libcart.so.4\n"
     "#2  0x00007f0000000030 in cart::run (this=0xc) at\n    /usr/src/cart/run.cc:56\n#3  0x00007f0000000040 in ??\n"
     "#4  0x00007f0000000050 in start () at run.c:4\n",

     "gdb 2 thread:8\n"
     "#0 m:libc.so.6 absolute:0x7f0000000010 f:poll path:/lib64/libc.so.6\n"
     "#1 m:libcart.so.4 absolute:0x7f0000000020 return f:cart::add(int, char) path:/usr/lib64/libcart.so.4\n"
     "#2 absolute:0x7f0000000030 return f:cart::run at:/usr/src/cart/run.cc:56 not-needed\n"
     "#3 absolute:0x7f0000000040 return\n"
     "#4 absolute:0x7f0000000050 return f:start at:run.c:4 not-needed\n"},
    {"lldb in Markdown", "a list's mark is in the place of the star",
     "- thread #1: tid = 0x24, 0x39 libx.dylib`f + 8, queue = 'q', stop reason = signal SIGABRT\n"
     "  frame #0: 0x398fc1f0 libx.dylib`f + 8\n",
     "lldb 2 thread:1 queue:q type:SIGABRT signal:SIGABRT crashed\n#0 m:libx.dylib absolute:0x398fc1f0 f:f+8\n"},
    {"lldb", "threads, arguments, inlined functions, a module without a name",
     "* thread #1, name = 'app', queue = 'q', stop reason = EXC_BAD_ACCESS (code=1, address=0x0)\n"
     "  * frame #0: 0x0000000100003f5c app`inner(x=1, s=\"a b\") at a.c:3:5 [opt]\n"
     "    frame #1: 0x0000000100003f70 app`main [inlined] outer at a.c:9\n"
     "    frame #2: 0x0000000100003f70 app`cart::add(int) const + 28 at a.c:10:1\n"
     "    frame #3: 0x00007fff20301f3d libdyld.dylib`start + 1\n    frame #4: 0x00007fff20301f40 my lib + 0x12\n\n"
     "  thread #2\n    frame #0: 0x00007fff2030 libsystem_kernel.dylib`__psynch_cvwait + 10\n",

     "lldb 2 thread:1 named:app queue:q type:EXC_BAD_ACCESS crashed\n"
     "#0 m:app absolute:0x100003f5c f:inner at:a.c:3:5 not-needed\n"
     "#1 m:app absolute:0x100003f70 f:outer at:a.c:9 not-needed inlined\n"
     "#2 m:app absolute:0x100003f70 return f:cart::add(int) const+28 at:a.c:10:1 not-needed\n"
     "#3 m:libdyld.dylib absolute:0x7fff20301f3d return f:start+1\n"
     "#4 m:my lib absolute:0x7fff20301f40 return\n"
     "lldb 9 thread:2\n"
     "#0 m:libsystem_kernel.dylib absolute:0x7fff2030 f:__psynch_cvwait+10\n"},
    {"PyTorch", "its rows begin as those of lldb; unknown functions count from the image",
     "x (most recent call first):\nframe #0: c10::f(int, char) + 0x57 (0x7f10 in /lib/libc10.so)\n"
     "frame #1: <unknown function> + 0xc9aef (0x7f20 in /lib/libstdc++.so.6)\nframe #2: g (a) in b\n",

     "lldb 2\n"
     "#0 m:libc10.so absolute:0x7f10 return f:c10::f(int, char)+87 path:/lib/libc10.so\n"
     "#1 m:libstdc++.so.6 linked:0xc9aef return path:/lib/libstdc++.so.6 abs:0x7f20\n"},
    {"Chromium", "Windows: names with distances, positions, no names",
     "Backtrace:\n\tbase::f<int>::`anonymous namespace'::g [0x61C20814+20] (base\\a.cc:215)\n"
     "\t(No symbol) [0x00007FF6A1DEE112]\n\tRtlStart [0x7FFC+33]\nx\ny\nz\nw\nf [0x12]\nf [0x12+1] (a b)\n",

     "chromium 2\n"
     "- absolute:0x61c20814 return f:base::f<int>::`anonymous namespace'::g+20 at:base\\a.cc:215 not-needed\n"
     "- absolute:0x7ff6a1dee112 return\n"
     "- absolute:0x7ffc return f:RtlStart+33 not-needed\n"},
    {"Node", "a fatal error, rows without a name, another stack, V8's own title",
     "FATAL ERROR: Reached heap limit\n 1: 0xb09980 node::Abort(char[]) [/usr/bin/node]\n 2: 0xeaf465  [node]\n"
     " 3: f(int) [node]\n 5: 0x1\n==== C stack trace =====\n\n 1: 0xb29b0f4\n 2: operator delete[]\n",

     "chromium 2 type:FATAL ERROR message:Reached heap limit crashed\n"
     "#1 m:node absolute:0xb09980 return f:node::Abort(char[]) not-needed path:/usr/bin/node\n"
     "#2 m:node absolute:0xeaf465 return\n"
     "#3 m:node f:f(int) not-needed\n"
     "chromium 8\n"
     "#1 absolute:0xb29b0f4 return\n"
     "#2 f:operator delete[] not-needed\n"},
    {"Node on Windows", "addresses without 0x, distances, positions; below a message of V8",
     "#FailureMessage Object: 00000018871E93D0\n 1: 00007FF64B93AB0F v8::A<B,1>::~A+74383\n"
     " 2: 00007FFA9244BFA9 FFI::f<_g>+137 [D:\\a b\\ffi.h]:L37\n 3: 000001D1FB939000 \n"
     "FATAL ERROR: heap\n----- Native stack trace -----\n\n 1: 00007FF64B93AB0F node::f+3\n-\n-\n-\n-\n"
     " 7: 00007FF64B93AB0F alone\n 7: 12 of 30+5\n",

     "chromium 2\n#1 absolute:0x7ff64b93ab0f return f:v8::A<B,1>::~A+74383 not-needed\n"
     "#2 absolute:0x7ffa9244bfa9 return f:FFI::f<_g>+137 at:D:\\a b\\ffi.h:37 not-needed\n#3 absolute:0x1d1fb939000 "
     "return\n"
     "chromium 8 type:FATAL ERROR message:heap crashed\n#1 absolute:0x7ff64b93ab0f return f:node::f+3 not-needed\n"},
    {"WebKit", "an assertion",
     "ASSERTION FAILED: m_a && b\n../a.cpp(270) : void f(int)\n1   0x7f161a913b13 WTFReportBacktrace(int)\n"
     "2   0x7f162ddcf256\n3   0x7f162ddc0750 start\n",

     "chromium 3 type:ASSERTION FAILED message:m_a && b crashed\n"
     "#1 absolute:0x7f161a913b13 return f:WTFReportBacktrace(int) not-needed\n"
     "#2 absolute:0x7f162ddcf256 return\n"
     "#3 absolute:0x7f162ddc0750 return f:start not-needed\n"},
    {"Valgrind", "titles, sections, files, a signal, a thread, no name",
     "==12== Thread 2 worker:\n==12== Invalid write of size 4\n==12==    at 0x804838F: f(int) (example.c:6)\n"
     "==12==    by 0x80483AB: main (in /usr/bin/my app)\n==12==  Address 0x1ba4 is 0 bytes after a block of size 40 "
     "alloc'd\n==12==    at 0x1B8F: malloc (vg_replace_malloc.c:130)\n==12==    by 0x1: ???\n==12== \n"
     "==12== 40 bytes in 1 blocks are definitely lost in loss record 1 of 1\n==12==    at 0x1B8F: malloc\n==12== \n"
     "==12== Process terminating with default action of signal 11 (SIGSEGV)\n==12==  Access not within mapped region "
     "at "
     "address 0x0\n==12==    at 0x10: g (a.c:1)\n==12== at home\n==x==    at 0x10: g (a.c:1)\n",

     "valgrind 3 thread:2 named:worker type:Invalid write message:Invalid write of size 4 pid:12\n"
     "- absolute:0x804838f f:f(int) at:example.c:6 not-needed\n"
     "- m:my app absolute:0x80483ab f:main not-needed path:/usr/bin/my app\n"
     "valgrind 6 allocated-by of 0 pid:12\n"
     "- absolute:0x1b8f f:malloc at:vg_replace_malloc.c:130 not-needed\n"
     "- absolute:0x1\n"
     "valgrind 10 type:definitely lost message:40 bytes in 1 blocks are definitely lost in loss record 1 of 1 pid:12\n"
     "- absolute:0x1b8f f:malloc not-needed\n"
     "valgrind 14 type:SIGSEGV message:Process terminating with default action of signal 11 (SIGSEGV) signal:SIGSEGV "
     "pid:12 crashed\n"
     "- absolute:0x10 f:g at:a.c:1 not-needed\n"},
    {"Valgrind", "without the process, as it is pasted; modules of old versions; prose is not a row",
     "it prints\n  Thread #3 was created\n     at 0x511C08E: clone (in /lib64/libc-2.8.so)\n\n"
     "  Possible data race during read of size 4 at 0x601038 by thread #1\n  Locks held: none\n"
     "     at 0x400606: main (race.c:13)\n     by 0x40F6B804: (within /usr/lib/libpng.so.2.1)\n     by 0x1DB63EEB: "
     "???\n"
     "\n  This conflicts with a previous write of size 4 by thread #2\n  Locks held: none\n"
     "     at 0x4005DC: child (race.c:6)\n\nand then\n   at 0x80483BF: really (m.c:20)\n"
     "at 0x400: nothing\nby 0x500: a word (or two)\nby 0x12 (a.c:1)\n",

     "valgrind 3\n- m:libc-2.8.so absolute:0x511c08e f:clone not-needed path:/lib64/libc-2.8.so\n"
     "valgrind 7 type:Possible data race message:Possible data race during read of size 4 at 0x601038 by thread #1\n"
     "- absolute:0x400606 f:main at:race.c:13 not-needed\n"
     "- m:libpng.so.2.1 absolute:0x40f6b804 path:/usr/lib/libpng.so.2.1\n- absolute:0x1db63eeb\n"
     "valgrind 13 previous-access of 1\n- absolute:0x4005dc f:child at:race.c:6 not-needed\n"
     "valgrind 16\n- absolute:0x80483bf f:really at:m.c:20 not-needed\n"},
    {"Xcode", "rows copied from its navigator and its organizer; arguments only where there is no position",
     "#0\t0x000000010400aabc in A.load() at /src/My App/A.swift:23\n#1\t0x000000010400ab2c in @objc A.load() ()\n"
     "#2\t0x00000001b2c3d4e5 in -[B run] ()\n#3\t0x00000001b2c3d4f6 in closure #1 (Int) in f(_:) at "
     "/<compiler-generated>:0\n#4\t0x00000001b2c3d500 in main at /src/main.c:12\n\n\n\n\n"
     "Thread 2#0\t(null) in __pthread_kill ()\n#1\t(null) in f(void (*)()) ()\n#5\t0x00000001028f04b4 in static "
     "A.$main() at /src/A.swift:13\n\n\n\n\n#0 0x000000010400aabc in A.load() at /src/A.swift:23\n"
     "#1 0x000000010400aabd in main at /src/main.c:7\n#2  0x10 in -[A b] (self=0x1) at /src/a.m:3\n",

     "gdb 1\n#0 absolute:0x10400aabc f:A.load() at:/src/My App/A.swift:23 not-needed\n"
     "#1 absolute:0x10400ab2c return f:@objc A.load()\n#2 absolute:0x1b2c3d4e5 return f:-[B run]\n"
     "#3 absolute:0x1b2c3d4f6 return f:closure #1 (Int) in f(_:)\n"
     "#4 absolute:0x1b2c3d500 return f:main at:/src/main.c:12 not-needed\n"
     "gdb 10 thread:2\n#0 f:__pthread_kill not-needed\n#1 f:f(void (*)()) not-needed\n"
     "#5 absolute:0x1028f04b4 return f:static A.$main() at:/src/A.swift:13 not-needed\n"
     "gdb 17\n#0 absolute:0x10400aabc f:A.load() at:/src/A.swift:23 not-needed\n"
     "#1 absolute:0x10400aabd return f:main at:/src/main.c:7 not-needed\n"
     "#2 absolute:0x10 return f:-[A b] at:/src/a.m:3 not-needed\n"},
    {"gdb, Xcode's debugger", "labels of Swift's arguments, thunks, the title with a queue",
     "Thread 9 Queue : com.shop.cart (serial)\n#0\t0x0000000193289318 in partial apply for closure #1 in "
     "Cart.init(of:in:) ()\n#1\t0x0000000192ff1d14 in Optional.map<T>(_:) ()\n#2\t0x0000000102142168 in thunk for "
     "@escaping @callee_guaranteed @Sendable () -> () ()\n#3\t0x00000001039a7ec4 in _dispatch_client_callout ()\n",

     "gdb 2 thread:9 queue:com.shop.cart\n"
     "#0 absolute:0x193289318 f:partial apply for closure #1 in Cart.init(of:in:)\n"
     "#1 absolute:0x192ff1d14 return f:Optional.map<T>(_:)\n"
     "#2 absolute:0x102142168 return f:thunk for @escaping @callee_guaranteed @Sendable () -> ()\n"
     "#3 absolute:0x1039a7ec4 return f:_dispatch_client_callout\n"},
    {"MongoDB", "a line for each frame, in old and new words; below the whole stack they repeat it",
     "{\"ctx\":\"conn2\",\"msg\":\"Frame\",\"attr\":{\"frame\":{\"a\":\"56143CE414B7\",\"b\":\"56143B955000\","
     "\"o\":\"14EC4B7\",\"s\":\"_ZN1a1fEv\",\"C\":\"a::f()\",\"s+\":\"147\"}}}\n"
     "{\"ctx\":\"conn2\",\"msg\":\"  Frame: "
     "{frame}\",\"attr\":{\"frame\":{\"a\":\"7F74\",\"b\":\"7000\",\"o\":\"74\"}}}\n"
     "\n\n\n\n{\"msg\":\"BACKTRACE\",\"attr\":{\"bt\":1}}\n{\"ctx\":\"conn2\",\"msg\":\"Frame\",\"attr\":{\"frame\":"
     "{\"a\":\"56143CE414B7\",\"s\":\"f\"}}}\n{\"msg\":\"Frame\",\"attr\":{\"frame\":{\"a\":\"8\",\"s\":\"g\"}}}\n"
     "\n\n\n\n{\"msg\":\"Frame\",\"attr\":{\"frame\":{\"a\":\"x\"}}}\n{\"attr\":{\"frame\":{\"a\":\"8\",\"s\":\"g\"}}}"
     "\n\n\n\n\n\"attr\":{\"frame\":{\"a\":\"9\",\"s\":\"h\"}}}\n",

     "mongodb 1 named:conn2 crashed\n#0 absolute:0x56143ce414b7 load:0x56143b955000 return f:a::f()+327 not-needed\n"
     "#1 absolute:0x7f74 load:0x7000 return\nmongodb 15 crashed\n#0 absolute:0x8 return f:g not-needed\n"},
    {"coredump", "modules with build ids above, offsets in modules, nothing known",
     "Process 1234 (my app) of user 1000 dumped core.\n\nModule /usr/bin/app with build-id "
     "69389d485a9793dbe873f0ea2c93e02efaa9aa3d\nModule libx.so without build-id.\nStack trace of thread 1234:\n"
     "#0  0x00007f5a1c0a1b2c raise (libc.so.6 + 0x3d0bb)\n#1  0x000055d0c5fe1a2b n/a (/usr/bin/app + 0x1a2b)\n"
     "#2  0x0000000000000000 n/a (n/a)\n#3  0x00000d02a1cbd16a n/a (n/a + 0x0)\nELF object binary architecture: AMD "
     "x86-64\n",

     "coredump 6 thread:1234 process:my app pid:1234\n"
     "#0 m:libc.so.6 linked:0x3d0bb f:raise abs:0x7f5a1c0a1b2c\n"
     "#1 m:app linked:0x1a2b return id:69389d485a9793dbe873f0ea2c93e02efaa9aa3d path:/usr/bin/app abs:0x55d0c5fe1a2b\n"
     "#2 absolute:0x0 return\n#3 absolute:0xd02a1cbd16a return\n"},
    {"coredump of systemd 248", "it names the modules otherwise",
     "Found module libx.so.6 with build-id: 69389d485a9793dbe873f0ea2c93e02efaa9aa3d\n"
     "Found module a.so without build-id.\nStack trace of thread 12:\n#0  0x00007f5a1c0a1b2c f (libx.so.6 + 0x3d0bb)\n",

     "coredump 4 thread:12\n#0 m:libx.so.6 linked:0x3d0bb id:69389d485a9793dbe873f0ea2c93e02efaa9aa3d f:f "
     "abs:0x7f5a1c0a1b2c\n"},
    {"coredumpctl", "the signal is some lines above, and that of the first thread",
     "           PID: 760 (app)\n        Signal: 11 (SEGV)\n     Timestamp: Fri 2020-11-27 22:58:34 CET (21min ago)\n"
     "  Command Line: /bin/app\n       Message: Process 760 (app) of user 1002 dumped core.\n                \n"
     "                Stack trace of thread 760:\n                #0  0x000000746c756166 n/a (n/a + 0x0)\n\n"
     "                Stack trace of thread 761:\n"
     "                #0  0x00007f5a1c0a1b2c poll (libc.so.6 + 0x3d0bb)\n",

     "coredump 8 thread:760 type:SIGSEGV signal:SIGSEGV process:app pid:760 crashed\n#0 absolute:0x746c756166\n"
     "coredump 11 thread:761 process:app pid:760\n#0 m:libc.so.6 linked:0x3d0bb f:poll abs:0x7f5a1c0a1b2c\n"},
    {"old coredump", "modules without distances, which count only below a title",
     "#0  0x00007f936243b991 poll (libc.so.6)\nx\nx\nx\nx\nx\nStack trace of thread 78:\n"
     "#0  0x00007f936243b991 poll (libc.so.6)\n#1  0x00007f935730e673 n/a (libpulse.so.0)\n"
     "#2  0x00007f935730e674 cart::add (int) (my cart)\n",
     "sanitizer 1\n"
     "#0 absolute:0x7f936243b991 f:poll (libc.so.6)\n"
     "coredump 8 thread:78\n"
     "#0 m:libc.so.6 absolute:0x7f936243b991 f:poll\n"
     "#1 m:libpulse.so.0 absolute:0x7f935730e673 return\n"
     "#2 m:my cart absolute:0x7f935730e674 return f:cart::add (int)\n"},
    {"eu-stack", "threads; modules, build ids and positions, if they are asked for",
     "PID 31508 - process\nTID 31508:\n#0  0x00007f159ca40230 __poll\n#1  0x000056380a8dd155 inner\nTID 31509:\n"
     "#0  0x00007f159ca40230     __poll - /usr/lib/libc.so.6\n    ../sysdeps/poll.c:29:10\n"
     "#1  0x000056380a8dd155 - 1 cart::add(int) - /usr/bin/my app\n    /tmp/p.c:3:52\n"
     "TID 31510:\n#0  0x000056380a8dd154 inner\n    [0a6f7d511ef310000bcd013724381a8b7197a45c]@0x56380a8dc000+0x1154\n"
     "#1  0x000056380a8dd167 outer\n    [0a6f7d511ef310000bcd013724381a8b7197a45c]@0x56380a8dc000+0x1166\n"
     "    /tmp/p.c:4:52\n#2  0x000056380a8dd168\n",

     "coredump 3 thread:31508\n#0 absolute:0x7f159ca40230 f:__poll\n#1 absolute:0x56380a8dd155 return f:inner\n"
     "coredump 6 thread:31509\n"
     "#0 m:libc.so.6 absolute:0x7f159ca40230 f:__poll at:../sysdeps/poll.c:29:10 not-needed "
     "path:/usr/lib/libc.so.6\n"
     "#1 m:my app absolute:0x56380a8dd155 return f:cart::add(int) at:/tmp/p.c:3:52 not-needed "
     "path:/usr/bin/my app\n"
     "coredump 11 thread:31510\n"
     "#0 image:0x1154 id:0a6f7d511ef310000bcd013724381a8b7197a45c f:inner abs:0x56380a8dd154\n"
     "#1 image:0x1166 id:0a6f7d511ef310000bcd013724381a8b7197a45c f:outer at:/tmp/p.c:4:52 not-needed "
     "abs:0x56380a8dd167\n#2 absolute:0x56380a8dd168 return\n"},
    {"glog", "title, program counter, sizes of frames, no name",
     "*** SIGSEGV (@0x0) received by PID 11 (TID 0x7f12) from PID 0; stack trace: ***\n"
     "PC: @     0x55d0c5fe1a2b  cart::add(int)\n    @     0x7f1b1f2b6700       1234  (unknown)\n"
     "    @     0x55d0c5fe1b00  main at src/a.cc:7:3\n",

     "glog 2 type:SIGSEGV signal:SIGSEGV pid:11 crashed\n"
     "- absolute:0x55d0c5fe1a2b f:cart::add(int)\n"
     "- absolute:0x7f1b1f2b6700 return\n"
     "- absolute:0x55d0c5fe1b00 return f:main at:src/a.cc:7:3 not-needed\n"},
    {"glog, the program counter above the title", "is the first frame of the stack, as below the title",
     "*** Aborted at 1700000000 (unix time) try \"date -d @1700000000\" if you are using GNU date ***\n"
     "PC: @     0x55d0c5fe1a2b cart::add(int)\n"
     "*** SIGSEGV (@0x0) received by PID 11 (TID 0x7f12) from PID 0; stack trace: ***\n"
     "    @     0x7f1b1f2b6700 (unknown)\n    @     0x55d0c5fe1b00 main\n",

     "glog 2 type:SIGSEGV signal:SIGSEGV pid:11 crashed\n"
     "- absolute:0x55d0c5fe1a2b f:cart::add(int)\n"
     "- absolute:0x7f1b1f2b6700 return\n- absolute:0x55d0c5fe1b00 return f:main\n"},
    {"glog, a title after a stack", "begins another one; so does one after more than a program counter",
     "    @     0x55d0c5fe1b00 main\n*** SIGABRT (@0x1) received by PID 11 (TID 0x7f12); stack trace: ***\n"
     "    @     0x7f1b1f2b6700 raise\nPC: @     0x55d0c5fe1a2b cart::add(int)\n    @     0x55d0c5fe1b00 main\n"
     "*** SIGSEGV (@0x0) received by PID 12 (TID 0x7f12); stack trace: ***\n    @     0x7f1b1f2b6701 f\n",

     "glog 1\n- absolute:0x55d0c5fe1b00 return f:main\n"
     "glog 3 type:SIGABRT signal:SIGABRT pid:11 crashed\n- absolute:0x7f1b1f2b6700 return f:raise\n"
     "- absolute:0x55d0c5fe1a2b f:cart::add(int)\n- absolute:0x55d0c5fe1b00 return f:main\n"
     "glog 7 type:SIGSEGV signal:SIGSEGV pid:12 crashed\n- absolute:0x7f1b1f2b6701 return f:f\n"},
    {"glog, a title far above", "is not that of a program counter whose own title follows",
     "*** SIGTERM (@0x0) received by PID 11 (TID 0x7f12); stack trace: ***\na\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl\nm\n"
     "PC: @     0x55d0c5fe1a2b cart::add(int)\n"
     "*** SIGSEGV (@0x0) received by PID 12 (TID 0x7f12); stack trace: ***\n    @     0x7f1b1f2b6700 f\n",

     "glog 15 type:SIGSEGV signal:SIGSEGV pid:12 crashed\n- absolute:0x55d0c5fe1a2b f:cart::add(int)\n"
     "- absolute:0x7f1b1f2b6700 return f:f\n"},
    {"absl", "a signal without a process, sizes of frames that are not known",
     "*** SIGSEGV received at time=1735498782 on cpu 7 ***\nPC: @     0x55d0c5fe1a2b  (unknown)  cart::add(int)\n"
     "    @     0x7f1b1f2b6700  (unknown)  (unknown)\n    @     0x55d0c5fe1b00         64  main\n",

     "glog 2 type:SIGSEGV signal:SIGSEGV crashed\n- absolute:0x55d0c5fe1a2b f:cart::add(int)\n"
     "- absolute:0x7f1b1f2b6700 return\n- absolute:0x55d0c5fe1b00 return f:main\n"},
    {"folly", "16 digits, positions below",
     "    @ 000000000040d9e4 cart::add(int)\n                       ./src/cart.cc:26\n    @ 000000000040d9f0 main\n"
     "                       ./src/main.cc:3\n                       -> /src/main.cc\n",

     "glog 1\n"
     "- absolute:0x40d9e4 return f:cart::add(int) at:./src/cart.cc:26 not-needed\n"
     "- absolute:0x40d9f0 return f:main at:./src/main.cc:3 not-needed\n"},
    {"boost", "three forms, and std::stacktrace",
     " 0# cart::add(int) at /my src/cart.cc:7\n 1# main in ./app\n 2# 0x000055823ab1c0de in ./app\n"
     " 3# start at a.c:7 [0x55823ab1c0de]\n 4#      at :0\n",

     "boost 1\n"
     "#0 f:cart::add(int) at:/my src/cart.cc:7 not-needed\n"
     "#1 m:app f:main not-needed path:./app\n"
     "#2 m:app absolute:0x55823ab1c0de return path:./app\n"
     "#3 absolute:0x55823ab1c0de return f:start at:a.c:7 not-needed\n"
     "#4\n"},
    {"xorg", "all forms of rows; the signal is below them; a file that begins there is known for its other rows",
     "[   103.216] (EE) Backtrace:\n[   103.217] (EE) 0: /usr/lib/xorg/Xorg (xorg_backtrace+0x4d) [0x559000001a2b]\n"
     "[   103.218] (EE) 1: /usr/lib/xorg/Xorg (0x559000000000+0x1c30) [0x559000001c30]\n"
     "[   103.219] (EE) unw_get_proc_name failed: no unwind info found [-10]\n"
     "[   103.219] (EE) 2: /usr/lib/libc.so.6 (?+0x0) [0x7f1d9d1b78a0]\n[   103.219] (EE) 3: ?? [0x7f1d9d1b78b0]\n"
     "[   103.219] (EE) 4: ? (?+0x3e) [0x7f1d9a3c2b8e]\n[   103.220] (EE) \n"
     "[   103.220] (EE) Segmentation fault at address 0x10\n[   103.220] (EE) \nFatal server error:\n"
     "[   103.220] (EE) Caught signal 11 (Segmentation fault). Server aborting\n",
     "xorg 2 type:SIGSEGV signal:SIGSEGV fault:0x10 crashed\n"
     "#0 m:Xorg absolute:0x559000001a2b load:0x559000000000 return f:xorg_backtrace+77 path:/usr/lib/xorg/Xorg\n"
     "#1 m:Xorg absolute:0x559000001c30 load:0x559000000000 return path:/usr/lib/xorg/Xorg\n"
     "#2 m:libc.so.6 absolute:0x7f1d9d1b78a0 return path:/usr/lib/libc.so.6\n"
     "#3 absolute:0x7f1d9d1b78b0 return\n#4 absolute:0x7f1d9a3c2b8e return\n"},
    {"xorg, old versions", "rows without the level, a restored row, a second stack",
     "Backtrace:\n0: /usr/bin/X (xorg_backtrace+0x28) [0x4a26d8]\n"
     "1: /usr/bin/X (0x400000+0x66129) [0x466129] inner(int) at src/a.cc:7:3\nBus error at address 0x10\n"
     "(EE) 0: /usr/bin/X (a+0x1) [0x1]\n",
     "xorg 2 type:Bus error fault:0x10 crashed\n#0 m:X absolute:0x4a26d8 load:0x400000 return f:xorg_backtrace+40 path:/usr/bin/X\n"
     "#1 m:X absolute:0x466129 load:0x400000 return f:inner(int) at:src/a.cc:7:3 not-needed path:/usr/bin/X\n"
     "xorg 5\n#0 m:X absolute:0x1 return f:a+1 path:/usr/bin/X\n"},
    {"xorg, near misses", "no path, no address, other text in the parentheses",
     "0: Xorg (a+0x1) [0x1]\n(EE) 0: /usr/bin/X (a+0x1)\n1: /usr/bin/X (a b) [0x1]\n3: ?? [0x12]\n"
     "(EE) 2: /usr/bin/X (a+0x1) [0x1]x\nx 2: /usr/bin/X (a+0x1) [0x1]\n",
     ""},
    {"mozilla", "all forms of rows, below an assertion",
     "[12] Assertion failure: mLength > 0 (empty), at /src/Cart.cpp:12\n"
     "#01: ???[/usr/lib/firefox/libxul.so +0x944c842]\n#02: cart::add(int)[/usr/lib/firefox/libxul.so +0x1a]\n"
     "#03: ??? (???:??"
     "?)\n#04: cart::add(int) (/src/Cart.cpp:12)\n#05: operator[](int) [dom/Cart.cpp:12]\n"
     "#06: ??? (/usr/lib/libc.so + 0x1a2b)\n#07: start [/usr/lib/dyld + 0x1]\n",

     "mozilla 2 type:Assertion failure message:mLength > 0 (empty) crashed\n"
     "#1 m:libxul.so image:0x944c842 return path:/usr/lib/firefox/libxul.so\n"
     "#2 m:libxul.so image:0x1a return f:cart::add(int) path:/usr/lib/firefox/libxul.so\n"
     "#3\n"
     "#4 f:cart::add(int) at:/src/Cart.cpp:12 not-needed\n"
     "#5 f:operator[](int) at:dom/Cart.cpp:12 not-needed\n"
     "#6 m:libc.so image:0x1a2b return path:/usr/lib/libc.so\n"
     "#7 m:dyld image:0x1 return f:start path:/usr/lib/dyld\n"},
    {"mozilla", "each number 1 begins a stack; other messages",
     "Hit MOZ_CRASH(no cart) at /src/a.cpp:7\n#01: f (/src/a.cpp:7)\n"
     "[Parent 12, Main Thread] ###!!! ASSERTION: empty: 'n > 0', file /src/a.cpp:9\n#01: g (/src/a.cpp:9)\n",

     "mozilla 2 type:MOZ_CRASH message:no cart crashed\n#1 f:f at:/src/a.cpp:7 not-needed\n"
     "mozilla 4 type:ASSERTION message:empty: 'n > 0' crashed\n#1 f:g at:/src/a.cpp:9 not-needed\n"},
    {"mozilla", "the output of mach",
     " 0:14.35 GECKO(12) Assertion failure: mLength > 0 (empty), at /src/a.cpp:7\n"
     " 0:14.36 GECKO(12) #01: f[/usr/lib/libxul.so +0x1a]\n"
     " 0:14.36 GECKO(12) #02: ???[/usr/lib/libxul.so +0x2b]\n",

     "mozilla 2 type:Assertion failure message:mLength > 0 (empty) crashed\n"
     "#1 m:libxul.so image:0x1a return f:f path:/usr/lib/libxul.so\n"
     "#2 m:libxul.so image:0x2b return path:/usr/lib/libxul.so\n"},
    {"mozilla", "issues and lists are no rows", "#12: title (a.c:7)\n#1: title (a.c:7)\n#02: title (a.c:7)\n", ""},
    {"tizen", "the header is far above; a fixed address; rows without an image",
     "Crash Information\nProcess Name: shop\nPID: 1234\nDate: 2017-06-01 00:31:37+0900\n"
     "Executable File Path: /opt/bin/shop\nSignal: 11\n      (SIGSEGV)\n      si_code: 1\n      address not mapped\n"
     "\nMaps Information\nb2ba0000 b2baa000 r-xp /usr/lib/a.so.0.1.4\nb2bb0000 b2bbc000 r-xp /usr/lib/v-1.13/m.so\n"
     "\nCallstack Information (PID:1234)\nCall Stack Count: 5\n"
     " 0: cart_add + 0x1a (0xb6f1a2b0) [/opt/my app/bin/shop] + 0x12b0\n 1: (0xb6d1a2f0) [/lib/libc.so.6] + 0x182f0\n"
     " 2: main + 0x2 (0x804a2b0) [/usr/bin/shop] + 0x804a2b0\n 3: ((nil)) (null)\n10: (0x1) (null)\n"
     "End of Call Stack\n",

     "tizen 17 type:SIGSEGV signal:SIGSEGV process:shop pid:1234 crashed\n"
     "#0 m:shop image:0x12b0 f:cart_add+26 path:/opt/my app/bin/shop abs:0xb6f1a2b0\n"
     "#1 m:libc.so.6 image:0x182f0 return path:/lib/libc.so.6 abs:0xb6d1a2f0\n"
     "#2 m:shop linked:0x804a2b0 return f:main+2 path:/usr/bin/shop abs:0x804a2b0\n"
     "#3 absolute:0x0 return\n#10 absolute:0x1 return\n"},
    {"tizen", "a second report; the header of another process is not the stack's",
     "Crash Information\nPID: 7\nSignal: 6\nCallstack Information (PID:8)\n 0: (0x10) [/lib/a.so] + 0x1\n"
     "Callstack Information (PID:9)\n 0: (0x10) [/lib/a.so] + 0x1\nEnd of Call Stack\n",

     "tizen 5 pid:8\n#0 m:a.so image:0x1 path:/lib/a.so abs:0x10\n"
     "tizen 7 pid:9\n#0 m:a.so image:0x1 path:/lib/a.so abs:0x10\n"},
    {"tizen", "near misses",
     " 0: ((nil)) (null)\n 1: a + 0x1 (0x10) /lib/a.so + 0x1\n 2: (0x10) [/lib/a.so]\n3: (10) [/lib/a.so] + 0x1\n", ""},
    {"backward", "outermost first, inlined functions, code of the file",
     "Stack trace (most recent call last) in thread 1234:\n#3    Object \"/usr/bin/app\", at 0x401b0d, in _start\n"
     "#2    Source \"/src/main.cc\", line 12, in main [0x401234]\n         11: int main() {\n      >  12:   run();\n"
     "#1  | Source \"/src/cart.cc\", line 5, in inner\n      Source \"/src/cart.cc\", line 9, in outer [0x401200]\n"
     "#0    Object \"[0xffffffffffffffff]\", at 0xffffffffffffffff, in\n",

     "backward 2 thread:1234\n"
     "#3 m:app absolute:0x401b0d f:_start path:/usr/bin/app\n"
     "#2 absolute:0x401234 f:main at:/src/main.cc:12 not-needed\n"
     "#1 f:inner at:/src/cart.cc:5 not-needed inlined\n"
     "- absolute:0x401200 f:outer at:/src/cart.cc:9 not-needed\n"
     "#0 absolute:0xffffffffffffffff\n"},
    {"lldb's code", "rows of instructions have no name",
     "->  0x400a5b <+91>: b      0x400a5c ; <+92> at a.kt:1:1\n    0x400a5c <+92>: b      0x400a60 ; <+96> at "
     "a.kt:1:1\n",
     ""},
    {"execinfo", "libexecinfo", "0x400a5b <main+91> at ./app\n0x400b00 <_start+0x10> at /usr/bin/app\n",
     "execinfo 1\n"
     "- m:app absolute:0x400a5b return f:main+91 path:./app\n"
     "- m:app absolute:0x400b00 return f:_start+16 path:/usr/bin/app\n"},
    {"libunwind", "its manual's loop",
     "0x400c54: (main+0x1a) [0x400c54]\n0x7f5a1c: -- error: unable to obtain symbol name for this frame\n",
     "execinfo 1\n"
     "- absolute:0x400c54 f:main+26\n"
     "- absolute:0x7f5a1c return\n"},
    {"hotspot", "native and Java frames",
     "#  SIGSEGV (0xb) at pc=0x00007f5a1c0a1b2c, pid=123, tid=456\n#\n# Problematic frame:\n# C  [libcart.so+0x112b]  "
     "add+0x1f\n#\n\nNative frames: (J=compiled Java code, j=interpreted, Vv=VM code, C=native code)\n"
     "C  [libcart.so+0x112b]  add+0x1f\nV  [libjvm.so+0x9a3b21]  JavaCalls::call_helper(JavaValue*)+0x411  "
     "(calls.cpp:7)\n"
     "C  0x00007f5a1c0a1b2c\nj  shop.Cart.add(I)V+12 java.base@17\nv  ~StubRoutines::call_stub\n"
     "J 123 C2 shop.Cart.sum()J shop@1 (20 bytes) @ 0x00007f5a1c0a1b2c [0x00007f5a1c0a1b00+0x2c]\n",

     "hotspot 4 type:SIGSEGV signal:SIGSEGV pid:123 crashed\n"
     "- m:libcart.so linked:0x112b f:add+31\n"
     "hotspot 8 pid:123\n"
     "- m:libcart.so linked:0x112b f:add+31\n"
     "- m:libjvm.so linked:0x9a3b21 return f:JavaCalls::call_helper(JavaValue*)+1041 at:calls.cpp:7 not-needed\n"
     "- absolute:0x7f5a1c0a1b2c return\n"
     "- c:shop.Cart f:add not-needed kind:java\n"
     "- f:~StubRoutines::call_stub not-needed\n"
     "- c:shop.Cart f:sum not-needed kind:java\n"},
    {"hotspot's thread", "above the list; another line between, and one that names no thread",
     "Current thread (0x00007f5a24001000):  JavaThread \"my main\" daemon [_thread_in_native, id=456, "
     "stack(0x1,0x2)]\n\nStack: [0x1,0x2],  sp=0x3,  free space=1017k\nNative frames: (J=x)\nC  [a.so+0x12]  f+0x1\n"
     "\nCurrent thread is native thread\n\nNative frames: (J=x)\nC  [a.so+0x13]\n",
     "hotspot 5 thread:456 named:my main\n- m:a.so linked:0x12 f:f+1\nhotspot 10\n- m:a.so linked:0x13\n"},
    {"hotspot, cut", "the prompt of a shell follows a line without an end",
     "# Problematic frame:\n# C  [librocks.so+0x395][zell a/ ns:jx]$ \n", "hotspot 2\n- m:librocks.so linked:0x395\n"},
    {"hotspot on Windows", "files that are linked at an address of their own",
     "#  EXCEPTION_ACCESS_VIOLATION (0xc0000005) at pc=0x4c8dc059, pid=7, tid=3\n# Problematic frame:\n"
     "# C  [OpenAL32.dll+0xc059]\n# V  [java.exe+0x1]\n",
     "hotspot 3 type:EXCEPTION_ACCESS_VIOLATION pid:7 crashed\n- m:OpenAL32.dll image:0xc059\n"
     "- m:java.exe image:0x1 return\n"},
    {"gdb, templates", "blanks within the arguments of one",
     "#0  0x0000000000001131 in std::F<void (), a::{lambda()#1}>::m(std::A const&) () from /l/a.so\n"
     "#1  0x0000000000001132 in operator< (x=1) from /l/a.so\n#2  0x0000000000001133 in a->*b () from /l/a.so\n",
     "gdb 1\n#0 m:a.so absolute:0x1131 f:std::F<void (), a::{lambda()#1}>::m(std::A const&) path:/l/a.so\n"
     "#1 m:a.so absolute:0x1132 return f:operator< path:/l/a.so\n"
     "#2 m:a.so absolute:0x1133 return f:a->*b path:/l/a.so\n"},
    {"V8 without symbols", "addresses alone, directly below the title; below rows of glibc they are theirs",
     "Received signal 11 SEGV_MAPERR 7f6b0c580000\n\n==== C stack trace ===============================\n\n"
     " [0x7f6b13882bf1]\n [0x7f6b137dadb5]\n[end of stack trace]\n[0x7f6b137dadb6]\n\n\n\n\n"
     "==== C stack trace ===============================\n/usr/d8(+0x11ae) [0x557fd52c91ae]\n[0x7f6b137dadb5]\n",

     "chromium 5 type:SEGV_MAPERR message:Received signal 11 SEGV_MAPERR 7f6b0c580000 code:SEGV_MAPERR crashed"
     "\n"
     "- absolute:0x7f6b13882bf1 return\n"
     "- absolute:0x7f6b137dadb5 return\n"
     "glibc 14\n"
     "- m:d8 linked:0x11ae return path:/usr/d8 abs:0x557fd52c91ae\n"
     "- absolute:0x7f6b137dadb5 return unknown-image\n"},
    {"Mono", "the error far above, a name that is hidden, an address in no image",
     "Got a SIGSEGV while executing native code. This usually indicates\na fatal error\n=====\n\n=====\n\tNative "
     "stacktrace:\n"
     "=====\n\t0x1065a0280 - /Users/u/My App/libmono.dylib : mono_dump\n"
     "\t0x194c31a8c - /S/CoreFoundation.framework/CoreFoundation : <redacted>\n\t0x1bcd - Unknown\n0x1bcd - Unknowns\n",

     "execinfo 8 type:SIGSEGV signal:SIGSEGV crashed\n"
     "- m:libmono.dylib absolute:0x1065a0280 return f:mono_dump path:/Users/u/My App/libmono.dylib\n"
     "- m:CoreFoundation absolute:0x194c31a8c return path:/S/CoreFoundation.framework/CoreFoundation\n"
     "- absolute:0x1bcd return\n"},
    {"ClickHouse", "in a message, with positions, inlined functions, after a log's prefix",
     "2023.05.12 10:11:12.1 [ 1 ] {a-b} <Error> exec: Code: 60. DB::Exception: No table x. (UNKNOWN) (version 23 "
     "(official)), "
     "Stack trace (when copying this message, always include the lines below):\n\n"
     "0. DB::Exception::Exception(int, bool) @ 0x000000000e1c2b94 in /usr/bin/clickhouse\n"
     "1. ./build/../src/Common/Exception.cpp:91: DB::f<A::B>(int) @ 0x0000000008a3ebac in /usr/bin/clickhouse\n"
     "2.1. inlined from ./src/a.h:4: std::g()\n2. ? @ 0x000000001331dd98 in /usr/bin/clickhouse\n"
     "3. __clone @ 0x00000000000fca2f in ?\n\n\n\n"
     "2022.01.02 10:00:00.0 [ 3 ] {} <Fatal> BaseDaemon: (version 21 (official)) Received signal Segmentation fault "
     "(11)\n"
     "2022.01.02 10:00:00.0 [ 3 ] {} <Fatal> BaseDaemon: Stack trace: 0xa2b3c4d\n"
     "2022.01.02 10:00:00.0 [ 3 ] {} <Fatal> BaseDaemon: 2. DB::h(A const&) @ 0xa2b3c4d in /usr/bin/clickhouse\n",

     "clickhouse 3 type:DB::Exception message:No table x. (UNKNOWN)\n"
     "#0 m:clickhouse linked:0xe1c2b94 return f:DB::Exception::Exception(int, bool) path:/usr/bin/clickhouse\n"
     "#1 m:clickhouse linked:0x8a3ebac return f:DB::f<A::B>(int) at:./build/../src/Common/Exception.cpp:91 not-"
     "needed path:/usr/bin/clickhouse\n"
     "#2 f:std::g() at:./src/a.h:4 not-needed inlined\n"
     "#2 m:clickhouse linked:0x1331dd98 return path:/usr/bin/clickhouse\n"
     "#3 linked:0xfca2f return f:__clone\n"
     "clickhouse 13 type:Segmentation fault message:Received signal Segmentation fault (11) signal:SIGSEGV crashed\n"
     "#2 m:clickhouse linked:0xa2b3c4d return f:DB::h(A const&) path:/usr/bin/clickhouse\n"},
    {"ClickHouse, near misses", "lists",
     "0. a @ 0x10 in the room\n1. f @ 0x in a\n2. inlined from a.c:1: f\n3. a @ home\n", ""},
    {"zig", "titles of panics, errors and signals; lines of source; a title among rows",
     "error: thread 248303 panic: index 5, len 3\nUnwind error at address `:0x25` (error.X), trace may be "
     "incomplete\n\n"
     "lib/std/debug.zig:518:14: 0x17fcebc in assert (std.zig)\n    if (!ok) unreachable;\n             ^\n"
     "/my src/main.zig:44:0: 0x1034dd4 in T.main__anon_1 (app)\n    try foo();\n    ^\n"
     "???:?:?: 0x7f8f3c1 in ??? (libc.so.6)\n???:?:?: 0x7f8f3c2 in _g (?\?\?)\nthread 7 panic: reached unreachable "
     "code\n"
     "???:?:?: 0x7f8f3c3 in ??? (?\?\?)\nerror: FileNotFound\na.zig:3:4: 0x10 in f (app)\n\n\n\n"
     "Segmentation fault at address 0x0\na.zig:3:4: 0x10 in f (app)\n",

     "zig 4 thread:248303 type:panic message:index 5, len 3 crashed\n"
     "- absolute:0x17fcebc f:assert at:lib/std/debug.zig:518:14 not-needed\n"
     "- absolute:0x1034dd4 f:T.main__anon_1 at:/my src/main.zig:44 not-needed\n"
     "- m:libc.so.6 absolute:0x7f8f3c1\n"
     "- absolute:0x7f8f3c2 f:_g\n"
     "zig 13 thread:7 type:panic message:reached unreachable code crashed\n"
     "- absolute:0x7f8f3c3\n"
     "zig 15 type:FileNotFound crashed\n"
     "- absolute:0x10 f:f at:a.zig:3:4 not-needed\n"
     "zig 20 type:Segmentation fault message:Segmentation fault at address 0x0 crashed\n"
     "- absolute:0x10 f:f at:a.zig:3:4 not-needed\n"},
    {"zig, Bun's", "the list that its server of crash reports makes",
     "panic(main thread): oops\n\n- [`ld-temp.o:0`](<https://github.com/oven-sh/bun/a#L0>): `WTF::f(int)`\n- `??`\n"
     "- *1 unknown/js code*\n- [`a.zig:39`](<https://github.com/oven-sh/bun/a.zig#L39>): `src.a.B.tick__anon_1`\n"
     "- 12 unknown/js code\n- 3 apples\n",

     "zig 3 named:main thread type:panic message:oops crashed\n"
     "- f:WTF::f(int) at:ld-temp.o not-needed\n"
     "- elided count:1 not-needed kind:marker marker:elided count:1\n"
     "- elided count:1 not-needed kind:marker marker:elided count:1\n"
     "- f:src.a.B.tick__anon_1 at:a.zig:39 not-needed\n"
     "- elided count:12 not-needed kind:marker marker:elided count:12\n"},
    {"zig, near misses", "other rows with an address",
     "a.zig:12: 0x10 in f (app)\na.zig:1:2: 0x10 in (app)\na.c:1:2: error 0x10 in f\n- `??`\n- 1 unknown/js code\n"
     "- [`a.zig:39`](<https://github.com/oven-sh/bun/a.zig#L39>): text\n",

     ""},
    {"wine", "the exception far above, names, positions, offsets in modules, nothing",
     "wine: Unhandled page fault on read access to 00000000 at address 01FC9328 (thread 0024), starting debugger...\n"
     "Unhandled exception: page fault on read access to 0x00000000 in 32-bit code (0x01fc9328).\nRegister dump:\n"
     " CS:0023 SS:002b\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\nBacktrace:\n"
     "=>0 0x01fc9328 EntryPoint+0x304bf() in my app (0x0021ee1c)\n"
     "  1 0x6ed9e03c wind+0xeac(hwnd=<is not available>, f=(a)) [Z:\\my src\\winpos.c:3056] in user32 (0x0021eec8)\n"
     "  2 0x006ffff9e7e572 in adobe air (+0x62e572) (0000000000000000)\n  3 0x00000003 (0x00905a4d)\n"
     "  4 0x00000004 in ntdll (0x00905a4d)\n0x01fc9328: movl\t0x0(%esi),%mm0\nModules:\n  5 0x10 f in b (0x1)\n",

     "wine 20 thread:0024 type:page fault message:page fault on read access to 0x00000000 in 32-bit code (0x01f"
     "c9328). crashed\n"
     "#0 m:my app absolute:0x1fc9328 f:EntryPoint+197823 not-needed\n"
     "#1 m:user32 absolute:0x6ed9e03c f:wind+3756 at:Z:\\my src\\winpos.c:3056 not-needed\n"
     "#2 m:adobe air image:0x62e572 unknown-image abs:0x6ffff9e7e572\n"
     "#3 absolute:0x3 unknown-image\n"
     "#4 m:ntdll absolute:0x4 unknown-image\n"
     "#5 m:b absolute:0x10 f:f not-needed\n"},
    {"wine, all threads", "a title above each; the first number is 1 in older versions",
     "Backtracing for thread 0009 in process 0008 (Z:\\app.exe):\nBacktrace:\n=>1 0x7d925744 f+0x1 in app (0x1)\n"
     "  2 0x7d925745 g+0x1 in app (0x1)\nBacktracing for thread 000a in process 0008 (Z:\\app.exe):\nBacktrace:\n"
     "=>1 0x7d925744 h+0x1 in app (0x1)\n",

     "wine 3 thread:0009 process:Z:\\app.exe\n"
     "#1 m:app absolute:0x7d925744 f:f+1 not-needed\n"
     "#2 m:app absolute:0x7d925745 f:g+1 not-needed\n"
     "wine 7 thread:000a process:Z:\\app.exe\n"
     "#1 m:app absolute:0x7d925744 f:h+1 not-needed\n"},
    {"near misses", "prose and lists",
     "#1 in the list\n#2  see f (x) at home\n 0# of 12\n @ 0x\n@ home\n#1 Object \"a\"\n"
     "0x10 <b> at c\n0x10: (x)\nC  [x]\nj  is a letter\n* thread #x\nframe #1\n",

     ""},
};
static const struct text_case looks[] = {
    {"gdb", "arguments are not restored", "#1  0x0000555555555131 in f () from /lib/a.so\n",
     "#1  0x0000555555555131 in inner(int) () at src/a.cc:7:3\n#1  0x0000555555555131 in outer() () at src/a.cc:21\n"},
    {"lldb", "module and name", "    frame #2: 0x00007fff20301f3d libdyld.dylib`start + 1\n",
     "    frame #2: 0x00007fff20301f3d libdyld.dylib`inner(int) at src/a.cc:7:3\n"
     "    frame #2: 0x00007fff20301f3d libdyld.dylib`outer() at src/a.cc:21\n"},
    {"PyTorch", "the image stays", "frame #1: <unknown function> + 0xc9 (0x7f20 in /lib/a.so)\n",
     "frame #1: inner(int) at src/a.cc:7:3 (0x7f20 in /lib/a.so)\nframe #1: outer() at src/a.cc:21 (0x7f20 in "
     "/lib/a.so)\n"},
    {"coredump", "the module stays", "#1  0x000055d0c5fe1a2b n/a (/usr/bin/app + 0x1a2b)\n",
     "#1  0x000055d0c5fe1a2b inner(int) at src/a.cc:7:3 (/usr/bin/app + 0x1a2b)\n"
     "#1  0x000055d0c5fe1a2b outer() at src/a.cc:21 (/usr/bin/app + 0x1a2b)\n"},
    {"coredump", "a row of eu-stack", "TID 7:\n#0  0x000055d0c5fe1a2b main - /usr/bin/app\n",
     "TID 7:\n#0  0x000055d0c5fe1a2b inner(int) at src/a.cc:7:3\n#0  0x000055d0c5fe1a2b outer() at src/a.cc:21\n"},
    {"glog", "name and position", "    @     0x7f1b1f2b6700  (unknown)\n",
     "    @     0x7f1b1f2b6700  inner(int) at src/a.cc:7:3\n    @     0x7f1b1f2b6700  outer() at src/a.cc:21\n"},
    {"backward", "sources", "#3    Object \"/usr/bin/app\", at 0x401b0d, in _start\n",
     "#3    Source \"src/a.cc\", line 7, in inner(int)\n#3    Source \"src/a.cc\", line 21, in outer()\n"},
    {"execinfo", "names with a distance", "0x400a5b <main+91> at ./app\n",
     "0x400a5b <inner(int)+0> at src/a.cc:7:3\n0x400a5b <outer()+0> at src/a.cc:21\n"},
    {"zig", "the position first", "???:?:?: 0x7f8f3c1 in ??? (libc.so.6)\n",
     "src/a.cc:7:3: 0x7f8f3c1 in inner(int) (libc.so.6)\nsrc/a.cc:21:0: 0x7f8f3c1 in outer() (libc.so.6)\n"},
    {"Mono", "after the image", "0x1065a0280 - /usr/lib/libmono.so : f\n",
     "0x1065a0280 - /usr/lib/libmono.so : inner(int) (src/a.cc:7:3)\n"
     "0x1065a0280 - /usr/lib/libmono.so : outer() (src/a.cc:21)\n"},
    {"ClickHouse", "the position first", "2. ? @ 0x000000001331dd98 in /usr/bin/clickhouse\n",
     "2. src/a.cc:7:3: inner(int) @ 0x000000001331dd98 in /usr/bin/clickhouse\n"
     "2. src/a.cc:21: outer() @ 0x000000001331dd98 in /usr/bin/clickhouse\n"},
    {"hotspot", "the offset stays", "C  [libcart.so+0x112b]\n",
     "C  [libcart.so+0x112b]  inner(int) at src/a.cc:7:3\nC  [libcart.so+0x112b]  outer() at src/a.cc:21\n"},
};
static const struct text_case tizen_looks[] = {
    {"tizen", "the address and the image stay", " 1: f + 0x2 (0xb6f1a2f0) [/bin/shop] + 0x12f0\n",
     " 1: inner(int) at src/a.cc:7:3 (0xb6f1a2f0) [/bin/shop] + 0x12f0\n"
     " 1: outer() at src/a.cc:21 (0xb6f1a2f0) [/bin/shop] + 0x12f0\n"},
};
static const struct text_case mozilla_looks[] = {
    {"mozilla", "the row of fix-stacks", "#01: ???[/usr/lib/libxul.so +0x1a]\n",
     "#01: inner(int) (src/a.cc:7:3)\n#01: outer() (src/a.cc:21)\n"},
};
static const struct text_case xorg_looks[] = {
    {"xorg", "the position follows the address", "(EE) 1: /usr/bin/X (0x400000+0x66129) [0x466129]\n",
     "(EE) 1: /usr/bin/X (0x400000+0x66129) [0x466129] inner(int) at src/a.cc:7:3\n"
     "(EE) 1: /usr/bin/X (0x400000+0x66129) [0x466129] outer() at src/a.cc:21\n"},
};
static const struct text_case boost_looks[] = {
    {"boost", "its own form", " 0# main in ./app\n", " 0# inner(int) at src/a.cc:7:3\n 0# outer() at src/a.cc:21\n"},
};

static void test_texts(void **state)
{
    (void)state;
    check_told(texts, sizeof texts / sizeof *texts);
}
/* A line of 60,000 '#' characters is skipped in linear time. */
static void test_long_row(void **state)
{
    enum { SIGNS = 60000 };
    static char text[SIGNS + 2];
    (void)state;
    memset(text, '#', SIGNS);
    text[SIGNS] = '\n';
    const struct text_case rows[] = {{"hotspot", "a line of signs", text, ""}};
    check_told(rows, 1);
}
static void test_looks(void **state)
{
    (void)state;
    check_looks(looks, sizeof looks / sizeof *looks, fm_test_chain, 2);
    check_looks(tizen_looks, sizeof tizen_looks / sizeof *tizen_looks, fm_test_chain, 2);
    check_looks(mozilla_looks, sizeof mozilla_looks / sizeof *mozilla_looks, fm_test_chain, 2);
    check_looks(xorg_looks, sizeof xorg_looks / sizeof *xorg_looks, fm_test_chain, 2);
    check_looks(boost_looks, sizeof boost_looks / sizeof *boost_looks, fm_test_chain, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_texts), cmocka_unit_test(test_long_row),
                                       cmocka_unit_test(test_looks)};
    return cmocka_run_group_tests_name("formats stack rows", tests, NULL, NULL);
}
