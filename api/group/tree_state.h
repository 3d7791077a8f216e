/* Definition of framemap_sample_tree. Included by weight_tree.c, which makes it, and weight_tree_print.c. */
#ifndef FM_API_GROUP_TREE_STATE_H
#define FM_API_GROUP_TREE_STATE_H

#include "core/heap.h"
#include <framemap/weight_tree.h>

struct framemap_sample_tree {
    struct fm_heap heap;
    struct fm_arena arena; /* memory of all members below */
    framemap_sample_tree_totals totals;
    framemap_sample_function *functions; /* functions, the one with the largest own weight first */
    framemap_sample_tree_node *nodes;    /* nodes, each before its children */
};

#endif
