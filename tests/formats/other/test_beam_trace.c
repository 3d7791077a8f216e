#include "tests/formats/other/other_help.h"

static const struct text_case texts[] = {
    {"Elixir", "with applications and without",
     "** (RuntimeError) no cart\n"
     "    (shop 0.1.0) lib/cart.ex:12: Cart.load/1\n"
     "    (stdlib 3.17) lists.erl:1267: :lists.foldl/3\n"
     "    lib/shop.exs:3: anonymous fn/2 in Shop.run/0\n"
     "    (elixir 1.15.0) Enum.map/2\n",
     "beam line:2 lines:4 type:RuntimeError message:no cart\n"
     "  m:shop f:Cart.load/1 at:lib/cart.ex l:12\n"
     "  m:stdlib f::lists.foldl/3 at:lists.erl l:1267\n"
     "  f:anonymous fn/2 in Shop.run/0 at:lib/shop.exs l:3\n"
     "  m:elixir f:Enum.map/2\n"},
    {"Erlang", "what its shell prints",
     "** exception error: bad argument\n"
     "     in function  lists:foo/1 (lists.erl, line 3)\n"
     "        called as lists:foo(1)\n"
     "     in call from shop:run/0 (shop.erl, line 12)\n",
     "beam line:2 lines:3 type:exception error message:bad argument\n"
     "  f:lists:foo/1 at:lists.erl l:3\n"
     "  f:shop:run/0 at:shop.erl l:12\n"},
    {"near misses", "compilers, emphasis",
     "** (bold) text\n"
     "lib/cart.ex:12: warning: unused\n"
     "in function foo\n",
     ""},
};

OTHER_TESTS("formats beam", texts)
