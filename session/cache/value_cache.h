/* Values that were fetched from a store. They are opened, and kept within a budget, so that later texts of the session
 * can use them. Called by remote.c. Any thread may call: the cache has a lock of its own, which is held only during
 * searches. */
#ifndef FM_SESSION_CACHE_VALUE_CACHE_H
#define FM_SESSION_CACHE_VALUE_CACHE_H

#include "api/index_handle.h"
#include "core/thread.h"

struct fm_value {
    framemap_index index; /* the value as an index: its view borrows `bytes`, and is_value is set */
    framemap_str build, field, bytes;
    uint64_t hash;
    size_t size; /* bytes that count towards the budget */
    /* Number of users of the value. The cache's lock guards this member and the members below it. */
    uint64_t holders;
    struct fm_value *next;          /* next value in the same hash bucket */
    struct fm_value *older, *newer; /* neighbours in the list of values without holders */
};

/* Builds that the store did not have when they were requested. Each is remembered for FM_ABSENT_SECONDS, since a text
 * names the same build in many traces. The hash of a build selects the first of FM_ABSENT_RUN adjacent slots; the build
 * is in one of these. */
enum { FM_ABSENT_SLOTS = 4096, FM_ABSENT_RUN = 32, FM_ABSENT_SECONDS = 10 };
struct fm_absent_build {
    uint64_t hash;
    /* time at which the slot expires, in seconds of a clock that is never set back; 0: the slot is empty */
    int64_t until;
};

struct fm_value_cache {
    struct fm_heap *heap;
    const framemap_allocator *allocator; /* allocator for the values; NULL: the allocator of the C library */
    fm_mutex lock;
    struct fm_value **buckets;
    size_t bucket_count, count;
    struct fm_value *oldest, *newest;
    uint64_t bytes, budget;
    struct fm_absent_build *absent; /* array of FM_ABSENT_SLOTS slots; NULL: no build was noted so far */
};

/* Prepares the cache. budget: most bytes of values that are kept; 0: 256 MiB. Values in use may exceed the budget. */
void fm_value_cache_init(struct fm_value_cache *cache, struct fm_heap *heap, const framemap_allocator *allocator,
                         uint64_t budget);
void fm_value_cache_free(struct fm_value_cache *cache); /* frees the cache; no value may be held */

/* Returns the value of a key, held until fm_value_release. Returns NULL if the cache does not have the value. */
struct fm_value *fm_value_cache_find(struct fm_value_cache *cache, framemap_str build, framemap_str field);
/* Opens a value, verifies its checksums, adds it to the cache and holds it; the key and the bytes are copied. If
 * another thread has added the same value meanwhile, that value is held instead. Errors: those of framemap_index_open,
 * MEMORY. */
framemap_status fm_value_cache_add(struct fm_value_cache *cache, framemap_str build, framemap_str field,
                                   framemap_str bytes, struct fm_value **out, framemap_error *error);
/* Records that the store does not have a build. After FM_ABSENT_SECONDS the store is queried for the build again, or
 * earlier if other builds have taken the build's slot. Does nothing if memory is short. */
void fm_value_cache_note_absent(struct fm_value_cache *cache, framemap_str build);
bool fm_value_cache_is_absent(struct fm_value_cache *cache, framemap_str build);
void fm_value_release(struct fm_value_cache *cache, struct fm_value *value);

#endif
