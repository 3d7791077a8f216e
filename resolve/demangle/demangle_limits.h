/* Runs demanglers, which trust their input, so that hostile names cannot do harm. Called by demangle.c.
 *
 * Two demanglers of other projects are linked in: LLVM's (from libc++abi) and GNU's (from libiberty). Neither limits
 * its output, and a name of 100 bytes can expand to terabytes. LLVM's also aborts when memory is short, and recurses as
 * deep as the name is nested. cmake/FramemapDemangler.cmake makes the demanglers call the fm_vendor_ functions of
 * demangle_limits.c instead of the functions that allocate and abort. The fm_vendor_ functions allocate from the arena,
 * count the bytes, and end the demangler by longjmp when it exceeds a limit. */
#ifndef FM_RESOLVE_DEMANGLE_DEMANGLE_LIMITS_H
#define FM_RESOLVE_DEMANGLE_DEMANGLE_LIMITS_H

#include "core/heap.h"

/* Runs one demangler on `name`. Returns the text, or NULL if the name is not mangled in the demangler's scheme. The
 * call may not return at all: when a limit is exceeded, an fm_vendor_ function jumps (longjmp) to
 * fm_demangle_guarded. */
typedef const char *fm_demangler(const char *name, int options);

enum fm_demangled {
    FM_DEMANGLED,
    FM_DEMANGLE_NOT_MINE, /* the symbol is not mangled in this demangler's scheme; another demangler may read it */
    FM_DEMANGLE_GAVE_UP   /* a limit was exceeded, or memory is short */
};
/* Runs a demangler on `name`, which has at most FM_LIMIT_DEMANGLE bytes. *out: the text, in the arena; written for
 * FM_DEMANGLED only. */
enum fm_demangled fm_demangle_guarded(fm_demangler *run, framemap_str name, int options, struct fm_arena *arena,
                                      framemap_str *out);

/* Appends a piece to the text of the running call. Demanglers that return their text in pieces call this.
 */
void fm_demangle_collect(const char *text, size_t size, void *unused);
const char *fm_demangle_collected(void);

/* These functions are the demanglers. options: DMGL_… for GNU's demanglers; LLVM's ignores them. */
const char *fm_demangle_llvm_cxx(const char *name, int options);
const char *fm_demangle_gnu_cxx(const char *name, int options);
const char *fm_demangle_rust_legacy(const char *name, int options);

#endif
