#include "tests/formats/other/other_help.h"

static const struct text_case texts[] = {
    {"error", "the message is above the repeated row",
     "ERROR in\naction number 1\nof  Step Event0\nfor object obj_player:\n\nVariable obj_player.hp(1, -2) not set.\n"
     " at gml_Object_obj_player_Step_0 (line 12) -        if (hp < 0)\n"
     "############################################################\ngml_Object_obj_player_Step_0 (line 12)\n"
     "gml_Script_anon@12@scr_hit (line -1)\n",
     "gamemaker line:9 lines:2 message:Variable obj_player.hp(1, -2) not set.\n"
     "  f:gml_Object_obj_player_Step_0 l:12\n  f:gml_Script_anon@12@scr_hit\n"},
    {"two errors, and the new runtime", "a repeated row begins a stack",
     "no a\n at gml_Object_a_Create_0\n####\nstack frame is\ngml_Object_a_Create_0 (line 3)\n"
     "no b\n at gml_Object_b_Create_0\n####\ngml_Object_b_Create_0 (line 4)\n\n\n\n\n\n\n\n\n\n\n+++ Begin stack "
     "trace:\n"
     "C:\\my game\\Object1\\Step_0.gml (12): game__Object1__Step_0\n",
     "gamemaker line:5 message:no a\n  f:gml_Object_a_Create_0 l:3\n"
     "gamemaker line:9 message:no b\n  f:gml_Object_b_Create_0 l:4\n"
     "gamemaker line:21\n  f:game__Object1__Step_0 at:C:\\my game\\Object1\\Step_0.gml l:12\n"},
    {"near misses", "names without a line, prose",
     "gml_Object_a_Create_0\ngml_Object a (line 3)\ncall gml_Script_a (line 3)\nStep_0.gml (12)\nStep_0.gml (x): f\n"
     "Step_0.gml (12): no such file\ngml_Script_a (line x)\n",
     ""},
};

OTHER_TESTS("formats gamemaker", texts)
