/* The call tree of a profile whose nodes have ids and parents: finds nodes by their ids, and makes them nodes of a
 * sample set when a sample needs them. Called by the readers of JSON profiles. */
#ifndef FM_FORMATS_PROFILES_SAMPLE_TREE_H
#define FM_FORMATS_PROFILES_SAMPLE_TREE_H

#include "formats/profiles/sample_set.h"

struct fm_sample_tree_node {
    uint64_t key;
    uint32_t parent; /* number in the tree; FM_NO_ID: none */
    uint32_t frame;  /* frame of the set */
    uint32_t node;   /* node of the set, once one is needed */
    bool is_root;    /* represents no function, as "(root)": not in the stacks of its children */
};

struct fm_sample_tree {
    framemap_sample_set *set;
    uint64_t key; /* key of the hashes */
    struct fm_sample_tree_node *nodes;
    size_t count, capacity;
    struct fm_table table;
    uint32_t *chain; /* chain of one search */
    size_t chain_capacity;
};

void fm_sample_tree_init(struct fm_sample_tree *tree, framemap_sample_set *set);
void fm_sample_tree_free(struct fm_sample_tree *tree);
/* Returns a key for the id of a node, which the document writes as a number or a string. space: equal ids of different
 * spaces give different keys. */
uint64_t fm_sample_tree_key(const struct fm_sample_tree *tree, framemap_str id, uint64_t space);
/* Adds a node; returns its number, or that of an earlier node with this key. FM_NO_ID: out of memory, which the set
 * remembers. */
uint32_t fm_sample_tree_add(struct fm_sample_tree *tree, uint64_t key, uint32_t frame);
/* Returns the number of a node; FM_NO_ID: none. */
uint32_t fm_sample_tree_find(const struct fm_sample_tree *tree, uint64_t key);
/* Sets the parent of a node; either may be FM_NO_ID. A node whose stack was computed keeps its parent. */
void fm_sample_tree_link(struct fm_sample_tree *tree, uint32_t child, uint32_t parent);
/* Returns the node of the set for a stack that ends in this node; FM_NO_ID: none. A cycle of parents is cut. */
uint32_t fm_sample_tree_stack(struct fm_sample_tree *tree, uint32_t number);

#endif
