#include "tests/formats/other/other_help.h"

static const struct text_case texts[] = {
    {"functions", "since OCaml 4.11; inlined functions, several lines",
     "Fatal error: exception Failure(\"no cart\")\n"
     "Raised at Stdlib.failwith in file \"stdlib.ml\", line 29, characters 17-33\n"
     "Called from Shop__Cart.add.(fun) in file \"src/cart.ml\" (inlined), line 12, characters 4-9\n"
     "Re-raised at Shop__Cart.load in file \"src/cart.ml\", lines 20-23, characters 2-5\n"
     "Called from unknown location\n"
     "Called from Dune__exe__Main in file \"bin/main.ml\", line 3, characters 0-12\n",
     "ocaml line:2 lines:5 type:Failure message:(\"no cart\")\n"
     "  f:Stdlib.failwith at:stdlib.ml l:29 col:18\n"
     "  f:Shop__Cart.add.(fun) at:src/cart.ml l:12 col:5 inlined\n"
     "  f:Shop__Cart.load at:src/cart.ml l:20 col:3\n"
     "  elided\n"
     "  f:Dune__exe__Main at:bin/main.ml l:3 col:1\n"},
    {"positions", "before OCaml 4.11; primitives; each stack begins with what raised it",
     "moc: Fatal error: exception (Sys_error \"a.mo: No such file\")\n"
     "Raised by primitive operation at file \"stdlib.ml\", line 398, characters 28-54\n"
     "Called from file \"stdlib.ml\" (inlined), line 403, characters 2-45\n"
     "Fatal error: exception Cart.Empty_list\n"
     "Raised by primitive operation at Cart.f in file \"cart.ml\", line 4, characters 8-9\n"
     "Called from file \"cart.ml\", line 6, characters 8-9\n",
     "ocaml line:2 lines:2 message:(Sys_error \"a.mo: No such file\")\n"
     "  at:stdlib.ml l:398 col:29\n"
     "  at:stdlib.ml l:403 col:3 inlined\n"
     "ocaml line:5 lines:2 type:Cart.Empty_list\n"
     "  f:Cart.f at:cart.ml l:4 col:9\n"
     "  at:cart.ml l:6 col:9\n"},
    {"other exceptions", "a thread, an assertion, the toplevel; a row alone, after a logger's prefix",
     "Thread 3 killed on uncaught exception Not_found\n"
     "Raised at Stdlib__List.assoc in file \"list.ml\", line 172, characters 10-25\n\n"
     "Fatal error: exception File \"src/cart.ml\", line 103, characters 34-40: Assertion failed\n"
     "Raised at Cart.f in file \"src/cart.ml\", line 103, characters 34-46\n\n"
     "Exception: Failure \"int_of_string\".\n"
     "Raised by primitive operation at Cart.g in file \"cart.ml\", line 1, characters 2-3\n\n\n\n\n\n\n\n\n\n"
     "2023-09-18 15:21:21 [ERROR] Called from Cart.h in file \"cart.ml\", line 1, characters 2-3\n",
     "ocaml line:2 type:Not_found\n"
     "  f:Stdlib__List.assoc at:list.ml l:172 col:11\n"
     "ocaml line:5 message:File \"src/cart.ml\", line 103, characters 34-40: Assertion failed\n"
     "  f:Cart.f at:src/cart.ml l:103 col:35\n"
     "ocaml line:8 type:Failure message:\"int_of_string\".\n"
     "  f:Cart.g at:cart.ml l:1 col:3\n"
     "ocaml line:18\n"
     "  f:Cart.h at:cart.ml l:1 col:3\n"},
    {"S-expressions", "as programs with Core print them",
     " ((exn (Failure x))\n"
     "  (backtrace\n"
     "   (\"Raised at Stdlib.failwith in file \\\"stdlib.ml\\\", line 29, characters 17-33\"\n"
     "    \"Called from Cart.add in file \\\"cart.ml\\\" (inlined), line 12, characters 4-9\")))\n\n\n\n\n\n\n\n\n\n"
     "(backtrace (\"Raised at file \\\"cart.ml\\\", line 3, characters 2-5\"))\n",
     "ocaml line:3 lines:2\n"
     "  f:Stdlib.failwith at:stdlib.ml l:29 col:18\n"
     "  f:Cart.add at:cart.ml l:12 col:5 inlined\n"
     "ocaml line:14\n"
     "  at:cart.ml l:3 col:3\n"},
    {"near misses", "messages of the compiler, other text",
     "File \"cart.ml\", line 3, characters 2-5:\n"
     "Error: This expression has type int\n"
     "Called from the shop in line 3, characters 2-5\n"
     "Called from unknown location\n"
     "Raised at Cart.f in file \"cart.ml\", line x, characters 2-5\n"
     "Raised at 12:00\n",
     ""},
};

OTHER_TESTS("formats ocaml", texts)
