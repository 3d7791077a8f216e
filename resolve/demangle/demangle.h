/* Demangles symbol names: one call for all demanglers (LLVM's, GNU's and rust_v0.c). */
#ifndef FM_RESOLVE_DEMANGLE_DEMANGLE_H
#define FM_RESOLVE_DEMANGLE_DEMANGLE_H

#include "core/heap.h"
#include <framemap/index.h>

/* Returns the demangled name in the arena, or `symbol` itself when it is not mangled or cannot be demangled. Never
 * fails on a hostile name: time, stack and memory are bounded. Suffixes of symbols (".cold", "@@GLIBC_2.2.5") are kept
 * as the tools of each style keep them. */
framemap_str fm_demangle(framemap_str symbol, framemap_demangle style, struct fm_arena *arena);

#endif
