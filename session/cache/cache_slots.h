/* State of the index cache: its slots, one for each image that was asked for. Shared by index_cache.c and
 * cache_ceiling.c; a session holds the cache by value. */
#ifndef FM_SESSION_CACHE_CACHE_SLOTS_H
#define FM_SESSION_CACHE_CACHE_SLOTS_H

#include "api/index_handle.h"
#include "core/memory_ceiling.h"
#include "core/thread.h"
#include "session/cache/disk_cache.h"
#include "session/catalog/catalog.h"

/* Why an index that a ceiling refused is not there. */
enum fm_over {
    FM_OVER_NOTHING, /* no ceiling did */
    FM_OVER_ALONE,   /* it is too big for the ceiling, whatever else is held */
    FM_OVER_TOGETHER /* with the indexes that are held; it may do better once they are released */
};

enum fm_cache_slot_state { FM_CACHE_SLOT_COMPILING, FM_CACHE_SLOT_READY, FM_CACHE_SLOT_FAILED };

struct fm_cache_slot {
    struct fm_cache_slot *next;          /* of its bucket */
    struct fm_cache_slot *older, *newer; /* of those that nobody holds */
    const struct fm_entry *entry;        /* lives as long as the session */
    enum fm_cache_slot_state state;
    uint64_t holders; /* who may use the index now, and who waits for it */
    uint64_t bytes, opened_bytes,
        opened_used; /* that it counts for; those of the index, and what its heap had in use, when it was opened */
    framemap_index *index;
    struct fm_cache_slot *next_mapped; /* of the cache's list of mapped files */
    framemap_error fault;
    enum fm_over over;  /* why the fault is MEMORY */
    uint64_t left_then; /* what the ceiling had left when it refused */
};

struct fm_index_cache {
    struct fm_heap *heap;
    fm_mutex *lock; /* the session's */
    struct fm_catalog
        *catalog; /* the session's, where scripts of source maps are found; NULL: maps are compiled without */
    fm_condition changed;
    struct fm_cache_slot **buckets; /* by the file's stamp, chained */
    size_t bucket_count, slot_count;
    struct fm_cache_slot *oldest, *newest; /* those that nobody holds, by last use */
    struct fm_cache_slot *mapped;          /* those whose index is a file that is mapped, and can change */
    uint64_t bytes, budget;
    struct fm_ceiling *ceiling; /* the session's; NULL: there is none */
    size_t held;                /* slots that somebody holds */
    struct fm_disk_cache disk;
    framemap_build_options build; /* how to compile: allocator, threads, callbacks */
};

#endif
