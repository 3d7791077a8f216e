/* Numbers sorted by a key: stable, bounded time on any input, memory from our own heap (the C library's qsort promises
 * none of these). */
#ifndef FM_MAPPERS_NATIVE_IMAGE_SORTED_KEYS_H
#define FM_MAPPERS_NATIVE_IMAGE_SORTED_KEYS_H

#include "core/heap.h"

struct fm_key {
    uint64_t key;
    uint32_t number;
};

/* Rising keys; of equal ones `tie` decides (below 0: a first), and where it says 0, or is NULL, the order stays. false:
 * out of memory. */
bool fm_keys_sort(struct fm_heap *heap, struct fm_key *keys, size_t count,
                  int (*tie)(const void *context, uint32_t a, uint32_t b), const void *context);

/* How many keys are below `key`: where the first that is not stands. */
size_t fm_keys_lower(const struct fm_key *keys, size_t count, uint64_t key);

#endif
