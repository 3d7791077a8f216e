#include "tests/formats/other/other_help.h"

static const struct text_case texts[] = {
    {"Wasmtime",
     "modules, where rows without a position are to be looked up, and the trap as the next cause of the error or above "
     "the title",
     "Error: failed to run main module `a.wasm`\n\nCaused by:\n    0: failed to invoke command default\n"
     "    1: error while executing at wasm backtrace:\n           0: 0x6b2e - <unknown>!rust_panic\n"
     "           1:  0x25b - app.wasm!app::main\n                           at /src/main.rs:7:5\n"
     "    2: wasm trap: wasm `unreachable` instruction executed\n"
     "x\nx\nx\nx\nx\nx\nx\nx\nx\n    0: wasm trap: out of bounds\n       wasm backtrace:\n         0:   0x31 - <wasm "
     "function 1>\n",
     "rust line:6 lines:3 type:wasm trap message:wasm `unreachable` instruction executed crashed\n"
     " of another kind i:0 f:rust_panic at:<unknown> l:1 a:27438 needs symbols\n  i:1 m:app.wasm f:app::main "
     "at:/src/main.rs l:7 col:5 a:603\n"
     "rust line:21 type:wasm trap message:out of bounds crashed\n  i:0 f:<wasm function 1> a:49\n"},
    {"Wasmtime, inlined functions",
     "as rows of their own, or after the position of the row above; a module whose name is not that of a file",
     "    1: error while executing at wasm backtrace:\n           0:   0x6d - main.inlined_b\n"
     "                           at /src/main.zig:10:5              - main.inlined_a\n"
     "                           at /src/main.zig:6:5              - main.f\n"
     "                           at /src/main.zig:2:5\n           1:   0x71 - main.f\n"
     "                           at /src/main.zig:3:5\n              - main.g\n"
     "                           at /src/main.zig:2:5\n           2: 0x18dab8 - wit-component:shim!args_get\n"
     "           3:   0x119 - app.wasm!<wasm function 3>\n    2: wasm trap: x\n",
     "rust line:2 lines:10 type:wasm trap message:x crashed\n  i:0 f:main.inlined_b at:/src/main.zig l:10 col:5 a:109\n"
     "  f:main.inlined_a at:/src/main.zig l:6 col:5\n  f:main.f at:/src/main.zig l:2 col:5\n"
     "  i:1 f:main.f at:/src/main.zig l:3 col:5 a:113\n  f:main.g at:/src/main.zig l:2 col:5\n"
     "  i:2 m:wit-component:shim f:args_get a:1628856\n"
     " of another kind i:3 m:app.wasm f:<wasm function 3> at:app.wasm l:1 a:281 needs symbols\n"},
    {"panic", "with a position or without",
     "thread 'main' (77) panicked at src/main.rs:3:5:\nindex out of bounds:\nthe len is 3\nstack backtrace:\n   0: "
     "<usize as core::Index<[T]>>::index\n             at /rustc/5980/library/core/src/index.rs:72:10\n   1: "
     "main::checkout::{{closure}}\n             at C:\\app\\main.rs:2\n      [... omitted 3 frames ...]\n   2: "
     "main::main\nnote: Some details are omitted, run with `RUST_BACKTRACE=full` for a verbose backtrace.\n  3: x\n",
     "rust line:5 lines:6 thread:main type:panic message:index out of bounds:\nthe len is 3 crashed\n  i:0 f:<usize as "
     "core::Index<[T]>>::index at:/rustc/5980/library/core/src/index.rs l:72 col:10\n  i:1 "
     "f:main::checkout::{{closure}} at:C:\\app\\main.rs l:2\n  elided n:3\n  i:2 f:main::main\n"},
    {"full", "addresses, inlined rows, two backtraces; the message in the first line, as it was before 1.73",
     "thread '<unnamed>' panicked at 'it's', src/lib.rs:22:17\nstack backtrace:\n   0:     0x55a7fc02 - std::trace\n   "
     "  "
     "              at /std/trace.rs:117:9\n                   - std::inner\n   1:         0x7f - "
     "<unknown>\n\nstack backtrace:\n   0:     0x1 - a\n   1:     0x2 - b\n   0:     0x3 - c\n",
     "rust line:3 lines:4 thread:<unnamed> type:panic message:it's crashed\n  i:0 f:std::trace at:/std/trace.rs l:117 "
     "col:9 a:1437072386\n  f:std::inner\n  i:1 f:<unknown> a:127\nrust line:9 lines:2\n  i:0 f:a a:1\n  i:1 f:b "
     "a:2\nrust line:11\n  i:0 f:c a:3\n"},
    {"assertion", "a message of several lines that ends before the position",
     "thread 'main' panicked at 'assertion failed: `(left == right)`\n  left: `\"a', b\"`,\n right: `0`', "
     "src/main.rs:118:9\nstack backtrace:\n   0: app::run\n             at ./src/main.rs:3:5\n",
     "rust line:5 lines:2 thread:main type:panic message:assertion failed: `(left == right)`\n  left: `\"a', "
     "b\"`,\n right: `0` crashed\n  i:0 f:app::run at:./src/main.rs l:3 col:5\n"},
    {"error", "of a library, and a paste without a title",
     "Error: could not open\n\nCaused by:\n    no such file\n\nStack backtrace:\n   0: app::open\n   1: "
     "app::main\n-\n-\n-\n-\n-\n-\n-\n-\n-\n   0: a::f\n   1: a::g\n             at ./src/a.rs:9:1\n   2: a::h\n",
     "rust line:7 lines:2\n  i:0 f:app::open\n  i:1 f:app::main\nrust line:18 lines:4\n  i:0 f:a::f\n  i:1 f:a::g "
     "at:./src/a.rs l:9 col:1\n  i:2 f:a::h\n"},
    {"near misses", "lists and compilers",
     "  1: first\n  2: second\nwarning: unused\n  at src/lib.rs:12:5\n  --> src/main.rs:3:5\nthread 'main' panicked at "
     "src/a.rs:1:1:\n   0: zero\n",
     ""},
};

OTHER_TESTS("formats rust", texts)
