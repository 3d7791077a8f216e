/* Prepares the fast path of lookups; called by view_open.c. The lookups themselves are declared in view.h. */
#ifndef FM_INDEX_READ_POSITIONS_LOOKUP_FAST_H
#define FM_INDEX_READ_POSITIONS_LOOKUP_FAST_H

#include "index/read/table/tables.h"

/* Stores in the view the properties of the CPU, and the tables on which the fast path depends. Called when an index is
 * opened. */
void fm_lookup_fast_open(struct fm_view *view);

#endif
