/* Moves the positions in a source map that are not in its mappings: `rangeMappings` and `scopes`, proposals of
 * ECMA-426. Called by inject_map.c. */
#ifndef FM_SESSION_INJECT_INJECT_MOVES_H
#define FM_SESSION_INJECT_INJECT_MOVES_H

#include "core/text/buffer.h"
#include "session/inject/script_place.h"

/* These functions append the text of a member with its positions moved; moved: as for fm_inject_map. They return false
 * if a range spans the place of the insertion, or if the text is damaged. The byte after the text must be readable and
 * not a digit. */
bool fm_inject_move_ranges(struct fm_buf *out, framemap_str ranges, const struct fm_script_place *moved);
bool fm_inject_move_scopes(struct fm_buf *out, framemap_str scopes, const struct fm_script_place *moved);

#endif
