/* The indexes that a session holds open: each image compiled once, used by many threads, dropped least recently used
 * first. */
#ifndef FM_SESSION_CACHE_INDEX_CACHE_H
#define FM_SESSION_CACHE_INDEX_CACHE_H

#include "session/cache/cache_slots.h"

/* budget 0: 1 GiB; under a ceiling half of that at most. ceiling: to whose allocator indexes are compiled and opened,
 * and which drops those that nobody holds where it wants room; NULL: none. */
void fm_index_cache_init(struct fm_index_cache *cache, struct fm_heap *heap, fm_mutex *lock, uint64_t budget,
                         struct fm_ceiling *ceiling);
/* No index may be held any more. */
void fm_index_cache_free(struct fm_index_cache *cache);

/* The index of an entry, of a source map with its script where that is at hand: held until released. Called without the
 * lock; waits where another thread compiles the same image. A file that could not be compiled is not tried again,
 * unless it was memory or the system that failed; one that went over the ceiling is, once more is left below it. over:
 * said with MEMORY; NULL allowed. */
framemap_status fm_index_cache_hold(struct fm_index_cache *cache, const struct fm_entry *entry, framemap_index **out,
                                    enum fm_over *over, framemap_error *error);
/* The same for some addresses alone, as framemap_image_query has them: an index that is neither open nor on disk is
 * made for them, and forgotten when it is released. *out NULL: there is none to be made so, the whole one is to be
 * held. */
void fm_index_cache_hold_some(struct fm_index_cache *cache, const struct fm_entry *entry, const uint64_t *positions,
                              size_t count, framemap_index **out);
/* Takes out of use each open index whose file was changed since it was opened; holders keep it until they release it,
 * and the file is refused (MISMATCH) from then on. Returns how many there were. Called without the lock. */
size_t fm_index_cache_retire_changed(struct fm_index_cache *cache);
/* Drops every index that nobody holds. Only under a ceiling; true: there were some. Called without the lock. */
bool fm_index_cache_drop_idle(struct fm_index_cache *cache);
void fm_index_cache_release(struct fm_index_cache *cache, const framemap_index *index);

#endif
