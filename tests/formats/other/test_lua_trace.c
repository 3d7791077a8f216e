#include "tests/formats/other/other_help.h"

static const struct text_case texts[] = {
    {"traceback", "functions of C, tail calls, levels left out",
     "lua: cart.lua:12: no cart\n"
     "stack traceback:\n"
     "\t[C]: in function 'error'\n"
     "\tcart.lua:12: in upvalue 'load'\n"
     "\t(...tail calls...)\n"
     "\t...\t(skipping 12 levels)\n"
     "\tcart.lua:20: in function <cart.lua:18>\n"
     "\tcart.lua:30: in main chunk\n"
     "\t[C]: in ?\n",
     "lua line:3 lines:7 message:lua: cart.lua:12: no cart\n"
     "  f:error\n"
     "  f:load at:cart.lua l:12\n"
     "  elided\n"
     "  skipped n:12\n"
     "  f:<cart.lua:18> at:cart.lua l:20\n"
     "  f:main chunk at:cart.lua l:30\n"
     "  f:?\n"},
    {"Defold", "functions of C have a line",
     "ERROR:SCRIPT: main/a.script:12: no cart\nstack traceback:\n\tmain/a.script:12: in function <main/a.script:10>\n"
     "\t[C]:-1: in function 'pcall'\n\t[C]:-2: in function 'x'\n",
     "lua line:3 lines:2 message:ERROR:SCRIPT: main/a.script:12: no cart\n"
     "  f:<main/a.script:10> at:main/a.script l:12\n  f:pcall\n"},
    {"near misses", "rows without the title",
     "cart.lua:12: in upvalue 'load'\n"
     "\t[C]: in ?\n"
     "stack traceback:\n"
     "x\n",
     ""},
};

OTHER_TESTS("formats lua", texts)
