/* The part of the dispatcher (dispatch.h) that says which text cannot change any more. */
#ifndef FM_FORMATS_SCAN_DISPATCH_LEADS_H
#define FM_FORMATS_SCAN_DISPATCH_LEADS_H

#include "formats/scan/dispatch_state.h"

/* The offset from which on the text that was parsed may still change. Looks at the last lines. */
uint64_t fm_dispatch_floor(struct fm_dispatch *dispatch);
/* Whether lines of other origins wait for a stack, or for a line that may begin one. *last1: the number in the text of
 * the last line that the origin of that stack has had; 0 if nothing is held back. */
bool fm_dispatch_waits(const struct fm_dispatch *dispatch, uint64_t *last1);

#endif
