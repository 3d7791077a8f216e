/* The part of the dispatcher (dispatch.h) that finds how much of the text cannot change any more. */
#ifndef FM_FORMATS_SCAN_DISPATCH_LEADS_H
#define FM_FORMATS_SCAN_DISPATCH_LEADS_H

#include "formats/scan/dispatch_state.h"

/* Returns the offset up to which the text that was parsed is final: a later line may still change what follows that
 * offset. Examines the last lines of the text. */
uint64_t fm_dispatch_floor(struct fm_dispatch *dispatch);
/* how many bytes at the end of the text fm_dispatch_early_floor searches for line starts */
#define FM_EARLY_NEAR ((size_t)256 << 10)
/* Returns the offset that fm_dispatch_floor returns, or an earlier one, but never less than `from`. More text may be
 * held back than necessary, but the call takes less time, because it only counts line ends. If the last
 * FM_LOOK_BACK_FAR lines have at most FM_EARLY_NEAR bytes and fm_dispatch_is_plain is true, the result is that of
 * fm_dispatch_last_lines. Only for a text that is in memory as a whole. */
uint64_t fm_dispatch_early_floor(struct fm_dispatch *dispatch, uint64_t from);
/* Whether no stack is open, and no finished stack waits to be handed out. */
static inline bool fm_dispatch_is_plain(const struct fm_dispatch *dispatch)
{
    return dispatch->sink.count == 0 && dispatch->held == UINT64_MAX;
}
/* Returns the offset at which the last FM_LOOK_BACK_FAR lines before `end` start, but not less than `from`. end: an
 * offset up to which the text was parsed. Only for a text that is in memory as a whole. */
uint64_t fm_dispatch_last_lines(const struct fm_dispatch *dispatch, uint64_t from, uint64_t end);

#endif
