/* Hash tables that find scopes, classes and names by their text. */
#include "index/class_model.h"
#include "index/layout.h"

#define GROWTH_MOST 3 /* times that the table is doubled when a key needs too many probes */

/* false: some key would need more probes than a reader makes. */
static bool fill(uint32_t *slots, size_t capacity, size_t count, fm_slot_key key, const void *context)
{
    memset(slots, 0, capacity * sizeof *slots);
    for (size_t i = 0; i < count; i++) {
        const framemap_str text = key(context, i);
        if (text.data == NULL) continue;
        size_t at = (size_t)fm_hash64(text.data, text.size, 0) & (capacity - 1);
        unsigned probes = 1;
        for (; slots[at] != 0 && probes < FMX_PROBES_MOST; probes++) at = (at + 1) & (capacity - 1);
        if (slots[at] != 0) return false;
        slots[at] = (uint32_t)i + 1;
    }
    return true;
}

bool fm_fill_slots(struct fm_heap *heap, size_t count, fm_slot_key key, const void *context, uint32_t **slots, size_t *capacity)
{
    size_t size = 1, keys = 0;
    for (size_t i = 0; i < count; i++) keys += key(context, i).data != NULL;
    while (size < keys + keys / 2) size *= 2;
    for (unsigned tries = 0; tries <= GROWTH_MOST; tries++, size *= 2) {
        *slots = fm_heap_zalloc(heap, size, sizeof **slots);
        if (*slots == NULL) return false;
        *capacity = size;
        if (fill(*slots, size, count, key, context)) return true;
        fm_heap_free(heap, *slots, size * sizeof **slots);
    }
    *slots = NULL;
    *capacity = 0;
    return true;
}
