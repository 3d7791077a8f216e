/* Stable merge sort of keys. */
#ifndef FM_MAPPERS_JAVASCRIPT_SOURCEMAP_SOURCEMAP_SORT_H
#define FM_MAPPERS_JAVASCRIPT_SOURCEMAP_SOURCEMAP_SORT_H

#include "core/text/text.h"

struct fm_sourcemap_key {
    uint64_t key;
    uint32_t which;
};
/* Sorts by key in O(n log n), or O(n) if the keys are sorted already. scratch: memory for `count` keys. */
void fm_sourcemap_sort(struct fm_sourcemap_key *keys, struct fm_sourcemap_key *scratch, size_t count);

#endif
