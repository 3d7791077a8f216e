#include "tests/formats/other/other_help.h"

static const struct text_case texts[] = {
    {"log of crashes", "parts of a frame on lines of their own",
     "---\nError: Unhandled Exception\nTime: 2018-10-16T19:38:28Z\nPart-Number: 006-B2700-00\nFirmware-Version: "
     "'5.40'\n"
     "Language-Code: deu\nConnectIQ-Version: 3.0.3\nFilename: 201809~1\nAppname: Sleep\n"
     "Message: 'UnexpectedTypeException: Expected Number'\nStack:\n  - pc: 0x1000276c\n"
     "    File: '/home/me/my source/Cart.mc'\n    Line: 55\n    Function: onTap\n  - pc: 0x30001d0d\n",
     "garmin line:12 lines:5 type:Unhandled Exception message:UnexpectedTypeException: Expected Number\n"
     "  f:onTap at:/home/me/my source/Cart.mc l:55 a:268445548\n  a:805313805\n"},
    {"two crashes, the simulator", "each title begins a stack",
     "Error: Array Out Of Bounds Error\nDetails: \"Could not find symbol 'a'\"\nStack: \n  - pc: 0x10004fdf\n"
     "Error: Unexpected Type Error\nStack: \n  - onUpdate() at C:\\my src\\View.mc:12 0x10000a2b\n",
     "garmin line:4 type:Array Out Of Bounds Error message:Could not find symbol 'a'\n  a:268455903\n"
     "garmin line:7 type:Unexpected Type Error\n  f:onUpdate at:C:\\my src\\View.mc l:12 a:268438059\n"},
    {"near misses", "rows without the title, lists",
     "  - pc: 0x10004fdf\n- item\nStack:\n  - pc: 12\n  - onUpdate() at View.mc:12\n  - f() at home 0x12\n  File: 'a'\n"
     "  Line: 7\n",
     ""},
};

OTHER_TESTS("formats garmin", texts)
