#include "tests/formats/native/native_help.h"

static const struct text_case texts[] = {
    {"kb", "x86, wrapped within a name and before a distance",
     "STACK_TEXT:\n002df7e4 00fd1423 00fd1078 00fd1078 7f956000 app!crash+0x1e [d:\\my src\\a.cc @ 12]\n"
     "002df908 00fd1b5d 002df924 766b7c04 7f956000 ConsoleApplication2!__tmainCRTStart\nup+0x199\n"
     "002df910 766b7c04 7f956000 766b7be0 70f6b3dc ConsoleApplication2!wmainCRTStartup\n+0xd\n"
     "002df97c 00000000 00fd1078 7f956000 00000000 app\n\n\nFOLLOWUP_IP:\n",

     "windbg 2\n"
     "- m:app f:crash+30 at:d:\\my src\\a.cc:12 not-needed sp:0x2df7e4 ret:0xfd1423\n"
     "- m:ConsoleApplication2 f:__tmainCRTStartup+409 not-needed sp:0x2df908 ret:0xfd1b5d\n"
     "- m:ConsoleApplication2 f:wmainCRTStartup+13 not-needed sp:0x2df910 ret:0x766b7c04\n"},
    {"exception", "of the first stack below its code",
     "EXCEPTION_RECORD:  ffffffff\n   ExceptionCode: c0000005 (Access violation)\n  ExceptionFlags: "
     "00000000\n\n\n\n\n\n"
     "\n\n\nSTACK_TEXT:\n002df7e4 00fd1423 app!crash+0x1e\n\n\n\n\nSTACK_TEXT:\n002df7e4 00fd1423 app!crash+0x1e\n",

     "windbg 13 type:Access violation message:c0000005 (Access violation) crashed\n"
     "- m:app f:crash+30 not-needed sp:0x2df7e4 ret:0xfd1423\n"
     "windbg 19\n- m:app f:crash+30 not-needed sp:0x2df7e4 ret:0xfd1423\n"},
    {"exception of a session", "some lines above the first stack; one that is asked for later has none",
     "(b278.d978): Access violation - code c0000005 (first/second chance not available)\n"
     "For analysis of this file, run !analyze -v\neip=77df35bc esp=006fca58\napp!f+0xc:\n77df35bc c21400 ret 14h\n"
     "0:000:x86> kb\n # ChildEBP RetAddr      Args to Child\n00 006fcbe8 76fb1234     00000003 app!f+0xc\n"
     "0:000:x86> kb\n # ChildEBP RetAddr      Args to Child\n00 006fcbe8 76fb1234     00000003 app!f+0xc\n",

     "windbg 8 type:Access violation message:Access violation - code c0000005 crashed\n"
     "#0 m:app f:f+12 not-needed sp:0x6fcbe8 ret:0x76fb1234\n"
     "windbg 11\n#0 m:app f:f+12 not-needed sp:0x6fcbe8 ret:0x76fb1234\n"},
    {"std::stacktrace", "of Visual C++: positions first; number 0 begins a stack; prose",
     "0> D:\\my src\\a.cc(12): app!cart::add<int (*)(int)>+0x1E\n1> app!main+0x10\n0> app!main+0x11\n"
     "2> see app!main+0x1\n3> app!main\n",

     "windbg 1\n#0 m:app f:cart::add<int (*)(int)>+30 at:D:\\my src\\a.cc:12 not-needed\n#1 m:app f:main+16 "
     "not-needed\n"
     "windbg 3\n#0 m:app f:main+17 not-needed\n"},
    {"x64", "quoted digits, numbers of frames, addresses, inlined functions",
     " # Child-SP          RetAddr           Call Site\n"
     "00 000000bc`aeaaa440 00007ff8`c045e70d jscript9!Js::Tagged<int, 1>::Divide+0x7f\n"
     "01 (Inline Function) --------`-------- app!f+0x3\n"
     "02 000000bc`aeaab660 00007ff8`c0271e93 : 000000c4`b15b2400 00000000`00000000 : 0x000000c4`b3ae0fc3\n"
     "03 000000bc`aeaab670 00007ff8`c0271e94 app+0x1234\n",

     "windbg 2\n"
     "#0 m:jscript9 f:Js::Tagged<int, 1>::Divide+127 not-needed sp:0xbcaeaaa440 ret:0x7ff8c045e70d\n"
     "#1 m:app f:f+3 not-needed inlined\n"
     "#2 absolute:0xc4b3ae0fc3 unknown-image sp:0xbcaeaab660 ret:0x7ff8c0271e93\n"
     "#3 m:app image:0x1234 unknown-image sp:0xbcaeaab670 ret:0x7ff8c0271e94\n"},
    {"kv and kp", "notes about frame pointers, and values of parameters, are not part of a name",
     "ChildEBP RetAddr  Args to Child\n"
     "0015fce4 010e1415 00000012 00000034 00000056 app!add+0x1e (FPO: [2,0,0]) (CONV: cdecl) [f:\\src\\a.cc @ 7]\n"
     "ChildEBP RetAddr\n0015fce4 010e1415 app!f<int (*)(int)>(int a = 0n18, int * b = 0x1)+0x1e [f:\\src\\a.cc @ 8]\n"
     "0015fce8 010e1416 app!wmain(void)+0x2\n",

     "windbg 2\n- m:app f:add+30 at:f:\\src\\a.cc:7 not-needed sp:0x15fce4 ret:0x10e1415\n"
     "windbg 4\n- m:app f:f<int (*)(int)>+30 at:f:\\src\\a.cc:8 not-needed sp:0x15fce4 ret:0x10e1415\n"
     "- m:app f:wmain(void)+2 not-needed sp:0x15fce8 ret:0x10e1416\n"},
    {"kP", "parameters in lines of their own",
     "ChildEBP RetAddr\n0015fce4 010e1415 app!add(  \n            int a = 0n18,  \n"
     "            int b = 0n52)+0x1e [f:\\src\\a.cc @ 7]\n0015fd00 010e1999 app!main(\n            int argc = "
     "0n1)+0x55\n"
     "0015fd04 010e199a app!start+0x5\n",

     "windbg 2\n- m:app f:add+30 at:f:\\src\\a.cc:7 not-needed sp:0x15fce4 ret:0x10e1415\n"
     "- m:app f:main+85 not-needed sp:0x15fd00 ret:0x10e1999\n- m:app f:start+5 not-needed sp:0x15fd04 "
     "ret:0x10e199a\n"},
    {"Dr. Mingw", "the first column is the frame's address; lines of source and registers",
     "app.exe caused an Access Violation at location 0496132 in module app.exe Reading from location 0.\n\nRegisters:\n"
     "eax=00072925 ebx=7efde073\n\nAddrPC           Params\n"
     "0000000000496132 000000001A6719B0 000000000000000E 0000000000000000  app.exe!add  [C:\\my src\\a.c @ 331]\n"
     "   329:       return NULL;\n   330: \n>  331:    return x[i];\n   332: }\n   333: \n"
     "00007FFAA3037034 0000000000000000 0000000000000000 0000000000000000  KERNEL32.DLL!Thunk+0x14\n"
     "00007FFAA3037099 0000000000000000 0000000000000000 0000000000000000  ntdll.dll\n\n"
     "0000000000400000-0000000003AFB000 app.exe\n",

     "windbg 7 type:Access Violation message:app.exe caused an Access Violation at location 0496132 in module app.exe "
     "Reading from location 0. crashed\n"
     "- m:app.exe absolute:0x496132 f:add at:C:\\my src\\a.c:331 not-needed\n"
     "- m:KERNEL32.DLL absolute:0x7ffaa3037034 f:Thunk+20 not-needed\n"
     "- m:ntdll.dll absolute:0x7ffaa3037099 unknown-image\n"},
    {"no title", "rows alone; only the address that is returned to",
     "000000bc`aeaaa440 00007ff8`c045e70d : 00010000`80000000 00010000`ffffffff : app!f+0x7f\n"
     "RetAddr           : Args to Child : Call Site\n00007ff8`c045e70d : 00010000`80000000 : app!g+0x7\n",

     "windbg 1\n"
     "- m:app f:f+127 not-needed sp:0xbcaeaaa440 ret:0x7ff8c045e70d\n"
     "windbg 3\n"
     "- m:app f:g+7 not-needed ret:0x7ff8c045e70d\n"},
    {"threads", "of ~*k: their ids and names, and which one has the exception",
     "   0  Id: 1a2c.2b30 Suspend: 1 Teb: 000000b2`1c6d1000 Unfrozen\n # Child-SP          RetAddr       Call Site\n"
     "00 000000b2`1c8ff6c8 00007ffb`2b0a5a5d     ntdll!f+0x14\n\n"
     "#  1  Id: 1a2c.2b34 Suspend: 1 Teb: 000000b2`1c6d3000 Unfrozen \"my worker\"\n # Child-SP  RetAddr  Call Site\n"
     "00 000000b2`1cbff6c8 00007ffb`2b0a5a5d     app!work+0x14\n01 000000b2`1cbff7a0 00000000`00000000     app!g+0x2\n"
     ".  2  Id: 1a2c.2b35 Suspend: 1 Teb: 1 Unfrozen\nChildEBP RetAddr\n0015fce4 010e1415 app!h+0x1\n",

     "windbg 3 thread:2b30\n"
     "#0 m:ntdll f:f+20 not-needed sp:0xb21c8ff6c8 ret:0x7ffb2b0a5a5d\n"
     "windbg 7 thread:2b34 named:my worker crashed\n"
     "#0 m:app f:work+20 not-needed sp:0xb21cbff6c8 ret:0x7ffb2b0a5a5d\n"
     "#1 m:app f:g+2 not-needed sp:0xb21cbff7a0\n"
     "windbg 11 thread:2b35\n"
     "- m:app f:h+1 not-needed sp:0x15fce4 ret:0x10e1415\n"},
    {"kf and kc", "the bytes of a frame; a call site alone counts below its title",
     " #   Memory  Child-SP          RetAddr               Call Site\n"
     "00           000000b2`1c8ff6c8 00007ffb`2b0a5a5d     app!f+0x14\n"
     "01         8 000000b2`1c8ff6d0 00007ff7`5a3c10d3     app!g+0x8e\n\n # Call Site\n00 app!f\n01 app!g::h\n"
     "02 see app!g\n03 app\n\n\n\n\n04 app!f\n",

     "windbg 2\n"
     "#0 m:app f:f+20 not-needed sp:0xb21c8ff6c8 ret:0x7ffb2b0a5a5d\n"
     "#1 m:app f:g+142 not-needed sp:0xb21c8ff6d0 ret:0x7ff75a3c10d3\n"
     "windbg 6\n"
     "#0 m:app f:f not-needed\n"
     "#1 m:app f:g::h not-needed\n"},
    {"sos", "clrstack: frames of the runtime, of machine code, without names",
     "OS Thread Id: 0x18a (0)\n        Child SP               IP Call Site\n"
     "00007FFCF0E7D5E0 00007f1024cfc36c [InlinedCallFrame: 00007ffcf0e7d5e0] Interop+Sys.Read(Byte*, Int32)\n"
     "00007FFCF0E7D660 00007F0FAABF3564 A.Reader.Read(Boolean ByRef) [/_/my src/Reader.cs @ 442]\n"
     "0000700003025020 0000000123DAEF4D\n0000700003025CF0                  [DebuggerFrame: 0000700003025cf0]\n"
     "0000700003024AE0 000000010A3D6AD3 libcoreclr.dylib!RtlRestoreContext + 60\n"
     "0000000000000000 0000000000000000 <unknown>\n> pe\n\n\n0000000000000000 0000000000000000 F.g()\n",

     "sos 3 thread:0x18a\n"
     "- absolute:0x7f1024cfc36c f:Interop+Sys.Read(Byte*, Int32) not-needed kind:other sp:0x7ffcf0e7d5e0\n"
     "- absolute:0x7f0faabf3564 f:A.Reader.Read(Boolean ByRef) at:/_/my src/Reader.cs:442 not-needed kind:other"
     " sp:0x7ffcf0e7d660\n"
     "- absolute:0x123daef4d unknown-image sp:0x700003025020\n"
     "- f:DebuggerFrame not-needed kind:other sp:0x700003025cf0\n"
     "- m:libcoreclr.dylib absolute:0x10a3d6ad3 f:RtlRestoreContext+60 not-needed sp:0x700003024ae0\n"
     "- absolute:0x0 unknown-image\n"},
    {"sos, an exception", "pe: type and message above",
     "Exception object: 00007f5ec808ce00\nException type:   System.IO.FileNotFoundException\nMessage:          No "
     "file.\n"
     "InnerException:   <none>\nStackTrace (generated):\n    SP               IP               Function\n"
     "    00007F5E9D7F27D0 00007F5EEE0749AD Shop.dll!Shop.Cart.Load(System.String)+0x3c\n"
     "    00007F5E9D7F2800 00007F5EEDCB12AC app!A.B(IntPtr, C)+0x5c\n\nStackTraceString: <none>\n",

     "sos 7 type:System.IO.FileNotFoundException message:No file.\n"
     "- m:Shop.dll absolute:0x7f5eee0749ad f:Shop.Cart.Load(System.String)+60 not-needed sp:0x7f5e9d7f27d0\n"
     "- m:app absolute:0x7f5eedcb12ac f:A.B(IntPtr, C)+92 not-needed sp:0x7f5e9d7f2800\n"},
    {"near misses", "memory, disassembly, logs",
     "00fd13de a100000000      mov     eax,dword ptr ds:[00000000h]\n002df7e4 00fd1423 00fd1078\ndeadbeef cafebabe is "
     "it!\n"
     "20261121 hello!world\n",
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
    return cmocka_run_group_tests_name("formats windbg", tests, NULL, NULL);
}
