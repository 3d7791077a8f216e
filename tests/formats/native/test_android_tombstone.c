#include "tests/formats/formats_help.h"

static const struct text_case texts[] = {
    {"full", "every group there is",
     "    #01 pc 000000000004f0c4  /data/app/base.apk!libapp.so (offset 0x21a000) (outer(int, char)+24) (BuildId: "
     "77E6f9a1b2)\n",
     "android-tombstone 1\n#1 m:libapp.so linked:0x4f0c4 offset:0x21a000 id:77e6f9a1b2 f:outer(int, char)+24\n"},
    {"offset alone", "apk frames of older printers name no library",
     "  #00 pc 00000000000092a0  /data/app/base.apk (offset 0x21a000)\n",
     "android-tombstone 1\n#0 m:base.apk linked:0x92a0 offset:0x21a000\n"},
    {"offset without 0x", "ART prints it bare", "  native: #03 pc 00001a88  /a/base.apk (offset 176c000) (f()+1)\n",
     "android-tombstone 1\n#3 m:base.apk linked:0x1a88 offset:0x176c000 f:f()+1\n"},
    {"operators", "names hold blanks, plus signs and parentheses",
     "#00 pc 00001234  /l/libx.so (std::function<void (int)>::operator()(int) const+8) (BuildId: 0123456789abcdef)\n",
     "android-tombstone 1\n#0 m:libx.so linked:0x1234 id:0123456789abcdef f:std::function<void (int)>::operator()(int) "
     "const+8\n"},
    {"no map", "the oldest printers", "#00  pc 40011a2c\n",
     "android-tombstone 1\n#0 linked:0x40011a2c unknown-image\n"},
    {"anonymous", "code without a file", "#00 pc 0000002c  <anonymous:ee137000>\n",
     "android-tombstone 1\n#0 m:<anonymous:ee137000> linked:0x2c unknown-image\n"},
    {"vdso and deleted", "a group that is part of the map",
     "#00 pc 0000002c  [vdso] (__kernel_rt_sigreturn)\n#01 pc 00000001  /memfd:jit-cache (deleted)\n",
     "android-tombstone 1\n#0 m:[vdso] linked:0x2c f:__kernel_rt_sigreturn\n#1 m:/memfd:jit-cache (deleted) linked:0x1 "
     "unknown-image\n"},
    {"deleted", "the file was replaced since; that is not part of its name",
     "#00 pc 00000001  /data/app/oat/base.odex (deleted) (f+1)\n",
     "android-tombstone 1\n#0 m:base.odex linked:0x1 f:f+1\n"},
    {"no pc", "rows of generated code are of the same stack",
     "#00 0x00000001 /apex/l/libart.so (f+1)\n#01 0x00000002 /memfd:jit-cache (deleted) (offset 0x2000000) (a.b.c+56)\n"
     "#02 0x00000003 [anon:dalvik-classes.dex extracted in memory from /data/app/a.apk] (a.b.d+2)\n"
     "#03 0x00000004 /apex/l/libart.so (f+1)\n",
     "android-tombstone 1\n#0 m:libart.so linked:0x1 f:f+1\n"
     "#1 m:/memfd:jit-cache (deleted) linked:0x2 offset:0x2000000 f:a.b.c+56 unknown-image\n"
     "#2 m:[anon:dalvik-classes.dex extracted in memory from /data/app/a.apk] linked:0x3 f:a.b.d+2 unknown-image\n"
     "#3 m:libart.so linked:0x4 f:f+1\n"},
    {"no name", "what unwinders print if they found none",
     "#00 pc 00000001  /l/a.so (<unknown>+-487340516)\n#01 pc 00000002  /l/a.so (<unknown>)\n",
     "android-tombstone 1\n#0 m:a.so linked:0x1\n#1 m:a.so linked:0x2\n"},
    {"long address", "17 digits fit no register", "#00 pc 00000000000000001  /l/libx.so (f+1)\n",
     "android-tombstone 1\n#0 m:libx.so f:f+1 malformed\n"},
    {"thirty digits", "the rest of the stack is untouched",
     "#00 pc 123456789012345678901234567890  /l/libx.so\n#01 pc 00000010  /l/liby.so\n",
     "android-tombstone 1\n#0 m:libx.so malformed\n#1 m:liby.so linked:0x10\n"},
    {"Bugly", "the ABI is at the end; a function with a position has no parentheses around it",
     "#00 pc 000000000062d6b4 libcart.so cart::add(Item*) (../src/cart.cc:25) [arm64-v8a]\n"
     "#01 pc 00000000006a26c0 libcart.so run (../src/run.cc:40 [Inline: operator()]) [arm64-v8a]\n"
     "#02 pc 0000000000014474 /l/libutils.so (android::Looper::pollOnce(int)+60) [arm64-v8a]\n"
     "#03 pc 0000000000014475 /l/libutils.so [arm64-v8a]\n#04 pc 0000000000014476 /l/libutils.so [heap]\n",
     "android-tombstone 1\n"
     "#0 m:libcart.so linked:0x62d6b4 arch:arm64-v8a f:cart::add(Item*) at:../src/cart.cc:25 not-needed\n"
     "#1 m:libcart.so linked:0x6a26c0 arch:arm64-v8a f:run at:../src/run.cc:40 not-needed\n"
     "#2 m:libutils.so linked:0x14474 arch:arm64-v8a f:android::Looper::pollOnce(int)+60\n"
     "#3 m:libutils.so linked:0x14475 arch:arm64-v8a\n#4 m:libutils.so [heap] linked:0x14476\n"},
    {"xCrash's build ids", "they are in a list below the frames; one is unknown, one row is not of the list",
     "pid: 7, tid: 8, name: a  >>> c.d <<<\nbacktrace:\n    #00 pc 00000001  /l/a.so\n    #01 pc 00000002  /l/b.so "
     "(f+1)\n"
     "    #02 pc 00000003  /l/c.so\n    #03 pc 00000004  /l/a.so\n\nbuild id:\n"
     "    /l/a.so (BuildId: 2A666ea496. FileSize: 12. LastModified: 1970-01-01T00:00:00.000+0800. MD5: 5d41402abc)\n"
     "    /l/b.so (BuildId: unknown. FileSize: 12. LastModified: 1970-01-01T00:00:00.000+0800. MD5: 5d41402abc)\n\n"
     "    /l/c.so (BuildId: 3a666ea496. FileSize: 12)\n",
     "android-tombstone 3 thread:a\n#0 m:a.so linked:0x1 id:2a666ea496\n#1 m:b.so linked:0x2 f:f+1\n#2 m:c.so "
     "linked:0x3\n"
     "#3 m:a.so linked:0x4 id:2a666ea496\n"},
    {"translated code", "the stack of the app's own code has another CPU, and the thread of the section above",
     "*** *** *** *** ***\nBuild fingerprint: 'a/b/c:15/V/1:user/release-keys'\nABI: 'x86_64'\nGuest architecture: "
     "'arm64'\n"
     "pid: 1, tid: 2, name: worker  >>> com.x <<<\nsignal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0\n"
     "    rax 0000000000000000  rip 000074458c73df08\n\nbacktrace:\n      #00 pc 00000001  /l/libndk.so (f+1)\n"
     "--- --- --- --- ---\nGuest thread information for tid: 2\n    x0  0000000000000001\n\nbacktrace:\n"
     "      #00 pc 00000002  /l/libapp.so (g+1)\n"
     "--- --- --- --- ---\npid: 1, tid: 3, name: io  >>> com.x <<<\n\nbacktrace:\n      #00 pc 00000003  /l/libc.so "
     "(h+1)\n",
     "android-tombstone 10 thread:worker exception:signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0 "
     "arch:x86_64 "
     "crashed\n#0 m:libndk.so linked:0x1 arch:x86_64 f:f+1\n"
     "android-tombstone 16 thread:worker arch:arm64\n#0 m:libapp.so linked:0x2 arch:arm64 f:g+1\n"
     "android-tombstone 21 thread:io arch:x86_64\n#0 m:libc.so linked:0x3 arch:x86_64 f:h+1\n"},
    {"Crashlytics", "a downloaded stack has the signal in its title; other threads have their names there",
     "# Platform: android\n\nCrashed: Thread: SIGSEGV  0x0000000000000010\n#00 pc 0x12 liba.so (f + 7)\n"
     "#01 pc 0x22 liba.so\n\nCrashed: worker : SIGABRT\n#00 pc 0x32 liba.so\n\nThread:\n#00 pc 0x42 liba.so\n",
     "android-tombstone 4 exception:SIGSEGV  0x0000000000000010 crashed\n#0 m:liba.so linked:0x12 f:f+7\n"
     "#1 m:liba.so linked:0x22\n"
     "android-tombstone 8 thread:worker exception:SIGABRT crashed\n#0 m:liba.so linked:0x32\n"
     "android-tombstone 11\n#0 m:liba.so linked:0x42\n"},
    {"Bugly, versions", "a library's version after the ABI",
     "1 #00 pc 00009580 /l/libcart.so (add(int)+43) [armeabi-v7a] [3.7.47]\n--\n"
     "2 #01 pc 000072a5 /l/libcart.so [armeabi-v5te] [3.7.47]\n3 #02 pc 000072a7 /l/a.so [1.0] [x]\n",
     "android-tombstone 1\n#0 m:libcart.so linked:0x9580 arch:armeabi-v7a f:add(int)+43\n"
     "#1 m:libcart.so linked:0x72a5 arch:armeabi-v5te\n#2 m:a.so [1.0] [x] linked:0x72a7\n"},
    {"HarmonyOS", "groups without blanks: the function, then the id",
     "#00 pc 00000001 /l/a.so(f(int)+80)(6b9883f518515f73e093bce9a89a2548)  \n"
     "#01 pc 00000002 /l/a.so.1(6b9883f518515f73e093bce9a89a2548)\n#02 pc 00000003 /l/b.so(g+338)\n"
     "#03 pc 00000004 Not mapped\n#04 pc 00000005 /l/b(1).so\n#05 pc 00000006 /l/b.so(1)\n",
     "android-tombstone 1\n#0 m:a.so linked:0x1 id:6b9883f518515f73e093bce9a89a2548 f:f(int)+80\n"
     "#1 m:a.so.1 linked:0x2 id:6b9883f518515f73e093bce9a89a2548\n#2 m:b.so linked:0x3 f:g+338\n"
     "#3 m:Not mapped linked:0x4 unknown-image\n#4 m:b(1).so linked:0x5\n#5 m:b.so(1) linked:0x6\n"},
    {"HarmonyOS 3", "the id is after a blank; also with a function of Android's form, and without '+'",
     "#00 pc 00000001 /l/a.so (1961d3637a9d77d4044f19c5b6a61781)\n"
     "#01 pc 00000002 /l/a.so(f(int)+80) (6b9883f518515f73e093bce9a89a2548)\n"
     "#02 pc 00000003 /l/a.so (g+7) (6b9883f518515f73e093bce9a89a2548)\n"
     "#03 pc 00000004 /l/b(1).so (6b9883f518515f73e093bce9a89a2548)\n#04 pc 00000005 /l/b.so (deadbeef)\n",
     "android-tombstone 1\n#0 m:a.so linked:0x1 id:1961d3637a9d77d4044f19c5b6a61781\n"
     "#1 m:a.so linked:0x2 id:6b9883f518515f73e093bce9a89a2548 f:f(int)+80\n"
     "#2 m:a.so linked:0x3 id:6b9883f518515f73e093bce9a89a2548 f:g+7\n"
     "#3 m:b(1).so linked:0x4 id:6b9883f518515f73e093bce9a89a2548\n#4 m:b.so linked:0x5 f:deadbeef\n"},
    {"HarmonyOS, rows of scripts", "they are read only below the row that they continue",
     "#01 at f (a.ets:1:2)\nHybridStack:\n#00 pc 00000001 /l/a.so(6b9883f518515f73e093bce9a89a2548)\n"
     "#01 at onPageShow entry (entry/src/main/ets/pages/Index.ets:7:13)\n#02 at g (entry|a.ts:5:6)\n"
     "#03 pc 00000002 /l/b.so(g+338)\n#05 at f (a.ets:1:2)\n#04 at once (tomorrow)\n",
     "android-tombstone 3\n#0 m:a.so linked:0x1 id:6b9883f518515f73e093bce9a89a2548\n"
     "#1 f:onPageShow entry at:entry/src/main/ets/pages/Index.ets:7:13\n"
     "#2 f:g at:entry|a.ts:5:6\n#3 m:b.so linked:0x2 f:g+338\n"},
    {"header", "thread, signal and message come from the lines above",
     "*** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***\nABI: 'arm64'\n"
     "pid: 1, tid: 2, name: Render Thread  >>> com.example <<<\nsignal 6 (SIGABRT), code -6 (SI_TKILL), fault addr "
     "--------\n"
     "Abort message: 'ouch'\nbacktrace:\n    #00 pc 0001  /l/a.so\n--- --- --- --- --- ---\npid: 1, tid: 3, name: main "
     " >>> com.example <<<\n"
     "backtrace:\n    #00 pc 0002  /l/a.so\n",
     "android-tombstone 7 thread:Render Thread exception:signal 6 (SIGABRT), code -6 (SI_TKILL), fault addr --------: "
     "ouch arch:arm64 crashed\n"
     "#0 m:a.so linked:0x1 arch:arm64\n"
     "android-tombstone 11 thread:main arch:arm64\n#0 m:a.so linked:0x2 arch:arm64\n"},
    {"stack in the abort message", "an engine prints its own stack there; the crash is below it",
     "pid: 1, tid: 2, name: main  >>> a.b <<<\nsignal 6 (SIGABRT), code -6 (SI_TKILL), fault addr --------\n"
     "Abort message: 'cart is full\n#00 pc 00000001  /l/engine.so (f+1)\n#01 pc 00000002  /l/engine.so'\n"
     "    r0  00000000  r1  00000001\nbacktrace:\n    #00 pc 00000003  /l/a.so\n    #01 pc 00000004  /l/a.so\n",
     "android-tombstone 4 thread:main\n#0 m:engine.so linked:0x1 f:f+1\n#1 m:engine.so linked:0x2\n"
     "android-tombstone 8 thread:main exception:signal 6 (SIGABRT), code -6 (SI_TKILL), fault addr --------: "
     "cart is full crashed\n#0 m:a.so linked:0x3\n#1 m:a.so linked:0x4\n"},
    {"abort message without an end", "a logger cut it: the first stack is the crash",
     "pid: 1, tid: 2, name: main  >>> a.b <<<\nAbort message: 'cart is\nbacktrace:\n    #00 pc 00000003  /l/a.so\n"
     "pid: 1, tid: 3, name: other  >>> a.b <<<\nbacktrace:\n    #00 pc 00000004  /l/a.so\n",
     "android-tombstone 4 thread:main exception:cart is crashed\n#0 m:a.so linked:0x3\n"
     "android-tombstone 7 thread:other\n#0 m:a.so linked:0x4\n"},
    {"logcat", "other processes' lines are in between",
     "11-21 10:00:00.000  8682  8682 F DEBUG   :       #00 pc 00000001  /l/a.so\n"
     "11-21 10:00:00.000   715  8655 D Codec   : unrelated\n"
     "11-21 10:00:00.000  8682  8682 F DEBUG   :       #01 pc 00000002  /l/a.so\n",
     "android-tombstone 1\n#0 m:a.so linked:0x1\n#1 m:a.so linked:0x2\n"},
    {"unknown prefix", "any logger's: the row is found by its own beginning", "mylog|12|x> #00 pc 00000001  /l/a.so\n",
     "android-tombstone 1\n#0 m:a.so linked:0x1\n"},
    {"restarts", "an index that falls begins a stack",
     "#00 pc 00000001  /l/a.so\n#01 pc 00000002  /l/a.so\n#00 pc 00000003  /l/a.so\n",
     "android-tombstone 1\n#0 m:a.so linked:0x1\n#1 m:a.so linked:0x2\nandroid-tombstone 3\n#0 m:a.so linked:0x3\n"},
    {"inlined", "the same index at the same address is one frame's chain",
     "#00 pc 00000001  /l/a.so (f()) a.c:1\n#00 pc 00000001  /l/a.so (g()) a.c:9:2\n",
     "android-tombstone 1\n#0 m:a.so linked:0x1 f:f() at:a.c:1 not-needed\n#0 m:a.so linked:0x1 f:g() at:a.c:9:2 "
     "not-needed\n"},
    {"two in a line", "rows of a string with escaped line ends",
     "{\"s\":\"#00 pc 00000001  /l/a.so\\n#01 pc 00000002  /l/a.so\"}\n",
     "android-tombstone 1\n#0 m:a.so linked:0x1\n#1 m:a.so linked:0x2\n"},
    {"without pc", "in a folder that only Android has; elsewhere the row is not Android's",
     "#05 0x0000000000001234 /data/app/~~a==/b==/lib/arm64/libx.so (f(int)+8) (BuildId: 0123456789abcdef)\n"
     "#06 0x0000000000001238 /apex/com.android.art/lib64/libart.so\n",
     "android-tombstone 1\n#5 m:libx.so linked:0x1234 id:0123456789abcdef f:f(int)+8\n#6 m:libart.so linked:0x1238\n"},
    {"Chromium", "an absolute address, and the one in the file after its path",
     "#00 0xa3832e11 /data/app/com.example-1/lib/arm/libcart.so+0x002dce11\n"
     "#01 0xb67233e7 /system/lib/libc.so+0x0003f3e7 (f+8) a.c:1\n#02 0xb66fdb43 /system/lib/libc.so+x1\n",
     "android-tombstone 1\n#0 m:libcart.so linked:0x2dce11\n#1 m:libc.so linked:0x3f3e7 f:f+8 at:a.c:1 not-needed\n"
     "#2 m:libc.so+x1 linked:0xb66fdb43\n"},
    {"Chromium, no file", "the next row of a stack needs no path of Android's; alone it is not one of its rows",
     "#14 0xb67233e7 /system/lib/libc.so+0x0003f3e7\n#15 0xb66fdb43 /opt/l/libx.so+0x10\n#16 0xffffffff <unknown>\n"
     "#18 0xfffffffe <unknown>\n",
     "android-tombstone 1\n#14 m:libc.so linked:0x3f3e7\n#15 m:libx.so linked:0x10\n"
     "#16 linked:0xffffffff unknown-image\nsanitizer 4\n#18 absolute:0xfffffffe\n"},
    {"all numbered 0", "as Play Console does, in adjacent lines",
     "#00 pc 0x0000000000000001  /l/a.so\n#00 pc 0x0000000000000002  /l/b.so\n\n#00 pc 0x3  /l/a.so\n",
     "android-tombstone 1\n#0 m:a.so linked:0x1\n#0 m:b.so linked:0x2\nandroid-tombstone 4\n#0 m:a.so linked:0x3\n"},
    {"near misses", "lines that only begin alike", "#00 pcx 1\n#00 pc\n# pc 00000001\n#0 0x1\n#00 pc 12zz /l/a.so\n",
     "sanitizer 4\n#0 absolute:0x1\n"},
    {"crlf and no end", "line ends are not the row's", "#00 pc 00000001  /l/a.so\r\n#01 pc 00000002  /l/a.so",
     "android-tombstone 1\n#0 m:a.so linked:0x1\n#1 m:a.so linked:0x2\n"},
    {"restored already", "fuzz farms keep reports whose frames a symbolizer has replaced; addresses stay the report's",
     "*** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***\nABI: x86\n"
     "pid: 1322, tid: 6998, name: generic  >>> /system/bin/mediaserver <<<\nbacktrace:\n"
     "    #0 0x00084fe6 in tgkill /bionic/tgkill.S:20\n"
     "    #1 0x000bf682 in a::B::B(int, char) media/b.cpp:33:9\n    #2 0x00000333 in\n",
     "android-tombstone 5 thread:generic arch:x86\n#0 linked:0x84fe6 f:tgkill at:/bionic/tgkill.S:20 not-needed\n"
     "#1 linked:0xbf682 f:a::B::B(int, char) at:media/b.cpp:33:9 not-needed\n#2 linked:0x333 unknown-image\n"},
    {"ndk-stack", "places are on lines of their own",
     "********** Crash dump: **********\n"
     "Build fingerprint: 'g/s/s:10/Q/5:user'\n#00 0x00000d1e /data/app/libfoo.so (foo()+14) (BuildId: 0123456789)\n"
     "                                              foo()\n                                              "
     "src/foo.c:12:5\n#01 0x00000d40 /data/app/libfoo.so\n",
     "android-tombstone 3\n#0 m:libfoo.so linked:0xd1e id:0123456789 f:foo()+14 at:src/foo.c:12:5 not-needed\n"
     "#1 m:libfoo.so linked:0xd40\n"},
    {"no places", "other text after a frame is no place of it",
     "*** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***\nABI: x86\nbacktrace:\n"
     "#00 0xa3832e11 /system/lib/libc.so+0x00000a11\nwrite failed\n#01 0x00000020 /system/lib/libc.so\n"
     "    #2 0x00084fe6 in f /a.c:20\nwrite failed\n",
     "android-tombstone 4 arch:x86\n#0 m:libc.so linked:0xa11 arch:x86\n#1 m:libc.so linked:0x20 arch:x86\n"
     "#2 linked:0x84fe6 f:f at:/a.c:20 not-needed\n"},
    {"ndk-stack before r20", "the place follows on the same line",
     "Stack frame #00  pc 00015f58  /data/lib/libfoo.so (foo+12): Routine foo at /src/foo.c:12\n"
     "Stack frame #01  pc 0000841e  /data/lib/libfoo.so: Routine ??? at ??:0\n",
     "android-tombstone 1\n#0 m:libfoo.so linked:0x15f58 f:foo+12 at:/src/foo.c:12 not-needed\n"
     "#1 m:libfoo.so linked:0x841e\n"},
    {"one line", "a collector dropped the line ends, and text follows the last row",
     "11-21 10:00:00.000  8682  8682 F DEBUG   : backtrace:   #00  pc 0000000000001344  /data/app/~~a==/b==/lib/arm64/"
     "libx.so (f(int)+8) (BuildId: 0123456789abcdef)   #01  pc 0000000000001388  /data/app/base.apk!liby.so (offset "
     "0x1000) (std::g(void (*)())+12) (BuildId: fedcba9876543210)   #02 pc 0000000000000020  <anonymous:7f00 x>   #03 "
     "pc 0000000000000001  /l/c.so (deleted) #04 pc 0000000000000002  /l/c.so (h()+1) (see above) end (BuildId: 0)\n",
     "android-tombstone 1\n#0 m:libx.so linked:0x1344 id:0123456789abcdef f:f(int)+8\n"
     "#1 m:liby.so linked:0x1388 offset:0x1000 id:fedcba9876543210 f:std::g(void (*)())+12\n"
     "#2 m:<anonymous:7f00 x> linked:0x20 unknown-image\n#3 m:c.so linked:0x1\n#4 m:c.so linked:0x2 f:h()+1\n"},
    {"one line, other separators", "what replaces a line end is not a part of the map",
     "a;#00 pc 0001 /l/a.so; #01 pc 0002 /l/b.so |\\n#02 pc 00000003\\n#03 pc 00000004  /l/c.so\\n\n",
     "android-tombstone 1\n#0 m:a.so linked:0x1\n#1 m:b.so linked:0x2\n#2 linked:0x3 unknown-image\n"
     "#3 m:c.so linked:0x4\n"},
    {"one line, other styles", "HarmonyOS, Bugly, an ABI, and rows that were restored",
     "#00 pc 0001 /l/a.so(f(int)+1)(0123456789abcdef0123456789abcdef) #01 pc 0002 /l/b.so x(int) (a.c:7) [armeabi] #02 "
     "pc 0003 /l/c.so [arm64-v8a::0123456789abcdef] z #03 pc 0004 /l/d.so (g()) src/d.c:4 #04 pc 0005 /l/e.so x\n",
     "android-tombstone 1\n#0 m:a.so linked:0x1 id:0123456789abcdef0123456789abcdef f:f(int)+1\n"
     "#1 m:b.so linked:0x2 arch:armeabi f:x(int) at:a.c:7 not-needed\n"
     "#2 m:c.so linked:0x3 id:0123456789abcdef arch:arm64-v8a\n#3 m:d.so linked:0x4 f:g() at:src/d.c:4 not-needed\n"
     "#4 m:e.so linked:0x5\n"},
    {"one line, stacks", "a number that falls begins a stack; Play Console's numbers do not",
     "#00 pc 00000001  /l/a.so #01 pc 00000002  /l/a.so #00 pc 00000003  /l/a.so #01 pc 00000004  /l/a.so\n\n"
     "#00 pc 0x01  /l/a.so #00 pc 0x02  /l/a.so\n",
     "android-tombstone 1\n#0 m:a.so linked:0x1\n#1 m:a.so linked:0x2\nandroid-tombstone 1\n#0 m:a.so linked:0x3\n"
     "#1 m:a.so linked:0x4\nandroid-tombstone 3\n#0 m:a.so linked:0x1\n#0 m:a.so linked:0x2\n"},
    {"one line, JSON", "the string ends the row; frames that are members are not for this format",
     "{\"m\":\"#00 pc 00000001  /l/a.so #01 pc 00000002  /l/b.so\",\"x\":1}\n"
     "{\"m\":\"#00 pc 00000001  /l/a.so #01 pc 00000002  /l/b.so\",\"frames\":[]}\n"
     "{\"m\":\"#00 pc 0003  /l/c.so (f+1)\",\"x\":1}\n{\"m\":\"#00 pc 0003  /l/c.so\",\"frames\":[]}\n",
     "android-tombstone 1\n#0 m:a.so linked:0x1\n#1 m:b.so linked:0x2\nandroid-tombstone 3\n#0 m:c.so linked:0x3 "
     "f:f+1\n"},
    {"one line, not", "prose with numbers, one row of several", "see #1 pc 12 and #2 pc 13\n#01 pc 12 x #2 pc\n",
     "android-tombstone 2\n#1 m:x #2 pc linked:0x12\n"},
    {"colours", "adb logcat -v color", "\033[31m#00 pc 00000001  /l/a.so (f+1)\033[0m\n",
     "android-tombstone 1\n#0 m:a.so linked:0x1 f:f+1\n"},
};

/* Cases for the process, thread, signal and registers of traces. */
static const struct text_case models[] = {
    {"debuggerd", "the header of a crash",
     "*** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***\n"
     "Build fingerprint: 'google/oriole/oriole:14/AP1A.240305.019/11445699:user/release-keys'\nABI: 'arm64'\n"
     "Cmdline: com.example --x\npid: 20099, tid: 20113, name: worker  >>> com.example <<<\n"
     "signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0000000000000010 (read)\n"
     "Cause: null pointer dereference\n    x0  0000000000000000  x1  000000775ba00cb0\n"
     "    lr  000000775b6d0420  sp  000000775ba00cb0\n    v0  2f2f2f2f2f2f2f2f2f2f2f2f2f2f2f2f\n\n1 total frames\n"
     "backtrace:\n      #00 pc 0000000000001344  /l/a.so\n\nmemory near x1:\n"
     "    000000775ba00c90 000000754c402278 0000000000000000  x\n",
     "android-tombstone pid:20099 process:com.example os:14 tid:20113 name:worker type:SIGSEGV signal:11 code:1 "
     "code:SEGV_MAPERR fault:0x10 x0=0x0 x1=0x775ba00cb0 lr=0x775b6d0420 sp=0x775ba00cb0 frames:1\n"},
    {"Unity until 2017", "the signal is above the line of stars",
     "signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 00000004\n"
     "*** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***\n"
     "Build fingerprint: 'samsung/k/k:4.4.2/K/G:user/release-keys'\npid: 7, tid: 8, name: UnityMain  >>> b <<<\n"
     "backtrace:\n\t#00  pc 00006b00  /l/a.so\n",
     "android-tombstone pid:7 process:b os:4.4.2 tid:8 name:UnityMain type:SIGSEGV signal:11 code:1 "
     "code:SEGV_MAPERR fault:0x4 frames:1\n"},
    {"second lists", "memory errors print where the memory was allocated and freed",
     "pid: 1, tid: 2, name: a  >>> b <<<\nsignal 11 (SIGSEGV), code 9 (SEGV_MTESERR), fault addr 0x07000\n"
     "backtrace:\n  #00 pc 00000001  /l/a.so\ndeallocated by thread 7:\n  #00 pc 00000001  /l/a.so\n"
     "allocated by thread 8:\n  #00 pc 00000001  /l/a.so\n",
     "android-tombstone pid:1 process:b tid:2 name:a type:SIGSEGV signal:11 code:9 code:SEGV_MTESERR fault:0x7000 "
     "frames:1\nandroid-tombstone freed-by-of:0 pid:1 process:b tid:7 frames:1\n"
     "android-tombstone allocated-by-of:0 pid:1 process:b tid:8 frames:1\n"},
    {"other threads", "registers and signal are of the first",
     "pid: 1, tid: 2, name: a  >>> b <<<\nsignal 6 (SIGABRT), code -1 (SI_QUEUE from pid 5, uid 0), fault addr "
     "--------\n    eax 00000000  ebx 0000061e\nbacktrace:\n  #00 pc 00000001  /l/a.so\n"
     "--- --- --- --- --- --- --- --- --- --- --- --- --- --- --- ---\npid: 1, tid: 3, name: c  >>> b <<<\n"
     "    eax 00000001\nbacktrace:\n  #00 pc 00000001  /l/a.so\n",
     "android-tombstone pid:1 process:b tid:2 name:a type:SIGABRT signal:6 code:-1 code:SI_QUEUE eax=0x0 ebx=0x61e "
     "frames:1\nandroid-tombstone pid:1 process:b tid:3 name:c eax=0x1 frames:1\n"},
    {"two reports", "the second has a header, but no banner",
     "ABI: 'arm'\npid: 1, tid: 2, name: a  >>> b <<<\n#00 pc 00000001  /l/a.so\n"
     "Build fingerprint: 'p:9/x'\nABI: 'x86'\npid: 3, tid: 4, name: c  >>> d <<<\n#00 pc 00000001  /l/a.so\n",
     "android-tombstone pid:1 process:b tid:2 name:a frames:1\n"
     "android-tombstone pid:3 process:d os:9 tid:4 name:c frames:1\n"},
    {"abort of several lines", "up to the closing quote",
     "pid: 1, tid: 2, name: a  >>> b <<<\nsignal 6 (SIGABRT), code -6 (SI_TKILL), fault addr --------\n"
     "Abort message: 'first\n  second'\n    r0  00000000\nbacktrace:\n  #00 pc 00000001  /l/a.so\n",
     "android-tombstone pid:1 process:b tid:2 name:a type:SIGABRT abort:first\n  second signal:6 code:-6 "
     "code:SI_TKILL r0=0x0 frames:1\n"},
    {"abort in a log", "its lines without their prefixes",
     "F/DEBUG ( 12): pid: 1, tid: 2, name: a  >>> b <<<\nF/DEBUG ( 12): Abort message: 'first\n"
     "F/DEBUG ( 12): second'\nF/DEBUG ( 12): #00 pc 00000001  /l/a.so\n",
     "android-tombstone pid:1 process:b tid:2 name:a message:first\nsecond abort:first\nsecond frames:1\n"},
    {"stack in the abort message", "registers and signal are those of the crash",
     "pid: 1, tid: 2, name: a  >>> b <<<\nsignal 6 (SIGABRT), code -6 (SI_TKILL), fault addr --------\n"
     "Abort message: 'first\n#00 pc 00000001  /l/b.so\nrest\n'\n    r0  00000000\nbacktrace:\n"
     "  #00 pc 00000001  /l/a.so\n",
     "android-tombstone pid:1 process:b tid:2 name:a frames:1\n"
     "android-tombstone pid:1 process:b tid:2 name:a type:SIGABRT abort:first signal:6 code:-6 code:SI_TKILL r0=0x0 "
     "frames:1\n"},
    {"xCrash", "the version is a line of its own; old reports have no name",
     "*** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***\nTombstone maker: 'xCrash 2.4.6'\n"
     "OS version: '10'\nBuild fingerprint: 'g/s/s:11/Q/5:user'\nABI: 'arm'\npid: 7, tid: 8  >>> c.d <<<\n"
     "backtrace:\n    #00 pc 00000001  /l/a.so\n",
     "android-tombstone pid:7 process:c.d os:10 tid:8 frames:1\n"},
    {"process without blanks", "a name that was replaced by hand",
     "pid: 0, tid: 20459 >>> com.example<<<\n\nbacktrace:\n  #00  pc 0x01  /l/a.so (f+58)\n",
     "android-tombstone pid:0 process:com.example tid:20459 frames:1\n"},
    {"HarmonyOS", "process and signal are of the first thread",
     "Pid:9\nUid:0\nProcess name:com.x\nReason:Signal:SIGSEGV(SEGV_MAPERR)@0x00000004  null pointer\n"
     "Fault thread info:\nTid:10, Name:main\n#00 pc 0001 /l/a.so(f+1)\nOther thread info:\n"
     "Tid:11, Name:OS_IPC\n#00 pc 0002 /l/a.so(f+1)\nTid:12, Name:x\n#00 pc 0003 /l/a.so\n",
     "android-tombstone pid:9 process:com.x tid:10 name:main type:SIGSEGV code:SEGV_MAPERR fault:0x4 frames:1\n"
     "android-tombstone tid:11 name:OS_IPC frames:1\nandroid-tombstone tid:12 name:x frames:1\n"},
    {"Bugly, the signal", "on a line of its own, with other lines below it",
     "# T#1\nSIGSEGV(SEGV_MAPERR)\n}\n1 #00 pc 0001 /l/a.so [armeabi-v7a]\n--\n2 #01 pc 0002 /l/a.so [armeabi-v7a]\n"
     "\nSIGABRT\n#00 pc 0003 /l/a.so [armeabi-v7a]\n",
     "android-tombstone type:SIGSEGV code:SEGV_MAPERR frames:2\nandroid-tombstone type:SIGABRT frames:1\n"},
    {"Bugly, its header in the log",
     "thread and process, with and without a signal; those of another report are not its",
     "# CRASH PROCESS: com.y\n# CRASH THREAD: no\n#++++Record By Bugly++++#\n# CRASH TYPE: NATIVE_CRASH\n"
     "# CRASH PROCESS: com.x\n# CRASH THREAD: GL Thread(12)\n# REPORT ID: 1\n# CRASH STACK:\nSIGSEGV(SEGV_MAPERR)\n"
     "#00 pc 0001 /l/a.so [arm64-v8a]\n#+++++++#\n# CRASH THREAD: f(x)\n#00 pc 0003 /l/a.so [arm64-v8a]\n",
     "android-tombstone process:com.x tid:12 name:GL Thread type:SIGSEGV code:SEGV_MAPERR frames:1\n"
     "android-tombstone name:f(x) frames:1\n"},
    {"Bugly, no signal", "other words", "SIGABRT (x\nSIGnal\nSIG(a)\nSIGxY\n#00 pc 0003 /l/a.so [x86]\n",
     "android-tombstone frames:1\n"},
    {"another's signal", "words above a stack that is not Bugly's", "SIGABRT\n#00 pc 0003 /l/a.so\n",
     "android-tombstone frames:1\n"},
    {"HarmonyOS, a short report", "thread without id; the module's name is the process, if no line names one",
     "Module name:com.x\nVersion:1.0.0\nPid:9\nUid:7\nReason:Signal:SIGSEGV(SEGV_MAPERR)@0x0000000000000060\n"
     "Thread name:com.x main\n#00 pc 0001 /l/a.so (6b9883f518515f73e093bce9a89a2548)\n",
     "android-tombstone pid:9 process:com.x name:com.x main type:SIGSEGV code:SEGV_MAPERR fault:0x60 frames:1\n"},
    {"one line", "each stack has what is before it",
     "*** *** *** *** *** *** *** *** *** *** *** *** *** *** *** *** Build fingerprint: 'p:9/x' ABI: 'arm64' pid: 1, "
     "tid: 2, name: a  >>> b <<< uid: 7 signal 11 (SIGSEGV), code 9 (SEGV_MTESERR), fault addr 0x07000 x0 0000 "
     "backtrace: #00 pc 00000001  /l/a.so #01 pc 00000002  /l/a.so deallocated by thread 7: backtrace: #00 pc 00000001 "
     " "
     "/l/a.so (f+1) --- --- --- pid: 1, tid: 3, name: c  >>> b <<< #00 pc 00000001  /l/a.so #00 pc 00000007  /l/b.so\n",
     "android-tombstone pid:1 process:b tid:2 name:a type:SIGSEGV signal:11 code:9 code:SEGV_MTESERR fault:0x7000 "
     "frames:2\nandroid-tombstone freed-by-of:0 pid:1 process:b tid:7 frames:1\n"
     "android-tombstone pid:1 process:b tid:3 name:c frames:2\n"},
    {"leak", "libmemunreachable's lists have two blanks after the number",
     "  24 bytes unreachable at 71d37787d0\n   contents:\n   71d37787d0: 00 00 ........\n"
     "          #00  pc 000000000000701c  /l/a.so (f+4)\n",
     "android-tombstone leak-of:0 message:24 bytes unreachable at 71d37787d0 frames:1\n"},
};

static const struct text_case looks[] = {
    {"chain", "one row for each function, same number and pc", "  #00 pc 0001  /l/a.so (BuildId: 0123456789)\n",
     "  #00 pc 0001  /l/a.so (inner(int)) (BuildId: 0123456789) src/a.cc:7:3\n"
     "  #00 pc 0001  /l/a.so (outer()) (BuildId: 0123456789) src/a.cc:21\n"},
    {"replaced", "the printed function gives way; offset and prefix stay",
     "F/DEBUG ( 12):   #00 pc 0001  /b.apk!l.so (offset 0x1000) (_Z1fv+4)\r\n",
     "F/DEBUG ( 12):   #00 pc 0001  /b.apk!l.so (offset 0x1000) (inner(int)) src/a.cc:7:3\r\n"
     "F/DEBUG ( 12):   #00 pc 0001  /b.apk!l.so (offset 0x1000) (outer()) src/a.cc:21\r\n"},
    {"Bugly, versions", "the ABI and the version stay", "#00 pc 0001 /l/a.so (f+4) [armeabi-v7a] [3.7.47]\n",
     "#00 pc 0001 /l/a.so (inner(int)) [armeabi-v7a] [3.7.47] src/a.cc:7:3\n"
     "#00 pc 0001 /l/a.so (outer()) [armeabi-v7a] [3.7.47] src/a.cc:21\n"},
    {"HarmonyOS", "without blanks, as it came",
     "#00 pc 0001 /l/a.so(f+4)(6b9883f518515f73e093bce9a89a2548)\n#01 pc 0002 /l/a.so(f+4)\n",
     "#00 pc 0001 /l/a.so(inner(int))(6b9883f518515f73e093bce9a89a2548) src/a.cc:7:3\n"
     "#00 pc 0001 /l/a.so(outer())(6b9883f518515f73e093bce9a89a2548) src/a.cc:21\n"
     "#01 pc 0002 /l/a.so(inner(int)) src/a.cc:7:3\n#01 pc 0002 /l/a.so(outer()) src/a.cc:21\n"},
    {"HarmonyOS 3", "blanks as they came",
     "#00 pc 0001 /l/a.so(f+4) (6b9883f518515f73e093bce9a89a2548)\n"
     "#01 pc 0002 /l/a.so (6b9883f518515f73e093bce9a89a2548)\n",
     "#00 pc 0001 /l/a.so(inner(int)) (6b9883f518515f73e093bce9a89a2548) src/a.cc:7:3\n"
     "#00 pc 0001 /l/a.so(outer()) (6b9883f518515f73e093bce9a89a2548) src/a.cc:21\n"
     "#01 pc 0002 /l/a.so (inner(int)) (6b9883f518515f73e093bce9a89a2548) src/a.cc:7:3\n"
     "#01 pc 0002 /l/a.so (outer()) (6b9883f518515f73e093bce9a89a2548) src/a.cc:21\n"},
    {"HarmonyOS, scripts", "positions are in parentheses", "#00 pc 0001 /l/a.so(f+4)\n#01 at g (a.ets:1:2)\n",
     "#00 pc 0001 /l/a.so(inner(int)) src/a.cc:7:3\n#00 pc 0001 /l/a.so(outer()) src/a.cc:21\n"
     "#01 at inner(int) (src/a.cc:7:3)\n#01 at outer() (src/a.cc:21)\n"},
    {"one line", "one line for each row; other text of the line stays",
     "07-01 10:00:00.000  1  1 F DEBUG   : backtrace: #00 pc 0001  /l/a.so (f+4) (BuildId: 0123456789) #01 pc 00000002 "
     " "
     "/l/b.so end\nnext\n",
     "07-01 10:00:00.000  1  1 F DEBUG   : backtrace: \n"
     "07-01 10:00:00.000  1  1 F DEBUG   : #00 pc 0001  /l/a.so (inner(int)) (BuildId: 0123456789) src/a.cc:7:3\n"
     "07-01 10:00:00.000  1  1 F DEBUG   : #00 pc 0001  /l/a.so (outer()) (BuildId: 0123456789) src/a.cc:21\n"
     "07-01 10:00:00.000  1  1 F DEBUG   : #01 pc 00000002  /l/b.so (inner(int)) src/a.cc:7:3\n"
     "07-01 10:00:00.000  1  1 F DEBUG   : #01 pc 00000002  /l/b.so (outer()) src/a.cc:21\n"
     "07-01 10:00:00.000  1  1 F DEBUG   :  end\nnext\n"},
    {"one line, JSON", "the string gets no line end", "{\"m\":\"#00 pc 0001  /l/a.so | #01 pc 0002  /l/b.so\"}\n",
     "{\"m\":\"#00 pc 0001  /l/a.so (inner(int)) src/a.cc:7:3 | #00 pc 0001  /l/a.so (outer()) src/a.cc:21 | #01 pc "
     "0002  /l/b.so (inner(int)) src/a.cc:7:3 | #01 pc 0002  /l/b.so (outer()) src/a.cc:21\"}\n"},
    {"CSV", "a column of several lines does, and further columns stay at its end",
     "1,\"x\n#00 pc 0001  /l/a.so\n#01 pc 0002  /l/a.so (_Z1fv+4)\",\"y\"\n",
     "1,\"x\n#00 pc 0001  /l/a.so (inner(int)) src/a.cc:7:3\n#00 pc 0001  /l/a.so (outer()) src/a.cc:21\n"
     "#01 pc 0002  /l/a.so (inner(int)) src/a.cc:7:3\n#01 pc 0002  /l/a.so (outer()) src/a.cc:21\",\"y\"\n"},
    {"JSON", "nor for one frame", "{\"m\":\"#00 pc 0001  /l/a.so\"}\n",
     "{\"m\":\"#00 pc 0001  /l/a.so (inner(int)) src/a.cc:7:3 #00 pc 0001  /l/a.so (outer()) src/a.cc:21\"}\n"},
    {"one line, whole", "nothing follows", "x #00 pc 0001  /l/a.so #00 pc 0002  /l/b.so\nnext\n",
     "x \n#00 pc 0001  /l/a.so (inner(int)) src/a.cc:7:3\n#00 pc 0001  /l/a.so (outer()) src/a.cc:21\n"
     "#00 pc 0002  /l/b.so (inner(int)) src/a.cc:7:3\n#00 pc 0002  /l/b.so (outer()) src/a.cc:21\n\nnext\n"},
    {"no line end", "none is invented at the text's end", "x\r\n#00 pc 0001  /l/a.so",
     "x\r\n#00 pc 0001  /l/a.so (inner(int)) src/a.cc:7:3\r\n#00 pc 0001  /l/a.so (outer()) src/a.cc:21"},
};
static const struct text_case symbol_looks[] = {
    {"symbol", "without a file the platform's own look", "  #00 pc 0001  /l/a.so (BuildId: 0123456789)\n",
     "  #00 pc 0001  /l/a.so (outer()+24) (BuildId: 0123456789)\n"},
};

static void test_texts(void **state)
{
    (void)state;
    check_texts(texts, sizeof texts / sizeof *texts);
    check_models(models, sizeof models / sizeof *models);
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
    return cmocka_run_group_tests_name("formats android-tombstone", tests, NULL, NULL);
}
