#include "core/text/buffer.h"
#include "formats/java/java_heading.h"
#include "formats/java/java_name.h"
#include "formats/java/java_row.h"
#include "tests/formats/formats_help.h"

#include <ctype.h>
#include <stdlib.h>

#define AT(text) "\tat " text "\n"

static const struct text_case texts[] = {
    {"plain", "Throwable.printStackTrace; frames of the platform need nothing",
     "java.lang.IllegalStateException: no user\n" AT("a.b.c(SourceFile:12)")
         AT("java.lang.Thread.run(Thread.java:764)"),
     "java 2 exception:java.lang.IllegalStateException: no user\n- c:a.b f:c at:SourceFile:12\n"
     "- c:java.lang.Thread f:run at:Thread.java:764 not-needed\n! exception:java.lang.IllegalStateException "
     "before:0\n"},
    {"a quoted message", "an escaped line end in it does not divide the line",
     "a.b.FormatException: For input string: \"abc\\n\"\n" AT("a.b.c(SourceFile:12)"),
     "java 2 exception:a.b.FormatException: For input string: \"abc\\n\"\n- c:a.b f:c at:SourceFile:12\n"
     "! exception:a.b.FormatException before:0\n"},
    {"Bugly", "the word above a stack of Java is no exception", "java:\n" AT("a.b.c(SourceFile:12)"),
     "java 2\n- c:a.b f:c at:SourceFile:12\n"},
    {"Bugly, its header in the log", "process and thread are no exception, in a stack of Java below machine code too",
     "E CrashReport: # PKG NAME: com.x.Error\nE CrashReport: # CRASH PROCESS: com.x\n"
     "E CrashReport: # CRASH THREAD: GL Thread(12)\nE CrashReport: # CRASH STACK:\n"
     "E CrashReport: #00 pc 0001 /l/a.so [arm64-v8a]\nE CrashReport: java:\nE CrashReport: a.b.c(SourceFile:12)\n"
     "E CrashReport: #+++#\n\n\n\n\n\n\n\n\n# CRASH PROCESS: com.x\n# CRASH THREAD: main\n# CRASH STACK:\na.b.Bad: "
     "no\n" AT("a.b.c(SourceFile:12)"),
     "android-tombstone 5 thread:GL Thread crashed\n#0 m:a.so linked:0x1 arch:arm64-v8a\n"
     "java 7 thread:GL Thread crashed\n- c:a.b f:c at:SourceFile:12\n"
     "java 21 thread:main exception:a.b.Bad: no crashed\n- c:a.b f:c at:SourceFile:12\n! exception:a.b.Bad before:0\n"},
    {"a message in a string, with colours", "its second line is a copy, and no slice of the text with the first",
     "a.b.Bad\\n\\tmore \x1b[31mwords\x1b[0m [x\n" AT("a.b.c(SourceFile:12)"),
     "java 2 exception:a.b.Bad\n- c:a.b f:c at:SourceFile:12\n! exception:a.b.Bad before:0\n"},
    {"sources", "what stands between the parentheses in place of file and line",
     AT("a.a.a(Unknown Source:8)") AT("a.a.a(Unknown Source)") AT("x.Y.z(Native Method)") AT("a.a.a(SourceFile:-1)")
         AT("a.a.a(PG:13)") AT("a.a.a()") AT("a.a.a(:12)") AT("a.a.a(SourceFile:0)") AT("a.a.a(?:?) [?:?]")
             AT("a.a.a(SourceFile:99999999999)"),
     "java 1\n- c:a.a f:a at:Unknown Source:8\n- c:a.a f:a\n- c:x.Y f:z not-needed\n- c:a.a f:a "
     "at:SourceFile\n"
     "- c:a.a f:a at:PG:13\n- c:a.a f:a\n- c:a.a f:a:12\n- c:a.a f:a at:SourceFile\n- c:a.a f:a at:?:?\n- c:a.a f:a "
     "at:SourceFile\n"},
    {"modules", "HotSpot's dumps have them before the file; OpenJ9's have slashes and say what is compiled",
     AT("a.b.c(java.base@17.0.1/Native Method)") AT("a.b.d(app.core/D.java:3)") AT("a.b.d(java.base@17/SourceFile)") AT(
         "a.b.e(src/E.kt:4)") "4XESTACKTRACE                at java/lang/Object.wait(Object.java:167(Compiled Code))\n"
                              "4XESTACKTRACE                at a/B.c(Native Method)\n"
                              "   \"java.base\\/java.lang.Thread.run(Thread.java:7)\",\n",
     "java 1\n- m:java.base@17.0.1 c:a.b f:c not-needed\n- m:app.core c:a.b f:d at:D.java:3\n"
     "- m:java.base@17 c:a.b f:d at:SourceFile\n- c:a.b f:e at:src/E.kt:4\n"
     "- c:java/lang/Object f:wait at:Object.java:167 not-needed\n- c:a/B f:c not-needed\n"
     "- m:java.base c:java.lang.Thread f:run at:Thread.java:7 not-needed\n"},
    {"types", "as ART's log has them; -2 is the line of a native method",
     "I zygote  : Rejecting re-init on previously-failed class java.lang.Class<a.b>: java.lang.NoClassDefFoundError: "
     "x\n"
     "I zygote  :   at java.lang.Class java.lang.Class.forName(java.lang.String, boolean) (Class.java:-2)\n"
     "I zygote  :   at void a.b.c(int[], a.d) (SourceFile:12)\nI zygote  :   at a.d[] a.b.<init>() (PG:3)\n"
     "I zygote  : Caused by: java.lang.ClassNotFoundException: y\n"
     "I zygote  :   at void a.b.f() (SourceFile:1)\n" AT("void a.b.c(int (SourceFile:12)") AT("a b.c() (x)"),
     "java 2 exception:java.lang.NoClassDefFoundError: x\n- c:java.lang.Class f:forName at:Class.java not-needed\n"
     "- c:a.b f:c at:SourceFile:12\n- c:a.b f:<init> at:PG:3\n! exception:java.lang.NoClassDefFoundError before:0\n"
     "java 6 exception:java.lang.ClassNotFoundException: y\n- c:a.b f:f at:SourceFile:1\n"
     "! exception:java.lang.ClassNotFoundException before:0\n"},
    {"names", "loaders, modules, hidden classes, constructors, Kotlin's and Scala's names",
     AT("app//java.base@17.0.1/a.b.c(SourceFile:1)") AT("java.base/java.util.List.of(List.java:1)")
         AT("a.b$$Lambda$14/0x0000000800c03000.run(Unknown Source)") AT("a.b.<init>(SourceFile:3)")
             AT("a.b.<clinit>(SourceFile:4)") AT("com.x.-$$Lambda$Main$x9.run(Unknown Source:2)")
                 AT("com.x.Main$Companion.f$default(Main.kt:5)") AT("com.x.$Proxy7.f(Unknown Source)")
                     AT("a.$anonfun$f$1(b.scala:7)") AT("com.***.apm.T.f(T.kt:1)"),
     "java 1\n- m:java.base@17.0.1 c:a.b f:c at:SourceFile:1\n- m:java.base c:java.util.List f:of at:List.java:1 "
     "not-needed\n"
     "- c:a.b$$Lambda$14 f:run not-needed\n- c:a.b f:<init> at:SourceFile:3\n- c:a.b f:<clinit> "
     "at:SourceFile:4\n"
     "- c:com.x.-$$Lambda$Main$x9 f:run at:Unknown Source:2\n- c:com.x.Main$Companion f:f$default at:Main.kt:5 "
     "not-needed\n"
     "- c:com.x.$Proxy7 f:f not-needed\n- c:a f:$anonfun$f$1 at:b.scala:7\n- c:com.***.apm.T f:f "
     "at:T.kt:1 not-needed\n"},
    {"blanks in names", "as Kotlin's tests have them, within a stack",
     AT("a.b.FooTest.run(FooTest.kt:1)") AT("a.b.FooTest.my first test(FooTest.kt:12)")
         AT("a.b.FooTest$my test$1.invoke(FooTest.kt)") "at a.b.c we saw (Foo.kt)x\n",
     "java 1\n- c:a.b.FooTest f:run at:FooTest.kt:1 not-needed\n- c:a.b.FooTest f:my first test at:FooTest.kt:12 "
     "not-needed\n- c:a.b.FooTest$my test$1 f:invoke at:FooTest.kt not-needed\n"},
    {"a version for a file", "with blanks and parentheses of its own",
     AT("m.abc.a(:com.google.android.gms@234116044@23.41.16 (190400-0):3)"),
     "java 1\n- c:m.abc f:a at::com.google.android.gms@234116044@23.41.16 (190400-0):3\n"},
    {"a library's version for a file", "Google's libraries, also after a blank; other words with signs are no version",
     AT("c.g.zzf.run(com.google.android.gms:play-services-ads@@18.0.2:32)")
         AT("c.g.zzg.a (com.android.billingclient:billing@@4.0.0:7)") AT(
             "c.g.w.b (:com.google.android.gms.ads_dynamite@22@22.4:5)")
             AT("l.a (com.google.android.gms.policy_ads@20290004@20290004.249:1)") "text\nat a.b.c (x:y@z:3)\nat a.b.c "
                                                                                   "(x@@1:3)\n",
     "java 1\n- c:c.g.zzf f:run at:com.google.android.gms:play-services-ads@@18.0.2:32\n"
     "- c:c.g.zzg f:a at:com.android.billingclient:billing@@4.0.0:7\n"
     "- c:c.g.w f:b at::com.google.android.gms.ads_dynamite@22@22.4:5\n"
     "- c:l f:a at:com.google.android.gms.policy_ads@20290004@20290004.249:1\n"},
    {"signatures in messages", "whole where quotes hold them, and classes in descriptors of types",
     "a.b: 'void c.d.e.f(int)' and 'int q.a()' in field 'int c.d.g' of type Lc/d/e; or [Lc.d.h;\n" AT(
         "a.a.a(SourceFile:1)"),
     "java 2 exception:a.b: 'void c.d.e.f(int)' and 'int q.a()' in field 'int c.d.g' of type Lc/d/e; or [Lc.d.h;\n"
     "- c:a.a f:a at:SourceFile:1\n! exception:a.b before:0\n! class:void c.d.e.f(int) before:0\n"
     "! class:int q.a() before:0\n! class:int c.d.g before:0\n! class:c/d/e before:0\n"},
    {"causes", "each part is a trace; classes of each, the frame below, and what messages name",
     "Exception in thread \"main\" a.b.c: class d.e cannot be cast to f.g, e.g. this\n"
     "\tat a.a.a(SourceFile:1)\nCaused by: b0: oneword\n\tat a.a.a(SourceFile:2)\n\t... 3 more\n\tSuppressed: a.d\n"
     "\t\tat a.a.a(SourceFile:3)\n\t\t... 3 more\n\t[CIRCULAR REFERENCE: a.b.c: x]\n",
     "java 2 thread:main exception:a.b.c: class d.e cannot be cast to f.g, e.g. this\n- c:a.a f:a at:SourceFile:1\n"
     "! exception:a.b.c before:0\n! class:d.e before:0\n! class:f.g before:0\n"
     "java 4 thread:main exception:b0: oneword\n- c:a.a f:a at:SourceFile:2\n! exception:b0 before:0\n"
     "java 7 thread:main exception:a.d\n- c:a.a f:a at:SourceFile:3\n! exception:a.d before:0\n"
     "java 9 thread:main exception:a.b.c: x\n! exception:a.b.c before:0\n"},
    {"a store's console", "heads without a thread, causes without a colon, rows with a blank before the place",
     "Exception a.b.c: x y\n  at a.a.a (SourceFile:1)\nCaused by a.d: x y\n  at a.a.a (SourceFile:2)\nCaused by "
     "lightning.\n",
     "java 2 exception:a.b.c: x y\n- c:a.a f:a at:SourceFile:1\n! exception:a.b.c before:0\n"
     "java 4 exception:a.d: x y\n- c:a.a f:a at:SourceFile:2\n! exception:a.d before:0\n"},
    {"a store's console, renamed", "a cause of the default package, without a colon after its first words",
     "Exception a.b.c: x y\n  at a.a.a (SourceFile:1)\nCaused by q: x y\n  at a.a.a (SourceFile:2)\nCaused by "
     "timeout: 5 s\nCaused by it\n",
     "java 2 exception:a.b.c: x y\n- c:a.a f:a at:SourceFile:1\n! exception:a.b.c before:0\n"
     "java 4 exception:q: x y\n- c:a.a f:a at:SourceFile:2\n! exception:q before:0\n"},
    {"messages of several lines", "the line that names an exception is found above others",
     "12:00 ERROR com.x.Log - it failed\na.b.FooException: first\n  see a.b: c\n\n" AT("a.a.a(SourceFile:1)"),
     "java 5 exception:a.b.FooException: first\n  see a.b: c\n- c:a.a f:a at:SourceFile:1\n! "
     "exception:a.b.FooException before:0\n"},
    {"short names", "a renamed exception of the default package right above; another word is none",
     "b0\n" AT("a.a.a(SourceFile:1)") "\n\n\n\n\n\n\n\n\n\nStacktrace:\n" AT("a.a.a(SourceFile:1)"),
     "java 2 exception:b0\n- c:a.a f:a at:SourceFile:1\n! exception:b0 before:0\n"
     "java 14\n- c:a.a f:a at:SourceFile:1\n"},
    {"details", "what Minecraft prints above a stack of a section names no exception; classes in it are classes",
     "-- Class loading --\nDetails:\n\tAnalyzed class: a.b.Horse\n\tMethod: a.b.Horse: tick\n\tLast error: a.b.XError: "
     "y\n"
     "Stacktrace:\n" AT("a.a.a(SourceFile:1)") "\n\n\n\n\n\n\n\n\n\nAnalyzed class: a.b.c\nStacktrace:\n" AT(
         "a.a.a(SourceFile:2)"),
     "java 7\n- c:a.a f:a at:SourceFile:1\n! class:a.b.Horse before:0\n! class:a.b.Horse before:0\n"
     "! class:a.b.XError before:0\njava 20\n- c:a.a f:a at:SourceFile:2\n! class:a.b.c before:0\n"},
    {"a label above the rows", "an exception is above it, as a title or after a word, and lines of its message",
     "a.b.c: x\n\tsee: a.b.d\nStacktrace:\n" AT(
         "a.a.a(SourceFile:1)") "\n\n\n\n\n\n\n\n\n\nFault class: a.b.XError\n"
                                "Stacktrace:\n" AT("a.a.a(SourceFile:2)") "\n\n\n\n\n\n\n\n\n\nError: "
                                                                          "a.b.c\nStacktrace:\n" AT(
                                                                              "a.a.a(SourceFile:3)"),
     "java 4 exception:a.b.c: x\n\tsee: a.b.d\nStacktrace:\n- c:a.a f:a at:SourceFile:1\n! exception:a.b.c before:0\n"
     "java 17 exception:a.b.XError\nStacktrace:\n- c:a.a f:a at:SourceFile:2\n! exception:a.b.XError before:0\n"
     "java 30 exception:a.b.c\nStacktrace:\n- c:a.a f:a at:SourceFile:3\n! exception:a.b.c before:0\n"},
    {"short names, reported", "of the default package, after words that say so, whatever their length",
     "Fatal Exception: cf7: x\n" AT("a.a.a(SourceFile:1)") "Caused by: q: y\n" AT(
         "a.a.a(SourceFile:1)") "Exception b0: z\n" AT("a.a.a(SourceFile:1)"),
     "java 2 exception:cf7: x\n- c:a.a f:a at:SourceFile:1\n! exception:cf7 before:0\n"
     "java 4 exception:q: y\n- c:a.a f:a at:SourceFile:1\n! exception:q before:0\n"
     "java 6 exception:b0: z\n- c:a.a f:a at:SourceFile:1\n! exception:b0 before:0\n"},
    {"short names, one stack after the other", "each is right above its rows",
     "q: hello\n" AT("a.a.a(SourceFile:1)") "q: hello\n" AT("a.a.a(SourceFile:1)") AT("a.a.b(SourceFile:2)"),
     "java 2 exception:q: hello\n- c:a.a f:a at:SourceFile:1\n! exception:q before:0\n"
     "java 4 exception:q: hello\n- c:a.a f:a at:SourceFile:1\n- c:a.a f:b at:SourceFile:2\n! exception:q before:0\n"},
    {"a word between rows", "with a message, but not right above a row: other text in a stack",
     AT("a.a.a(SourceFile:1)") "it: works\nsee there\n" AT("a.a.b(SourceFile:2)"),
     "java 1\n- c:a.a f:a at:SourceFile:1\n- c:a.a f:b at:SourceFile:2\n"},
    {"short name of a store", "right above its rows", "Exception b0: z\n" AT("a.a.a(SourceFile:1)"),
     "java 2 exception:b0: z\n- c:a.a f:a at:SourceFile:1\n! exception:b0 before:0\n"},
    {"short name, inner class", "each part has few letters", "wk0$ab: z\n" AT("a.a.a(SourceFile:1)"),
     "java 2 exception:wk0$ab: z\n- c:a.a f:a at:SourceFile:1\n! exception:wk0$ab before:0\n"},
    {"short name, logged", "tags without a process, also in front of causes",
     "E/AndroidRuntime: cf7: x\nE/AndroidRuntime: \tat a.a.a(SourceFile:1)\nE/AndroidRuntime: Caused by: "
     "q\nE/AndroidRuntime: \tat a.a.a(PG:1)\n",
     "java 2 exception:cf7: x\n- c:a.a f:a at:SourceFile:1\n! exception:cf7 before:0\n"
     "java 4 exception:q\n- c:a.a f:a at:PG:1\n! exception:q before:0\n"},
    {"short name below a title", "a message of several lines parts it from its rows",
     "E AndroidRuntime: FATAL EXCEPTION: main\nE AndroidRuntime: Process: com.x, PID: 7\nE AndroidRuntime: cf7: "
     "first\nE AndroidRuntime: second\n"
     "E AndroidRuntime: \tat a.a.a(SourceFile:1)\n",
     "java 5 thread:main exception:cf7: first crashed\n- c:a.a f:a at:SourceFile:1\n! exception:cf7 before:0\n"},
    {"a word far above", "is prose", "it: works\nsee there\n" AT("a.a.a(SourceFile:1)"),
     "java 3\n- c:a.a f:a at:SourceFile:1\n"},
    {"two", "an exception's line at the begin of a stack ends the one before",
     "a.b: x\n" AT("a.a.a(SourceFile:1)") "a.c: y\n" AT("a.a.a(SourceFile:2)"),
     "java 2 exception:a.b: x\n- c:a.a f:a at:SourceFile:1\n! exception:a.b before:0\n"
     "java 4 exception:a.c: y\n- c:a.a f:a at:SourceFile:2\n! exception:a.c before:0\n"},
    {"logcat", "every logger's prefix, Android's words for the thread, other messages between",
     "01-03 08:34:32.728  4369  4369 E AndroidRuntime: FATAL EXCEPTION: main\n"
     "01-03 08:34:32.728  4369  4369 E AndroidRuntime: Process: com.x, PID: 4369\n"
     "01-03 08:34:32.728  4369  4369 E AndroidRuntime: java.lang.RuntimeException: Unable to start "
     "ComponentInfo{com.x/a.b}: a.c: z\n"
     "01-03 08:34:32.728  4369  4369 E AndroidRuntime: \tat a.b.c(SourceFile:1)\n"
     "01-03 08:34:32.728  4369  4369 I Other: hello\n"
     "01-03 08:34:32.728  4369  4369 E AndroidRuntime: \tat a.b.d(SourceFile:2)\n",
     "java 4 thread:main exception:java.lang.RuntimeException: Unable to start ComponentInfo{com.x/a.b}: a.c: z "
     "crashed\n"
     "- c:a.b f:c at:SourceFile:1\n- c:a.b f:d at:SourceFile:2\n! exception:java.lang.RuntimeException before:0\n! "
     "class:com.x before:0\n"
     "! class:a.b before:0\n! class:a.c before:0\n"},
    {"titles", "what reporters put before an exception",
     "Fatal Exception: a.b.c: x\n" AT("a.a.a(SourceFile:1)") "== Java Exception: a.b.d\n" AT("a.a.a(SourceFile:1)"),
     "java 2 exception:a.b.c: x\n- c:a.a f:a at:SourceFile:1\n! exception:a.b.c before:0\n"
     "java 4 exception:a.b.d\n- c:a.a f:a at:SourceFile:1\n! exception:a.b.d before:0\n"},
    {"ANR", "classes of locks; a lock does not part a stack",
     "\"main\" prio=5 tid=1 Blocked\n  | group=\"main\" sCount=1\n  at a.b.c(SourceFile:1)\n  - waiting to lock "
     "<0x0cd03f02> (a bl.q) held "
     "by thread 21\n"
     "  at a.b.d(Native method)\n  - locked <0x1> (a java.lang.Class<a.c>)\n\n\"Thread-2\" daemon prio=5 tid=2 "
     "Waiting\n  at a.b.e(PG:1)\n",
     "android-anr 3 thread:main\n- c:a.b f:c at:SourceFile:1\n- c:a.b f:d not-needed\n! class:bl.q before:1\n! "
     "class:a.c "
     "before:2\n"
     "android-anr 9 thread:Thread-2\n- c:a.b f:e at:PG:1\n"},
    {"blank and semicolon", "App Center's issues; a file without a line and semicolon is a row below another",
     "a.b.C.d (C.java)\n\na.b.C.d (C.java);\n\na.b.c.d (SourceFile:12);\n\na.b.C.e (C.java)\n\n"
     "x.Y.z (Native Method);\n",
     "java 3\n- c:a.b.C f:d at:C.java not-needed\n- c:a.b.c f:d at:SourceFile:12\n- c:a.b.C f:e at:C.java not-needed\n"
     "- c:x.Y f:z not-needed\n"},
    {"no blank and semicolon", "words around them, two blanks, a column",
     "see a.b.c (SourceFile:12)\na.b.c (SourceFile:12) is\na.b.c  (SourceFile:12)\na.b.c (SourceFile:1), "
     "(SourceFile:2)\n"
     "a.b.c (C.js:12)\nc (SourceFile:12)\n",
     ""},
    {"Unity", "addresses of native libraries, which no other language has in such a place, are looked up",
     AT("libc.abort(abort:168)") AT("libunity.0x51b50(Native Method)") AT("a.b.c(SourceFile:1)") "at a.0x12(b.x:1)\n",
     "java 1\n- c:libc f:abort at:abort:168 not-needed\n- m:libunity linked:0x51b50\n- c:a.b f:c "
     "at:SourceFile:1\n"},
    {"Unity up to 2018", "eight or sixteen digits",
     AT("libmono.0002116f(Native Method)") AT("Unknown.000083d8(Unknown Source)")
         AT("libunity.00000000000083d8(Native Method)") "at a.00000012(b.x:1)\nat libunity.0002116(Native Method)\n",
     "java 1\n- m:libmono linked:0x2116f\n- c:Unknown f:000083d8\n- m:libunity linked:0x83d8\n"},
    {"Unity, no addresses", "other classes and methods; more digits than an address has",
     AT("a.libx.0x12(Native Method)") AT("libx.0x12345678901234567(Native Method)") AT("xlib.0x12(Native Method)"),
     "java 1\n- c:a f:libx.0x12 not-needed\n- c:libx f:0x12345678901234567 not-needed\n- c:xlib f:0x12 "
     "not-needed\n"},
    {"a crash in Android Studio up to 2021", "its lines have the prefix of the first one",
     "2020-11-22 15:45:05.541 12-34/? E/AndroidRuntime: FATAL EXCEPTION: main\n    Process: com.x, PID: 12\n"
     "    a.b.AException: one\n        at a.b.c(SourceFile:1)\n     Caused by: a.b.BException\n"
     "        at a.b.d(SourceFile:2)\n        ... 8 more\n"
     "2020-11-22 15:45:05.560 12-34/? I/Process: Sending signal. PID: 12 SIG: 9\n",
     "java 4 thread:main exception:a.b.AException: one crashed\n- c:a.b f:c at:SourceFile:1\n"
     "! exception:a.b.AException before:0\n"
     "java 6 thread:main exception:a.b.BException crashed\n- c:a.b f:d at:SourceFile:2\n"
     "! exception:a.b.BException before:0\n"},
    {"a crash before Android 4.4", "its process has no name",
     "E AndroidRuntime: FATAL EXCEPTION: main\nE AndroidRuntime: PID: 12\nE AndroidRuntime: a.b.AException: one\n"
     "E AndroidRuntime: at a.b.c(SourceFile:1)\n",
     "java 4 thread:main exception:a.b.AException: one crashed\n- c:a.b f:c at:SourceFile:1\n"
     "! exception:a.b.AException before:0\n"},
    {"a cause without rows above it", "the rows are those of the cause; a version is no exception",
     "v6.2.0\n\tat a.b.c(SourceFile:1)\n\n\n\n\n\n\n\n\n\n\n"
     "a.b.AError: Not Responding\nCaused by: a.b.AError$Thread: main (state = BLOCKED)\n\tat a.b.d(SourceFile:2)\n",
     "java 2\n- c:a.b f:c at:SourceFile:1\n"
     "java 15 exception:a.b.AError$Thread: main (state = BLOCKED)\n- c:a.b f:d at:SourceFile:2\n"
     "! exception:a.b.AError$Thread before:0\n"},
    {"deadlocks", "HotSpot's threads have a name alone; tools of its own have a number in base 16",
     "Java stack information for the threads listed above:\n\"http-83\":\n\tat a.b.c(SourceFile:1)\n"
     "\"Finalizer\":\n\tat a.b.d(SourceFile:2)\n\n\"pool-8\" tid=0x16 owned by \"pool-9\" tid=0x15\n"
     "\tat a.b.e(SourceFile:3)\nException in thread \"worker\" Syntax error at (a.clj:4:1).\n"
     "\tat a.b.f(SourceFile:4)\n",
     "java 3 thread:http-83\n- c:a.b f:c at:SourceFile:1\njava 5 thread:Finalizer\n- c:a.b f:d at:SourceFile:2\n"
     "java 8 thread:pool-8\n- c:a.b f:e at:SourceFile:3\n"
     "java 10 thread:worker crashed\n- c:a.b f:f at:SourceFile:4\n"},
    {"Spark", "the exception of a task is far below; the driver's stack is another",
     "INFO S: Stage 2 (x at A.scala:2) failed in 2.2 s due to Job aborted: Lost task 0.0 in stage 2.0 (TID 1, a, b): "
     "a.b.AException: x\n\tat a.b.c(SourceFile:1)\n\nDriver stacktrace:\n\tat a.b.d(SourceFile:2)\n"
     "Caused by: a.b.AException: x\n\tat a.b.c(SourceFile:1)\n",
     "java 2 exception:a.b.AException: x\n- c:a.b f:c at:SourceFile:1\n! exception:a.b.AException before:0\n"
     "java 5\n- c:a.b f:d at:SourceFile:2\n"
     "java 7 exception:a.b.AException: x\n- c:a.b f:c at:SourceFile:1\n! exception:a.b.AException before:0\n"},
    {"threads in a container's log", "backslashes precede the quotes",
     "{\"log\":\"\\\"http-83\\\":\\n\"}\n{\"log\":\"\\tat a.b.c(SourceFile:1)\\n\"}\n"
     "{\"log\":\"\\\"pool-2\\\" #31 prio=5 tid=0x7 nid=69 runnable [0x1]\\n\"}\n"
     "{\"log\":\"\\tat a.b.d(SourceFile:2)\\n\"}\n",
     "java 2 thread:http-83\n- c:a.b f:c at:SourceFile:1\njava 4 thread:pool-2\n- c:a.b f:d at:SourceFile:2\n"},
    {"names of .NET", "its runtime for Android writes them to a stack of Java; other signs end a name",
     "\tat A.B.App+<<C>b__2_0>d.MoveNext(Unknown Source:0)\n\tat A.D+<>c.<E>b__128_0(Unknown Source:0)\n"
     "\tat A.F`1.<G>g__H|3_0(Unknown Source:0)\n\tat A.I+J.Run(Unknown Source:0)\n"
     "\tat A.<K L(Unknown Source:0)\n\tat A.<M(Unknown Source:0)\n",
     "java 1\n- c:A.B.App+<<C>b__2_0>d f:MoveNext at:Unknown Source\n- c:A.D+<>c f:<E>b__128_0 at:Unknown Source\n"
     "- c:A.F`1 f:<G>g__H|3_0 at:Unknown Source\n- c:A.I+J f:Run at:Unknown Source\n"},
    {"names of Python", "Chaquopy writes them to a stack of Java, above its own rows; the Play Console adds a blank",
     "com.chaquo.python.PyException: KeyError: 'a'\n\tat <python>.shop.cart.add(cart.py:12)\n"
     "\tat <python>.shop.<module>(<frozen importlib._bootstrap>:953)\n\tat <python>.java.call (java.pyx:354)\n"
     "\tat a.b.c(SourceFile:1)\nCaused by: com.chaquo.python.PyException: x\n\tat <python>.a.f.<locals>.g(a.pxi:2)\n"
     "\tat <pythons>.a.f(a.py:2)\n\tat <python>(a.py:2)\n",
     "java 2 exception:com.chaquo.python.PyException: KeyError: 'a'\n"
     "- c:<python>.shop.cart f:add at:cart.py:12 not-needed\n"
     "- c:<python>.shop f:<module> at:<frozen importlib._bootstrap>:953 not-needed\n"
     "- c:<python>.java f:call at:java.pyx:354 not-needed\n- c:a.b f:c at:SourceFile:1\n"
     "! exception:com.chaquo.python.PyException before:0\n"
     "java 7 exception:com.chaquo.python.PyException: x\n- c:<python>.a.f.<locals> f:g at:a.pxi:2 not-needed\n"
     "! exception:com.chaquo.python.PyException before:0\n"},
    {"short forms", "as SDKs upload them", "tg.a.e(MethodRecorder.kt:1)\ntg.a.f(SourceFile:2)\na.b.<init>(x:3)\n",
     "java 1\n- c:tg.a f:e at:MethodRecorder.kt:1\n- c:tg.a f:f at:SourceFile:2\n- c:a.b f:<init> at:x:3\n"},
    {"wrapped", "quotes, commas, packaging, closing tags, counts of hidden calls",
     "  \"at a.b.c(SourceFile:1)\",\n  \"a.b.d(SourceFile:2)\",\n" AT("a.b.e(SourceFile:3) ~[app-1.0 (x).jar:1.0]")
         AT("a.b.f(SourceFile:4) [app.jar:?]")
             AT("a.b.g(SourceFile:5) <5 internal calls>") "//\tat a.b.h(SourceFile:6)<br/>\n",
     "java 1\n- c:a.b f:c at:SourceFile:1\n- c:a.b f:d at:SourceFile:2\n- c:a.b f:e at:SourceFile:3\n- c:a.b f:f "
     "at:SourceFile:4\n"
     "- c:a.b f:g at:SourceFile:5\n- c:a.b f:h at:SourceFile:6\n"},
    {"map ids", "in place of the source, and for all rows below a line of the mapping's head",
     AT("a.b.c(r8-map-id-0123abc:1)") "\n\n\n\n\n\n\n\n\n# pg_map_id: 7f7f7f7\n" AT("a.b.c(SourceFile:1)"),
     "java 1\n- id:0123abc c:a.b f:c at:r8-map-id-0123abc:1\njava 12\n- id:7f7f7f7 c:a.b f:c at:SourceFile:1\n"},
    {"map ids", "as Google's apps have them, with a blank",
     AT("a.b.c(go/retraceme 0123abcdef01:22)") AT("a.b.<init>(go/retraceme 0123abcdef01)"),
     "java 1\n- id:0123abcdef01 c:a.b f:c at:go/retraceme 0123abcdef01:22\n- id:0123abcdef01 c:a.b f:<init> "
     "at:go/retraceme 0123abcdef01\n"},
    {"JSON", "escaped line ends part lines; a string ends a stack",
     "{\"a\":\"C:\\\\new\",\"stack\":\"a.b: \\\"x\\\"\\n\\tat a.a.\\u003cinit\\u003e(SourceFile:1)\\r\\n\\tat "
     "a.a.b(SourceFile:2)\",\"b\":\"q\\n\\tat a.a.c(PG:3)\\n\"}\n",
     "java 1 exception:a.b: \\\"x\\\"\n- c:a.a f:<init> at:SourceFile:1\n- c:a.a f:b at:SourceFile:2\n! exception:a.b "
     "before:0\n"
     "java 1 exception:q\n- c:a.a f:c at:PG:3\n! exception:q before:0\n"},
    {"JSON line by line", "as containers log: one stack, its exception in another string",
     "{\"log\":\"a.b: x\\n\",\"stream\":\"stderr\"}\n{\"log\":\"\\tat a.a.a(SourceFile:1)\\n\",\"stream\":\"stderr\"}\n"
     "{\"log\":\"\\tat a.a.b(SourceFile:2)\\n\",\"stream\":\"stderr\"}\n",
     "java 2 exception:a.b: x\n- c:a.a f:a at:SourceFile:1\n- c:a.a f:b at:SourceFile:2\n! exception:a.b before:0\n"},
    {"a JSON array", "a string for each line of the stack, on lines of their own and on one",
     "\"stack_trace\":[\n\"a.b: x \\\"y\\\"\",\n\"\\tat a.a.a(SourceFile:1)\",\n\"Caused by: a.c: z\",\n"
     "\"\\tat a.a.b(SourceFile:2)\"]}\n"
     "{\"n\":\"a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q\",\"stack_trace\":[\"a.d: x\",\"\\tat a.a.c(SourceFile:3)\"]}\n",
     "java 3 exception:a.b: x \\\"y\\\"\n- c:a.a f:a at:SourceFile:1\n! exception:a.b before:0\n"
     "java 5 exception:a.c: z\n- c:a.a f:b at:SourceFile:2\n! exception:a.c before:0\n"
     "java 6 exception:a.d: x\n- c:a.a f:c at:SourceFile:3\n! exception:a.d before:0\n"},
    {"no element of a JSON array", "a member above it", "\"message\": \"a.e: x\",\n\"\\tat a.a.d(SourceFile:4)\",\n",
     "java 2\n- c:a.a f:d at:SourceFile:4\n"},
    {"JSON in JSON", "and without quotes",
     "{\"m\":\"{\\\"stack\\\":\\\"a.b: x\\\\n\\\\tat a.a.a(SourceFile:1)\\\\n\\\"}\"}\na.b: x\\n\\tat "
     "a.a.b(SourceFile:2)\n",
     "java 1 exception:a.b: x\n- c:a.a f:a at:SourceFile:1\n! exception:a.b before:0\n"
     "java 2 exception:a.b: x\n- c:a.a f:b at:SourceFile:2\n! exception:a.b before:0\n"},
    {"nearly escaped", "a name that only begins as an escaped constructor",
     AT("a.b.&ltx.c(SourceFile:1)") AT("a.b.&lt;init&gt;(SourceFile:2)"),
     "java 1\n- c:a.b.&ltx f:c at:SourceFile:1\n- c:a.b f:<init> at:SourceFile:2\n"},
    {"prose", "words that look like rows of a stack",
     "at home (see x)\nlook at foo.bar for more (or baz)\nat a.b.c\nfoo.bar(baz)\nfoo.bar(null)\nf(x:12)\nmeet me at "
     "a.b(c:12) please\nat "
     "1.2.3(x:1)\n"
     "at .a.b(X.java:1)\nat a.b(X.java:1\nCaused by: x\nformat a.b.c(SourceFile:12\n",
     ""},
    {"others' rows",
     "JavaScript without a column and Python without a title are nobody's; .NET's and Dart's are theirs",
     "    at foo.bar(index.js:10)\n    at Foo.Bar(String x) in "
     "C:\\x.cs:line 12\n"
     "    at Foo.Bar()\n#1      main (package:foo/x.dart:12:5)\n  File \"a.py\", line 3, in x\n",
     "dotnet 2\n- f:Foo.Bar(String x) at:C:\\x.cs:12 not-needed\n- f:Foo.Bar() not-needed\n"
     "dart-symbolic 4\n#1 f:main at:package:foo/x.dart:12:5 not-needed\n"},
};

/* Cases for the exceptions and threads of traces, and for the cause of each exception. */
static const struct text_case models[] = {
    {"AWS Lambda", "lists of rows, with the exception and the cause in members",
     "{\"errorMessage\":\"none "
     "left\",\"errorType\":\"a.B\",\"stackTrace\":[\"a.b.c(SourceFile:12)\",\"java.base/java.lang.reflect.Method.in"
     "voke(Unknown Source)\"],\"cause\":{\"errorMessage\":\"x: "
     "y\",\"errorType\":\"a.C\",\"stackTrace\":[\"a.b.d(SourceFile:3)\"]}}\n",
     "java type:a.B message:none left frames:2\n"
     "java cause-of:0 type:a.C message:x: y frames:1\n"},
    {"AWS Lambda, pretty-printed", "each row is on a line of its own",
     "{\n"
     "  \"errorMessage\": \"none left\",\n"
     "  \"errorType\": \"a.B\",\n"
     "  \"stackTrace\": [\n"
     "    \"a.b.c(SourceFile:12)\",\n"
     "    \"java.base/java.lang.reflect.Method.invoke(Unknown Source)\"\n"
     "  ],\n"
     "  \"cause\": {\n"
     "    \"errorMessage\": \"x: y\",\n"
     "    \"errorType\": \"a.C\",\n"
     "    \"stackTrace\": [\n"
     "      \"a.b.d(SourceFile:3)\"\n"
     "    ]\n"
     "  }\n"
     "}\n",
     "java type:a.B message:none left frames:2\n"
     "java cause-of:0 type:a.C message:x: y frames:1\n"},
    {"chain", "suppressed exceptions and causes belong to the exception that their indent says",
     "a.A: one\n" AT("a.a.a(SourceFile:1)") "\tSuppressed: a.B: two\n\t" AT(
         "a.a.a(SourceFile:2)") "\tCaused by: a.C\n\t" AT("a.a.a(SourceFile:3)") "\t\t... 2 more\n"
                                                                                 "\tSuppressed: "
                                                                                 "a.D\n\t\t... 4 "
                                                                                 "more\nCaused by: "
                                                                                 "a.E: x\n" AT(
                                                                                     "a.a.a(SourceFile:"
                                                                                     "4)") "\t... 1 "
                                                                                           "common "
                                                                                           "frames "
                                                                                           "omitted\nCa"
                                                                                           "used by: "
                                                                                           "a.F\n" AT(
                                                                                               "a.a.a(SourceFile:5)"),
     "java type:a.A message:one frames:1\njava suppressed-of:0 type:a.B message:two frames:1\n"
     "java cause-of:1 type:a.C elided:2 frames:1\njava suppressed-of:0 type:a.D elided:4 frames:0\n"
     "java cause-of:0 type:a.E message:x elided:1 frames:1\njava cause-of:4 type:a.F frames:1\n"},
    {"circle", "the exception was printed already",
     "a.A: one\n" AT("a.a.a(SourceFile:1)") "Caused by: [CIRCULAR REFERENCE: a.A: one]\n",
     "java type:a.A message:one frames:1\njava circular-of:0 type:a.A message:one frames:0\n"},
    {"root cause first", "what is above is the cause of what wraps it",
     "a.A: one\n" AT("a.a.a(SourceFile:1)") "Wrapped by: a.B: two\n" AT("a.a.a(SourceFile:2)") "Wrapped by: a.C\n" AT(
         "a.a.a(SourceFile:3)"),
     "java cause-of:1 type:a.A message:one frames:1\njava cause-of:2 type:a.B message:two frames:1\n"
     "java type:a.C frames:1\n"},
    {"list of RxJava", "each element is a cause of the exception that has the list",
     "io.reactivex.exceptions.CompositeException: 2 exceptions occurred. \n" AT(
         "a.a.a(SourceFile:1)") "  "
                                "ComposedException 1 :\n\ta.b.XException: x\n\t" AT(
                                    "a.a.a(SourceFile:2)") "  ComposedException 2 :\n"
                                                           "\ta.b.YException\n\t" AT("a.a.a(SourceFile:3)"),
     "java type:io.reactivex.exceptions.CompositeException message:2 exceptions occurred. frames:1\n"
     "java cause-of:0 type:a.b.XException message:x frames:1\njava cause-of:0 type:a.b.YException "
     "frames:1\n"},
    {"message of several lines", "up to the first frame, also in causes and logs",
     "a.b.AException: one\n  two\n\nthree\n" AT("a.a.a(SourceFile:1)") "Caused by: a.B: four\nfive\n" AT(
         "a.a.a(SourceFile:2)"),
     "java type:a.b.AException message:one\n  two\n\nthree frames:1\n"
     "java cause-of:0 type:a.B message:four\nfive frames:1\n"},
    {"message in a log", "its lines without their prefixes",
     "E/AndroidRuntime: FATAL EXCEPTION: main\nE/AndroidRuntime: Process: com.x, PID: 12\n"
     "E/AndroidRuntime: a.b.AException: one\nE/AndroidRuntime: two\nE/AndroidRuntime: \tat "
     "a.a.a(SourceFile:1)\n",
     "java pid:12 process:com.x name:main type:a.b.AException message:one\ntwo frames:1\n"},
    {"a dump of threads, a line each", "Play Console's text without its line ends; prose has one row at most",
     "\"main\" tid=1 Native at a.b.c (Native method) at a.b.d (SourceFile:2)\n\n"
     "\"WM.task-4\" tid=18 Waiting at a.b.e (Unsafe.java:3) at a.b.f (SourceFile:4)\n\n\n"
     "see the class at a.b.c (Foo.java:12) for more\n",
     "java tid:1 name:main state:Native frames:2\njava tid:18 name:WM.task-4 state:Waiting frames:2\n"},
    {"on one line", "all parts, and what each leaves out",
     "a.x: m at a.b.c(SourceFile:1) ... 2 more Caused by: q: n at d.e.f(PG:2) ... 1 more\n",
     "java type:a.x message:m elided:2 frames:1\njava cause-of:0 type:q message:n elided:1 frames:1\n"},
    {"JSON", "the message without the escapes of the string, up to its end",
     "{\"stack\":\"a.b: one\\ntwo\\n\\tat a.a.b(SourceFile:2)\"}\n", "java type:a.b message:one\ntwo frames:1\n"},
    {"JSON", "a cause's message with quotes, a path and letters as codes; without a string they are kept",
     "{\"stack\":\"a.b: c\\n\\tat a.a.b(SourceFile:2)\\nCaused by: a.d: \\\"\\u00e9\\\" C:\\\\new\\n\\tat "
     "a.a.b(SourceFile:2)\"}\n"
     "\na.b: C:\\new\n\tat a.a.b(SourceFile:2)\n",
     "java type:a.b message:c frames:1\njava cause-of:0 type:a.d message:\"\xC3\xA9\" C:\\new frames:1\n"
     "java type:a.b message:C:\\new frames:1\n"},
    {"threads of HotSpot", "number, state",
     "\"pool-1\" #12 daemon prio=5 os_prio=0 tid=0x00007f nid=0x1a03 waiting on condition [0x00007f]\n"
     "   java.lang.Thread.State: WAITING (on object monitor)\n\tat java.lang.Object.wait(Native "
     "Method)\n"
     "\t- waiting on <0x00> (a java.lang.Object)\n\n   Locked ownable synchronizers:\n\t- None\n\n"
     "\"main\" #1 prio=5 os_prio=0 tid=0x00007f nid=0x1a02 runnable [0x00007f]\n\tat a.b.c(M.java:1)\n\n"
     "\"Poller queue=\"a b\": 1\" #71 [91] prio=5 tid=0x00007f nid=91 runnable [0x00007f]\n\tat a.b.c(M.java:1)\n",
     "java tid:12 name:pool-1 state:WAITING (on object monitor) frames:1\n"
     "java tid:1 name:main state:runnable frames:1\n"
     "java tid:71 name:Poller queue=\"a b\": 1 state:runnable frames:1\n"},
    {"nested exception", "JavaMail names it in the message",
     "a.b.OuterException: no mail;\n  nested exception is:\n\ta.b.InnerException: refused\n" AT(
         "a.b.c(M.java:1)") "Caused by: a.b.MiddleException: none;\n  nested exception is:\na.b.InnerException: "
                            "refused\n" AT("a.b.c(M.java:2)"),
     "java type:a.b.OuterException message:no mail;\n  nested exception is:\n\ta.b.InnerException: refused frames:1\n"
     "java cause-of:0 type:a.b.MiddleException message:none;\n  nested exception is:\na.b.InnerException: refused "
     "frames:1\n"},
    {"threads of others", "VisualVM, ThreadInfo, another number, dump_to_file as text and as JSON, OpenJ9",
     "\"a b\" - Thread t@12\n   java.lang.Thread.State: RUNNABLE\n" AT(
         "a.b.c(M.java:1)") "\"w\" daemon prio=5 Id=7 "
                            "WAITING on a.b@1f\n" AT(
                                "a."
                                "b."
                                "c("
                                "M."
                                "jav"
                                "a:"
                                "2)") "\"x\" id=31 in RUNNABLE (in native)\n" AT("a.b.c(M.java:3)") "#34 "
                                                                                                    "\"\" "
                                                                                                    "virtu"
                                                                                                    "al\n "
                                                                                                    "     "
                                                                                                    "java."
                                                                                                    "base/"
                                                                                                    "a.b."
                                                                                                    "c(M."
                                                                                                    "java:"
                                                                                                    "4)\n"
                                                                                                    "  "
                                                                                                    "\"tid"
                                                                                                    "\": "
                                                                                                    "\"9\""
                                                                                                    ",\n  "
                                                                                                    "\"nam"
                                                                                                    "e\": "
                                                                                                    "\"y "
                                                                                                    "z\","
                                                                                                    "\n  "
                                                                                                    "\"sta"
                                                                                                    "ck\":"
                                                                                                    " [\n "
                                                                                                    "   "
                                                                                                    "\"a."
                                                                                                    "b.c("
                                                                                                    "M."
                                                                                                    "java:"
                                                                                                    "5)"
                                                                                                    "\"\n "
                                                                                                    " ]\n"
                                                                                                    "3XMTH"
                                                                                                    "READI"
                                                                                                    "NFO  "
                                                                                                    "    "
                                                                                                    "\"mai"
                                                                                                    "n\" "
                                                                                                    "J9VMT"
                                                                                                    "hread"
                                                                                                    ":0x00"
                                                                                                    ", "
                                                                                                    "state"
                                                                                                    ":CW, "
                                                                                                    "prio="
                                                                                                    "5\n4X"
                                                                                                    "ESTAC"
                                                                                                    "KTRAC"
                                                                                                    "E   "
                                                                                                    "at "
                                                                                                    "a/"
                                                                                                    "b.c("
                                                                                                    "M."
                                                                                                    "java:"
                                                                                                    "6)\n",
     "java tid:12 name:a b state:RUNNABLE frames:1\n"
     "java tid:7 name:w state:WAITING on a.b@1f frames:1\n"
     "java tid:31 name:x state:RUNNABLE (in native) frames:1\n"
     "java tid:34 name:34 frames:1\n"
     "java tid:9 name:y z frames:1\n"
     "java name:main state:CW frames:1\n"},
    {"a dump of coroutines", "each coroutine has a stack, which may end with that of its creation",
     "Coroutines dump 2026/01/02 10:00:00\n\nCoroutine \"load#1\":StandaloneCoroutine{Active}@3fee733d, state: "
     "SUSPENDED\n" AT("a.b.c(M.kt:1)") "\t(Coroutine creation stacktrace)\n" AT(
         "a.b.d(M.kt:2)") "\nCoroutine LazyStandaloneCoroutine{Active}@26b3fd41, state: RUNNING (Last suspension "
                          "stacktrace, not an actual "
                          "stacktrace)\n" AT("a.b.e(M.kt:3)") "\nCoroutine x, state: no\n" AT("a.b.f(M.kt:4)"),
     "java name:load#1 state:SUSPENDED frames:3\njava name:LazyStandaloneCoroutine{Active} state:RUNNING frames:2\n"},
    {"coroutine", "a row between the frames of two threads",
     "a.b.AException\n" AT("a.a.a(SourceFile:1)") "\t(Coroutine boundary)\n" AT("a.a.a(SourceFile:2)"),
     "java type:a.b.AException frames:3\n"},
};

#define TWO "- c:a.b f:c at:SourceFile:1\n- c:d.e f:<init> at:PG:2\n! exception:a.x before:0\n"
#define READ "java 1 exception:a.x: m\n" TWO

/* Cases with several frames on one line, as in logs, XML, CSV and JSON. */
static const struct text_case lines[] = {
    {"blanks", "a stack whose line ends became blanks", "a.x: m at a.b.c(SourceFile:1) at d.e.<init>(PG:2)\n", READ},
    {"semicolons", "", "a.x: m; at a.b.c(SourceFile:1); at d.e.<init>(PG:2);\n", READ},
    {"bars", "", "a.x: m | at a.b.c(SourceFile:1) | at d.e.<init>(PG:2)|end\n", READ},
    {"syslog", "octal numbers of control characters, with a prefix before",
     "Nov 21 10:00:00 host app[12]: a.x: m#012#011at a.b.c(SourceFile:1)#012#011at d.e.<init>(PG:2)#012\n", READ},
    {"signs", "for line ends",
     "a.x: m\xE2\x86\xB5 at a.b.c(SourceFile:1)\xE2\x86\xB5 at d.e.<init>(PG:2)\xE2\x86\xB5"
     "end\n",
     READ},
    {"escapes without quotes or indents", "nothing parts such a line",
     "a.x: m\\nat a.b.c(SourceFile:1)\\nat d.e.<init>(PG:2)\\nend\n", READ},
    {"escaped by number", "", "a.x: m\\u000a\\u0009at a.b.c(SourceFile:1)\\u000a\\u0009at d.e.<init>(PG:2)\n", READ},
    {"XML", "an element, with references to characters",
     "<log><stack>a.x: m&#10;&#9;at a.b.c(SourceFile:1)&#10;&#9;at d.e.&lt;init&gt;(PG:2)</stack></log>\n", READ},
    {"tags", "an element for each row", "<s><e>a.x: m</e><f>at a.b.c(SourceFile:1)</f><f>at d.e.<init>(PG:2)</f></s>\n",
     READ},
    {"CSV", "a quoted column", "7,\"a.x: m at a.b.c(SourceFile:1) at d.e.<init>(PG:2)\",y\n", READ},
    {"array", "strings in JSON", "{\"stack\":[\"at a.b.c(SourceFile:1)\",\"at d.e.<init>(PG:2)\"]}\n",
     "java 1\n- c:a.b f:c at:SourceFile:1\n- c:d.e f:<init> at:PG:2\n"},
    {"without at", "after a row its shape is enough", "a.b.c(SourceFile:1);d.e.f(x:2)|g.h.i(PG:3)\n",
     "java 1\n- c:a.b f:c at:SourceFile:1\n- c:d.e f:f at:x:2\n- c:g.h f:i at:PG:3\n"},
    {"packaging", "is of its row", "\tat a.b.c(SourceFile:1) ~[app (x).jar:1] at d.e.f(PG:2) [b.jar:?]\n",
     "java 1\n- c:a.b f:c at:SourceFile:1\n- c:d.e f:f at:PG:2\n"},
    {"causes", "between rows, with what their messages name",
     "a.x: m at a.b.c(SourceFile:1) ... 2 more Caused by: q: class r.s at d.e.f(PG:2) Suppressed: b0: n at d.e.g(PG:3) "
     "... 1 more\n",
     "java 1 exception:a.x: m\n- c:a.b f:c at:SourceFile:1\n! exception:a.x before:0\n"
     "java 1 exception:q: class r.s\n- c:d.e f:f at:PG:2\n! exception:q before:0\n! class:r.s before:0\n"
     "java 1 exception:b0: n\n- c:d.e f:g at:PG:3\n! exception:b0 before:0\n"},
    {"each its own", "lines that begin with other text are stacks of their own, a cause goes on",
     "a.x: m at a.b.c(SourceFile:1) at d.e.f(PG:2)\na.y: n at a.b.c(SourceFile:1) at d.e.f(PG:2)\nCaused by: a.z: o at "
     "d.e.f(PG:3)\n",
     "java 1 exception:a.x: m\n- c:a.b f:c at:SourceFile:1\n- c:d.e f:f at:PG:2\n! exception:a.x before:0\n"
     "java 2 exception:a.y: n\n- c:a.b f:c at:SourceFile:1\n- c:d.e f:f at:PG:2\n! exception:a.y before:0\n"
     "java 3 exception:a.z: o\n- c:d.e f:f at:PG:3\n! exception:a.z before:0\n"},
    {"records", "strings of one line of JSON, with other members between, as Grafana exports logs",
     "[{\"line\":\"a.x: m \\\"q\\\", n\",\"t\":1},{\"line\":\"\\tat a.b.c(SourceFile:1)\",\"t\":2},"
     "{\"line\":\"Caused by: a.z: o\",\"t\":3},{\"line\":\"\\tat d.e.f(PG:3)\",\"t\":4}]\n",
     "java 1 exception:a.x: m \\\"q\\\", n\n- c:a.b f:c at:SourceFile:1\n! exception:a.x before:0\n"
     "java 1 exception:a.z: o\n- c:d.e f:f at:PG:3\n! exception:a.z before:0\n"},
    {"ids", "a whole string of one word is no exception, unless its member names an error",
     "{\"_id\":\"Qx1\",\"m\":\"\\tat a.b.c(SourceFile:1)\"}\n{\"exception\":\"q\",\"m\":\"\\tat d.e.f(PG:3)\"}\n",
     "java 1\n- c:a.b f:c at:SourceFile:1\njava 2 exception:q\n- c:d.e f:f at:PG:3\n! exception:q before:0\n"},
    {"prose", "what follows is no row", "met at a.b(c:12) at noon\nsee at a.b(c:12) | home(x)\n", ""},
};

static void test_texts(void **state)
{
    (void)state;
    check_texts(texts, sizeof texts / sizeof *texts);
    check_texts(lines, sizeof lines / sizeof *lines);
    check_models(models, sizeof models / sizeof *models);
}

/* --- testing hostile texts --- */

static void check_prefixes(const struct text_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        for (size_t size = 0; size <= strlen(cases[i].text); size++) {
            struct parsed parsed;
            struct fm_buf back;
            char *copy = malloc(size + 1);
            memcpy(copy, cases[i].text, size);
            framemap_str text = fm_str(copy, size);
            parse(&parsed, text);
            assert_int_equal(parsed.status, FRAMEMAP_OK);
            assert_int_equal(print_as(&parsed, text, "text", &back), FRAMEMAP_OK);
            same_text(cases[i].name, "a prefix that comes back", fm_buf_view(&back), text);
            fm_buf_free(&back);
            parsed_free(&parsed);
            free(copy);
        }
    }
}

static void test_prefixes(void **state)
{
    (void)state;
    check_prefixes(texts, sizeof texts / sizeof *texts);
    check_prefixes(lines, sizeof lines / sizeof *lines);
}

/* Tests lines of 60 KB that would take a quadratic parser noticeably long. */
static void test_long_lines(void **state)
{
    (void)state;
    static const char *const pieces[] = {"at ",
                                         "at a.b(",
                                         "a.b(",
                                         "at a.b(c:1) x",
                                         "\\n",
                                         "\\",
                                         "\"\\n",
                                         "\\\\n\"",
                                         "a.",
                                         "\\tat a.b(c.java:1)\\n",
                                         "(a ",
                                         "a.b: ",
                                         "at a.b(PG:1) ",
                                         ";a.b(PG:1)",
                                         "at a.b(PG:1) Caused by: a.b: x ",
                                         "Caused by: ",
                                         "(PG:1) #011",
                                         "<a",
                                         "a.b(PG:1)  "};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        enum { LINE = 60000, LINES = 16 };
        size_t piece = strlen(pieces[i]), used = 0;
        char *text = malloc((LINE + 16) * LINES);
        for (int line = 0; line < LINES; line++) {
            for (size_t at = 0; at + piece < LINE; at += piece, used += piece) memcpy(text + used, pieces[i], piece);
            text[used++] = '\n';
        }
        struct parsed parsed;
        parse(&parsed, fm_str(text, used));
        assert_int_equal(parsed.status, FRAMEMAP_OK);
        parsed_free(&parsed);
        free(text);
    }
}

/* Checks where the vector code ends a run of usual bytes. It may end the run too early, but must not pass a byte that
 * is not usual. */
static void check_run(framemap_str text)
{
    /* a block of exactly the text's size, so that sanitizers detect a read past its end */
    char *copy = malloc(text.size);
    memcpy(copy, text.data, text.size);
    const struct fm_java_run run = fm_java_run_of(fm_str(copy, text.size));
    size_t dot = SIZE_MAX;
    bool slashed = false;
    for (size_t i = 0; i < run.end; i++) {
        assert_true(fm_java_bytes[(unsigned char)copy[i]] <= FM_JAVA_SLASH);
        if (copy[i] == '.') dot = i;
        slashed |= copy[i] == '/';
    }
    if (run.end < text.size)
        assert_false(isalnum((unsigned char)copy[run.end]) || (copy[run.end] && strchr("./$-_", copy[run.end])));
    assert_int_equal(run.dot, dot);
    assert_int_equal(run.slashed, slashed);
    free(copy);
}

/* Tests names of all lengths, and each byte at each position of a vector. The result must be the class and method that
 * a search byte by byte finds. */
static void test_names(void **state)
{
    enum { LONGEST = 40 };
    (void)state;
    for (unsigned byte = 1; byte < 256; byte++) {
        for (size_t size = 1; size < LONGEST; size++) {
            const size_t place = (size * 7 + byte) % size;
            char *text = malloc(size + 8);
            for (size_t i = 0; i < size; i++) text[i] = i % 9 == 6 ? '.' : (char)('a' + i % 26);
            text[place] = (char)byte;
            memcpy(text + size, "(A.kt:1)", 8);
            size_t end = 0, dot = 0;
            while (end < size && strchr(" \t\n\v\f\r[];:()<>\",", text[end]) == NULL) end++;
            const bool begins = text[0] != '.' && !fm_is_digit(text[0]);
            assert_int_equal(fm_java_name(fm_str(text, size)), begins ? end : 0);
            check_run(fm_str(text, size));
            for (size_t i = 0; i < size; i++)
                if (text[i] == '.' && !fm_is_digit(text[i + 1])) dot = i;
            struct fm_java_row row;
            char *body = malloc(size + 11);
            memcpy(body, "at ", 3);
            memcpy(body + 3, text, size + 8);
            const bool is_row = fm_java_row_parse(fm_str(body, size + 11), FM_JAVA_ALONE, &row);
            if (byte != '/' && byte != ',' && byte != '"' && end == size) {
                assert_int_equal(is_row, begins && dot && dot + 1 < size);
                if (is_row) same_text(body, "class", row.class_name, fm_str(body + 3, dot));
                if (is_row) same_text(body, "method", row.method, fm_str(body + 3 + dot + 1, size - dot - 1));
            }
            free(body);
            free(text);
        }
    }
}

/* Tests a title after up to eight words of all sizes, some of which contain dots. The title must be found at any
 * position relative to the vectors. */
static void test_title_words(void **state)
{
    enum { MOST = 10, LONGEST = 140 };
    uint64_t random = 20261122;
    (void)state;
    for (int round = 0; round < 20000; round++) {
        char text[(MOST + 1) * (LONGEST + 4) + 16];
        size_t size = 0, words;
        for (words = 0; words < (size_t)(round % MOST); words++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            const size_t length = (size_t)(1 + (random >> 40) % ((random >> 33) % 8 ? 12 : LONGEST));
            memset(text + size, 'x', length);
            if ((random >> 36) % 3 == 0) text[size] = "1(["[(random >> 50) % 3], text[size + length / 2] = '.';
            size += length;
            for (uint64_t blanks = (random >> 52) % 3 + 1; blanks; blanks--) text[size++] = blanks == 2 ? '\t' : ' ';
        }
        memcpy(text + size, "a.b.FooError: x", 15);
        char *body = malloc(size + 15);
        memcpy(body, text, size + 15);
        struct fm_java_head head;
        fm_java_head_parse(fm_str(body, size + 15), &head);
        assert_int_equal(head.kind, words < 8 ? FM_JAVA_HEAD_TITLE : FM_JAVA_HEAD_NONE);
        if (words < 8) same_text("title", "name", head.name, fm_str(body + size, 12));
        free(body);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_texts), cmocka_unit_test(test_prefixes),
                                       cmocka_unit_test(test_long_lines), cmocka_unit_test(test_names),
                                       cmocka_unit_test(test_title_words)};
    return cmocka_run_group_tests_name("formats java", tests, NULL, NULL);
}
