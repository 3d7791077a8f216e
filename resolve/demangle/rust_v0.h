/* Demangles Rust's v0 symbol names (RFC 2603): "_RNvC3foo3bar" becomes "foo::bar". */
#ifndef FM_RESOLVE_DEMANGLE_RUST_V0_H
#define FM_RESOLVE_DEMANGLE_RUST_V0_H

#include "core/heap.h"

/* name: without suffixes added by linkers (".llvm.1"). *out: the text, in the arena, as LLVM's tools print it. false:
 * not a v0 name, nesting or size is over the limits, or no memory. */
bool fm_rust_v0(framemap_str name, struct fm_arena *arena, framemap_str *out);

#endif
