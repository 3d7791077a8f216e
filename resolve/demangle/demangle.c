/* Chooses the demangler for a name. Suffixes that linkers and compilers add are treated as the tools of each style
 * treat them. Called by the native resolver and api/. */
#include "resolve/demangle/demangle.h"

#include "core/limits.h"
#include "core/text/mangled.h"
#include "core/text/scan.h"
#include "core/text/text.h"
#include "resolve/demangle/demangle_limits.h"
#include "resolve/demangle/rust_v0.h"
#include "resolve/demangle/swift/swift_demangle.h"

/* Options of libiberty's demangle.h, by which parameters, const and volatile are printed. binutils' addr2line and nm
 * pass the same options. */
enum { GNU_PARAMS = 1 << 0, GNU_ANSI = 1 << 1, GNU_OPTIONS = GNU_PARAMS | GNU_ANSI };

/* Whether a name begins with "_Z" after one to four underscores: Itanium C++ names, and Apple's C blocks ("___Z"). */
static bool is_itanium(framemap_str name)
{
    size_t at = 0;
    while (at < name.size && name.data[at] == '_') at++;
    return at >= 1 && at <= 4 && at < name.size && name.data[at] == 'Z';
}

static bool is_rust_v0(framemap_str name) { return fm_str_starts(name, FM_STR("_R")); }

static framemap_str join(struct fm_arena *arena, framemap_str a, framemap_str b, framemap_str c, framemap_str d)
{
    const framemap_str parts[] = {a, b, c, d};
    size_t size = 0;
    for (size_t i = 0; i < 4; i++) size += parts[i].size;
    char *text = fm_arena_alloc(arena, size);
    if (text == NULL) return (framemap_str){NULL, 0};
    size_t at = 0;
    for (size_t i = 0; i < 4; i++) {
        if (parts[i].size) memcpy(text + at, parts[i].data, parts[i].size);
        at += parts[i].size;
    }
    return fm_str(text, size);
}

/* Demangles a v0 name as LLVM's Rust demangler does, which prints the part from the first dot on, ".llvm.123", in
 * parentheses. */
static bool llvm_rust(framemap_str name, struct fm_arena *arena, framemap_str *out)
{
    size_t dot = fm_str_find_byte(name, '.');
    framemap_str suffix = dot == FM_NOT_FOUND ? (framemap_str){NULL, 0} : fm_str_from(name, dot);
    if (!fm_rust_v0(fm_str_slice(name, 0, dot), arena, out)) return false;
    if (suffix.size) *out = join(arena, *out, FM_STR(" ("), suffix, FM_STR(")"));
    return out->data != NULL;
}

/* Demangles a name by the rules of llvm::nonMicrosoftDemangle, which keeps one leading dot (of PowerPC's code symbols)
 * before the name. */
static framemap_str demangle_llvm(framemap_str symbol, struct fm_arena *arena)
{
    framemap_str dot = fm_str_slice(symbol, 0, symbol.data[0] == '.'), name = fm_str_from(symbol, dot.size), text;
    bool done = false;
    if (is_itanium(name))
        done = fm_demangle_guarded(fm_demangle_llvm_cxx, name, GNU_OPTIONS, arena, &text) == FM_DEMANGLED;
    else if (is_rust_v0(name))
        done = llvm_rust(name, arena, &text);
    if (done && dot.size) text = join(arena, dot, text, (framemap_str){NULL, 0}, (framemap_str){NULL, 0});
    return done && text.data ? text : symbol;
}

static bool gnu_text(framemap_str name, struct fm_arena *arena, framemap_str *out)
{
    if (is_rust_v0(name)) return fm_rust_v0(fm_str_slice(name, 0, fm_str_find_byte(name, '.')), arena, out);
    if (!fm_str_starts(name, FM_STR("_Z")) && !fm_str_starts(name, FM_STR("_GLOBAL_"))) return false;
    enum fm_demangled ending = fm_demangle_guarded(fm_demangle_rust_legacy, name, GNU_OPTIONS, arena, out);
    if (ending == FM_DEMANGLE_NOT_MINE)
        ending = fm_demangle_guarded(fm_demangle_gnu_cxx, name, GNU_OPTIONS, arena, out);
    return ending == FM_DEMANGLED;
}

/* Demangles a name by the rules of bfd_demangle, which keeps leading dots and dollars before the name, and a version or
 * "@plt" after the name. */
static framemap_str demangle_gnu(framemap_str symbol, struct fm_arena *arena)
{
    size_t begin = 0;
    while (begin < symbol.size && (symbol.data[begin] == '.' || symbol.data[begin] == '$')) begin++;
    framemap_str name = fm_str_from(symbol, begin), text;
    size_t at = fm_str_find_byte(name, '@');
    framemap_str version = at == FM_NOT_FOUND ? (framemap_str){NULL, 0} : fm_str_from(name, at);
    name = fm_str_slice(name, 0, at);
    if (!gnu_text(name, arena, &text)) return symbol;
    if (begin == 0 && version.size == 0) return text;
    text = join(arena, fm_str_slice(symbol, 0, begin), text, version, (framemap_str){NULL, 0});
    return text.data ? text : symbol;
}

framemap_str fm_demangle(framemap_str symbol, framemap_demangle style, struct fm_arena *arena)
{
    if (symbol.size < 3 || symbol.size > FM_LIMIT_DEMANGLE || memchr(symbol.data, 0, symbol.size)) return symbol;
    if (style == FRAMEMAP_DEMANGLE_NONE) return symbol;
    framemap_str text;
    if (fm_may_be_swift(symbol) && fm_swift_demangle(symbol, style == FRAMEMAP_DEMANGLE_FULL, arena, &text))
        return text;
    switch (style) {
    case FRAMEMAP_DEMANGLE_GNU: return demangle_gnu(symbol, arena);
    case FRAMEMAP_DEMANGLE_NONE:
    case FRAMEMAP_DEMANGLE_DEFAULT:
    case FRAMEMAP_DEMANGLE_LLVM:
    case FRAMEMAP_DEMANGLE_FULL: break;
    }
    return demangle_llvm(symbol, arena);
}
