/* Finds where a statement can be inserted at the start of a script, and finds the comments at its end. Called by
 * inject.c. */
#ifndef FM_SESSION_INJECT_SCRIPT_PLACE_H
#define FM_SESSION_INJECT_SCRIPT_PLACE_H

#include <framemap/inject.h>

struct fm_script_place {
    size_t at;      /* offset of the place in the script */
    uint64_t line0; /* line of the place; line ends are those of ECMA-262 */
    uint64_t col0;  /* column in UTF-16 units */
};

/* Returns the first place after a byte order mark, a hashbang and all directives ("use strict"), since a statement
 * before these would change their meaning. */
struct fm_script_place fm_script_place_of(framemap_str script);

/* Returns a word for the kind of file ("JSON") if the file cannot be a script, because a statement would damage such a
 * file. Returns NULL if the file may be a script. */
const char *fm_script_refusal(framemap_str file);

/* Returns the start of the line with the last sourceMappingURL comment, if only blanks follow that line; else the
 * script's size. */
size_t fm_script_end_place(framemap_str script);

#endif
