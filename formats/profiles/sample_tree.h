/* The call tree of a JSON profile whose nodes have ids and parents. Finds nodes by their ids, and makes them nodes
 * of a sample set when a sample needs them. Called by the readers of JSON profiles. */
#ifndef FM_FORMATS_PROFILES_SAMPLE_TREE_H
#define FM_FORMATS_PROFILES_SAMPLE_TREE_H

#include "formats/profiles/sample_set.h"

struct fm_sample_tree_node {
    uint64_t key;
    uint32_t parent; /* number of the caller's node in this tree; FM_NO_ID: the node has no caller */
    uint32_t frame;  /* number of the frame in the sample set */
    uint32_t node;   /* number of the node in the sample set, once a sample needs it */
    bool is_root;    /* the node, such as "(root)", does not represent a function, and is not part of stacks */
};

struct fm_sample_tree {
    framemap_sample_set *set;
    uint64_t key; /* secret key of the hash function */
    struct fm_sample_tree_node *nodes;
    size_t count, capacity;
    struct fm_table table;
    uint32_t *chain; /* memory for the nodes of one stack */
    size_t chain_capacity;
};

void fm_sample_tree_init(struct fm_sample_tree *tree, framemap_sample_set *set);
void fm_sample_tree_free(struct fm_sample_tree *tree);
/* Returns a key for the id of a node, which the document writes as a number or a string. space: equal ids in
 * different spaces have different keys. */
uint64_t fm_sample_tree_key(const struct fm_sample_tree *tree, framemap_str id, uint64_t space);
/* Adds a node, unless an earlier node has this key. Returns its number. FM_NO_ID: out of memory, which the set
 * records. */
uint32_t fm_sample_tree_add(struct fm_sample_tree *tree, uint64_t key, uint32_t frame);
/* Returns the number of the node with this key; FM_NO_ID: not found. */
uint32_t fm_sample_tree_find(const struct fm_sample_tree *tree, uint64_t key);
/* Sets the parent of a node. Does nothing if one of the two is FM_NO_ID, or if the stack of the child was already
 * computed. */
void fm_sample_tree_link(struct fm_sample_tree *tree, uint32_t child, uint32_t parent);
/* Returns the node of the sample set for the stack that ends in this node; FM_NO_ID: the stack has no frames. If
 * parents form a cycle, the stack is cut there. */
uint32_t fm_sample_tree_stack(struct fm_sample_tree *tree, uint32_t number);

#endif
