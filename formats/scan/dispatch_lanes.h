/* The part of the dispatcher that finds the lane of a line, and ends the stacks that a lane has open.
 * Called by dispatch.c, and by its callers at the end of a text or of a part. */
#ifndef FM_FORMATS_SCAN_DISPATCH_LANES_H
#define FM_FORMATS_SCAN_DISPATCH_LANES_H

#include "formats/scan/dispatch_state.h"

/* Returns the origin of the lane to which a line belongs. piece: the line is a piece of a string, but not the first
 * piece on its physical line. */
uint64_t fm_dispatch_lane_of(struct fm_dispatch *dispatch, const struct fm_line *line, bool piece);
/* Adds a lane, in the place of another if there are too many. NULL: out of memory, which the dispatcher remembers. */
struct fm_lane *fm_dispatch_add_lane(struct fm_dispatch *dispatch, uint64_t origin);
/* Updates what the dispatcher has noted about a lane after the parsers have seen a line of it. */
void fm_dispatch_update(struct fm_dispatch *dispatch, struct fm_lane *lane);
/* Ends the stacks of lanes that had no line among the last FM_LANE_FAR lines of the text. */
void fm_dispatch_close_far(struct fm_dispatch *dispatch, uint64_t text_number1);
/* Ends what is open if the physical line [from, to) would make too much text be held back. */
void fm_dispatch_limit(struct fm_dispatch *dispatch, uint64_t from, uint64_t to);

/* Whether lines of other origins wait for a stack, or for a line that may begin one. *last1: the number in the text of
 * the last line that the origin of that stack has had; 0 if nothing is held back. */
bool fm_dispatch_waits(const struct fm_dispatch *dispatch, uint64_t *last1);

/* Ends all open stacks, because the text up to `end` has to be passed on now (DEADLINE, SIZE) or ends there (END). The
 * parsers keep their states. */
void fm_dispatch_end_all(struct fm_dispatch *dispatch, framemap_closed_by why, uint64_t end);
/* Moves what is kept into another arena, so that the memory named in *move can be freed once its traces are done with.
 */
void fm_dispatch_move(struct fm_dispatch *dispatch, const struct fm_lane_move *move, struct fm_arena *arena);

#endif
