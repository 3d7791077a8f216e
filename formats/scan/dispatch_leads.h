/* The part of the dispatcher (dispatch.h) that finds how much of the text cannot change any more. */
#ifndef FM_FORMATS_SCAN_DISPATCH_LEADS_H
#define FM_FORMATS_SCAN_DISPATCH_LEADS_H

#include "formats/scan/dispatch_state.h"

/* Returns the offset from which on the text that was parsed may still change. Looks at the last lines. */
uint64_t fm_dispatch_floor(struct fm_dispatch *dispatch);
#define FM_EARLY_NEAR ((size_t)64 << 10) /* bytes of text within which fm_dispatch_early_floor searches a line */
/* Returns the offset of fm_dispatch_floor or an earlier one, but not before `from`: found without looking at lines if
 * they are short. Only for a text that is parsed as a whole, since it may hold back more than needed. If the last
 * FM_LOOK_BACK_FAR lines have at most FM_EARLY_NEAR bytes and fm_dispatch_is_plain, it is fm_dispatch_last_lines. */
uint64_t fm_dispatch_early_floor(struct fm_dispatch *dispatch, uint64_t from);
/* Whether no stack is open or waits in the sink. */
static inline bool fm_dispatch_is_plain(const struct fm_dispatch *dispatch)
{
    return dispatch->sink.count == 0 && dispatch->held == UINT64_MAX;
}
/* Returns the offset of the last FM_LOOK_BACK_FAR lines before `end`, which was parsed, but not before `from`. Only for
 * a text that is parsed as a whole. */
uint64_t fm_dispatch_last_lines(const struct fm_dispatch *dispatch, uint64_t from, uint64_t end);

#endif
