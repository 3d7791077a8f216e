/* Excludes names that cannot be mangled, so that most names need no demangler. Used where the index's frames are
 * decoded, and by the demanglers' callers. */
#ifndef FM_CORE_TEXT_MANGLED_H
#define FM_CORE_TEXT_MANGLED_H

#include "core/text/text.h"

/* Whether a name begins like one of Swift: with "$s", "$S", "$e", "_T0" or "_Tt", which Mach-O may write after an
 * underscore, or with the "@__swiftmacro_" of files that macros expand to. */
static inline bool fm_may_be_swift(framemap_str name)
{
    if (name.size < 3) return false;
    if (name.data[0] == '@') return fm_str_starts(name, FM_STR("@__swiftmacro_"));
    const bool has_underscore = name.data[0] == '_' && (name.data[1] == '$' || name.data[1] == '_');
    const char *head = name.data + (has_underscore ? 1 : 0);
    if (head[0] == '$') return head[1] == 's' || head[1] == 'S' || head[1] == 'e';
    return head[0] == '_' && head[1] == 'T' && name.size > 3 && (head[2] == '0' || head[2] == 't');
}

/* Whether a name begins like a mangled one: with one to four underscores and 'Z' or 'R' (Itanium C++, Apple's C blocks,
 * Rust), with "_G" (GNU's names of global constructors), like a name of Swift, or with the '.' or '$' that some tools
 * write before these. */
static inline bool fm_may_be_mangled(framemap_str name)
{
    size_t at = 0;
    if (name.size < 3) return false;
    if (name.data[0] == '.' || name.data[0] == '$') return true;
    while (at < 4 && name.data[at] == '_' && at + 1 < name.size) at++;
    if (at == 0) return name.data[0] == '@' && fm_may_be_swift(name);
    const char next = name.data[at];
    return next == 'Z' || next == 'R' || (at == 1 && next == 'G') ||
           ((next == '$' || next == 'T') && fm_may_be_swift(name));
}

#endif
