#include "tests/formats/other/other_help.h"

static const struct text_case texts[] = {
    {"Called from", "columns, code of C, no function",
     "Uncaught exception: Null access\nCalled from shop.Cart.add (shop/Cart.hx line 12)\n"
     "Called from shop.$Cart.<anonymous function> (shop/Cart.hx line 13 column 5)\nCalled from a C function\n"
     "Called from Main.hx line 7\n",
     "haxe line:2 lines:4 type:Uncaught exception message:Null access\n  f:shop.Cart.add at:shop/Cart.hx l:12\n"
     "  f:shop.$Cart.<anonymous function> at:shop/Cart.hx l:13 col:5\n  f:a C function\n  at:Main.hx l:7\n"},
    {"windows of games", "positions without a function; another stack above",
     "Uncaught exception No cart\nCalled from f (Main.hx line 3)\n\n\n\n\n\n\n\n\n\n\nstates/PlayState.hx (line 826)\n"
     "flixel/FlxGame.hx (line 642)\n\nUncaught Error: Null Object Reference\n",
     "haxe line:2 type:Uncaught exception message:No cart\n  f:f at:Main.hx l:3\n"
     "haxe line:13 lines:2\n  at:states/PlayState.hx l:826\n  at:flixel/FlxGame.hx l:642\n"},
    {"near misses", "prose and messages of the compiler",
     "Called from a C function\nCalled from home (Main.hx)\nsee Main.hx (line 12)\nMain.hx (line x)\n"
     "Main.hx:3: characters 5-8 : Unknown identifier\nthe call in Main.hx line 12\nCalled from f (Main.hx line 12\n",
     ""},
};

OTHER_TESTS("formats haxe", texts)
