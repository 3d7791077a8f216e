#include "tests/formats/formats_help.h"

static const struct text_case texts[] = {
    {"a list in JSON", "callStackSymbols as they are",
     "{\"callStackSymbols\":[\"0   CoreFoundation   0x00007fff382dcb57 f + 250\",\"1   App   0x0000000104f10105 main + "
     "5\"]}\n",
     "apple-symbols 1\n#0 m:CoreFoundation absolute:0x7fff382dcb57 return f:f+250\n"
     "#1 m:App absolute:0x104f10105 return f:main+5\n"},
    {"Datadog, with symbols", "positions without parentheses",
     "0  A  0x000000010686b560 A.b.getter + 36 AB.swift:33\n1  A  0x000000010686b5c4 thunk for () -> () + 12 "
     "<compiler-generated>:0\n"
     "2  A  0x000000010686b5c8 -[A b:] + 12 A.m:3\n",
     "apple-symbols 1\n#0 m:A absolute:0x10686b560 return f:A.b.getter+36 at:AB.swift:33 not-needed\n"
     "#1 m:A absolute:0x10686b5c4 return f:thunk for () -> ()+12\n"
     "#2 m:A absolute:0x10686b5c8 return f:-[A b:]+12 at:A.m:3 not-needed\n"},
    {"Cr4shed's rows", "the first address of a crash is exact, that of an exception is not",
     "Exception type: EXC_BAD_ACCESS (SIGSEGV)\nCall stack:\n0   a.dylib \t0x00000001996b2a70 0x1996b1000 + 6768\t// "
     "f\n"
     "1   b.dylib \t0x00000001996b2a80 0x1996b1000 + 6784\t// func_1d388\n\n\n\n\n\n"
     "Exception type: NSRangeException\nCall stack:\n0   a.dylib \t0x00000001996b2a70 f\n1   b.dylib "
     "\t0x00000001996b2a80 g\n",
     "apple-symbols 3 exception:EXC_BAD_ACCESS (SIGSEGV) crashed\n"
     "#0 m:a.dylib absolute:0x1996b2a70 load:0x1996b1000 f:f\n"
     "#1 m:b.dylib absolute:0x1996b2a80 load:0x1996b1000 return\n"
     "apple-symbols 12 exception:NSRangeException crashed\n"
     "#0 m:a.dylib absolute:0x1996b2a70 return f:f\n"
     "#1 m:b.dylib absolute:0x1996b2a80 return f:g\n"},
    {"thrown", "title, exception, rows that say where the app is",
     "2021-10-20 17:25:36.668 App[1:2] *** Terminating app due to uncaught exception 'NSRangeException', reason: 'x'\n"
     "*** First throw call stack:\n(\n\t0   CoreFoundation   0x00007fff20421af6 __exceptionPreprocess + 242\n"
     "\t1   My App   0x000000010210cccb My App + 15563\n\t2   My App   0x000000010210ccd0 main + 4\n\t3   ???   "
     "0x0000000000000001 0x0 + 1\n)\n",
     "apple-symbols 4 exception:'NSRangeException', reason: 'x' crashed\n"
     "#0 m:CoreFoundation absolute:0x7fff20421af6 return f:__exceptionPreprocess+242\n"
     "#1 m:My App absolute:0x10210cccb load:0x102109000 return\n"
     "#2 m:My App absolute:0x10210ccd0 load:0x102109000 return f:main+4\n#3 m:??? absolute:0x1 load:0x0 return "
     "unknown-image\n"},
    {"Kotlin/Native", "\"at\" before the rows, positions after them",
     "Uncaught Kotlin exception: kotlin.IllegalStateException: none left\n"
     "    at 0   app.kexe   0x0000000104c2d1a7        kfun:#main(){} + 171 (/src/main.kt:3:11)\n"
     "    at 1   libdyld.dylib   0x00007fff20301f3d        start + 1\n",
     "apple-symbols 2 exception:kotlin.IllegalStateException: none left crashed\n"
     "#0 m:app.kexe absolute:0x104c2d1a7 return f:kfun:#main(){}+171 at:/src/main.kt:3:11 not-needed\n"
     "#1 m:libdyld.dylib absolute:0x7fff20301f3d return f:start+1\n"},
    {"Kotlin/Native, on Linux", "the program is loaded where it was linked, its libraries are not",
     "Uncaught Kotlin exception: a.Late: no\n    at 0   app.kexe   0x22b111        kfun:#main(){} + 129 "
     "(/src/main.kt:3:11)\n"
     "    at 1   app.kexe   0x22b1aa        0x0 + 2273281 \n"
     "    at 2   libc.so.6   0x7f1a2b3c0d90        __libc_start_call_main + 128 \n",
     "apple-symbols 2 exception:a.Late: no crashed\n"
     "#0 m:app.kexe linked:0x22b111 return f:kfun:#main(){}+129 at:/src/main.kt:3:11 not-needed\n"
     "#1 m:app.kexe linked:0x22b1aa return\n"
     "#2 m:libc.so.6 absolute:0x7f1a2b3c0d90 return f:__libc_start_call_main+128\n"},
    {"Kotlin/Native, on Windows", "addresses without 0x; other lines with a number after at are no rows",
     "Uncaught Kotlin exception: a.Late: no\n    at 0   ???   7ff796c161e4       kfun:a#b(){} + 132\n"
     "    at 1   ???   7ff796c3a685       main + 373\n    at 2  of them  12345 words + 3\nat 3  x\n\n\n\n\n"
     "at 0  of  abcde f\n",
     "apple-symbols 2 exception:a.Late: no crashed\n"
     "#0 m:??? absolute:0x7ff796c161e4 return f:kfun:a#b(){}+132 unknown-image\n"
     "#1 m:??? absolute:0x7ff796c3a685 return f:main+373 unknown-image\n"},
    {"Kotlin/Native, with load addresses", "as it printed them in 2019; the title is that of these years",
     "Uncaught exception from Kotlin's main: kotlin.Error\n"
     "        at 0   a.kexe   0x0000000107505672 kfun:a() + 50 [0x1074d7000]\n",
     "apple-symbols 2 exception:kotlin.Error crashed\n"
     "#0 m:a.kexe absolute:0x107505672 load:0x1074d7000 return f:kfun:a()+50\n"},
    {"Kotlin/Native, without numbers", "until 2021, on Linux and Windows; only kfun: begins a stack",
     "    at Konan_start (0x40fab3)\nkotlin.Error: no\n    at kfun:a.<init>(kotlin.String?)a (0x416fea)\n"
     "    at kfun:#main(){} (00000000004015B0)\n    at Konan_start (0x40fab3)\n    at  (0x7fc8d1e5f0b3)\n"
     "    at home (12)\n    at Konan_start (0x40fab3)\n",
     "apple-symbols 3 exception:kotlin.Error: no crashed\n"
     "- absolute:0x416fea return f:kfun:a.<init>(kotlin.String?)a unknown-image\n"
     "- absolute:0x4015b0 return f:kfun:#main(){} unknown-image\n"
     "- absolute:0x40fab3 return f:Konan_start unknown-image\n"
     "- absolute:0x7fc8d1e5f0b3 return unknown-image\n"},
    {"Kotlin/Native, on iOS", "the exception is above, the first row on the line of the title",
     "kotlin.native.internal.IrLinkageError: no 'a: b'\n"
     "Uncaught Kotlin exception:     at 0   My App   0x1082bfd8f        kfun:a#b(){} + 99 \n"
     "    at 1   My App   0x1082b9f9f        kfun:c#d(){} + 95 \n",
     "apple-symbols 2 exception:kotlin.native.internal.IrLinkageError: no 'a: b' crashed\n"
     "#0 m:My App absolute:0x1082bfd8f return f:kfun:a#b(){}+99\n"
     "#1 m:My App absolute:0x1082b9f9f return f:kfun:c#d(){}+95\n"},
    {"Kotlin/Native, other text above", "it is no exception",
     "see a.b: it fails\n    at 0   App   0x1082bfd8f   f + 9\n",
     "apple-symbols 2\n#0 m:App absolute:0x1082bfd8f return f:f+9\n"},
    {"Cr4shed", "names after two slashes, without a distance; one that it made up",
     "0   libobjc.A.dylib               \t0x00000001996b2a70 0x1996b1000 + 6768       \t// objc_msgSend\n"
     "1   My App                        \t0x0000000102a66a2c 0x1020dc000 + 10005036   \t// func_10098a824\n"
     "2   My App                        \t0x0000000102a66a30 0x1020dc000 + 10005040   \t// -[Cart add:to:]\n",
     "apple-symbols 1\n#0 m:libobjc.A.dylib absolute:0x1996b2a70 load:0x1996b1000 return f:objc_msgSend\n"
     "#1 m:My App absolute:0x102a66a2c load:0x1020dc000 return\n"
     "#2 m:My App absolute:0x102a66a30 load:0x1020dc000 return f:-[Cart add:to:]\n"},
    {"uuid", "iOS 14 prints the image's UUID in the symbol's place",
     "0   App   0x0000000102003000 8C17697F-2E84-39E5-B491-FCF5169106FF + 12288\n",
     "apple-symbols 1\n#0 m:App absolute:0x102003000 load:0x102000000 return id:8c17697f2e8439e5b491fcf5169106ff\n"},
    {"hex list", "a list of addresses, also on the title's own line",
     "*** First throw call stack: (0x182e6422c 0x194b300e4)\n",
     "apple-symbols 1\n#0 absolute:0x182e6422c return unknown-image\n#1 absolute:0x194b300e4 return unknown-image\n"},
    {"long list", "it may go on over lines", "*** First throw call stack:\n(0x182e6422c\n0x194b300e4 0x1)\n",
     "apple-symbols 2\n#0 absolute:0x182e6422c return unknown-image\n#1 absolute:0x194b300e4 return unknown-image\n#2 "
     "absolute:0x1 return unknown-image\n"},
    {"umeng", "the footer says where the app is",
     "0  App   0x0000000100100ea0 <redacted> + 4\n)\n\ndSYM UUID: E5B0A378-6816-3D90-86FD-2AEF15894A85\n"
     "CPU Type: arm64\nSlide Address: 0x0000000100000000\nBinary Image: App\nBase Address: 0x00000001000e4000\n",
     "apple-symbols 1\n#0 m:App absolute:0x100100ea0 load:0x1000e4000 return id:e5b0a37868163d9086fd2aef15894a85 "
     "arch:arm64 f:<redacted>+4\n"},
    {"counting down", "outermost first: one stack",
     "2   App   0x0000000100100ea0 c + 4\n1   App   0x0000000100100ea1 b + 4\n0   App   0x0000000100100ea2 a + 4\n",
     "apple-symbols 1\n#2 m:App absolute:0x100100ea0 return f:c+4\n#1 m:App absolute:0x100100ea1 return f:b+4\n#0 "
     "m:App absolute:0x100100ea2 return f:a+4\n"},
    {"restart", "an index of 0 begins a stack",
     "0   App   0x0000000100100ea0 c + 4\n1   App   0x0000000100100ea1 b + 4\n0   App   0x0000000100100ea2 a + 4\n",
     "apple-symbols 1\n#0 m:App absolute:0x100100ea0 return f:c+4\n#1 m:App absolute:0x100100ea1 return "
     "f:b+4\napple-symbols 3\n#0 m:App absolute:0x100100ea2 return f:a+4\n"},
    {"swift on linux", "<unavailable> replaces the image", "0    app   0x0000555f6035db52 <unavailable> + 4098\n",
     "apple-symbols 1\n#0 m:app absolute:0x555f6035db52 load:0x555f6035cb50 return\n"},
    {"quoted", "an array that was described", "\"0   App   0x0000000100100ea0 c + 4\",\n",
     "apple-symbols 1\n#0 m:App absolute:0x100100ea0 return f:c+4\n"},
    {"hex distance", "a sampler's rows: the first is where the thread was; the base is by prefix",
     "0 App 0x100100ea0 0x100100000+0xea0\n1 App 0x100100ea1 0x100100000+3745\n",
     "apple-symbols 1\n#0 m:App absolute:0x100100ea0 load:0x100100000\n#1 m:App absolute:0x100100ea1 load:0x100100000 "
     "return\n"},
    {"long address", "30 digits",
     "0   App   0x123456789012345678901234567890 c + 4\n1   App   0x0000000100100ea1 b + 4\n",
     "apple-symbols 1\n#0 m:App return f:c+4 malformed\n#1 m:App absolute:0x100100ea1 return f:b+4\n"},
    {"Crashlytics", "addresses count from the image; the first is where the thread was; the line is printed twice",
     "Crashed: com.apple.main-thread\nEXC_BREAKPOINT 0x0000000104218738\n"
     "0  Shop                           0xe1260c Cart.total() + 41 (Cart.swift:41)\n"
     "1  Shop                           0x8f10 thunk for () -> () (<compiler-generated>)\n"
     "2  libdispatch.dylib              0x63094 _dispatch_client_callout\n"
     "3  Shop                           0x6b6d84 (Missing UUID 1b67e644593a3401b48d084b8d879212)\n"
     "4  ???                            0x1c8e8e248 (Missing)\n",
     "apple-symbols 3 thread:com.apple.main-thread exception:EXC_BREAKPOINT 0x0000000104218738 crashed\n"
     "#0 m:Shop image:0xe1260c f:Cart.total() at:Cart.swift:41 not-needed\n"
     "#1 m:Shop image:0x8f10 return f:thunk for () -> ()\n"
     "#2 m:libdispatch.dylib image:0x63094 return f:_dispatch_client_callout\n"
     "#3 m:Shop image:0x6b6d84 return id:1b67e644593a3401b48d084b8d879212\n"
     "#4 m:??? absolute:0x1c8e8e248 return unknown-image\n"},
    {"Crashlytics' exceptions", "all are return addresses; addresses of older versions are absolute",
     "Fatal Exception: NSRangeException\nit is out of range\n\n"
     "0  CoreFoundation                 0xa248 (Missing UUID 1b67e644593a3401b48d084b8d879212)\n"
     "1  libobjc.A.dylib                0x17a68 objc_exception_throw\n\n\n\n\n"
     "Fatal Exception: Quit\n0  CoreFoundation   0x1b076083 __exceptionPreprocess\n",
     "apple-symbols 4 exception:NSRangeException crashed\n"
     "#0 m:CoreFoundation image:0xa248 return id:1b67e644593a3401b48d084b8d879212\n"
     "#1 m:libobjc.A.dylib image:0x17a68 return f:objc_exception_throw\n"
     "apple-symbols 11 exception:Quit crashed\n"
     "#0 m:CoreFoundation absolute:0x1b076083 return f:__exceptionPreprocess\n"},
    {"Crashlytics, React Native", "the title is above the rows of JavaScript, and is used once",
     "Fatal Exception: RCTFatalException: Unhandled JS Exception: none left\n"
     "Unhandled JS Exception: none left, "
     "stack:\nrender@1234:567\nvalue@24:1531\n<unknown>@24:900\na@24:901\nb@24:902\n\n"
     "0  CoreFoundation                 0x1a2b3c __exceptionPreprocess\n"
     "1  Shop                           0x58cfc8 RCTFatal + 147 (RCTAssert.m:147)\n\n\n\n\n"
     "0  Shop                           0x58cfc8 RCTFatal + 147 (RCTAssert.m:147)\n",
     "js-jsc 3 exception:none left\n- f:render:1234:568\n- f:value:24:1532\n- f:<unknown>:24:901\n- f:a:24:902\n"
     "- f:b:24:903\n"
     "apple-symbols 9 exception:RCTFatalException: Unhandled JS Exception: none left crashed\n"
     "#0 m:CoreFoundation image:0x1a2b3c return f:__exceptionPreprocess\n"
     "#1 m:Shop image:0x58cfc8 return f:RCTFatal at:RCTAssert.m:147 not-needed\n"
     "apple-symbols 15\n#0 m:Shop image:0x58cfc8 return f:RCTFatal at:RCTAssert.m:147 not-needed\n"},
    {"offset or address", "what is filled up with zeros is an address, and no offset has eight digits",
     "0   App   0x0001a2b4 c + 4\n1   App   0x12345678 b + 4\n2   App   0x1a2b4 a + 4\n",
     "apple-symbols 1\n#0 m:App absolute:0x1a2b4 return f:c+4\n#1 m:App absolute:0x12345678 return f:b+4\n"
     "#2 m:App image:0x1a2b4 return f:a+4\n"},
    {"no title", "a thread of Crashlytics that did not crash",
     "com.apple.uikit.eventfetch-thread\n"
     "0  libsystem_kernel.dylib         0x44c8 mach_msg2_trap + 8\n"
     "1  CoreFoundation                 0x831f4 <redacted> + 1208\n",
     "apple-symbols 2 thread:com.apple.uikit.eventfetch-thread\n"
     "#0 m:libsystem_kernel.dylib image:0x44c8 f:mach_msg2_trap+8\n"
     "#1 m:CoreFoundation image:0x831f4 return f:<redacted>+1208\n"},
    {"Crashlytics' exceptions of C++", "the exception is above the thread, a signal below it",
     "Fatal Exception: std::bad_alloc\nstd::bad_alloc\n\nCrashed: com.x.exception\n"
     "0  App   0x10097afc4 g + 392 (g.c:392)\n\nCrashed: com.x.other\nSIGABRT ABORT 0x0000000199ea2d88\nterminate()\n"
     "0  App   0x10097afc8 h + 392 (g.c:392)\n",
     "apple-symbols 5 thread:com.x.exception exception:std::bad_alloc crashed\n"
     "#0 m:App absolute:0x10097afc4 f:g+392 at:g.c:392 not-needed\n"
     "apple-symbols 10 thread:com.x.other exception:SIGABRT ABORT 0x0000000199ea2d88 crashed\n"
     "#0 m:App absolute:0x10097afc8 f:h+392 at:g.c:392 not-needed\n"},
    {"a sentence in place of a title", "it is no queue, and no stack of Crashlytics is above; a queue in a paragraph",
     "Here it is\n0  libsystem_kernel.dylib   0x44c8 f + 8\n\n\n\n\nHere it is\ncom.apple.main-thread\n"
     "0  libsystem_kernel.dylib   0x44c8 f + 8\n",
     "apple-symbols 2\n#0 m:libsystem_kernel.dylib image:0x44c8 return f:f+8\n"
     "apple-symbols 9\n#0 m:libsystem_kernel.dylib image:0x44c8 return f:f+8\n"},
    {"Crashlytics' other threads", "below the crashed one any text is a name; threads may be at one address",
     "Crashed: com.apple.main-thread\n0  App   0x44d8 g + 8\n\nGAIThread 2\n"
     "0  libsystem_kernel.dylib         0x44c8 mach_msg_trap + 8\n\nThread\n"
     "0  libsystem_kernel.dylib         0x44c8 mach_msg_trap + 8\n\ncom.google.fira.worker\n"
     "0  libsystem_kernel.dylib         0x1bfe522d0 mach_msg_trap + 8\n1  App   0x1bfe522e0 main + 8\n",
     "apple-symbols 2 thread:com.apple.main-thread crashed\n#0 m:App image:0x44d8 f:g+8\n"
     "apple-symbols 5 thread:GAIThread 2\n#0 m:libsystem_kernel.dylib image:0x44c8 f:mach_msg_trap+8\n"
     "apple-symbols 8\n#0 m:libsystem_kernel.dylib image:0x44c8 f:mach_msg_trap+8\n"
     "apple-symbols 11 thread:com.google.fira.worker\n#0 m:libsystem_kernel.dylib absolute:0x1bfe522d0 "
     "f:mach_msg_trap+8\n#1 m:App absolute:0x1bfe522e0 return f:main+8\n"},
    {"numbered title", "a thread of Crashlytics that did not crash, and the one that did",
     "#18. com.apple.uikit.eventfetch\n0  App   0x44c8 f + 8\n\n#19. Crashed: com.apple.main-thread\n"
     "0  App   0x44d8 g + 8\n\n\n\n\n19. Crashed: quoted\n0  App   0x1028785ec h + 4330178028\n",
     "apple-symbols 2 thread:com.apple.uikit.eventfetch\n#0 m:App image:0x44c8 f:f+8\n"
     "apple-symbols 5 thread:com.apple.main-thread crashed\n#0 m:App image:0x44d8 f:g+8\n"
     "apple-symbols 11 thread:quoted crashed\n#0 m:App absolute:0x1028785ec f:h\n"},
    {"rows that have only a name", "they belong to the stack if their numbers lead up to a certain row",
     "note\n0  A   0x1843e50f8 __exceptionPreprocess\n1  B   0x198153a00 objc_exception_throw\n2  C   0x1029aab2c f + "
     "4\n"
     "-\n-\n-\n-\n0  A   0x1843e50f8 a\n\n1  B   0x198153a00 b + 4\n-\n-\n-\n-\n1  A   0x1843e50f8 c\n"
     "2  B   0x198153a00 d + 4\n",
     "apple-symbols 2\n#0 m:A absolute:0x1843e50f8 return f:__exceptionPreprocess\n"
     "#1 m:B absolute:0x198153a00 return f:objc_exception_throw\n#2 m:C absolute:0x1029aab2c return f:f+4\n"
     "apple-symbols 11\n#1 m:B absolute:0x198153a00 return f:b+4\n"
     "apple-symbols 17\n#2 m:B absolute:0x198153a00 return f:d+4\n"},
    {"Crashlytics' rows without addresses", "errors that .NET, Unity and React Native report on iOS",
     "Fatal Exception: System.ArgumentNullException\n"
     "0  ???                            0x0 Shop.Cart.ToHandler(IElement view, IMauiContext context) (<unknown>)\n"
     "1  ???                            0x0 UIKit.UIApplication.Main(Int32 , String[] ) (<unknown>)\n"
     "2  ???                            0x0 Shop.Box.Put (System.String)\n\n"
     "Non-fatal Exception: NullReferenceException: No cart\n"
     "0  ???                            0x0 Cart.Update () + 12 (Cart.cs:12)\n"
     "1  ???                            0x0 render (main.jsbundle)\n"
     "0  ???                            0x0 Cart.Load\n0  ???                            0x0 + 1\n",
     "apple-symbols 2 exception:System.ArgumentNullException crashed\n"
     "#0 f:Shop.Cart.ToHandler(IElement view, IMauiContext context) not-needed\n"
     "#1 f:UIKit.UIApplication.Main(Int32 , String[] ) not-needed\n#2 f:Shop.Box.Put (System.String) not-needed\n"
     "apple-symbols 7 exception:NullReferenceException: No cart crashed\n"
     "#0 f:Cart.Update () at:Cart.cs:12 not-needed\n#1 f:render at:main.jsbundle not-needed\n"
     "apple-symbols 9\n#0 f:Cart.Load not-needed\n"},
    {"Datadog's JSON", "the images are those of the line; a list on the next line is another report's",
     "{\"error\":{\"stack\":\"0   A   0x0000000104e5f2a8 0x104e50000 + 62120\\n1   libB   0x00000001803e9120 "
     "0x18036a000 "
     "+ 520480\\n\",\"threads\":[{\"stack\":\"0   A   0x0000000104e5f2a9 0x104e50000 + 62121\\n1   A   "
     "0x0000000104e5f2aa 0x104e50000 + 62122\\n\"}],\"binary_images\":[{\"uuid\":"
     "\"8C17697F-2E84-39E5-B491-FCF5169106FF\",\"name\":\"A\",\"load_address\":\"0x104e50000\","
     "\"max_address\":\"0x104e6ffff\",\"arch\":\"arm64\"},{\"name\":\"none\"},3]}}\n"
     "{\"error.stack\":\"0   A   0x0000000104e5f2a8 0x104e50000 + 62120\\n\",\"error.binary_images\" : [{\"uuid\":"
     "\"9C17697F-2E84-39E5-B491-FCF5169106FF\",\"name\":\"A\",\"load_address\":\"0x104e50000\"}]}\n"
     "0   A   0x0000000104e5f2a7 0x104e50000 + 62119\n",
     "apple-symbols 1\n#0 m:A absolute:0x104e5f2a8 load:0x104e50000 return id:8c17697f2e8439e5b491fcf5169106ff "
     "arch:arm64\n#1 m:libB absolute:0x1803e9120 load:0x18036a000 return\n"
     "apple-symbols 1\n#0 m:A absolute:0x104e5f2a9 load:0x104e50000 return id:8c17697f2e8439e5b491fcf5169106ff "
     "arch:arm64\n#1 m:A absolute:0x104e5f2aa load:0x104e50000 return id:8c17697f2e8439e5b491fcf5169106ff arch:arm64\n"
     "apple-symbols 2\n#0 m:A absolute:0x104e5f2a8 load:0x104e50000 return id:9c17697f2e8439e5b491fcf5169106ff\n"
     "apple-symbols 3\n#0 m:A absolute:0x104e5f2a7 load:0x104e50000 return\n"},
    {"Datadog's error", "members next to the stack name it, a signal or a class; words are no type",
     "{\"error\":{\"message\":\"it ends\",\"type\":\"SIGABRT (#0)\",\"stack\":\"0   A   0x0000000104e5f2a8 0x104e50000 "
     "+ "
     "62120\\n1   A   0x0000000104e5f2aa 0x104e50000 + 62122\",\"threads\":[{\"name\":\"Thread 0\",\"stack\":\"0   A   "
     "0x0000000104e5f2a9 0x104e50000 + 62120\\n\"}]}}\n"
     "{\"stack\":\"0   A   0x0000000104e5f2ab 0x104e50000 + 62120\\n\",\"type\":\"SIGNED (#0)x\"}\n"
     "{\"stack\":\"0   A   0x0000000104e5f2ac 0x104e50000 + 62120\\n\",\"type\":\"SIGNED in\"}\n",
     "apple-symbols 1 exception:SIGABRT (#0): it ends\n"
     "#0 m:A absolute:0x104e5f2a8 load:0x104e50000 return\n"
     "#1 m:A absolute:0x104e5f2aa load:0x104e50000 return\n"
     "apple-symbols 1\n"
     "#0 m:A absolute:0x104e5f2a9 load:0x104e50000 return\n"
     "apple-symbols 2\n"
     "#0 m:A absolute:0x104e5f2ab load:0x104e50000 return\n"
     "apple-symbols 3\n"
     "#0 m:A absolute:0x104e5f2ac load:0x104e50000 return\n"},
    {"no list of Datadog's", "a key in a string, of another form, or without its end",
     "{\"stack\":\"0   A   0x0000000104e5f2a8 0x104e50000 + 62120\\n\",\"a\":\"\\\"binary_images\\\":[{}]\"}\n"
     "{\"stack\":\"0   A   0x0000000104e5f2a7 0x104e50000 + 62119\\n\",\"binary_images\":3}\n"
     "{\"stack\":\"0   A   0x0000000104e5f2a6 0x104e50000 + 62118\\n\",\"binary_images\":[{\n",
     "apple-symbols 1\n#0 m:A absolute:0x104e5f2a8 load:0x104e50000 return\n"
     "apple-symbols 2\n#0 m:A absolute:0x104e5f2a7 load:0x104e50000 return\n"
     "apple-symbols 3\n#0 m:A absolute:0x104e5f2a6 load:0x104e50000 return\n"},
    {"not announced", "short numbers are a row below a title only", "0  Tab   0x8f10 hex\n", ""},
    {"no evidence", "a number, a word and an address are no row by themselves",
     "12 items 0x12345678 left\n3 0x10 0x20\n1 a b\n", ""},
};
static const struct text_case models[] = {
    {"a failed check", "of Chromium on macOS",
     "[15:30:0603/143054:18:FATAL:curve.cc(48)] Check failed: v > 0 (0 vs. 0)\n"
     "0   Content Shell Framework   0x000000010a99b743 _ZN4base5debug10StackTraceC1Ev + 19\n",
     "apple-symbols type:Check failed message:v > 0 (0 vs. 0) frames:1\n"},
    {"Swift", "the error above its old stacks",
     "main.swift:3: Fatal error: Index out of range: file A.swift, line 444\n"
     "Current stack trace:\n0    libswiftCore.so                    0x00007f4b8b5e2c10 swift_reportError + 50\n"
     "1    app                                0x0000555f603b53a3 <unavailable> + 32617379\n",
     "apple-symbols type:Fatal error message:Index out of range: file A.swift, line 444 frames:2\n"},
    {"Cr4shed", "a signal: process, thread and codes are above",
     "Date: 7/7/23, 7:38 AM\nProcess: Shop\nBundle id: com.example.shop\nDevice: iPhone 11 Pro Max, iOS 13.6\n"
     "Bundle version: 4.38.0\n\nException type: EXC_BAD_ACCESS (SIGSEGV)\n"
     "Exception subtype: KERN_INVALID_ADDRESS: 0x561666570\nException codes: 0x1, 0x0000000561666570\n"
     "Culprit: Unknown\nVM Protection: 0x561666570 is not in any region.\n\nTriggered by thread: 0\n"
     "Thread name: Dispatch queue: com.apple.main-thread\nCall stack:\n"
     "0   libobjc.A.dylib \t0x00000001996b2a70 0x1996b1000 + 6768       \t// objc_msgSend\n"
     "1   ...Package      \t0x0000000103da55b4 0x103d88000 + 120244     \t// func_1d388\n",
     "apple-symbols process:Shop os:iOS 13.6 tid:0 type:EXC_BAD_ACCESS frames:2\n"},
    {"React Native, a message of several lines", "the closing quote is on a line below",
     "*** Terminating app due to uncaught exception 'RCTFatalException', reason: 'Unhandled JS Exception: "
     "no\nf@1:2\n'\n"
     "*** First throw call stack:\n(0x1843e50f8 0x184386900)\n",
     "apple-symbols type:RCTFatalException message:Unhandled JS Exception: no frames:2\n"},
    {"Cr4shed, an exception", "rows without a distance count below its title",
     "Process: SpringBoard\n\nException type: NSInvalidArgumentException\nReason: *** -[A launch]: not accessible\n"
     "Culprit: cart.dylib\nCall stack:\n0   CoreFoundation                      0x00000001a75329a4 "
     "__exceptionPreprocess\n"
     "1   libobjc.A.dylib                     0x00000001a670b9f8 -[A b:]\n"
     "2   cart.dylib                          0x000000010b5bd45c cart.dylib + 37980\n",
     "apple-symbols process:SpringBoard type:NSInvalidArgumentException message:*** -[A launch]: not accessible"
     " frames:3\n"},
    {"Call stack", "not of Cr4shed", "Call stack:\n0   CoreFoundation    0x00000001a75329a4 __exceptionPreprocess\n",
     ""},
    {"Kotlin/Native, printed", "the cause, and what was suppressed, are stacks of their own",
     "kotlin.Error: no\n"
     "    at 0   app   0x1082bfd8f        kfun:a#b(){} + 99 (/a.kt:3:1)\n"
     "    ... and 4 more common stack frames skipped\n"
     "    Suppressed: a.Closed\n"
     "        at 0   app   0x1082bfe8f        kfun:a#e(){} + 9 \n"
     "    Caused by: a.Late\n"
     "        at 0   app   0x1082bfe9f        kfun:a#f(){} + 9 \n"
     "Caused by: a.Failure: it fails\n"
     "    at 0   app   0x1082b9f9f        kfun:c#d(){} + 95 \n"
     "Caused by: a.Failure: again\n"
     "    at 0   app   0x1082b9faf        kfun:c#e(){} + 95 \n",
     "apple-symbols type:kotlin.Error message:no frames:1\n"
     "apple-symbols suppressed-of:0 type:a.Closed frames:1\n"
     "apple-symbols cause-of:1 type:a.Late frames:1\n"
     "apple-symbols cause-of:0 type:a.Failure message:it fails frames:1\n"
     "apple-symbols cause-of:3 type:a.Failure message:again frames:1\n"},
    {"Kotlin/Native, a long message", "the lines between the title and the stack; a type alone has no colon",
     "Uncaught Kotlin exception: a.LinkError: \nNo function found for\n'a.b/f|f(c:d)'\n"
     "    at 0   app   0x1082bfd8f        f + 99\n\nUncaught Kotlin exception: a.Late\n"
     "    at 0   app   0x1082bfd8f        f + 99\n",
     "apple-symbols type:a.LinkError message:No function found for\n'a.b/f|f(c:d)' frames:1\n"
     "apple-symbols type:a.Late frames:1\n"},
    {"far from it", "a title of another text",
     "kotlin.Error: no\n    at 0   app   0x1082bfd8f        f + 99\n\n1\n2\n3\n4\n5\n6\n7\n8\n9\n"
     "Caused by: a.Failure: it fails\n    at 0   app   0x1082b9f9f        g + 95 \n",
     "apple-symbols type:kotlin.Error message:no frames:1\n"
     "apple-symbols type:a.Failure message:it fails frames:1\n"},
};
static const struct text_case looks[] = {
    {"chain", "symbolicatecrash's look, number and address repeated",
     "\t1   My App                              0x000000010210cccb My App + 15563\n",
     "\t1   My App                              0x000000010210cccb inner(int) (a.cc:7)\n\t1   My App                   "
     "           0x000000010210cccb outer() (a.cc:21)\n"},
    {"list", "a list becomes rows", "*** First throw call stack:\n(0x182e6422c)\n",
     "*** First throw call stack:\n(\n0   ???                                 0x0000000182e6422c inner(int) "
     "(a.cc:7)\n0   ???                                 0x0000000182e6422c outer() (a.cc:21)\n)\n"},
};
static const struct text_case titled_look[] = {
    {"title on the list's line", "only what a logger put before it is repeated",
     "I/App ( 12): *** First throw call stack: (0x182e6422c 0x10)\n",
     "I/App ( 12): *** First throw call stack: (\nI/App ( 12): 0   ???                                 "
     "0x0000000182e6422c outer() + 24\n"
     "I/App ( 12): 1   ???                                 0x0000000000000010 outer() + 24\nI/App ( 12): )\n"},
};
static const struct text_case symbol_looks[] = {
    {"symbol", "distance in decimal", "1   App   0x000000010210cccb App + 15563\n",
     "1   App   0x000000010210cccb outer() + 24\n"},
};

static void test_texts(void **state)
{
    (void)state;
    check_texts(texts, sizeof texts / sizeof *texts);
}
static void test_models(void **state)
{
    (void)state;
    check_models(models, sizeof models / sizeof *models);
}
static void test_looks(void **state)
{
    (void)state;
    check_looks(looks, sizeof looks / sizeof *looks, fm_test_chain, 2);
    check_looks(titled_look, sizeof titled_look / sizeof *titled_look, fm_test_symbol, 1);
    check_looks(symbol_looks, sizeof symbol_looks / sizeof *symbol_looks, fm_test_symbol, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_texts), cmocka_unit_test(test_models),
                                       cmocka_unit_test(test_looks)};
    return cmocka_run_group_tests_name("formats apple-symbols", tests, NULL, NULL);
}
