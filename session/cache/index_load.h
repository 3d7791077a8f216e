/* Loads the index of a symbol file into memory: an index file is opened; for any other file the index is loaded from
 * the cache on disk, or compiled. The slots of the index cache are not changed. Called by index_cache.c, without the
 * lock. */
#ifndef FM_SESSION_CACHE_INDEX_LOAD_H
#define FM_SESSION_CACHE_INDEX_LOAD_H

#include "session/cache/cache_slots.h"

/* Loads an index. script: path of the script of a source map; NULL: there is no script. one_thread: compile with one
 * thread, which needs less memory. *out: closed by the caller. Errors: those of framemap_index_build; MISMATCH if the
 * file has changed since it was listed. */
framemap_status fm_index_load(const struct fm_index_cache *cache, const struct fm_entry *entry, const char *script,
                              bool one_thread, framemap_index **out, framemap_error *error);
/* Compiles a symbol file, which must not be an index, for some addresses (framemap_image_query.positions). *out is NULL
 * if this is not possible. */
void fm_index_load_some(const struct fm_index_cache *cache, const struct fm_entry *entry, const uint64_t *positions,
                        size_t count, framemap_index **out);
/* Whether the cache on disk has the complete index of a symbol file. */
bool fm_index_is_on_disk(const struct fm_index_cache *cache, const struct fm_entry *entry);

#endif
