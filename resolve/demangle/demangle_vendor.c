/* The calls into the linked demanglers, by the names that cmake/FramemapDemangler.cmake gave them. A build without them
 * leaves names as they are: rust_v0.c alone, which is framemap's own, still reads those of Rust. */
#include "resolve/demangle/demangle_limits.h"

#ifdef FRAMEMAP_WITH_DEMANGLERS
/* libc++abi: the Itanium C++ ABI's __cxa_demangle. */
char *fm_vendor_cxa_demangle(const char *mangled, char *buffer, size_t *size, int *status);
/* libiberty (demangle.h). */
int fm_vendor_v3_demangle(const char *mangled, int options, void (*text)(const char *, size_t, void *), void *context);
int fm_vendor_rust_demangle(const char *mangled, int options, void (*text)(const char *, size_t, void *),
                            void *context);

#ifdef FRAMEMAP_LLVM_DEMANGLER
const char *fm_demangle_llvm_cxx(const char *name, int options)
{
    (void)options;
    int status = 0;
    return fm_vendor_cxa_demangle(name, NULL, NULL, &status);
}
#else
/* Built without libc++abi: GNU's text in its place. */
const char *fm_demangle_llvm_cxx(const char *name, int options) { return fm_demangle_gnu_cxx(name, options); }
#endif

const char *fm_demangle_gnu_cxx(const char *name, int options)
{
    return fm_vendor_v3_demangle(name, options, fm_demangle_collect, NULL) ? fm_demangle_collected() : NULL;
}

const char *fm_demangle_rust_legacy(const char *name, int options)
{
    return fm_vendor_rust_demangle(name, options, fm_demangle_collect, NULL) ? fm_demangle_collected() : NULL;
}

#else
static const char *leave(const char *name, int options)
{
    (void)name, (void)options;
    return NULL;
}
const char *fm_demangle_llvm_cxx(const char *name, int options) { return leave(name, options); }
const char *fm_demangle_gnu_cxx(const char *name, int options) { return leave(name, options); }
const char *fm_demangle_rust_legacy(const char *name, int options) { return leave(name, options); }
#endif
