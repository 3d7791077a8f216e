/* A stable sort. */
#ifndef FM_SM_SORT_H
#define FM_SM_SORT_H

#include "core/text/text.h"

struct fm_sm_key {
    uint64_t key;
    uint32_t which;
};
/* Sorts by rising key; scratch: room for as many. In O(n log n), in O(n) where they are sorted already. */
void fm_sm_sort(struct fm_sm_key *keys, struct fm_sm_key *scratch, size_t count);

#endif
