/* The wall between names, which anybody can write, and the demanglers, which trust them.
 *
 * Two demanglers of other projects are linked in: LLVM's (from libc++abi) and GNU's (from libiberty). Neither bounds
 * the text that it makes of a name, and a name of 100 bytes can ask for terabytes; LLVM's also aborts when memory is
 * short and recurses as deep as the name says. cmake/FramemapDemangler.cmake takes their object files and renames what
 * they call for memory and for giving up to the fm_vendor_ functions of demangle_limits.c. These serve the call from
 * the arena, count, and leave the demangler by a jump when it asks for too much. */
#ifndef FM_RESOLVE_DEMANGLE_DEMANGLE_LIMITS_H
#define FM_RESOLVE_DEMANGLE_DEMANGLE_LIMITS_H

#include "core/heap.h"

/* Runs one demangler on `name`; gives its text, or NULL for "not a name of mine". May be left by a jump at any call it
 * makes. */
typedef const char *fm_demangler(const char *name, int options);

enum fm_demangled {
    FM_DEMANGLED,
    FM_DEMANGLE_NOT_MINE, /* no name of this demangler's: another may read it */
    FM_DEMANGLE_GAVE_UP   /* asks for too much, or memory is short */
};
/* out: the text, in the arena; written for FM_DEMANGLED only. name: at most FM_LIMIT_DEMANGLE bytes. */
enum fm_demangled fm_demangle_guarded(fm_demangler *run, framemap_str name, int options, struct fm_arena *arena,
                                      framemap_str *out);

/* For the demanglers of demangle_vendor.c that hand out their text in pieces: collects them for the call that runs. */
void fm_demangle_collect(const char *text, size_t size, void *unused);
const char *fm_demangle_collected(void);

/* The demanglers. options: of GNU's: DMGL_…; LLVM's has none. */
const char *fm_demangle_llvm_cxx(const char *name, int options);
const char *fm_demangle_gnu_cxx(const char *name, int options);
const char *fm_demangle_rust_legacy(const char *name, int options);

#endif
