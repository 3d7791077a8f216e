/* Matches names and paths against patterns with wildcards, in time proportional to the product of their lengths.
 * Called by app_rules.c and owners.c; it must not know what the patterns are for. */
#ifndef FM_API_GROUP_PATTERN_H
#define FM_API_GROUP_PATTERN_H

#include "core/text/text.h"

#define FM_PATTERN_MOST 512u       /* maximum number of bytes of a pattern */
#define FM_PATTERN_TEXT_MOST 4096u /* maximum number of bytes of a text; a longer one matches nothing */

/* Whether the whole text matches. "?" is any byte, "*" any run of bytes. by_folder: matches as in a .gitignore file,
 * where "?" and "*" do not match "/", "**" does, and "**" followed by "/" also matches no folder at all. pattern: at
 * most FM_PATTERN_MOST bytes. A "\" in the text is a "/", so that Windows' paths match. */
bool fm_pattern_matches(framemap_str pattern, framemap_str text, bool by_folder);

#endif
