/* The indexes that a session keeps open: loads each of them once (index_load.c), counts its holders, and drops idle
 * indexes to keep the budget. cache_slots.c has the lists and chooses the index that is dropped first; cache_ceiling.c
 * has the rules under a memory ceiling. */
#include "session/cache/index_cache.h"

#include "core/error.h"
#include "session/cache/cache_ceiling.h"
#include "session/cache/index_load.h"
#include "session/catalog/js_map_choice.h"

#define DEFAULT_BUDGET ((uint64_t)1 << 30)
#define SHARE_OF_NAMES 8u   /* demangled names may use one eighth of the budget */
#define SHARE_OF_ANSWERS 6u /* answers of closed indexes may use one sixth of the budget */
/* Least budget for answers, in bytes. If their share of the budget is smaller, no answers are kept, since they would
 * be dropped before they are needed again. */
#define LEAST_ANSWERS ((uint64_t)2 << 20)
/* Least size of an index whose answers are kept, in bytes. A smaller index can be opened as fast as its answers are
 * found. */
#define LEAST_REMEMBERED ((uint64_t)128 << 10)
/* If the ceiling is below this many bytes, no names are kept, since every byte is needed for symbols. */
#define LEAST_CEILING ((uint64_t)64 << 20)

static bool make_cache_room(void *context, uint64_t bytes);

static void put_under_ceiling(struct fm_index_cache *cache, bool has_budget)
{
    struct fm_ceiling *ceiling = cache->ceiling;
    const uint64_t most = has_budget ? ceiling->most : ceiling->most / 2;
    if (cache->budget > most) cache->budget = most;
    ceiling->context = cache;
    ceiling->make_room = make_cache_room;
}

void fm_index_cache_init(struct fm_index_cache *cache, struct fm_heap *heap, fm_mutex *lock, uint64_t budget,
                         struct fm_ceiling *ceiling)
{
    *cache = (struct fm_index_cache){
        .heap = heap, .lock = lock, .budget = budget ? budget : DEFAULT_BUDGET, .ceiling = ceiling};
    fm_condition_init(&cache->changed);
    if (ceiling) put_under_ceiling(cache, budget > 0);
    const bool is_tight = ceiling && ceiling->most < LEAST_CEILING;
    fm_text_memo_init(&cache->names, heap, is_tight ? 0 : cache->budget / SHARE_OF_NAMES);
    cache->least_remembered = LEAST_REMEMBERED;
    const uint64_t answers = cache->budget / SHARE_OF_ANSWERS;
    fm_answer_cache_init(&cache->answers, heap, ceiling || answers < LEAST_ANSWERS ? 0 : answers);
}

void fm_index_cache_free(struct fm_index_cache *cache)
{
    if (cache->ceiling) cache->ceiling->make_room = NULL;
    for (size_t i = 0; i < cache->bucket_count; i++) {
        for (struct fm_cache_slot *slot = cache->buckets[i], *next; slot; slot = next) {
            next = slot->next;
            framemap_index_close(slot->index);
            fm_heap_free(cache->heap, slot, sizeof *slot);
        }
    }
    fm_text_memo_free(&cache->names);
    fm_answer_cache_free(&cache->answers);
    fm_heap_free(cache->heap, cache->uses, sizeof *cache->uses);
    fm_heap_free(cache->heap, cache->buckets, cache->bucket_count * sizeof(struct fm_cache_slot *));
    fm_condition_destroy(&cache->changed);
}

/* --- freeing memory under a ceiling --- */

/* Drops idle indexes, the least recently used first, until `bytes` fit below the ceiling. Returns whether an index was
 * dropped. */
static bool drop_idle(struct fm_index_cache *cache, uint64_t bytes)
{
    bool any = false;
    while (cache->oldest && fm_ceiling_left(cache->ceiling) < bytes) {
        struct fm_cache_slot *slot = cache->oldest;
        fm_cache_slot_wake(cache, slot);
        fm_cache_slot_drop(cache, slot);
        fm_cache_close_dropped(cache);
        any = true;
    }
    return any;
}

/* Drops unused indexes when the memory ceiling needs room for an allocation. If this thread itself holds the lock, no
 * index can be dropped, and the allocation fails. The caller then calls fm_index_cache_drop_idle and tries again. */
static bool make_cache_room(void *context, uint64_t bytes)
{
    struct fm_index_cache *cache = context;
    if (!fm_mutex_try(cache->lock)) return false;
    const bool any = drop_idle(cache, bytes);
    fm_mutex_unlock(cache->lock);
    return any;
}

bool fm_index_cache_drop_idle(struct fm_index_cache *cache)
{
    fm_mutex_lock(cache->lock);
    const bool any = cache->ceiling && drop_idle(cache, UINT64_MAX);
    fm_mutex_unlock(cache->lock);
    return any;
}

/* --- removing indexes whose file was changed --- */

static void forget_index(struct fm_index_cache *cache, struct fm_cache_slot *slot)
{
    framemap_index_close(slot->index);
    slot->index = NULL;
    cache->bytes -= slot->bytes;
    cache->kept_bytes -= slot->bytes - slot->opened_bytes;
    slot->bytes = slot->opened_bytes = 0;
}

static void retire(struct fm_index_cache *cache, struct fm_cache_slot *slot)
{
    slot->state = FM_CACHE_SLOT_FAILED;
    slot->fault = (framemap_error){0};
    fm_error_set(&slot->fault, FRAMEMAP_E_MISMATCH,
                 "changed-while-read: the index was changed while it was read, and is not used");
    fm_error_where(&slot->fault, framemap_str_of(slot->entry->path));
    if (slot->holders > 0) return; /* the last holder drops the index when it releases the slot */
    fm_cache_slot_wake(cache, slot);
    forget_index(cache, slot);
}

uint64_t fm_index_cache_begin(struct fm_index_cache *cache) { return atomic_fetch_add(&cache->clock, 1) + 1; }

/* Removes one holder from a slot. If it was the last holder, the slot becomes idle, or is removed if it has no usable
 * index. */
static void remove_holder(struct fm_index_cache *cache, struct fm_cache_slot *slot)
{
    if (--slot->holders > 0) return;
    cache->held--;
    if (slot->state == FM_CACHE_SLOT_READY)
        fm_cache_slot_rest(cache, slot);
    else
        forget_index(cache, slot);
}

static void pin(struct fm_index_cache *cache, struct fm_cache_slot *slot)
{
    if (slot->holders++ > 0) return;
    cache->held++;
    fm_cache_slot_wake(cache, slot);
}

enum { CHECKED_AT_ONCE = 16 };

/* Pins the indexes that were held since `since`, up to CHECKED_AT_ONCE. Returns their number. The caller holds the
 * lock. */
static size_t pin_held(struct fm_index_cache *cache, uint64_t since, struct fm_cache_slot *pinned[CHECKED_AT_ONCE])
{
    size_t count = 0;
    for (struct fm_cache_slot *slot = cache->mapped; slot && slot->held_at >= since && count < CHECKED_AT_ONCE;
         slot = slot->next_mapped) {
        pin(cache, slot);
        pinned[count++] = slot;
    }
    return count;
}

/* Checks with the system whether files of pinned indexes have changed. The caller does not hold the lock: with the lock
 * held, a slow system call would stop all threads. */
static void find_changed(struct fm_cache_slot *const pinned[CHECKED_AT_ONCE], size_t count,
                         bool changed[CHECKED_AT_ONCE])
{
    for (size_t i = 0; i < count; i++) changed[i] = framemap_index_changed(pinned[i]->index);
}

/* Retires the pinned slots whose files have changed, and unpins all pinned slots. Returns the number of slots whose
 * files have changed. The caller holds the lock. */
static size_t settle_pinned(struct fm_index_cache *cache, struct fm_cache_slot *const pinned[CHECKED_AT_ONCE],
                            size_t count, const bool changed[CHECKED_AT_ONCE])
{
    size_t retired = 0;
    for (size_t i = 0; i < count; i++) {
        struct fm_cache_slot *slot = pinned[i];
        retired += changed[i];
        if (changed[i] && slot->state == FM_CACHE_SLOT_READY) {
            fm_cache_slot_unlist(cache, slot);
            retire(cache, slot);
        }
        remove_holder(cache, slot);
    }
    return retired;
}

/* Retires all slots held since `since` whose files have changed, and returns their number. Checks the files while the
 * lock is held. A call that holds many indexes uses this: if it pinned them in several steps, other threads could
 * reorder the list between two steps, and some indexes would be missed. */
static size_t retire_all_changed(struct fm_index_cache *cache, uint64_t since)
{
    size_t count = 0;
    for (struct fm_cache_slot *slot = cache->mapped, *next; slot && slot->held_at >= since; slot = next) {
        next = slot->next_mapped;
        if (!framemap_index_changed(slot->index)) continue;
        fm_cache_slot_unlist(cache, slot);
        retire(cache, slot);
        count++;
    }
    return count;
}

size_t fm_index_cache_retire_changed(struct fm_index_cache *cache, uint64_t since)
{
    struct fm_cache_slot *pinned[CHECKED_AT_ONCE];
    bool changed[CHECKED_AT_ONCE];
    size_t retired = 0;
    /* If no index is a mapped file, the call holds no index whose file can change. */
    if (atomic_load(&cache->mapped_count) == 0) return 0;
    fm_mutex_lock(cache->lock);
    const size_t count = pin_held(cache, since, pinned);
    if (count > 0) {
        fm_mutex_unlock(cache->lock);
        find_changed(pinned, count, changed);
        fm_mutex_lock(cache->lock);
        retired = settle_pinned(cache, pinned, count, changed);
    }
    if (count == CHECKED_AT_ONCE) retired += retire_all_changed(cache, since);
    fm_cache_keep_budget(cache);
    fm_cache_unlock(cache);
    return retired;
}

/* Loads an index. If it exceeds the ceiling, loads it again with one thread, after all memory that can be freed was
 * freed (idle indexes are dropped). */
static framemap_status load_under_ceiling(struct fm_index_cache *cache, struct fm_cache_slot *slot, const char *script,
                                          framemap_index **out, framemap_error *error)
{
    struct fm_ceiling *ceiling = cache->ceiling;
    const uint64_t refused = ceiling ? atomic_load(&ceiling->refused) : 0;
    framemap_status status = fm_index_load(cache, slot->entry, script, false, out, error);
    slot->over = FM_OVER_NOTHING;
    if (status != FRAMEMAP_E_MEMORY || ceiling == NULL || atomic_load(&ceiling->refused) == refused ||
        !atomic_load(&ceiling->over))
        return status;
    const bool any = fm_index_cache_drop_idle(cache);
    const uint64_t left = fm_ceiling_left(ceiling);
    if (any || cache->build.threads > 1) status = fm_index_load(cache, slot->entry, script, true, out, error);
    if (status != FRAMEMAP_E_MEMORY || !atomic_load(&ceiling->over)) return status;
    slot->left_then = left;
    slot->over = FM_OVER_ALONE;
    return fm_error_over_memory(error, ceiling->most);
}

static void fill_slot(struct fm_index_cache *cache, struct fm_cache_slot *slot)
{
    framemap_index *index = NULL;
    framemap_error fault = {0};
    framemap_str script = {NULL, 0};
    struct fm_arena arena;
    fm_arena_init(&arena, cache->heap);
    const bool ok = cache->catalog == NULL || fm_js_script_of_map(slot->entry->home, slot->entry, &arena, &script);
    fm_cache_unlock(cache);
    framemap_status status =
        ok ? load_under_ceiling(cache, slot, script.data, &index, &fault) : fm_error_memory(&fault);
    fm_arena_free(&arena);
    fm_mutex_lock(cache->lock);
    if (slot->over != FM_OVER_NOTHING) slot->over = fm_cache_why_over(cache, slot);
    if (status == FRAMEMAP_OK) {
        framemap_index_info info;
        framemap_index_describe(index, &info);
        index->owner = slot;
        fm_view_share_names(index->view, &cache->names);
        slot->index = index;
        slot->bytes = slot->opened_bytes = info.size_bytes;
        slot->opened_used = atomic_load(&index->heap.used);
        slot->opened_at = atomic_load(&cache->clock);
        slot->state = FM_CACHE_SLOT_READY;
        if (fm_cache_slot_is_mapped(slot)) fm_cache_slot_list(cache, slot);
        cache->bytes += slot->bytes;
        fm_cache_keep_budget(cache);
    } else {
        fault.code = status;
        fault.where[0] = 0;
        fm_error_where(&fault, framemap_str_of(slot->entry->path));
        slot->fault = fault;
        slot->state = FM_CACHE_SLOT_FAILED;
    }
    if (slot->holders > 1) fm_condition_wake_all(&cache->changed);
}

/* Whether a failure may be temporary: out of memory, or an error of the system. Returns false for an index that
 * exceeded the ceiling: fm_cache_may_fit_now decides when that index is tried again. */
static bool may_pass(const struct fm_cache_slot *slot)
{
    return slot->over == FM_OVER_NOTHING &&
           (slot->fault.code == FRAMEMAP_E_MEMORY || slot->fault.code == FRAMEMAP_E_IO);
}

static framemap_status settle_hold(struct fm_index_cache *cache, struct fm_cache_slot *slot, framemap_index **out,
                                   enum fm_over *over, framemap_error *error)
{
    if (over) *over = slot->over;
    if (slot->state == FM_CACHE_SLOT_READY) {
        fm_cache_slot_note_held(cache, slot);
        fm_cache_slot_limit(cache, slot);
        *out = slot->index;
        return FRAMEMAP_OK;
    }
    framemap_status status = slot->fault.code;
    if (error) *error = slot->fault;
    if (--slot->holders > 0) return status;
    cache->held--;
    if (may_pass(slot)) fm_cache_slot_drop(cache, slot);
    return status;
}

framemap_status fm_index_cache_hold(struct fm_index_cache *cache, const struct fm_entry *entry, framemap_index **out,
                                    enum fm_over *over, framemap_error *error)
{
    if (over) *over = FM_OVER_NOTHING;
    fm_mutex_lock(cache->lock);
    struct fm_cache_slot *slot = fm_cache_slot_find(cache, entry);
    bool mine = slot == NULL;
    if (mine) slot = fm_cache_slot_new(cache, entry);
    framemap_status status = FRAMEMAP_E_MEMORY;
    if (slot) {
        if (slot->state == FM_CACHE_SLOT_READY && slot->holders == 0) fm_cache_slot_wake(cache, slot);
        if (fm_cache_may_fit_now(cache, slot)) {
            slot->state = FM_CACHE_SLOT_COMPILING;
            mine = true;
        }
        fm_cache_slot_note_use(cache, slot);
        /* The holder is counted before any wait, so that the index is not dropped meanwhile. */
        if (slot->holders++ == 0) cache->held++;
        if (mine) fill_slot(cache, slot);
        while (slot->state == FM_CACHE_SLOT_COMPILING) fm_condition_wait(&cache->changed, cache->lock);
        status = settle_hold(cache, slot, out, over, error);
    } else {
        fm_error_memory(error);
    }
    fm_cache_unlock(cache);
    return status;
}

/* --- compiling indexes for some addresses only --- */

/* Whether the complete index is open, being compiled, or on disk. */
static bool is_at_hand(const struct fm_index_cache *cache, const struct fm_entry *entry)
{
    fm_mutex_lock(cache->lock);
    const bool has_slot = fm_cache_slot_find(cache, entry) != NULL;
    fm_mutex_unlock(cache->lock);
    return has_slot || entry->is_index || fm_index_is_on_disk(cache, entry);
}

void fm_index_cache_hold_some(struct fm_index_cache *cache, const struct fm_entry *entry, const uint64_t *positions,
                              size_t count, framemap_index **out)
{
    *out = NULL;
    if (!entry->is_source_map && !is_at_hand(cache, entry)) fm_index_load_some(cache, entry, positions, count, out);
}

/* --- using cached answers of closed indexes --- */

bool fm_index_cache_may_recall(const struct fm_index_cache *cache, const struct fm_entry *entry)
{
    return entry->is_index && fm_answer_cache_used(&cache->answers) > 0 && fm_cache_slot_find(cache, entry) == NULL;
}

bool fm_index_cache_remembers(struct fm_index_cache *cache, const framemap_index *index, uint64_t since)
{
    const struct fm_cache_slot *slot = index->owner;
    if (slot == NULL || slot->opened_at < since) return false;
    if (!slot->entry->is_index || slot->entry->in_archive || slot->opened_bytes < cache->least_remembered) return false;
    if (!fm_stamp_same_content(&index->file.stamp, &slot->entry->stamp)) return false;
    fm_mutex_lock(cache->lock);
    const bool is_full = cache->uses != NULL;
    fm_mutex_unlock(cache->lock);
    return is_full && fm_answer_cache_wants(&cache->answers);
}

void fm_index_cache_release(struct fm_index_cache *cache, const framemap_index *index)
{
    if (index->owner == NULL) { /* the index was compiled for a few addresses only, and is not in the cache */
        framemap_index_close((framemap_index *)(uintptr_t)index);
        return;
    }
    fm_mutex_lock(cache->lock);
    struct fm_cache_slot *slot = index->owner;
    fm_cache_slot_count(cache, slot);
    remove_holder(cache, slot);
    fm_cache_keep_budget(cache);
    fm_cache_unlock(cache);
}
