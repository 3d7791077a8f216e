/* Builds the hash tables that find scopes, classes and names by their strings. */
#include "core/cpu.h"
#include "index/format/layout.h"
#include "index/write/model/class_model.h"

#define GROWTH_MOST 3 /* how often the table may be doubled because a key needs too many probes (slots looked at) */

#define AT_ONCE 16 /* number of keys whose memory accesses overlap */

/* Puts a key's number into a slot. false: it would need more probes than a reader makes. */
static bool put_key(uint32_t *slots, size_t capacity, uint64_t hash, size_t number)
{
    size_t at = (size_t)hash & (capacity - 1);
    unsigned probes = 1;
    for (; slots[at] != 0 && probes < FMX_PROBES_MOST; probes++) at = (at + 1) & (capacity - 1);
    if (slots[at] != 0) return false;
    slots[at] = (uint32_t)number + 1;
    return true;
}

/* Inserts a batch of keys; all of them make each step together, so that cache misses overlap. */
static bool fill_some(uint32_t *slots, size_t capacity, size_t first, size_t count, fm_slot_key key,
                      const void *context)
{
    framemap_str texts[AT_ONCE];
    uint64_t hashes[AT_ONCE];
    for (size_t i = 0; i < count; i++) {
        texts[i] = key(context, first + i);
        fm_prefetch(texts[i].data);
    }
    for (size_t i = 0; i < count; i++) {
        hashes[i] = texts[i].data == NULL ? 0 : fm_hash64(texts[i].data, texts[i].size, 0);
        fm_prefetch(&slots[(size_t)hashes[i] & (capacity - 1)]);
    }
    for (size_t i = 0; i < count; i++)
        if (texts[i].data != NULL && !put_key(slots, capacity, hashes[i], first + i)) return false;
    return true;
}

/* Fills the table, whose slots must be empty. false: some key would need more probes than a reader makes. */
static bool fill_hash_table(uint32_t *slots, size_t capacity, size_t count, fm_slot_key key, const void *context)
{
    for (size_t at = 0; at < count; at += AT_ONCE)
        if (!fill_some(slots, capacity, at, count - at < AT_ONCE ? count - at : AT_ONCE, key, context)) return false;
    return true;
}

bool fm_fill_slots(struct fm_heap *heap, size_t count, size_t keys, fm_slot_key key, const void *context,
                   uint32_t **slots, size_t *capacity)
{
    size_t size = 1;
    while (size < keys + keys / 2) size *= 2;
    for (unsigned tries = 0; tries <= GROWTH_MOST; tries++, size *= 2) {
        *slots = fm_heap_zalloc(heap, size, sizeof **slots);
        if (*slots == NULL) return false;
        *capacity = size;
        if (fill_hash_table(*slots, size, count, key, context)) return true;
        fm_heap_free(heap, *slots, size * sizeof **slots);
    }
    *slots = NULL;
    *capacity = 0;
    return true;
}
