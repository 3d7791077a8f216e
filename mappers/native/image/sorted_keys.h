/* Sorts numbers by a key. Unlike the C library's qsort, it is stable, takes O(n log n) on any input, and uses memory
 * from the given heap. */
#ifndef FM_MAPPERS_NATIVE_IMAGE_SORTED_KEYS_H
#define FM_MAPPERS_NATIVE_IMAGE_SORTED_KEYS_H

#include "core/heap.h"

struct fm_key {
    uint64_t key;
    uint32_t number;
};

/* Sorts by ascending key. For equal keys, `tie` decides (negative: `a` first); the order is kept if it returns 0 or
 * is NULL. Returns false when out of memory. */
bool fm_keys_sort(struct fm_heap *heap, struct fm_key *keys, size_t count,
                  int (*tie)(const void *context, uint32_t a, uint32_t b), const void *context);

/* Returns how many keys are less than `key`, which is also the index of the first key that is not. */
size_t fm_keys_lower(const struct fm_key *keys, size_t count, uint64_t key);

#endif
