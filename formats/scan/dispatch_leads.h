/* The part of the dispatcher (dispatch.h) that says which text cannot change any more. */
#ifndef FM_FORMATS_SCAN_DISPATCH_LEADS_H
#define FM_FORMATS_SCAN_DISPATCH_LEADS_H

#include "formats/scan/dispatch_state.h"

/* The offset from which on the text that was parsed may still change. Looks at the last lines. */
uint64_t fm_dispatch_floor(struct fm_dispatch *dispatch);

#endif
