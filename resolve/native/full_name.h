/* Whole names of functions that debug info names without their scopes and parameters. */
#ifndef FM_RESOLVE_NATIVE_FULL_NAME_H
#define FM_RESOLVE_NATIVE_FULL_NAME_H

#include "core/heap.h"
#include <framemap/index.h>

/* What the symbol table calls a function, for people: the demangled symbol without the marks that compilers add to
 * parts and copies of a function (".cold",
 * ".part.0", ".isra.0"). false: the symbol is not mangled, or it is that of a function whose own name is not `name`.
 * "hidden", "_ZN4demoL6hiddenEi.cold": "demo::hidden(int)". */
bool fm_whole_name(framemap_str name, framemap_str symbol, framemap_demangle style, struct fm_arena *arena,
                   framemap_str *out);

/* Whether the function of a demangled name has this own name: "demo::Box<int>::get(int) const" is called "get" by debug
 * info. */
bool fm_is_called(framemap_str demangled, framemap_str name);

/* Whether a name stands for one that was taken out: "__hidden#81_", which Apple's tools write into bitcode, and so into
 * the dSYM that is made of it. */
bool fm_is_placeholder(framemap_str name);

#endif
