/* Implements the slots of the index cache: the hash table by file; the list of idle slots, sorted by last use; and the
 * list of slots with mapped files. Chooses the idle index that is dropped first. */
#include "session/cache/cache_slots.h"

#include "core/text/text.h"

#include <limits.h>

static bool same_image(const struct fm_entry *a, const struct fm_entry *b)
{
    return a == b || (memcmp(&a->stamp, &b->stamp, sizeof a->stamp) == 0 && fm_str_equal(a->arch, b->arch) &&
                      fm_str_equal(a->id, b->id) && fm_str_equal(a->name, b->name));
}

static uint64_t hash_of(const struct fm_entry *entry) { return fm_hash64(&entry->stamp, sizeof entry->stamp, 0); }

static struct fm_cache_slot **bucket_of(const struct fm_index_cache *cache, uint64_t hash)
{
    return &cache->buckets[hash & (cache->bucket_count - 1)];
}

struct fm_cache_slot *fm_cache_slot_find(const struct fm_index_cache *cache, const struct fm_entry *entry)
{
    struct fm_cache_slot *slot = cache->bucket_count ? *bucket_of(cache, hash_of(entry)) : NULL;
    while (slot && !same_image(slot->entry, entry)) slot = slot->next;
    return slot;
}

/* --- listing idle indexes, which nobody holds --- */

void fm_cache_slot_rest(struct fm_index_cache *cache, struct fm_cache_slot *slot)
{
    slot->older = cache->newest;
    slot->newer = NULL;
    *(cache->newest ? &cache->newest->newer : &cache->oldest) = slot;
    cache->newest = slot;
}

void fm_cache_slot_wake(struct fm_index_cache *cache, struct fm_cache_slot *slot)
{
    *(slot->older ? &slot->older->newer : &cache->oldest) = slot->newer;
    *(slot->newer ? &slot->newer->older : &cache->newest) = slot->older;
}

bool fm_cache_slot_is_mapped(const struct fm_cache_slot *slot)
{
    return slot->state == FM_CACHE_SLOT_READY && slot->index->file.has_descriptor;
}

void fm_cache_slot_unlist(struct fm_index_cache *cache, struct fm_cache_slot *slot)
{
    *(slot->before_mapped ? &slot->before_mapped->next_mapped : &cache->mapped) = slot->next_mapped;
    if (slot->next_mapped) slot->next_mapped->before_mapped = slot->before_mapped;
    slot->before_mapped = slot->next_mapped = NULL;
    atomic_fetch_sub(&cache->mapped_count, 1);
}

void fm_cache_slot_list(struct fm_index_cache *cache, struct fm_cache_slot *slot)
{
    slot->next_mapped = cache->mapped;
    if (cache->mapped) cache->mapped->before_mapped = slot;
    cache->mapped = slot;
    atomic_fetch_add(&cache->mapped_count, 1);
}

void fm_cache_slot_note_held(struct fm_index_cache *cache, struct fm_cache_slot *slot)
{
    slot->held_at = atomic_load(&cache->clock);
    if (!fm_cache_slot_is_mapped(slot) || cache->mapped == slot) return;
    fm_cache_slot_unlist(cache, slot);
    fm_cache_slot_list(cache, slot);
}

void fm_cache_slot_drop(struct fm_index_cache *cache, struct fm_cache_slot *slot)
{
    if (fm_cache_slot_is_mapped(slot)) fm_cache_slot_unlist(cache, slot);
    struct fm_cache_slot **link = bucket_of(cache, slot->hash);
    while (*link != slot) link = &(*link)->next;
    *link = slot->next;
    cache->slot_count--;
    cache->bytes -= slot->bytes;
    cache->kept_bytes -= slot->bytes - slot->opened_bytes;
    slot->next = cache->dropped;
    cache->dropped = slot;
}

static void close_slots(struct fm_index_cache *cache, struct fm_cache_slot *slots)
{
    while (slots) {
        struct fm_cache_slot *slot = slots;
        slots = slot->next;
        framemap_index_close(slot->index);
        fm_heap_free(cache->heap, slot, sizeof *slot);
    }
}

void fm_cache_close_dropped(struct fm_index_cache *cache)
{
    struct fm_cache_slot *slots = cache->dropped;
    cache->dropped = NULL;
    close_slots(cache, slots);
}

void fm_cache_unlock(struct fm_index_cache *cache)
{
    struct fm_cache_slot *slots = cache->dropped;
    cache->dropped = NULL;
    fm_mutex_unlock(cache->lock);
    close_slots(cache, slots);
}

/* --- keeping to the budget of memory --- */

uint64_t fm_cache_used(const struct fm_index_cache *cache)
{
    return cache->bytes + fm_text_memo_used(&cache->names) + fm_answer_cache_used(&cache->answers);
}

void fm_cache_slot_count(struct fm_index_cache *cache, struct fm_cache_slot *slot)
{
    const uint64_t used = atomic_load(&slot->index->heap.used),
                   kept = used > slot->opened_used ? used - slot->opened_used : 0,
                   before = slot->bytes - slot->opened_bytes;
    cache->bytes += kept - before;
    cache->kept_bytes += kept - before;
    slot->bytes = slot->opened_bytes + kept;
}

static unsigned uses_of(const struct fm_index_cache *cache, const struct fm_cache_slot *slot)
{
    return cache->uses ? fm_use_counts_get(cache->uses, slot->hash) : 0;
}

static uint64_t most_kept(const struct fm_index_cache *cache) { return cache->budget / 4; }

/* Returns how many bytes of decoded data an index may cache at present. */
static uint64_t most_kept_by(const struct fm_index_cache *cache, const struct fm_cache_slot *slot)
{
    if (fm_cache_used(cache) <= cache->budget - cache->budget / 8) return UINT64_MAX;
    const uint64_t own = slot->bytes - slot->opened_bytes, all = most_kept(cache),
                   room = own + (cache->kept_bytes < all ? all - cache->kept_bytes : 0),
                   share = slot->opened_bytes / FM_USE_MOST * uses_of(cache, slot);
    return share < room ? share : room;
}

void fm_cache_slot_limit(struct fm_index_cache *cache, const struct fm_cache_slot *slot)
{
    const uint64_t most = most_kept_by(cache, slot);
    fm_view_limit_kept(slot->index->view,
                       most < UINT64_MAX - slot->opened_used ? slot->opened_used + most : UINT64_MAX);
}

void fm_cache_slot_note_use(struct fm_index_cache *cache, const struct fm_cache_slot *slot)
{
    if (cache->uses) fm_use_counts_add(cache->uses, slot->hash, cache->slot_count);
}

/* Returns the idle index to free next: among the indexes whose last use is the longest ago, the one that was used least
 * often; if several were used equally often, the one of these with the oldest last use. caching: consider only indexes
 * that have cached data. NULL: there is no such index. */
static struct fm_cache_slot *least_used(const struct fm_index_cache *cache, bool caching)
{
    enum { COMPARED = 32 };
    struct fm_cache_slot *slot = cache->oldest, *least = NULL;
    unsigned least_uses = UINT_MAX;
    for (unsigned i = 0; i < COMPARED && slot && least_uses > 0; i++, slot = slot->newer) {
        if (caching && slot->bytes == slot->opened_bytes) continue;
        const unsigned uses = uses_of(cache, slot);
        if (uses >= least_uses) continue;
        least_uses = uses;
        least = slot;
    }
    return least;
}

static bool is_over(const struct fm_index_cache *cache) { return fm_cache_used(cache) > cache->budget; }

void fm_cache_keep_budget(struct fm_index_cache *cache)
{
    if (cache->uses == NULL && is_over(cache)) cache->uses = fm_heap_zalloc(cache->heap, 1, sizeof *cache->uses);
    while (is_over(cache) && cache->oldest) {
        struct fm_cache_slot *slot = cache->kept_bytes > most_kept(cache) ? least_used(cache, true) : NULL;
        if (slot) {
            fm_view_drop_kept(slot->index->view);
            fm_cache_slot_count(cache, slot);
            continue;
        }
        slot = least_used(cache, false);
        fm_cache_slot_wake(cache, slot);
        fm_cache_slot_drop(cache, slot);
    }
}

/* --- adding slots for indexes --- */

/* Doubles the number of buckets. If memory for more buckets is missing, the chains of the present buckets grow
 * instead. */
static void grow_buckets(struct fm_index_cache *cache)
{
    enum { FIRST = 16 };
    struct fm_cache_slot **old = cache->buckets;
    const size_t old_count = cache->bucket_count, count = old_count ? old_count * 2 : FIRST;
    struct fm_cache_slot **buckets = fm_heap_zalloc(cache->heap, count, sizeof *buckets);
    if (buckets == NULL) return;
    cache->buckets = buckets;
    cache->bucket_count = count;
    for (size_t i = 0; i < old_count; i++) {
        for (struct fm_cache_slot *slot = old[i], *next; slot; slot = next) {
            struct fm_cache_slot **head = bucket_of(cache, slot->hash);
            next = slot->next;
            slot->next = *head;
            *head = slot;
        }
    }
    fm_heap_free(cache->heap, old, old_count * sizeof(struct fm_cache_slot *));
}

struct fm_cache_slot *fm_cache_slot_new(struct fm_index_cache *cache, const struct fm_entry *entry)
{
    if (cache->slot_count >= cache->bucket_count) grow_buckets(cache);
    struct fm_cache_slot *slot = cache->bucket_count ? fm_heap_zalloc(cache->heap, 1, sizeof *slot) : NULL;
    if (slot == NULL) return NULL;
    slot->hash = hash_of(entry);
    struct fm_cache_slot **head = bucket_of(cache, slot->hash);
    slot->entry = entry;
    slot->state = FM_CACHE_SLOT_COMPILING;
    slot->next = *head;
    *head = slot;
    cache->slot_count++;
    return slot;
}
