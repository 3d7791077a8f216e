/* Stable merge sort that uses existing sorted runs, since symbol files are mostly sorted. Long unsorted input without
 * `tie` is sorted with a radix sort. */
#ifndef FM_CORE_TEXT_MERGE_SORT_H
#define FM_CORE_TEXT_MERGE_SORT_H

#include "core/heap.h"
#include "core/text/text.h"

/* Items are sorted by group, then by key, then by the result of `tie` for their ids. If `tie` is NULL, items with equal
 * group and key keep their order. */
struct fm_sort_item {
    uint64_t key;
    uint32_t group;
    uint32_t id;
};
typedef int (*fm_sort_tie)(const void *context, uint32_t a, uint32_t b);
/* Sorts items. Returns false when out of memory; the items are then in an unspecified order. */
bool fm_sort(struct fm_heap *heap, struct fm_sort_item *items, size_t count, fm_sort_tie tie, const void *context);

/* Returns the first eight bytes as a number that compares like them. Shorter keys are padded with zeros; the caller
 * compares whole keys when prefixes are equal. */
static inline uint64_t fm_sort_prefix(framemap_str key)
{
    const unsigned char *p = (const unsigned char *)key.data;
    uint64_t prefix = 0;
    if (key.size >= 8) /* compilers turn the eight shifts into one load */
        return (uint64_t)p[0] << 56 | (uint64_t)p[1] << 48 | (uint64_t)p[2] << 40 | (uint64_t)p[3] << 32 |
               (uint64_t)p[4] << 24 | (uint64_t)p[5] << 16 | (uint64_t)p[6] << 8 | (uint64_t)p[7];
    for (size_t i = 0; i < key.size; i++) prefix |= (uint64_t)p[i] << (56 - 8 * i);
    return prefix;
}

#endif
