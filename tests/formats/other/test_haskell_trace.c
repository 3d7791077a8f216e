#include "tests/formats/other/other_help.h"

static const struct text_case texts[] = {
    {"call stack", "each row is where a function was called",
     "app: no cart\n"
     "CallStack (from HasCallStack):\n"
     "  error, called at src/Cart.hs:12:5 in shop-0.1-inplace:Shop.Cart\n"
     "  load, called at app/Main.hs:3:8 in main:Main\n",
     "haskell line:3 lines:2\n"
     "  m:shop-0.1-inplace:Shop.Cart f:error at:src/Cart.hs l:12 col:5\n"
     "  m:main:Main f:load at:app/Main.hs l:3 col:8\n"},
    {"near misses", "prose",
     "he was late, called at noon in town\n"
     "CallStack (from HasCallStack):\n",
     ""},
};

OTHER_TESTS("formats haskell", texts)
