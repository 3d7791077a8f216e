/* Rust's symbol names of its own scheme (RFC 2603, "v0"): "_RNvC3foo3bar" to "foo::bar". */
#ifndef FM_RESOLVE_DEMANGLE_RUST_V0_H
#define FM_RESOLVE_DEMANGLE_RUST_V0_H

#include "core/heap.h"

/* name: without what linkers hang on it (".llvm.1"). The text, in the arena, is that of LLVM's tools. false: no such
 * name, one that nests or grows beyond the limits, or no memory. */
bool fm_rust_v0(framemap_str name, struct fm_arena *arena, framemap_str *out);

#endif
