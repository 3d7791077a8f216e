/* The values that an opened index computes once and caches: paths, demangled names, frames, aliases. Filled on first
 * use by any thread; freed with the view. Called by view_open.c and the cache files. */
#ifndef FM_INDEX_READ_POSITIONS_NAME_CACHE_H
#define FM_INDEX_READ_POSITIONS_NAME_CACHE_H

#include "index/read/positions/frame_cache.h"
#include "index/read/table/lazy_table.h"
#include "index/read/table/tables.h"

/* The caches of a view, which are its only mutable part. */
struct fm_name_cache {
    struct fm_lazy_table paths; /* by file: joined paths */
    struct fm_lazy_table names; /* by function: demangled names */
    struct fm_frames frames;
    struct fm_lazy_table more;        /* indexed by node; entries are struct fm_view_more */
    struct fm_lazy_table whole_names; /* by node: demangled names that belong to the node, not to its function */
    struct fm_lazy_table aliases; /* by node: its demangled aliases, as many as `more` has, followed by their strings */
};

/* Allocates nothing; the view's tables are read already. */
void fm_name_cache_open(struct fm_view *view);
/* No other thread may use the view. */
void fm_name_cache_close(struct fm_view *view);

#endif
