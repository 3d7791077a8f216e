/* Demangles Rust's v0 symbol names (RFC 2603): "_RNvC3foo3bar" becomes "foo::bar". */
#ifndef FM_RESOLVE_DEMANGLE_RUST_V0_H
#define FM_RESOLVE_DEMANGLE_RUST_V0_H

#include "core/heap.h"

/* Demangles a v0 name, which must be passed without the suffixes that linkers add (".llvm.1"). *out: the text, in the
 * arena, as LLVM's tools print it. false: the name is not a v0 name, its nesting or size exceeds the limits, or there
 * is no memory. */
bool fm_rust_v0(framemap_str name, struct fm_arena *arena, framemap_str *out);

#endif
