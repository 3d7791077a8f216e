/* Setup of the fast path of lookups; the lookups themselves are in view.h. */
#ifndef FM_INDEX_READ_POSITIONS_LOOKUP_FAST_H
#define FM_INDEX_READ_POSITIONS_LOOKUP_FAST_H

#include "index/read/table/tables.h"

/* When an index is opened: what the fast path needs of the CPU and of the tables. */
void fm_lookup_fast_open(struct fm_view *view);

#endif
