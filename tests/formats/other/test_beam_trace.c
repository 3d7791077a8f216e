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
    {"arguments", "which no clause of the function takes, instead of their number; of a call with quotes too",
     "** (FunctionClauseError) no function clause matching in Cart.load/2\n"
     "    (shop 0.1.0) lib/cart.ex:12: Cart.load({:a, [{1, 2}]}, %{b: \"c/1\"})\n"
     "    (elixir 1.15.0) Enum.map!(nil)\n"
     "    (stdlib 3.17) lists.erl:1267: :lists.foldl/3\n",
     "beam line:2 lines:3 type:FunctionClauseError message:no function clause matching in Cart.load/2\n"
     "  m:shop f:Cart.load at:lib/cart.ex l:12\n"
     "  m:elixir f:Enum.map!\n"
     "  m:stdlib f::lists.foldl/3 at:lists.erl l:1267\n"},
    {"arguments with escapes", "they end no line; in JSON, the whole string is divided",
     "** (FunctionClauseError) none\n    (shop) lib/cart.ex:12: Cart.load({:a, \"b\\n c\\n\"}, \"\\n\")\n"
     "    (stdlib) lists.erl:1: :lists.foldl/3\n"
     "{\"m\":\"** (Fault) x\\n    lib/cart.ex:12: Cart.load(\\\"a\\\")\\n    lib/cart.ex:13: Cart.run/1\\n\"}\n",
     "beam line:2 lines:2 type:FunctionClauseError message:none\n  m:shop f:Cart.load at:lib/cart.ex l:12\n"
     "  m:stdlib f::lists.foldl/3 at:lists.erl l:1\n"
     "beam line:4 type:Fault message:x\n  f:Cart.load at:lib/cart.ex l:12\n  f:Cart.run/1 at:lib/cart.ex l:13\n"},
    {"an anonymous function's arguments", "and arguments whose end a logger cut off",
     "** (FunctionClauseError) no function clause matching\n"
     "    (shop 0.1.0) lib/cart.ex:12: anonymous fn(%{\"a\" => 2}) in Cart.load/2\n"
     "    (shop 0.1.0) src/cart.erl:147: :cart.end(:shutdown, {:state, \"a\n    lib/cart.ex:12: Cart.x(y) is gone\n",
     "beam line:2 lines:2 type:FunctionClauseError message:no function clause matching\n"
     "  m:shop f:anonymous fn(%{\"a\" => 2}) in Cart.load/2 at:lib/cart.ex l:12\n"
     "  m:shop f::cart.end at:src/cart.erl l:147\n"},
    {"a report of a crash", "its exception has no stars, and is indented with the rest",
     "=CRASH REPORT==== 10-May-2017::14:16:44 ===\n"
     "  crasher:\n"
     "    exception exit: crashed\n"
     "      in function  cart:load/1 (src/cart.erl, line 3)\n"
     "      in call from gen_server:try_handle_call/4 (gen_server.erl, line 629)\n",
     "beam line:4 lines:2 type:exception exit message:crashed\n"
     "  f:cart:load/1 at:src/cart.erl l:3\n"
     "  f:gen_server:try_handle_call/4 at:gen_server.erl l:629\n"},
    {"a report of a crash with arguments", "lines of them are between the exception and the rows",
     "  crasher:\n    exception error: no function clause matching \n                     cart:handle_call(foo,\n"
     "                                      {<0.9.0>,\n                                       [alias|#Ref<0.1.2.3>]},\n"
     "                                      state) (src/cart.erl, line 30)\n"
     "      in function  gen_server:try_handle_call/4 (gen_server.erl, line 1131)\n",
     "beam line:7 type:exception error message:no function clause matching\n"
     "  f:gen_server:try_handle_call/4 at:gen_server.erl l:1131\n"},
    {"terms", "a report of a server; a wide term is wrapped",
     "** Reason for termination ==\n"
     "** {no_cart,\n"
     "       [{cart,load,3,\n"
     "            [{file,\"src/cart.erl\"},{line,89}]},\n"
     "        {gen_server,try_handle_call,4,[{file,\"gen_server.erl\"},{line,629}]},\n"
     "        {proc_lib,init_p_do_apply,3,[{file,\"proc_lib.erl\"},{line,240}]}]}\n",
     "beam line:4 lines:3 type:no_cart message:no_cart\n"
     "  c:cart f:load at:src/cart.erl l:89\n"
     "  c:gen_server f:try_handle_call at:gen_server.erl l:629\n"
     "  c:proc_lib f:init_p_do_apply at:proc_lib.erl l:240\n"},
    {"terms of one line", "a reason with its value, arguments, a module of Elixir; another list begins another stack",
     "x {{badmatch,{error,a}},[{cart,load,[[1],\"]\"],[{file,\"src/cart.erl\"},{line,8}]},"
     "{'Elixir.Shop',run,0,[{file,\"lib/shop.ex\"},{line,9}]},{erlang,apply,2,[]}]} y "
     "{undef,[{cart,gone,0,[{file,\"src/cart.erl\"},{line,7}]}]}\n",
     "beam line:1 type:badmatch message:{badmatch,{error,a}}\n"
     "  c:cart f:load at:src/cart.erl l:8\n"
     "  c:Elixir.Shop f:run at:lib/shop.ex l:9\n"
     "beam line:1 type:undef message:undef\n"
     "  c:cart f:gone at:src/cart.erl l:7\n"},
    {"no terms", "other files, other tuples, a line that is no number",
     "[{cart,load,3,[{file,\"a.txt\"},{line,8}]}]\n{cart,load,[{file,\"a.erl\"},{line,8}]}\n"
     "[{file,\"a.erl\"},{line,8}]},\n{cart,load,3,[{file,\"a.erl\"},{line,x}]}\n",
     ""},
    {"near misses", "compilers, emphasis",
     "** (bold) text\n"
     "lib/cart.ex:12: warning: unused\n"
     "lib/cart.ex:12: unexpected token (a.b)\n"
     "in function foo\n",
     ""},
};

OTHER_TESTS("formats beam", texts)
