#include "tests/formats/other/other_help.h"

static const struct text_case texts[] = {
    {"Mono's report of a crash", "names without types, offsets in their code",
     "\tManaged Stacktrace:\n=====\n\t  at <unknown> <0xffffffff>\n\t  at UIKit.UIApplication:Main <0x000f7>\n"
     "\t  at <Module>:runtime_invoke_void <0x000ff>\n\t  at Shop.A/B`1[T]:.ctor <0x0004f>\n\t  at home:1 <0x0004f>\n",
     "dotnet line:3 lines:4\n"
     "  a:4294967295\n"
     "  f:UIKit.UIApplication:Main +:247\n"
     "  f:<Module>:runtime_invoke_void +:255\n"
     "  f:Shop.A/B`1[T]:.ctor +:79\n"},
    {"Unity on Android", "the offset in the code, twice",
     "FATAL EXCEPTION: UnityMain\n\tat Shop.A.Reader.Next<single> ()(0x4c:76)\n"
     "\tat Shop.A.Visit<X.Y, single> (X.Y`1<single> modreq(Z)&,bool)(0x27:39)\n\tat Shop.A.Run ()(0x4c:77)\n",
     "dotnet line:2 lines:2\n  f:Shop.A.Reader.Next<single> () +:76\n"
     "  f:Shop.A.Visit<X.Y, single> (X.Y`1<single> modreq(Z)&,bool) +:39\n"},
    {"Crashlytics on Android", "the words before the error are a title, and so is the class of Java that wraps it",
     "Fatal Exception: android.runtime.JavaProxyThrowable: System.NullReferenceException: no cart\n"
     "   at Shop.Cart.get_Context()\n   at Shop.Cart.Show(Page page)\n",
     "dotnet line:2 lines:2 type:System.NullReferenceException message:no cart\n  f:Shop.Cart.get_Context()\n"
     "  f:Shop.Cart.Show(Page page)\n"},
    {"the word Exception after others", "it is the type if no other follows",
     "Cart got an Exception: no cart: x\n   at Shop.Cart.Show(Page page) in /a.cs:line 3\n",
     "dotnet line:2 type:Exception message:no cart: x\n  f:Shop.Cart.Show(Page page) at:/a.cs l:3\n"},
    {"ASP.NET's page", "rows have no \"at\"; a stack below another one is that of the outer exception",
     "Stack Trace: \n\n\n[NullReferenceException: no [x] cart]\n"
     "   WebApp._Default.Page_Load(Object sender, EventArgs e) in C:\\src\\My App\\Default.aspx.cs:13\n"
     "   A.B.C(Int32 n) in C:\\src\\C.cs:line 7\n   System.Web.UI.Control.LoadRecursive() +90\n\n"
     "[HttpUnhandledException (0x80004005): thrown\nsecond line]\n   System.Web.UI.Page.HandleError(Exception e) +12\n"
     "   System.Web.Box`1.<>c.<Get>b__1[T](Func`2 f) +0\n   is(not) +x\n",
     "aspnet line:5 lines:3 type:NullReferenceException message:no [x] cart cause of 1\n"
     "  f:WebApp._Default.Page_Load(Object sender, EventArgs e) at:C:\\src\\My App\\Default.aspx.cs l:13\n"
     "  f:A.B.C(Int32 n) at:C:\\src\\C.cs l:7\n  f:System.Web.UI.Control.LoadRecursive() +:90\n"
     "aspnet line:11 lines:2 type:HttpUnhandledException message:thrown\n"
     "  f:System.Web.UI.Page.HandleError(Exception e) +:12\n  f:System.Web.Box`1.<>c.<Get>b__1[T](Func`2 f) +:0\n"},
    {"ASP.NET's page, further exceptions", "any exception below \"Stack Trace:\", only some of them without it",
     "[CartException: no cart]\n   A.B.C() +12\nStack Trace:\n\n[CartException]\n   A.B.C() +12\n",
     "aspnet line:6 type:CartException\n  f:A.B.C() +:12\n"},
    {"ASP.NET's page, a message on further lines", "the title ends with its colon",
     "[SqlException (0x80131904): no cart]\n   A.B.C() +12\n\n[MappingException:\n\nMapping types: A -> B\n\n"
     "Source value: x]\n   A.B.D(Int32 n) +13\n",
     "aspnet line:2 type:SqlException message:no cart cause of 1\n  f:A.B.C() +:12\n"
     "aspnet line:9 type:MappingException\n  f:A.B.D(Int32 n) +:13\n"},
    {"ASP.NET's page, near misses", "rows without the title, a title without an exception, other rows below a title",
     "   A.B.C() +12\n[Cart: no cart]\n   A.B.C() +12\n[CartException: no cart]\nx = A.B(\"c\") +12\nA.B(c) + 12\n"
     "see A.B.C() +12\n",
     ""},
    {"Android Studio", "the prefix of the log is before the first line of a message only",
     "E/Unity: NullReferenceException: no cart\n      at Cart.Add (System.Int32 n) [0x00000] in <0>:0 \n"
     "      at Cart.Run () [0x00000] in <0>:0 \n",
     "dotnet line:2 lines:2 type:NullReferenceException message:no cart\n"
     "  f:Cart.Add (System.Int32 n) +:0 at:<0>\n  f:Cart.Run () +:0 at:<0>\n"},
    {"Unity's log", "a further exception after other words begins a stack of its own",
     "[Cart] cannot load: System.Exception: HTTP/1.1 400\n  at Cart.Load () [0x000a6] in <a5967e71>:0 \n \n(Filename: "
     "a.h Line: 35)\n\n[Cart] cannot load: System.Exception: HTTP/1.1 400\n  at Cart.Load () [0x000a6] in <a5967e71>:0 "
     "\n",
     "dotnet line:2 type:System.Exception message:HTTP/1.1 400\n  f:Cart.Load () +:166 at:<a5967e71>\n"
     "dotnet line:7 type:System.Exception message:HTTP/1.1 400\n  f:Cart.Load () +:166 at:<a5967e71>\n"},
    {"inner exception", "the end of its frames is a marker; the exception is the outer one",
     "Unhandled exception. System.ArgumentException: bad cart\n"
     "second line\n"
     " ---> System.IO.IOException: gone\n"
     "   at Shop.Cart.Load(String path) in /app/My Cart.cs:line 12\n"
     "   at Shop.Cart..ctor()\n"
     "   --- End of inner exception stack trace ---\n"
     "   at Shop.Main.<Run>d__5.MoveNext() in C:\\app\\Main.cs:line 7\n"
     "--- End of stack trace from previous location ---\n"
     "   at Shop.Box`1.<>c.<Get>b__1_1[T](Func`2 f, T& x)\n",
     "dotnet line:4 lines:6 type:System.ArgumentException message:bad cart\n"
     "  f:Shop.Cart.Load(String path) at:/app/My Cart.cs l:12\n"
     "  f:Shop.Cart..ctor()\n"
     "  inner-end\n"
     "  f:Shop.Main.<Run>d__5.MoveNext() at:C:\\app\\Main.cs l:7\n"
     "  async-gap\n"
     "  f:Shop.Box`1.<>c.<Get>b__1_1[T](Func`2 f, T& x)\n"},
    {"Unity, an exception thrown again", "the stack above is the cause; prose and a second error are not",
     "IndexOutOfRangeException: a\n  at A.B () [0x00000] in <0>:0 \nRethrow as AggregateException: b\n"
     "  at C.D () [0x00000] in <0>:0 \nRethrow as Shop.CartException: c: d\n  at E.F () [0x00000] in <0>:0 \n\n"
     "NullReferenceException: e\n  at G.H () [0x00000] in <0>:0 \n",
     "dotnet line:2 type:IndexOutOfRangeException message:a cause of 1\n  f:A.B () +:0 at:<0>\n"
     "dotnet line:4 type:AggregateException message:b cause of 2\n  f:C.D () +:0 at:<0>\n"
     "dotnet line:6 type:Shop.CartException message:c: d\n  f:E.F () +:0 at:<0>\n"
     "dotnet line:9 type:NullReferenceException message:e\n  f:G.H () +:0 at:<0>\n"},
    {"further exceptions", "each has a stack, which is a cause of the first; a title below is of none",
     "System.AggregateException: One or more errors. (x) (y)\n ---> System.OverflowException: x\n"
     "   at A.B() in /a.cs:line 3\n   --- End of inner exception stack trace ---\n   at P.Main() in /p.cs:line 9\n"
     " ---> (Inner Exception #1) System.ArgumentException: y\n ---> System.IO.IOException: deep\n"
     "   at G.H() in /g.cs:line 4\n   --- End of inner exception stack trace ---\n   at C.D()<---\n\n"
     " ---> (Inner Exception #2) System.ArgumentException: z\n   at C.F() in /c.cs:line 6<---\n\n"
     "System.Exception: other\n   at Q.R() in /q.cs:line 1\n",
     "dotnet line:3 lines:3 type:System.AggregateException message:One or more errors. (x) (y)\n  f:A.B() at:/a.cs "
     "l:3\n"
     "  inner-end\n  f:P.Main() at:/p.cs l:9\n"
     "dotnet line:8 lines:3 type:System.ArgumentException message:y cause of 0\n  f:G.H() at:/g.cs l:4\n  inner-end\n"
     "  f:C.D()\n"
     "dotnet line:13 type:System.ArgumentException message:z cause of 0\n  f:C.F() at:/c.cs l:6\n"
     "dotnet line:16 type:System.Exception message:other\n  f:Q.R() at:/q.cs l:1\n"},
    {"iOS", "the type of an exception is after its message; an inner exception has a stack below the other",
     "2026-11-21 10:00:00.123 Shop[12:34] Unhandled managed exception: No cart (yet) (Shop.CartException)\n"
     "   at Shop.Cart.Load()\n   at Shop.Main.Run()\n --- inner exception ---\n"
     "Object reference not set. (System.NullReferenceException)\n   at Shop.Cart.Total()\n"
     " --- inner exception ---\ndeep (System.IO.IOException)\n   at A.B() in /a.cs:line 3\n\nnot above (System.Error)\n"
     "\n   at C.D() in /c.cs:line 4\n",
     "dotnet line:2 lines:2 type:Shop.CartException message:No cart (yet)\n  f:Shop.Cart.Load()\n  f:Shop.Main.Run()\n"
     "dotnet line:6 type:System.NullReferenceException message:Object reference not set. cause of 0\n"
     "  f:Shop.Cart.Total()\n"
     "dotnet line:9 lines:5 type:System.IO.IOException message:deep cause of 1\n  f:A.B() at:/a.cs l:3\n  f:C.D() "
     "at:/c.cs "
     "l:4\n"},
    {"Unity", "positions in the form of its editor",
     "NullReferenceException: Object (x)\n  at Shop.Cart.Load () (at C:/Game/My Assets/Cart.cs:154)\n"
     "  at Shop.Box`1[T].Put (T x) [0x00000] in <00000000000000000000000000000000>:0 \n"
     "  at Shop.Main.Run () (at Assets/Main.cs:7)\n  at noon (at 12:30)\n",
     "dotnet line:2 lines:3 type:NullReferenceException message:Object (x)\n"
     "  f:Shop.Cart.Load () at:C:/Game/My Assets/Cart.cs l:154\n"
     "  f:Shop.Box`1[T].Put (T x) +:0 at:<00000000000000000000000000000000>\n  f:Shop.Main.Run () at:Assets/Main.cs "
     "l:7\n"},
    {"other languages", "German, French, Russian, Chinese, Japanese",
     "   bei Shop.Cart.Load(String path) in C:\\app\\Cart.cs:Zeile 12.\n"
     "-\n"
     "   bei Shop.Cart.Load(String path) in C:\\app\\Cart.cs:Zeile 12\n"
     "   bei Shop.Main.Run()\n"
     "-\n"
     "-\n"
     "-\n"
     "-\n"
     "-\n"
     "-\n"
     "-\n"
     "-\n"
     "   \xC3\xA0 Shop.Cart.Load(String path) dans C:\\app\\Cart.cs:ligne 3\n"
     "   \xD0\xB2 Shop.Cart.Load(String path) \xD0\xB2 "
     "C:\\app\\Cart.cs:\xD1\x81\xD1\x82\xD1\x80\xD0\xBE\xD0\xBA\xD0\xB0 4\n"
     "   \xE5\x9C\xA8 Shop.Cart.Load(String path) \xE4\xBD\x8D\xE7\xBD\xAE C:\\app\\Cart.cs:\xE8\xA1\x8C\xE5\x8F\xB7 "
     "5\n"
     "   \xE5\xA0\xB4\xE6\x89\x80 Shop.Cart.Load(String path) \xE5\xA0\xB4\xE6\x89\x80 C:\\app\\Cart.cs:\xE8\xA1\x8C "
     "6\n",
     "dotnet line:3 lines:2\n"
     "  f:Shop.Cart.Load(String path) at:C:\\app\\Cart.cs l:12\n"
     "  f:Shop.Main.Run()\n"
     "dotnet line:13 lines:4\n"
     "  f:Shop.Cart.Load(String path) at:C:\\app\\Cart.cs l:3\n"
     "  f:Shop.Cart.Load(String path) at:C:\\app\\Cart.cs l:4\n"
     "  f:Shop.Cart.Load(String path) at:C:\\app\\Cart.cs l:5\n"
     "  f:Shop.Cart.Load(String path) at:C:\\app\\Cart.cs l:6\n"},
    {"Mono", "addresses and offsets in its code",
     "System.NullReferenceException: Object reference not set\n"
     "  at Shop.Cart.Load (System.String path) [0x0000a] in /app/Cart.cs:12 \n"
     "  at Shop.Cart`1[T].Get (T x) <0x40b745f0 + 0x00122> in <f6b2b0ea894844dc83a96f9504d8f570#6"
     "10bc057>:0 \n"
     "  at (wrapper managed-to-native) System.GDIPlus:Startup (ulong&,System.Input&)\n"
     "  at (wrapper runtime-invoke) object.runtime_invoke_void (object,intptr) <0xffffffff>\n",
     "dotnet line:2 lines:4 type:System.NullReferenceException message:Object reference not set\n"
     "  f:Shop.Cart.Load (System.String path) +:10 at:/app/Cart.cs l:12\n"
     "  f:Shop.Cart`1[T].Get (T x) +:290 at:<f6b2b0ea894844dc83a96f9504d8f570#610bc057> a:1085752"
     "816\n"
     "  f:(wrapper managed-to-native) System.GDIPlus:Startup (ulong&,System.Input&)\n"
     "  f:(wrapper runtime-invoke) object.runtime_invoke_void (object,intptr) a:4294967295\n"},
    {"Mono before version 4", "a file that it does not know is no module",
     "  at Shop.Cart.Load (Int32 n) [0x00000] in <filename unknown>:0 \n",
     "dotnet line:1\n  f:Shop.Cart.Load (Int32 n) +:0\n"},
    {"records", "a logger's line with an exception begins another stack below rows without a prefix",
     "[23:02:23.163] [ERROR] Not passed on: A.BException: one\n\n"
     "  at Shop.Cart.Load () [0x00001] in <c794>:0 \n\n  at Shop.Cart.Run () [0x00002] in <c794>:0 \n"
     "[23:02:23.170] [ERROR] Not passed on: A.CException: two\n\n"
     "  at Shop.Cart.Load () [0x00001] in <c794>:0 \n",
     "dotnet line:3 lines:3 type:A.BException message:one\n"
     "  f:Shop.Cart.Load () +:1 at:<c794>\n  f:Shop.Cart.Run () +:2 at:<c794>\n"
     "dotnet line:8 type:A.CException message:two\n  f:Shop.Cart.Load () +:1 at:<c794>\n"},
    {"Mono without names", "such a row is sure, also as the first",
     "  at <unknown> <0xffffffff>\n  at Shop.Main.Run () <IL 0x0000c, 0x00053>\n  at Shop.Main.Go () <IL 0x0000d>\n",
     "dotnet line:1 lines:3\n  a:4294967295\n  f:Shop.Main.Run () +:12\n  f:Shop.Main.Go () +:13\n"},
    {"offsets in intermediate code", "one row is sure",
     "  at Shop.Cart.Load (System.String path) <IL 0x00029, 0x00111>\n",
     "dotnet line:1\n  f:Shop.Cart.Load (System.String path) +:41\n"},
    {"tokens", "of an assembly without symbols; one row is sure",
     "   at Shop.Cart.Load(String path) in shop.dll:token 0x6000012+0x1c\n",
     "dotnet line:1\n  m:shop.dll f:Shop.Cart.Load(String path) +:28\n"},
    {"Mono's nested types", "a slash is before their names, also in the first row",
     "  at Shop.Cart/Row..ctor () [0x00008] in <c794>:0\n  at Shop.Cart.Load () [0x00001] in <c794>:0\n"
     "  at Shop/Cart.Load(String path)\n",
     "dotnet line:1 lines:2\n  f:Shop.Cart/Row..ctor () +:8 at:<c794>\n"
     "  f:Shop.Cart.Load () +:1 at:<c794>\n"},
    {"one below the other", "the words before an exception begin a stack of its own",
     "A.BException: one\n   at A.B.C(Int32 n)\nUnhandled exception. A.DException: two\n   at A.B.E(Int32 n)\n"
     "Unhandled Exception: A.FException: three\n   at A.B.G(Int32 n)\n",
     "dotnet line:2 type:A.BException message:one\n  f:A.B.C(Int32 n)\n"
     "dotnet line:4 type:A.DException message:two\n  f:A.B.E(Int32 n)\n"
     "dotnet line:6 type:A.FException message:three\n  f:A.B.G(Int32 n)\n"},
    {"Mono's native stack", "its first row is on the last line of the other stack",
     "  at Shop.Cart.Load () [0x00001] in /app/Cart.cs:12 \n"
     "  at Shop.Main.Run () <0xffffffff>\t0   Shop   0x0000000104a40054 print_trace + 64\n",
     "dotnet line:1 lines:2\n  f:Shop.Cart.Load () +:1 at:/app/Cart.cs l:12\n  f:Shop.Main.Run () a:4294967295\n"},
    {"Native AOT", "names with a distance; or the module and an address, which needs symbols",
     "Unhandled exception. System.InvalidOperationException: no cart\n"
     "   at Shop.Cart.Load(Int32) + 0x1c\n"
     "   at Shop.Main.<Run>$(String[] args) + 0x2b\n"
     "   at My Shop!<BaseAddress>+0x1f22cf\n"
     "libshop!<BaseAddress>+0x1f22cf\n"
     "   at libshop!<BaseAddress>+0x10 at offset 283 in file:line:column <filename unknown>:0:0\n"
     "   at libshop!<BaseAddress>+0x\n"
     "   at !<BaseAddress>+0x10\n",
     "dotnet line:2 lines:5 type:System.InvalidOperationException message:no cart\n"
     "  f:Shop.Cart.Load(Int32) +:28\n"
     "  f:Shop.Main.<Run>$(String[] args) +:43\n"
     " of another kind m:My Shop a:2040527 returns needs symbols\n"
     " of another kind m:libshop a:16 returns needs symbols\n"},
    {"Native AOT alone", "one row is sure", "   at shop!<BaseAddress>+0x1f22cf\n",
     "dotnet line:1\n of another kind m:shop a:2040527 returns needs symbols\n"},
    {"rows that are not sure", "two of them, or one below an exception",
     "at Shop.Cart.Load(String path)\n"
     "at Shop.Main.Run(Int32 n, Boolean b)\n"
     "-\n"
     "-\n"
     "-\n"
     "-\n"
     "-\n"
     "-\n"
     "-\n"
     "-\n"
     "Fault.BadException: x\n"
     "   at Shop.Main.Run()\n",
     "dotnet line:1 lines:2\n"
     "  f:Shop.Cart.Load(String path)\n"
     "  f:Shop.Main.Run(Int32 n, Boolean b)\n"
     "dotnet line:12 type:Fault.BadException message:x\n"
     "  f:Shop.Main.Run()\n"},
    {"inner on one line", "as the .NET Framework prints it",
     "A.BException: x ---> A.CException: y\n   at A.B.C() in /a.cs:line 1\n   --- End of inner exception stack trace "
     "---\n"
     "   at A.B.E() in /a.cs:line 3\n",
     "dotnet line:2 lines:3 type:A.BException message:x ---> A.CException: y\n  f:A.B.C() at:/a.cs l:1\n  inner-end\n"
     "  f:A.B.E() at:/a.cs l:3\n"},
    {"two exceptions", "the second starts a stack of its own",
     "NullReferenceException: one\n  at Player.Update () [0x00000] in /a/Player.cs:12\n\nNullReferenceException: two\n"
     "  at Game.Foo () [0x00000] in /a/Game.cs:3\n",
     "dotnet line:2 type:NullReferenceException message:one\n  f:Player.Update () +:0 at:/a/Player.cs l:12\n"
     "dotnet line:5 type:NullReferenceException message:two\n  f:Game.Foo () +:0 at:/a/Game.cs l:3\n"},
    {"tasks within", "the end of a task's stack within an inner exception is not its end",
     "A.BException: x\n ---> A.CException: y\n   at A.B.C() in /a.cs:line 1\n"
     "--- End of stack trace from previous location ---\n   at A.B.D() in /a.cs:line 2\n"
     "   --- End of inner exception stack trace ---\n   at A.B.E() in /a.cs:line 3\n",
     "dotnet line:3 lines:5 type:A.BException message:x\n  f:A.B.C() at:/a.cs l:1\n  async-gap\n  f:A.B.D() at:/a.cs "
     "l:2\n  inner-end\n  f:A.B.E() at:/a.cs l:3\n"},
    {"Application Insights", "the assembly is after the function, with the position; an exception without a message",
     "System.FormatException:\n   at Shop.Cart+<Load>d__3.MoveNext (Shop, Version=1.0.0.0, Culture=neutral, "
     "PublicKeyToken=null: D:\\a\\Cart.cs:12)\n   at Shop.Main`1.Run (Shop.Main, Version=1.0.0.0, Culture=neutral, "
     "PublicKeyToken=7cec85d7bea7798e)\n   at a b (c, Version=1, PublicKeyToken=null)\n",
     "dotnet line:2 lines:2 type:System.FormatException\n"
     "  m:Shop f:Shop.Cart+<Load>d__3.MoveNext at:D:\\a\\Cart.cs l:12\n  m:Shop.Main f:Shop.Main`1.Run\n"},
    {"AWS Lambda", "the error is in members next to the list",
     "{\"errorType\":\"NullReferenceException\",\"errorMessage\":\"none left\",\"stackTrace\":[\"at "
     "Shop.F.Load(String id) in /src/F.cs:line 12\",\"at Shop.F.Run()\"]}\n",
     "dotnet line:1 type:NullReferenceException message:none left\n"
     "  f:Shop.F.Load(String id) at:/src/F.cs l:12\n"
     "  f:Shop.F.Run()\n"},
    {"near misses", "other runtimes and prose",
     "   at Shop.Main.Run()\n"
     "x\n"
     "at foo.bar(\"x\")\n"
     "at once\n"
     "--- End of file ---\n",
     ""},
};

OTHER_TESTS("formats dotnet", texts)
