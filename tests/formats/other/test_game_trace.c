#include "tests/formats/other/other_help.h"

static const struct text_case texts[] = {
    {"unreal, until 4.16", "rows without a mark, with an address or a function",
     "    LogWindows:Error: === Critical error: ===\n    LogWindows:Error: \n"
     "    LogWindows:Error: Assertion failed: !Block [File:D:\\Pak.cpp] [Line: 3013] \n    LogWindows:Error: \n"
     "    LogWindows:Error: KERNELBASE.dll!0x0000000038CC4008\n"
     "    LogWindows:Error: Shop.exe!F::Serialize() [d:\\build\\f.cpp:97]\n    LogWindows:Error: Crash in thread R 0\n",
     "unreal line:5 lines:2 type:Assertion failed message:!Block [File:D:\\Pak.cpp] [Line: 3013]\n"
     "  m:KERNELBASE.dll a:952909832\n"
     "  m:Shop.exe f:F::Serialize() at:d:\\build\\f.cpp l:97\n"},
    {"Unreal", "after its log prefix",
     "[2026.11.21-10.00.00:123][  0]LogWindows: Error: [Callstack] 0x00007ff6c1a20001 Shop.exe!UC"
     "art::Load() [C:\\src\\My Cart.cpp:12] []\n"
     "[2026.11.21-10.00.00:123][  0]LogWindows: Error: [Callstack] 0x00007ff6c1a20002 libShop.so!"
     "UnknownFunction []\n"
     "[2026.11.21-10.00.00:123][  0]LogWindows: Error: [Callstack] 0x00007ff6c1a20003 UnknownFunc"
     "tion []\n",
     "unreal line:1 lines:3\n"
     "  m:Shop.exe f:UCart::Load() at:C:\\src\\My Cart.cpp l:12 a:140697787301889\n"
     "  m:libShop.so a:140697787301890\n"
     "  a:140697787301891\n"},
    {"Unreal", "on Android, with distances from where the files were loaded",
     "[2026.11.21-10.00.00:123][  0]LogAndroid: Error: === Critical error: ===\n"
     "[2026.11.21-10.00.00:123][  0]LogAndroid: Error: \n"
     "[2026.11.21-10.00.00:123][  0]LogAndroid: Error: Unhandled Exception: SIGSEGV: invalid attempt\n"
     "[2026.11.21-10.00.00:123][  0]LogAndroid: Error: \n"
     "[2026.11.21-10.00.00:123][  0]LogAndroid: Error: [Callstack] 0x0000007C00000B54 libShop.so(0x0000000000000754)"
     "![Unknown]()  []\n"
     "[2026.11.21-10.00.00:123][  0]LogAndroid: Error: [Callstack] 0x0000007C00000B60 libShop.so(0x0000000000000760)"
     "!void Load<int (*)(int)>(int, int (*)(int))  []\n"
     "[2026.11.21-10.00.00:123][  0]LogAndroid: Error: [Callstack] 0x0000007C00000B60 libShop.so(0x)!f()  []\n",
     "unreal line:5 lines:3 type:SIGSEGV message:invalid attempt\n"
     " of another kind m:libShop.so a:1876 needs symbols\n"
     " of another kind m:libShop.so f:void Load<int (*)(int)>(int, int (*)(int)) a:1888 returns needs symbols\n"
     "  m:libShop.so(0x) f:f() a:532575947616\n"},
    {"Unreal", "a check that failed, and prose",
     "LogWindows: Error: Assertion failed: Index >= 0 [File:C:\\src\\Cart.cpp] [Line: 12]\n"
     "[Callstack] 0x00007ff6c1a20001 Shop.exe!UCart::Load() [C:\\src\\Cart.cpp:12] []\n"
     "Unhandled Exception: \n"
     "[Callstack] none\n",
     "unreal line:2 type:Assertion failed message:Index >= 0 [File:C:\\src\\Cart.cpp] [Line: 12]\n"
     "  m:Shop.exe f:UCart::Load() at:C:\\src\\Cart.cpp l:12 a:140697787301889\n"},
    {"Unreal", "copied from its window for crashes: rows without names are next to others",
     "LoginId:12\n\nUnhandled Exception: EXCEPTION_ACCESS_VIOLATION reading address 0x0000000000000028\n\n"
     "gdi32\nUnrealEditor_Shop!UCart::Load() [D:\\src\\My Cart.cpp:12]\n"
     "UnrealEditor-Shop!TBase<1,FText __cdecl(void)>::Run() [D:\\src\\Base.h:519]\nntdll\n\nThanks\n",
     "unreal line:5 lines:4 type:EXCEPTION_ACCESS_VIOLATION message:reading address 0x0000000000000028\n"
     "  m:gdi32\n"
     "  m:UnrealEditor_Shop f:UCart::Load() at:D:\\src\\My Cart.cpp l:12\n"
     "  m:UnrealEditor-Shop f:TBase<1,FText __cdecl(void)>::Run() at:D:\\src\\Base.h l:519\n"
     "  m:ntdll\n"},
    {"Unreal", "a failed check of its window: the message goes on up to a blank line, all rows are modules",
     "LoginId:12\n\nAssertion failed: (Index >= 0) [File:D:\\Array.h] [Line: 758] \n"
     "Array index out of bounds: 8\nUnrealEditor_No\n\n"
     "UnrealEditor_Shop\nUnrealEditor_Core\nUnrealEditor_Core!UObject::Call() [D:\\a.cpp:3]\nntdll\n\nThanks\n",
     "unreal line:7 lines:4 type:Assertion failed message:(Index >= 0) [File:D:\\Array.h] [Line: 758] \n"
     "Array index out of bounds: 8\nUnrealEditor_No\n"
     "  m:UnrealEditor_Shop\n  m:UnrealEditor_Core\n"
     "  m:UnrealEditor_Core f:UObject::Call() at:D:\\a.cpp l:3\n  m:ntdll\n"},
    {"Unreal's crash context", "elements of XML",
     "<ErrorMessage>Unhandled Exception: EXCEPTION_ACCESS_VIOLATION reading address 0x18</ErrorMessage>\n"
     "<CrashReporterMessage />\n<CallStack>UnrealEditor_Core!A::F() [D:\\a.cpp:3]\nUnrealEditor_Core\n"
     "ntdll</CallStack>\n",
     "unreal line:3 lines:3 type:EXCEPTION_ACCESS_VIOLATION message:reading address 0x18\n"
     "  m:UnrealEditor_Core f:A::F() at:D:\\a.cpp l:3\n  m:UnrealEditor_Core\n  m:ntdll\n"},
    {"Unreal", "a check without rows",
     "Ensure condition failed: a [File:b.cpp] [Line: 3]\nThanks\nagain\n\nThat was\n\nBye\n", ""},
    {"Unreal", "a game without symbols",
     "LowLevelFatalError [File:Unknown] [Line: 481]\nUnknown code token B3\n\n"
     "0x00007ffb3a724fd9 KERNELBASE.dll!UnknownFunction []\n0x00007ff7a7463257 Shop-Win64.exe!UnknownFunction []\n\n"
     "\n\n\n\n\n\n\n\nFatal error!\n\n0x00007ff7a7463257 Shop.EXE!UCart::Load() [C:\\my src\\Cart.cpp:12]\n"
     "0x00007ff7a7463258 ntdll.dll!UnknownFunction []\n",
     "unreal line:4 lines:2 type:LowLevelFatalError message:[File:Unknown] [Line: 481]\nUnknown code token B3\n"
     "  m:KERNELBASE.dll a:140716994088921\n  m:Shop-Win64.exe a:140701640045143\n"
     "unreal line:17 lines:2\n"
     "  m:Shop.EXE f:UCart::Load() at:C:\\my src\\Cart.cpp l:12 a:140701640045143\n  m:ntdll.dll a:140701640045144\n"},
    {"Unity", "managed and native",
     "NullReferenceException: Object reference not set\n"
     "Shop.Cart:Load (System.String path) (at Assets/My Cart.cs:12)\n"
     "UnityEngine.Debug:Log (object)\n"
     "Shop.Main+<Run>d__5:MoveNext () (at Assets/Main.cs:7)\n"
     "-\n"
     "-\n"
     "-\n"
     "-\n"
     "-\n"
     "-\n"
     "-\n"
     "-\n"
     "0x00007ff6c1a20001 (Unity) StackWalker::GetCurrentCallstack\n"
     "0x00007ff6c1a20002 (Mono JIT Code) [Cart.cs:12] Shop.Cart:Load (string)\n",
     "unity line:2 lines:3 type:NullReferenceException message:Object reference not set\n"
     "  f:Shop.Cart:Load (System.String path) at:Assets/My Cart.cs l:12\n"
     "  f:UnityEngine.Debug:Log (object)\n"
     "  f:Shop.Main+<Run>d__5:MoveNext () at:Assets/Main.cs l:7\n"
     "unity line:13 lines:2\n"
     "  m:Unity f:StackWalker::GetCurrentCallstack a:140697787301889\n"
     "  m:Mono JIT Code f:Shop.Cart:Load (string) at:Cart.cs l:12 a:140697787301890\n"},
    {"Unity's editor, an exception thrown again", "the stack above is the cause; without one it is prose",
     "Rethrow as Shop.CartException: c\nNullReferenceException: a\nA.B (System.String x) (at <376a33e9>:0)\n"
     "Rethrow as CartException: b: c\nC.D (System.Object x) (at Assets/C.cs:3)\nUnityEngine.E:F ()\n",
     "unity line:3 type:NullReferenceException message:a cause of 1\n  f:A.B (System.String x) at:<376a33e9>\n"
     "unity line:5 lines:2 type:CartException message:b: c\n  f:C.D (System.Object x) at:Assets/C.cs l:3\n"
     "  f:UnityEngine.E:F ()\n"},
    {"Unity, its crash handler", "a stack for each thread; errors of the handler are not exceptions",
     "Stack Trace of Crashed Thread 7936:\n"
     "ERROR: SymGetSymFromAddr64, GetLastError: 'Not found.' (Address: 0000253400000019)\n"
     "0x0000253400000019 ((<unknown>)) (function-name not available)\n"
     "0x000001E010FA5BE9 (mscorlib) System.String.Concat()\n\n"
     "Stacks for Running Threads:\n\nCall Stack for Thread 8200:\n"
     "0x00007FFA37B182ED (UnityPlayer) \n"
     "ERROR: SymGetSymFromAddr64, GetLastError: 'No\n' (Address: 00007FFA37B182EE)\n"
     "0x00007ffac58086f5 (GameAssembly) Cart_Load_m20852F (at C:/shop/My Cart.cpp:12)\n\n\n"
     "Call Stack for Thread 32:\n0x00007FFA3B4C0834 (ntdll) NtWait\n",
     "unity line:3 lines:2 thread:7936 crashed\n  a:40905268527129\n  m:mscorlib f:System.String.Concat() "
     "a:2061869145065\n"
     "unity line:9 lines:4 thread:8200\n  m:UnityPlayer a:140712652931821\n"
     "  m:GameAssembly f:Cart_Load_m20852F at:C:/shop/My Cart.cpp l:12 a:140715032086261\n"
     "unity line:16 thread:32\n  m:ntdll f:NtWait a:140712713390132\n"},
    {"Unity on Linux", "rows with numbers and without addresses",
     "Can't find libraries\n #0 GetStacktrace(int)\n #1 DebugStringToFile(Data const&)\n"
     " #2  (Mono JIT Code) (wrapper managed-to-native) Shop.Log:Put (Shop.Kind,string)\n"
     " #3  (Mono JIT Code) [Cart.cs:12] Shop.Cart:.cctor ()\n #4 mono_object_get_class\n\n #5 is fixed\n"
     "#0  (Mono JIT Code) Shop.Cart:Load (string)\n",
     "unity line:2 lines:5\n  i:0 f:GetStacktrace(int)\n  i:1 f:DebugStringToFile(Data const&)\n"
     "  i:2 m:Mono JIT Code f:(wrapper managed-to-native) Shop.Log:Put (Shop.Kind,string)\n"
     "  i:3 m:Mono JIT Code f:Shop.Cart:.cctor () at:Cart.cs l:12\n  i:4 f:mono_object_get_class\n"
     "unity line:9\n  i:0 m:Mono JIT Code f:Shop.Cart:Load (string)\n"},
    {"Unity on Android with Mono", "two stacks; a row has the offset in its method's code",
     "2023/02/26 02:19:14.436 29 16 Error CRASH       #00 Shop.A/Reader:Next<single> () <0x4c>\n"
     "2023/02/26 02:19:14.436 29 16 Error CRASH       #01 (wrapper delegate-invoke) Shop.A/B<C>:invoke (A`1<s>&) "
     "<0x27>\n"
     "2023/02/26 02:19:14.437 29 16 Error CRASH       #00 Shop.A:Run () <0x1>\n#01 Shop.A () <0x1>\n#02 a:b () <0x>\n",
     "unity line:1 lines:2\n  i:0 f:Shop.A/Reader:Next<single> () +:76\n"
     "  i:1 f:(wrapper delegate-invoke) Shop.A/B<C>:invoke (A`1<s>&) +:39\n"
     "unity line:3\n  i:0 f:Shop.A:Run () +:1\n"},
    {"Unity, numbers that are not of rows", "a row without the words of Unity follows the row before it",
     "Call Stack for Thread 12:\n#1 docs\n0x00007FFA3B4C0834 (ntdll) NtWait\n#1 docs\n\nCall Stack for Thread 13:\n\n"
     "#0 improve docs\n\n #0 GetStacktrace(int)\n #2 docs\n #1 improve docs\n #1 f(int)\n",
     "unity line:3 thread:12\n  m:ntdll f:NtWait a:140712713390132\n"
     "unity line:10 thread:13\n  i:0 f:GetStacktrace(int)\n"},
    {"Unity, rows of C++", "blanks are in the arguments of a template or a function",
     " #0 GetStacktrace(int)\n #1 Map<A, B>::Find(A const&) const\n #2 operator new(unsigned long)\n"
     " #3 std::list<A const*, B>::f\n #4 improve docs\n",
     "unity line:1 lines:4\n  i:0 f:GetStacktrace(int)\n  i:1 f:Map<A, B>::Find(A const&) const\n"
     "  i:2 f:operator new(unsigned long)\n  i:3 f:std::list<A const*, B>::f\n"},
    {"Godot", "errors, and a backtrace",
     "SCRIPT ERROR: Invalid call. Nonexistent function 'x'.\n"
     "          at: _ready (res://cart.gd:12)\n"
     "          GDScript backtrace (most recent call first):\n"
     "              [0] _ready (res://cart.gd:12)\n"
     "              [1] load (res://main.gd:3)\n",
     "godot line:2 type:SCRIPT ERROR message:Invalid call. Nonexistent function 'x'.\n"
     "  f:_ready at:res://cart.gd l:12\n"
     "godot line:4 lines:2 type:SCRIPT ERROR message:Invalid call. Nonexistent function 'x'.\n"
     "  i:0 f:_ready at:res://cart.gd l:12\n"
     "  i:1 f:load at:res://main.gd l:3\n"},
    {"Godot, a crash", "rows with names below its title; what is not one ends nothing",
     "CrashHandlerException: Program crashed with signal 11\nEngine version: Godot Engine v4\n"
     "Dumping the backtrace. Please include this when reporting.\n[0] A::f (C:\\src\\a.cpp:12)\n"
     "[1] error(-1): no debug info in PE/COFF executable\n[2] A::g (C:\\src\\a.cpp:3)\n-- END OF BACKTRACE --\n",
     "godot line:4 lines:3 type:CrashHandlerException message:Program crashed with signal 11\n"
     "  i:0 f:A::f at:C:\\src\\a.cpp l:12\n  i:2 f:A::g at:C:\\src\\a.cpp l:3\n"},
    {"Godot on macOS", "names alone follow each other; with addresses, modules and distances",
     "  handle_crash: Program crashed with signal 11\n  Engine version: Godot Engine v4.2.1\n"
     "  Dumping the backtrace. Please include this.\n  [1] invoke_previous_action(sigaction*, int)\n"
     "  [2] 2   libsystem_platform.dylib            0x00000001836a9a24 _sigtramp + 56\n"
     "  [3] Object* ClassDB::creator<Shop>()\n  [4] 4   ???   0x0000000281051a00 0x0 + 10754529792\n"
     "  [5] Main::setup(int) (in shop) (main.cpp:12)\n  [7] see (it)\n  -- END OF BACKTRACE --\n",
     "godot line:4 lines:5 type:handle_crash message:Program crashed with signal 11\n"
     "  i:1 f:invoke_previous_action(sigaction*, int)\n"
     "  i:2 m:libsystem_platform.dylib f:_sigtramp +:56 a:6499768868\n  i:3 f:Object* ClassDB::creator<Shop>()\n"
     "  i:4 a:10754529792\n  i:5 m:shop f:Main::setup(int) at:main.cpp l:12\n"},
    {"Godot 4.7 on macOS", "the address is before the name",
     "handle_crash: Program crashed with signal 11\nEngine version: Godot Engine v4.7\n"
     "Dumping the backtrace. Please include this.\nLoad address: 100230000\n\n"
     "[ 1] 18ec897a4 - 1   libsystem_platform.dylib            0x000000018ec897a4 _sigtramp + 56\n"
     "[ 2] 1017a088c - init(Level) (in godot.arm64) + 104\n[10] 10093b194 - -[Shop load:] (in godot.arm64) + 52\n",
     "godot line:6 lines:3 type:handle_crash message:Program crashed with signal 11\n"
     "  i:1 m:libsystem_platform.dylib f:_sigtramp +:56 a:6690477988\n"
     "  i:2 m:godot.arm64 f:init(Level) +:104 a:4319742092\n  i:10 m:godot.arm64 f:-[Shop load:] +:52 a:4304646548\n"},
    {"Unreal on Linux", "rows without a mark below a title",
     "Unhandled Exception: SIGSEGV: invalid attempt to read memory at address 0x18\n\n[2026.11.21-10.00.00:123][  0]"
     "LogCore: Fatal error!\n\n0x0000000004535569 ShopServer!UCart::Load(int, FString const&) [/src/Cart.cpp:12]\n"
     "0x00007f5d7f0b0c87 libc.so.6!__libc_start_main(+0xe6)\n0x0000000004579408 ShopServer!UnknownFunction(0x4579407)\n"
     "0x0000000004579408 is not a row!\n",
     "unreal line:5 lines:3 type:SIGSEGV message:invalid attempt to read memory at address 0x18\n"
     "  m:ShopServer f:UCart::Load(int, FString const&) at:/src/Cart.cpp l:12 a:72570217\n"
     "  m:libc.so.6 f:__libc_start_main(+0xe6) a:140039540116615\n  m:ShopServer a:72848392\n"},
    {"Godot's editor", "its list of errors; a source in a script is repeated by the stack, a warning has none",
     "E 0:00:01:0226   _ready: Parameter \"p_child\" is null.\n"
     "  <C++ Error>    Condition \"!x\" is true.\n"
     "  <C++ Source>   scene\\main\\node.cpp:1109 @ Node::add_child()\n"
     "  <Stack Trace>  Node2D.gd:4 @ _ready()\n"
     "                 game.gd:3 @ start()\n"
     "W 0:00:02:0123   main.gd:12 @ _process(): The variable \"x\" is unused.\n"
     "  <GDScript Error>UNUSED_VARIABLE\n"
     "  <GDScript Source>main.gd:12 @ _process()\n"
     "E 0:00:03:0001   main.gd:12 @ _ready(): Invalid call.\n"
     "  <GDScript Source>main.gd:12 @ _ready()\n"
     "  <Stack Trace>  main.gd:12 @ _ready()\n"
     "                 main.gd:9 @ _init()\n"
     "\n"
     "see main.gd:3 @ start()\n"
     "E 0:00 a: b\n"
     "  <Stack Trace>  x @ f()\n",
     "godot line:3 lines:3 type:ERROR message:Parameter \"p_child\" is null.\n"
     "  f:Node::add_child at:scene\\main\\node.cpp l:1109\n"
     "  f:_ready at:Node2D.gd l:4\n"
     "  f:start at:game.gd l:3\n"
     "godot line:11 lines:2 type:ERROR message:Invalid call.\n"
     "  f:_ready at:main.gd l:12\n"
     "  f:_init at:main.gd l:9\n"},
    {"Godot, two errors", "each has a row of its own",
     "ERROR: a\n   at: f (./core/a.cpp:12)\nERROR: b\n   at: g (./core/b.h:3)\n",
     "godot line:2 type:ERROR message:a\n  f:f at:./core/a.cpp l:12\n"
     "godot line:4 type:ERROR message:b\n  f:g at:./core/b.h l:3\n"},
    {"near misses", "prose",
     "meet me (at noon)\n"
     "we met (at x.cs:12)\n"
     "at: home\n"
     "see at: a (b)\n"
     "0x1234 (Unity) x\n"
     "[0] a (b.gd:3)\n"
     "[Callstack] none\n"
     "0x0000000004535569 Shop!f() [/src/a.cpp:12]\n"
     "\n"
     "call it!f() [now:12] then\n"
     "a!b [c:12]\n"
     "shop!f() [0x12]\n"
     "ntdll\n",
     ""},
};

static const struct text_case looks[] = {
    {"Unreal", "the functions of one row",
     "[Callstack] 0x0000007C00000B54 libShop.so(0x0000000000000754)![Unknown]()  []\n",
     "[Callstack] 0x0000007C00000B54 libShop.so(0x0000000000000754)!inner(int)  [src/a.cc:7:3]\n"
     "[Callstack] 0x0000007C00000B54 libShop.so(0x0000000000000754)!outer()  [src/a.cc:21]\n"},
};

static void test_texts(void **state)
{
    (void)state;
    check_other(texts, sizeof texts / sizeof *texts);
}

static void test_looks(void **state)
{
    (void)state;
    check_looks(looks, sizeof looks / sizeof *looks, fm_test_chain, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_texts), cmocka_unit_test(test_looks)};
    return cmocka_run_group_tests_name("formats game", tests, NULL, NULL);
}
