/* Definition of framemap_groups. Included by groups.c and groups_print.c. */
#ifndef FM_API_GROUP_GROUPS_STATE_H
#define FM_API_GROUP_GROUPS_STATE_H

#include "api/group/fingerprint.h"
#include "core/hash/hash.h"
#include "core/text/merge_sort.h"

struct fm_group_row {
    framemap_group shown; /* the row owns the strings in it */
    uint64_t first;       /* number of the group's first stack */
};

struct framemap_groups {
    struct fm_heap heap;
    const framemap_rules *rules;
    size_t most;
    struct fm_group_row *rows; /* groups in the order of their first stacks */
    size_t capacity;
    struct fm_sort_item *order; /* if `sorted`: the groups by descending count */
    size_t order_capacity;
    bool sorted;
    struct fm_table table; /* hash table of rows; the key is the fingerprint */
    uint64_t key;          /* key of the table's hashes */
    framemap_groups_totals totals;
    struct fm_fingerprint_work work;
    struct fm_buf words;
};

/* Sorts by count. Returns false if out of memory. */
bool fm_groups_sort(framemap_groups *groups);

#endif
