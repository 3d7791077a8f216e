/* State of the index cache. The cache has one slot for each image that was requested. Shared by the files of this
 * folder; a session contains the cache by value. The session's lock guards the whole state. */
#ifndef FM_SESSION_CACHE_CACHE_SLOTS_H
#define FM_SESSION_CACHE_CACHE_SLOTS_H

#include "api/index_handle.h"
#include "core/memory_ceiling.h"
#include "core/text_memo.h"
#include "core/thread.h"
#include "session/cache/answer_cache.h"
#include "session/cache/disk_cache.h"
#include "session/cache/use_counts.h"
#include "session/catalog/companion_files.h"

/* Whether the memory ceiling is the reason why an index is missing. */
enum fm_over {
    FM_OVER_NOTHING, /* the ceiling is not the reason */
    FM_OVER_ALONE,   /* the index alone exceeds the ceiling */
    /* the index and the indexes that are held now exceed the ceiling together; the index may fit once some of them
     * are released */
    FM_OVER_TOGETHER
};

enum fm_cache_slot_state { FM_CACHE_SLOT_COMPILING, FM_CACHE_SLOT_READY, FM_CACHE_SLOT_FAILED };

struct fm_cache_slot {
    struct fm_cache_slot *next;          /* next slot in the same hash bucket */
    struct fm_cache_slot *older, *newer; /* neighbours in the list of idle slots, which have no holders */
    const struct fm_entry *entry;        /* the file of the index; lives as long as the session */
    uint64_t hash;                       /* hash of `entry` */
    enum fm_cache_slot_state state;
    uint64_t holders; /* number of callers that use the index or wait for it */
    /* bytes: size that counts against the budget; opened_bytes, opened_used: size of the index, and memory in use by
     * its heap, when it was opened */
    uint64_t bytes, opened_bytes, opened_used;
    framemap_index *index;
    /* Neighbours in the cache's list of mapped files, which is sorted by last use: the index that was held most
     * recently is first. */
    struct fm_cache_slot *before_mapped, *next_mapped;
    uint64_t held_at;   /* value of the cache's clock when the index was held last */
    uint64_t opened_at; /* value of the cache's clock when the index was opened */
    framemap_error fault;
    enum fm_over over;  /* whether the memory ceiling is the reason of the fault; set if the fault's code is MEMORY */
    uint64_t left_then; /* bytes that were free below the ceiling when the index was refused */
};

struct fm_index_cache {
    struct fm_heap *heap;
    fm_mutex *lock;             /* the session's lock */
    struct fm_catalog *catalog; /* catalog of the session, to find the scripts of source maps; NULL: maps are compiled
                                   without their scripts */
    const struct fm_debug_files *debug_files; /* folders and permissions of the session, which decide how companions are
                                                 found; NULL: files are compiled without their companions */
    fm_condition changed;
    struct fm_cache_slot **buckets; /* hash table of the slots, by the stamp of their file */
    size_t bucket_count, slot_count;
    struct fm_cache_slot *oldest, *newest; /* idle slots, which have no holders, in the order of last use */
    struct fm_use_counts
        /* Counts how often each image was used, also for images that have no slot now. NULL: the budget has had room
         * for all indexes so far. */
        *uses;
    struct fm_cache_slot *mapped; /* slots whose index is a mapped file, which can change */
    atomic_size_t mapped_count;   /* number of slots in the list `mapped` */
    /* Slots to be closed without the lock, so that no thread waits while they are closed. */
    struct fm_cache_slot *dropped;
    atomic_uint_least64_t clock; /* counts restore calls */
    uint64_t bytes, budget;
    /* the part of `bytes` that is data which open indexes have decoded and cached: paths, names and frames */
    uint64_t kept_bytes;
    struct fm_ceiling *ceiling; /* memory ceiling of the session; NULL: the session has no ceiling */
    struct fm_text_memo names;  /* demangled names, for all indexes; counts towards the budget */
    /* Cached answers of index files, for use when the files are closed (session/restore/recall.h); counts towards the
     * budget. Nothing is cached if the session has a memory ceiling. */
    struct fm_answer_cache answers;
    /* size in bytes of the smallest index whose answers are cached; smaller indexes are opened again instead */
    uint64_t least_remembered;
    size_t held; /* number of slots with holders */
    struct fm_disk_cache disk;
    framemap_build_options build; /* options for compiling */
};

/* All functions below are called under the session's lock. */

/* Returns the slot of an image; NULL: the image has no slot. */
struct fm_cache_slot *fm_cache_slot_find(const struct fm_index_cache *cache, const struct fm_entry *entry);
/* Adds a slot, in the state COMPILING and without holders. Returns NULL if out of memory. */
struct fm_cache_slot *fm_cache_slot_new(struct fm_index_cache *cache, const struct fm_entry *entry);
/* fm_cache_slot_rest puts a slot that has no holders any more into the list of idle slots, as the newest;
 * fm_cache_slot_wake removes it from the list. */
void fm_cache_slot_rest(struct fm_index_cache *cache, struct fm_cache_slot *slot);
void fm_cache_slot_wake(struct fm_index_cache *cache, struct fm_cache_slot *slot);
/* fm_cache_slot_is_mapped returns whether the index of a slot is a mapped file, whose contents can change.
 * fm_cache_slot_list puts a slot into the list of slots with mapped files; fm_cache_slot_unlist removes it from that
 * list. */
bool fm_cache_slot_is_mapped(const struct fm_cache_slot *slot);
void fm_cache_slot_list(struct fm_index_cache *cache, struct fm_cache_slot *slot);
void fm_cache_slot_unlist(struct fm_index_cache *cache, struct fm_cache_slot *slot);
/* Records that a slot is held now, so that its file is checked for changes when the call ends. */
void fm_cache_slot_note_held(struct fm_index_cache *cache, struct fm_cache_slot *slot);
/* Removes a slot that is not idle from the table and from the list of mapped files. Its index is closed by
 * fm_cache_unlock, or by fm_cache_close_dropped. */
void fm_cache_slot_drop(struct fm_index_cache *cache, struct fm_cache_slot *slot);
/* Returns the memory that counts towards the budget. */
uint64_t fm_cache_used(const struct fm_index_cache *cache);
/* Updates the size of an index, which includes the data that the index has cached. */
void fm_cache_slot_count(struct fm_index_cache *cache, struct fm_cache_slot *slot);
/* Sets how much decoded data the index may cache from now on. While an eighth of the budget is free, there is no limit.
 * Otherwise the limit is a share of the index's own size; the share grows with the uses of the index, as long as all
 * indexes together cache less than a quarter of the budget. */
void fm_cache_slot_limit(struct fm_index_cache *cache, const struct fm_cache_slot *slot);
/* Counts a use of the slot's image. */
void fm_cache_slot_note_use(struct fm_index_cache *cache, const struct fm_cache_slot *slot);
/* Frees idle indexes until the others fit into the budget. Among the indexes whose last use is the longest ago, the
 * least often used one is freed first. If all indexes together have cached more than a quarter of the budget, the data
 * that such an index has cached is dropped first, and the index stays open. */
void fm_cache_keep_budget(struct fm_index_cache *cache);
/* Closes the dropped indexes now instead of when the lock is released, because a ceiling needs their memory. */
void fm_cache_close_dropped(struct fm_index_cache *cache);
/* Releases the lock, then closes the dropped indexes. */
void fm_cache_unlock(struct fm_index_cache *cache);

#endif
