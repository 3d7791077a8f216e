#include "tests/formats/other/other_help.h"

static const struct text_case texts[] = {
    {"error", "the message is above the repeated row",
     "ERROR in\naction number 1\nof  Step Event0\nfor object obj_player:\n\nVariable obj_player.hp(1, -2) not set.\n"
     " at gml_Object_obj_player_Step_0 (line 12) -        if (hp < 0)\n"
     "############################################################\ngml_Object_obj_player_Step_0 (line 12)\n"
     "gml_Script_anon@12@scr_hit (line -1)\n",
     "gamemaker line:7 lines:4 message:Variable obj_player.hp(1, -2) not set.\n"
     "  f:gml_Object_obj_player_Step_0 l:12\n  f:gml_Script_anon@12@scr_hit\n"},
    {"two errors, and the new runtime", "the repeated row begins a stack, and has the number that may be missing above",
     "no a\n at gml_Object_a_Create_0\n####\nstack frame is\ngml_Object_a_Create_0 (line 3)\n"
     "no b\n at gml_Object_b_Create_0\n####\ngml_Object_b_Create_0 (line 4)\n\n\n\n\n\n\n\n\n\n\n+++ Begin stack "
     "trace:\n"
     "C:\\my game\\Object1\\Step_0.gml (12): game__Object1__Step_0\n",
     "gamemaker line:2 lines:4 message:no a\n  f:gml_Object_a_Create_0 l:3\n"
     "gamemaker line:7 lines:3 message:no b\n  f:gml_Object_b_Create_0 l:4\n"
     "gamemaker line:21\n  f:game__Object1__Step_0 at:C:\\my game\\Object1\\Step_0.gml l:12\n"},
    {"older versions", "rows have the code of their line; recursion",
     "no a\n at gml_Script_a (line 3) -     if (a.b)\n####\n----\nstack frame is\ngml_Script_a (line 3)\n"
     "called from - gml_Script_a (line 3) -     a();\ncalled from - gml_Object_b_Step_0 (line 8) - a();\n",
     "gamemaker line:2 lines:7 message:no a\n  f:gml_Script_a l:3\n  f:gml_Script_a l:3\n"
     "  f:gml_Object_b_Step_0 l:8\n"},
    {"without the list of frames", "the line with the error is the only frame",
     "no a\n at gml_Object_a_Alarm_1 (line 7) - x = a.b;\n####\n\nnext\n",
     "gamemaker line:2 message:no a\n  f:gml_Object_a_Alarm_1 l:7\n"},
    {"without the line with the error", "the message is above the separators",
     "index out of bounds\n####\n----\ncalled from - gml_Object_a_Step_0 (line 9)\n",
     "gamemaker line:4 message:index out of bounds\n  f:gml_Object_a_Step_0 l:9\n"},
    {"compiled to native code", "rows without a line",
     "no a\nat gml_Script_a\n####\n----\nstack frame is\ngml_Script_a (line 0)\ngml_Script_b\n"
     "gml_Object_c_Create_0\n",
     "gamemaker line:2 lines:7 message:no a\n  f:gml_Script_a\n  f:gml_Script_b\n  f:gml_Object_c_Create_0\n"},
    {"new runtime", "the error is above the title of the stack",
     "Unhandled exception: Error: no a\n\nStack trace:\nC:\\a\\Step_0.gml (1): a__Step_0\n",
     "gamemaker line:4 message:Error: no a\n  f:a__Step_0 at:C:\\a\\Step_0.gml l:1\n"},
    {"near misses", "names without a line, prose",
     "gml_Object_a_Create_0\ngml_Object a (line 3)\ncall gml_Script_a (line 3)\nStep_0.gml (12)\nStep_0.gml (x): f\n"
     "Step_0.gml (12): no such file\nStep_0.gml (12): warning\ngml_Script_a (line x)\nat gml_Script a\ncalled from - a "
     "(line 3)\n"
     "gml_Script_a (line 3) twice\n",
     ""},
};

OTHER_TESTS("formats gamemaker", texts)
