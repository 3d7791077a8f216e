/* Demangles symbol names by LLVM's demangler, GNU's, rust_v0.c or swift/. */
#ifndef FM_RESOLVE_DEMANGLE_DEMANGLE_H
#define FM_RESOLVE_DEMANGLE_DEMANGLE_H

#include "core/heap.h"
#include <framemap/index.h>

/* Returns the demangled name in the arena, or `symbol` itself if it is not mangled or cannot be demangled. Hostile
 * names are safe: time, stack and memory are bounded. Suffixes of symbols (".cold", "@@GLIBC_2.2.5") are kept as the
 * tools of each style keep them. */
framemap_str fm_demangle(framemap_str symbol, framemap_demangle style, struct fm_arena *arena);

#endif
