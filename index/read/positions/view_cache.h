/* The values that an opened index computes once and caches: paths, demangled names, frames, aliases. Filled on first
 * use by any thread; freed with the view. Called by view_open.c and the cache files. */
#ifndef FM_INDEX_READ_POSITIONS_VIEW_CACHE_H
#define FM_INDEX_READ_POSITIONS_VIEW_CACHE_H

#include "index/read/positions/frame_cache.h"
#include "index/read/table/lazy_table.h"
#include "index/read/table/tables.h"

/* The caches of a view, which are its only mutable part. */
struct fm_view_cache {
    struct fm_lazy_table paths; /* paths of files, joined from folder and name; indexed by file */
    struct fm_lazy_table names; /* demangled names; indexed by function */
    struct fm_frames frames;
    struct fm_lazy_table more; /* indexed by node; entries are struct fm_view_more */
    /* indexed by node: demangled names from the symbol table, which other nodes of the same function may not have */
    struct fm_lazy_table whole_names;
    /* while the heap has more bytes in use than this, nothing is cached (fm_view_limit_kept) */
    atomic_uint_least64_t heap_most;
    atomic_uint_least32_t unkept; /* how many more frames are decoded before caching starts */
    struct fm_text_memo *shared;  /* names that several views share (fm_view_share_names); NULL: there are none */
    /* indexed by node: the array of its demangled aliases, as many as struct fm_view_more has, and then their bytes */
    struct fm_lazy_table aliases;
};

/* Prepares empty caches; allocates nothing. The view's tables must have been read. */
void fm_view_cache_open(struct fm_view *view);
/* Whether this many more bytes may be cached: caching has started, because the view was used often enough, and the
 * limit of fm_view_limit_kept is not reached. Any thread. */
static inline bool fm_view_cache_has_room(const struct fm_view *view, size_t bytes)
{
    if (atomic_load_explicit(&view->cache->unkept, memory_order_relaxed) > 0) return false;
    const uint64_t most = atomic_load_explicit(&view->cache->heap_most, memory_order_relaxed),
                   used = atomic_load_explicit(&view->heap->used, memory_order_relaxed);
    return used <= most && bytes <= most - used;
}
/* Frees the caches. No other thread may use the view. */
void fm_view_cache_close(struct fm_view *view);

#endif
