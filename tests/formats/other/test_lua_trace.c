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
    {"without debug info", "scripts that were compiled for an app; functions of C without a name",
     "Runtime error\n?:0: attempt to index a nil value\nstack traceback:\n\t[C]: ?\n\t?: in function 'load'\n"
     "\t(tail call): ?\n\t?: in function <?:215>\n\t?:-1: in main chunk\n\t[C]: at 0x1234\n\t[C]: at home\n",
     "lua line:4 lines:6 message:?:0: attempt to index a nil value\n  f:?\n  f:load\n  elided\n  f:<?:215>\n"
     "  f:main chunk\n  a:4660\n"},
    {"Defold", "functions of C have a line",
     "ERROR:SCRIPT: main/a.script:12: no cart\nstack traceback:\n\tmain/a.script:12: in function <main/a.script:10>\n"
     "\t[C]:-1: in function 'pcall'\n\t[C]:-2: in function 'x'\n",
     "lua line:3 lines:2 message:ERROR:SCRIPT: main/a.script:12: no cart\n"
     "  f:<main/a.script:10> at:main/a.script l:12\n  f:pcall\n"},
    {"Roblox", "two stacks; the form of older versions; rows below the end",
     "Workspace.Part.Script:12: attempt to index nil with 'Name'\nStack Begin\n"
     "Script 'Workspace.My Part.Script', Line 12 - function onTouched\n"
     "Script '[string \"Utilities/Drawing\"]' , Line 1386 - local f\nScript 'Workspace.Part.Script', Line 20\nStack "
     "End\n"
     "ServerScriptService.B:3: no cart\nStack Begin\nScript 'ServerScriptService.B', Line 3\nStack End\n"
     "Script 'a', Line x\nScript '', Line 3\nthe Script 'a', Line 3\nScript 'a', Line 3 is bad\n",
     "lua line:3 lines:3 message:Workspace.Part.Script:12: attempt to index nil with 'Name'\n"
     "  f:onTouched at:Workspace.My Part.Script l:12\n  f:f at:[string \"Utilities/Drawing\"] l:1386\n"
     "  at:Workspace.Part.Script l:20\nlua line:9 message:ServerScriptService.B:3: no cart\n"
     "  at:ServerScriptService.B l:3\n"},
    {"Roblox Studio", "the clock and the source of each line; the form of older versions",
     "  12:41:51.797  Speed  -  is read only  -  Client - Cart:59\n  12:41:51.797  Stack Begin  -  Studio\n"
     "  12:41:51.797  Script 'Players.me.Cart', Line 59 - function add  -  Studio - Cart:59\n"
     "  12:41:51.798  Script 'Players.me.Cart', Line 71  -  Studio - Cart:71\n  12:41:51.798  Stack End  -  Studio\n"
     "21:21:39.043 - Cart:5: no cart\n21:21:39.044 - Stack Begin\n21:21:39.044 - Script 'Cart', Line 5 - global f\n"
     "21:21:39.045 - Stack End\n21:21:39.045 - Script 'Cart', Line x\n",
     "lua line:3 lines:2 message:Speed  -  is read only\n  f:add at:Players.me.Cart l:59\n  at:Players.me.Cart l:71\n"
     "lua line:8 message:Cart:5: no cart\n  f:f at:Cart l:5\n"},
    {"nginx", "its errors name coroutines; the last row has the request; a row may have no line",
     "2019/03/07 14:12:28 [error] 5#0: *5 lua entry thread aborted: runtime error: /l/a.lua:7: no cart\n\n"
     "stack traceback:\n\ncoroutine 0:\n\t...l/b.lua: in function 'load'\n\t/l/a.lua:7: in function </l/a.lua:1>\n"
     "\tcontent_by_lua(nginx.conf:16):4: in function <content_by_lua(nginx.conf:16):1>, client: 10.0.0.1, server: 'x'\n"
     "\tlog_by_lua(nginx.conf:20):2: in main chunk while logging request, client: 10.0.0.1, server: x\n"
     "coroutine 1:\n\t/l/a.lua:9: in function 'f', context: ngx.timer\n",
     "lua line:6 lines:4 message:/l/a.lua:7: no cart\n  f:load at:...l/b.lua\n  f:</l/a.lua:1> at:/l/a.lua l:7\n"
     "  f:<content_by_lua(nginx.conf:16):1> at:content_by_lua(nginx.conf:16) l:4\n"
     "  f:main chunk at:log_by_lua(nginx.conf:20) l:2\n"
     "lua line:11\n  f:f at:/l/a.lua l:9\n"},
    {"near misses", "rows without the title",
     "cart.lua:12: in upvalue 'load'\n"
     "\t[C]: in ?\n"
     "stack traceback:\n"
     "x\n",
     ""},
};

OTHER_TESTS("formats lua", texts)
