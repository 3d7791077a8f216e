#include "tests/formats/other/other_help.h"

static const struct text_case texts[] = {
    {"Called from", "columns, code of C, no function",
     "Uncaught exception: Null access\nCalled from shop.Cart.add (shop/Cart.hx line 12)\n"
     "Called from shop.$Cart.<anonymous function> (shop/Cart.hx line 13 column 5)\nCalled from a C function\n"
     "Called from Main.hx line 7\n",
     "haxe line:2 lines:4 message:Null access\n  f:shop.Cart.add at:shop/Cart.hx l:12\n"
     "  f:shop.$Cart.<anonymous function> at:shop/Cart.hx l:13 col:5\n  f:a C function\n  at:Main.hx l:7\n"},
    {"windows of games", "positions without a function; another stack above; the exception is below",
     "Uncaught exception No cart\nCalled from f (Main.hx line 3)\n\n\n\n\n\n\n\n\n\n\nstates/PlayState.hx (Line 826)\n"
     "flixel/FlxGame.hx (line 642)\n\nUncaught Error: Null Object Reference\n",
     "haxe line:2 message:No cart\n  f:f at:Main.hx l:3\n"
     "haxe line:13 lines:4 message:Null Object Reference\n  at:states/PlayState.hx l:826\n  at:flixel/FlxGame.hx "
     "l:642\n"},
    {"HashLink", "positions with a colon",
     "Uncaught exception: Null access\nCalled from @0x40622200\n"
     "Called from shop.$Cart.add(C:\\my haxe\\shop/Cart.hx:12)\nCalled from fun$335(?:1)\n",
     "haxe line:3 lines:2 message:Null access\n  f:shop.$Cart.add at:C:\\my haxe\\shop/Cart.hx l:12\n  f:fun$335\n"},
    {"Neko", "the innermost frame is last, and the exception below it",
     "Called from Main.hx line 7\nCalled from a C function\nCalled from shop/Cart.hx line 12\n"
     "Uncaught exception - Invalid field access : hp\n",
     "haxe line:1 lines:4 message:Invalid field access : hp outermost first\n  at:Main.hx l:7\n"
     "  f:a C function\n  at:shop/Cart.hx l:12\n"},
    {"interpreter", "the first row has the exception",
     "shop/Cart.hx:12: characters 3-8 : Uncaught exception Null access\n"
     "Main.hx:7: characters 3-13 : Called from here\nMain.hx:9: characters 3-13 : Uncaught exception No cart\n",
     "haxe line:1 lines:2 message:Null access\n  at:shop/Cart.hx l:12 col:3\n  at:Main.hx l:7 col:3\n"
     "haxe line:3 message:No cart\n  at:Main.hx l:9 col:3\n"},
    {"near misses", "prose and messages of the compiler",
     "Called from a C function\nCalled from home (Main.hx)\nsee Main.hx (line 12)\nMain.hx (line x)\n"
     "Main.hx:3: characters 5-8 : Unknown identifier\nMain.hx:62: loading, 0\nCalled from home(Main.hx)\n"
     "Called from home (Main.hx:3)\nUncaught exception - x\nMain.hx (lines 12)\n"
     "the call in Main.hx line 12\nCalled from f (Main.hx line 12\n",
     ""},
};

OTHER_TESTS("formats haxe", texts)
