/* The part of the dispatcher (dispatch.h) that says which text cannot change any more. */
#ifndef FM_FORMATS_SCAN_DISPATCH_LEADS_H
#define FM_FORMATS_SCAN_DISPATCH_LEADS_H

#include "formats/scan/dispatch_state.h"

/* The offset from which on the text that was parsed may still change. Looks at the last lines. */
uint64_t fm_dispatch_floor(struct fm_dispatch *dispatch);
/* The same or an earlier offset, but not before `from`: found without looking at lines if they are short. For a whole
 * text, which nobody waits for. */
uint64_t fm_dispatch_early_floor(struct fm_dispatch *dispatch, uint64_t from);

#endif
