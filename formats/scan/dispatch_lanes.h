/* The part of the dispatcher that handles lanes, each of which has the lines of one process, thread and tag of a log
 * (lanes.h): it finds the lane of a line, and ends the stacks that are open in a lane. Called by dispatch.c, and by its
 * callers at the end of a text or of a part. */
#ifndef FM_FORMATS_SCAN_DISPATCH_LANES_H
#define FM_FORMATS_SCAN_DISPATCH_LANES_H

#include "formats/scan/dispatch_state.h"

/* Returns the origin of the lane that a line belongs to: a number for the process, thread and tag in a log prefix
 * (lanes.h). piece: the line is a piece of an escaped string, and not the first piece on its physical line. */
uint64_t fm_dispatch_lane_of(struct fm_dispatch *dispatch, const struct fm_line *line, bool piece);
/* Adds a lane, for the lines of a process and thread that had no line yet; if there are too many lanes, it replaces
 * another. Returns NULL if out of memory, which the dispatcher records. */
struct fm_lane *fm_dispatch_add_lane(struct fm_dispatch *dispatch, uint64_t origin);
/* Updates what the dispatcher has noted about a lane (the lines of one process and thread) after the parsers have seen
 * a line of it. */
void fm_dispatch_update(struct fm_dispatch *dispatch, struct fm_lane *lane);
/* Ends the open stacks of those lanes (each has the lines of one process and thread) that had no line among the last
 * FM_LANE_FAR lines of the text. */
void fm_dispatch_close_far(struct fm_dispatch *dispatch, uint64_t text_number1);
/* Implements fm_dispatch_limit if more than `hold` bytes would be held back. */
void fm_dispatch_over_limit(struct fm_dispatch *dispatch, uint64_t from, uint64_t to);
/* Ends open stacks if the physical line [from, to) would exceed the bytes that may be held back. */
static inline void fm_dispatch_limit(struct fm_dispatch *dispatch, uint64_t from, uint64_t to)
{
    if (dispatch->held != UINT64_MAX && to - dispatch->held > dispatch->hold)
        fm_dispatch_over_limit(dispatch, from, to);
}

/* Whether text is held back because a stack of one origin is open, or may begin, while lines of other origins have
 * followed. *last1: number in the text of the last line of that origin; 0 if nothing is held back. */
bool fm_dispatch_waits(const struct fm_dispatch *dispatch, uint64_t *last1);

/* Ends all open stacks. why: the text up to `end` has to be passed on now (DEADLINE, SIZE), or ends there (END). The
 * states of the parsers are kept. */
void fm_dispatch_end_all(struct fm_dispatch *dispatch, framemap_closed_by why, uint64_t end);
/* Moves what is still needed into another arena, so that the memory named in *move can be freed once its traces have
 * been handed out. */
void fm_dispatch_move(struct fm_dispatch *dispatch, const struct fm_lane_move *move, struct fm_arena *arena);

#endif
