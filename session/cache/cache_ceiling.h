/* The rules of the index cache under a session's memory ceiling: why an index was refused, and when it is worth trying
 * again. These functions read the cache's slots and change nothing. Called by index_cache.c, under the lock. */
#ifndef FM_SESSION_CACHE_CACHE_CEILING_H
#define FM_SESSION_CACHE_CACHE_CEILING_H

#include "session/cache/cache_slots.h"

/* Whether an index that the ceiling refused is too big by itself (FM_OVER_ALONE). Otherwise it is too big only together
 * with the other indexes that are held, or with a long text (FM_OVER_TOGETHER). slot->left_then must be set. */
enum fm_over fm_cache_why_over(const struct fm_index_cache *cache, const struct fm_cache_slot *slot);

/* Whether an index that failed at the ceiling, and whose slot has no holders, may be opened again. It may if the memory
 * that could be freed has grown by at least a sixteenth of the ceiling since the index was refused. The margin is
 * needed because the memory for a text varies slightly from run to run. */
bool fm_cache_may_fit_now(const struct fm_index_cache *cache, const struct fm_cache_slot *slot);

#endif
