/* Full names, with scopes and parameters, of functions for which debug info has only the unqualified name. Used by
 * function_names.c, and declared here for its tests. */
#ifndef FM_RESOLVE_NATIVE_FUNCTION_NAMES_H
#define FM_RESOLVE_NATIVE_FUNCTION_NAMES_H

#include "core/heap.h"
#include <framemap/index.h>

/* The full name of a function from its symbol: demangled, without the suffixes that compilers add to parts and copies
 * of a function (".cold", ".part.0", ".isra.0"). Example: name "hidden", symbol "_ZN4demoL6hiddenEi.cold" gives
 * "demo::hidden(int)". false: the symbol is not mangled, or belongs to a function with another unqualified name. */
bool fm_whole_name(framemap_str name, framemap_str symbol, framemap_demangle style, struct fm_arena *arena,
                   framemap_str *out);

/* Whether a name is a placeholder such as "__hidden#81_": Apple's tools replace names by these in bitcode, and so in
 * the dSYM that is made from it. */
bool fm_is_placeholder(framemap_str name);

#endif
