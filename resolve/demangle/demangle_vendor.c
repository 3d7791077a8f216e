/* The calls into the linked demanglers, under the names that cmake/FramemapDemangler.cmake gave them. A build without
 * them leaves names mangled, except for Rust's v0 scheme, which framemap's own rust_v0.c reads. Called by demangle.c.
 */
#include "resolve/demangle/demangle_limits.h"

#ifdef FRAMEMAP_WITH_DEMANGLERS
#include "core/limits.h"
#include "core/text/scan.h"
#include "core/text/text.h"

/* This is __cxa_demangle of the Itanium C++ ABI, from libc++abi. */
char *fm_vendor_cxa_demangle(const char *mangled, char *buffer, size_t *size, int *status);
/* These are functions of libiberty's demangle.h. */
int fm_vendor_v3_demangle(const char *mangled, int options, void (*text)(const char *, size_t, void *), void *context);
int fm_vendor_rust_demangle(const char *mangled, int options, void (*text)(const char *, size_t, void *),
                            void *context);

/* Returns the offset after the number at `at`: after digits, which may be absent, and an underscore, which may be
 * absent too. */
static size_t after_number(framemap_str name, size_t at)
{
    while (at < name.size && fm_is_digit(name.data[at])) at++;
    return at < name.size && name.data[at] == '_' ? at + 1 : at;
}

/* Whether GNU's demangler may take exponential time: within the type of a conversion operator ("cv") it parses twice
 * what follows a template parameter with arguments ("T_I", "T0_I", "TL0__I"), so its time doubles with each nested
 * parameter of this kind. Letters within identifiers are counted, too: real names have one or two. */
static bool backtracks(framemap_str name)
{
    const size_t conversion = fm_str_find(name, FM_STR("cv"));
    uint32_t count = 0;
    for (size_t at = conversion; at < name.size && count <= FM_LIMIT_CONVERSIONS; at++) {
        if (name.data[at] != 'T') continue;
        size_t end = at + 1;
        if (end < name.size && name.data[end] == 'L') end = after_number(name, end + 1);
        end = after_number(name, end);
        if (end < name.size && name.data[end] == 'I' && name.data[end - 1] == '_') count++;
    }
    return count > FM_LIMIT_CONVERSIONS;
}

const char *fm_demangle_gnu_cxx(const char *name, int options)
{
    if (backtracks(framemap_str_of(name))) return NULL;
    return fm_vendor_v3_demangle(name, options, fm_demangle_collect, NULL) ? fm_demangle_collected() : NULL;
}

#ifdef FRAMEMAP_LLVM_DEMANGLER
const char *fm_demangle_llvm_cxx(const char *name, int options)
{
    (void)options;
    int status = 0;
    return fm_vendor_cxa_demangle(name, NULL, NULL, &status);
}
#else
/* Demangles with GNU's demangler in place of LLVM's, in a build without libc++abi. GNU's does not accept the underscore
 * that Mach-O puts before a symbol ("__Z"), which LLVM's skips. */
const char *fm_demangle_llvm_cxx(const char *name, int options)
{
    return fm_demangle_gnu_cxx(name[0] == '_' && name[1] == '_' && name[2] == 'Z' ? name + 1 : name, options);
}
#endif

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
