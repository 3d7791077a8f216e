/* Excludes names that cannot be mangled, so that most names need no demangler. Used where the index's frames are
 * decoded, and by the demanglers' callers. */
#ifndef FM_CORE_TEXT_MANGLED_H
#define FM_CORE_TEXT_MANGLED_H

#include "core/text/text.h"

/* Whether a name begins like a mangled one: with one to four underscores and 'Z' or 'R' (Itanium C++, Apple's C blocks,
 * Rust), with "_G" (GNU's names of global constructors), or with the '.' or '$' that some tools write before these. */
static inline bool fm_may_be_mangled(framemap_str name)
{
    size_t at = 0;
    if (name.size < 3) return false;
    if (name.data[0] == '.' || name.data[0] == '$') return true;
    while (at < 4 && name.data[at] == '_' && at + 1 < name.size) at++;
    if (at == 0) return false;
    return name.data[at] == 'Z' || name.data[at] == 'R' || (at == 1 && name.data[1] == 'G');
}

#endif
