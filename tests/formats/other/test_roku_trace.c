#include "tests/formats/other/other_help.h"

static const struct text_case texts[] = {
    {"crash", "positions on lines of their own, and on the row",
     "'Dot' Operator attempted with invalid component. (runtime error &hec) in pkg:/source/Main.brs(443)\nBacktrace:\n"
     "#2  Function add(n As Integer, m As Object) As Integer\n   file/line: pkg:/source/main.brs(12)\n"
     "#1  Function $anon_1() As Dynamic file/line: pkg:/source/my main.bs:251\n"
     "#0  Function main(args As Dynamic) As Voi$1 file/line: pkg:/source/Main.brs(443)\nLocal Variables:\nn  Integer\n",
     "roku line:3 lines:4 message:'Dot' Operator attempted with invalid component.\n"
     "  i:2 f:add at:pkg:/source/main.brs l:12\n  i:1 f:$anon_1 at:pkg:/source/my main.bs l:251\n"
     "  i:0 f:main at:pkg:/source/Main.brs l:443\n"},
    {"two crashes", "the title begins a stack; the error of a simulator",
     "pkg:/source/a.brs(37,4-10): Type Mismatch.\nBacktrace:\n#0  Function run() As Void\n   file/line: "
     "pkg:/a.brs(37)\n"
     "BRIGHTSCRIPT: x\nNo member. (runtime error &hf4) in pkg:/a.brs(7)\nBacktrace:\n#0  Function main() As Void\n",
     "roku line:3 lines:2 message:Type Mismatch.\n  i:0 f:run at:pkg:/a.brs l:37\n"
     "roku line:8 message:No member.\n  i:0 f:main\n"},
    {"near misses", "titles of issues, a place without a row",
     "Backtrace:\n#12 Function add fails\n#12 Function add() fails As Void\n#3 Function add(a) As it was before\n#1 "
     "Function (x) As Void\n"
     "   file/line: pkg:/a.brs(37)\nFunction add() As Void\n",
     ""},
};

OTHER_TESTS("formats roku", texts)
