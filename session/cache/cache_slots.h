/* State of the index cache: one slot for each image that was requested. Shared by index_cache.c and cache_ceiling.c; a
 * session contains the cache by value. All of it is guarded by the session's lock. */
#ifndef FM_SESSION_CACHE_CACHE_SLOTS_H
#define FM_SESSION_CACHE_CACHE_SLOTS_H

#include "api/index_handle.h"
#include "core/memory_ceiling.h"
#include "core/thread.h"
#include "session/cache/disk_cache.h"
#include "session/catalog/companion_files.h"

/* Whether the memory ceiling is the reason why an index is missing. */
enum fm_over {
    FM_OVER_NOTHING, /* it is not */
    FM_OVER_ALONE,   /* the index alone exceeds the ceiling */
    FM_OVER_TOGETHER /* it exceeds the ceiling together with the indexes that are held; it may fit once they are
                        released */
};

enum fm_cache_slot_state { FM_CACHE_SLOT_COMPILING, FM_CACHE_SLOT_READY, FM_CACHE_SLOT_FAILED };

struct fm_cache_slot {
    struct fm_cache_slot *next;          /* in the same hash bucket */
    struct fm_cache_slot *older, *newer; /* in the list of slots without holders */
    const struct fm_entry *entry;        /* lives as long as the session */
    enum fm_cache_slot_state state;
    uint64_t holders;                          /* callers that use the index or wait for it */
    uint64_t bytes, opened_bytes, opened_used; /* size that counts against the budget; size of the index, and memory in
                                                  use by its heap, when it was opened */
    framemap_index *index;
    /* In the cache's list of mapped files: those that were held last come first. */
    struct fm_cache_slot *before_mapped, *next_mapped;
    uint64_t held_at; /* the cache's clock when it was held last */
    framemap_error fault;
    enum fm_over over;  /* set if the fault is MEMORY */
    uint64_t left_then; /* bytes that the ceiling had left when it refused the index */
};

struct fm_index_cache {
    struct fm_heap *heap;
    fm_mutex *lock; /* the session's */
    struct fm_catalog
        *catalog; /* the session's, to find the scripts of source maps; NULL: maps are compiled without their scripts */
    const struct fm_debug_files *debug_files; /* the session's, for the rules by which companions are found; NULL: files
                                                 are compiled without their companions */
    fm_condition changed;
    struct fm_cache_slot **buckets; /* hash table by file stamp */
    size_t bucket_count, slot_count;
    struct fm_cache_slot *oldest, *newest; /* slots without holders, in the order of last use */
    struct fm_cache_slot *mapped;          /* slots whose index is a mapped file, which can change */
    struct fm_cache_slot *dropped;         /* to be closed when the lock is let go, so that closing blocks nobody */
    atomic_uint_least64_t clock;           /* counts restore calls */
    uint64_t bytes, budget;
    struct fm_ceiling *ceiling; /* the session's; NULL: none */
    size_t held;                /* number of slots with holders */
    struct fm_disk_cache disk;
    framemap_build_options build; /* options for compiling */
};

#endif
