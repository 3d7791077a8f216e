/* The indexes that a session keeps open: each image is compiled once, many threads use its index, and it is dropped
 * when it is used less often than others. Called by session.c. */
#ifndef FM_SESSION_CACHE_INDEX_CACHE_H
#define FM_SESSION_CACHE_INDEX_CACHE_H

#include "session/cache/cache_slots.h"

/* Prepares the cache. budget: most bytes of open indexes; 0: 1 GiB, but at most half of the ceiling. ceiling: its
 * allocator is used to compile and open indexes, and may drop idle indexes (indexes without holders) to make room;
 * NULL: there is no ceiling. */
void fm_index_cache_init(struct fm_index_cache *cache, struct fm_heap *heap, fm_mutex *lock, uint64_t budget,
                         struct fm_ceiling *ceiling);
/* Closes all indexes. No index may be held. */
void fm_index_cache_free(struct fm_index_cache *cache);

/* Returns the index of an entry, held until fm_index_cache_release. Compiles the index if needed; a source map is
 * compiled together with its script if the script was found. Called without the lock; waits while another thread
 * compiles the same image. If a file could not be compiled because of memory or the system, it is tried again later; a
 * file that exceeded the ceiling is tried again when more memory is free. Any other failure is final. *over: set with
 * MEMORY; may be NULL. Errors: those of framemap_index_build. */
framemap_status fm_index_cache_hold(struct fm_index_cache *cache, const struct fm_entry *entry, framemap_index **out,
                                    enum fm_over *over, framemap_error *error);
/* Compiles an index for some addresses only (framemap_image_query.positions), unless the complete index is open or on
 * disk. *out: the index, which is closed when it is released; NULL: the complete index is at hand, or the file cannot
 * be compiled for some addresses. The caller then has to use fm_index_cache_hold. */
void fm_index_cache_hold_some(struct fm_index_cache *cache, const struct fm_entry *entry, const uint64_t *positions,
                              size_t count, framemap_index **out);
/* Marks the start of a call that holds indexes, for fm_index_cache_retire_changed. Takes no lock. */
uint64_t fm_index_cache_begin(struct fm_index_cache *cache);
/* Retires each index that was held since `since` and whose file was changed since the index was opened. Holders may use
 * a retired index until they release it; from then on the file is refused with MISMATCH. Returns the number of retired
 * indexes. Called without the lock. */
size_t fm_index_cache_retire_changed(struct fm_index_cache *cache, uint64_t since);
/* Drops all idle indexes. Does nothing without a ceiling. Returns whether an index was dropped. The caller must not
 * hold the lock. */
bool fm_index_cache_drop_idle(struct fm_index_cache *cache);
/* Whether an index file is closed and answers of closed files are cached. An answer may then be found without opening
 * the file. The caller holds the lock. */
bool fm_index_cache_may_recall(const struct fm_index_cache *cache, const struct fm_entry *entry);
/* Whether the answers of an index that is held should be cached. This is true only if all of these hold: the index is a
 * file that is not small; the file is the same as when the session listed it; it was opened after this call began; not
 * all indexes fit into the budget, so that the index is likely to be closed soon. since: the value that
 * fm_index_cache_begin returned. */
bool fm_index_cache_remembers(struct fm_index_cache *cache, const framemap_index *index, uint64_t since);
void fm_index_cache_release(struct fm_index_cache *cache, const framemap_index *index);

#endif
