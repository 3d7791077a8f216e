/* The call tree of a profile, and the stacks that lead to its nodes: collects the frames of a JSON profile in the order
 * of the document, then adds a trace for each stack that was sampled. Called by the readers of profiles. */
#ifndef FM_FORMATS_SAMPLES_PROFILE_TREE_H
#define FM_FORMATS_SAMPLES_PROFILE_TREE_H

#include "formats/json_document.h"

#define FM_PROFILE_DEPTH 4096 /* most frames of a stack; deeper ones lose their outermost frames */
#define FM_PROFILE_NONE UINT32_MAX

struct fm_profile_node {
    framemap_str function, file;
    uint32_t line1, column1; /* position from 1; 0: not known */
    uint32_t parent;         /* number of the caller's node; FM_PROFILE_NONE: a root */
    uint64_t key;            /* key of the node in the profile */
    uint64_t parent_key;     /* with `by_key`: key of the parent, which may come later */
    bool by_key;
    uint64_t count;      /* samples that ended in the node */
    uint32_t seen;       /* number of the last stack that the node was in, from 1 */
    struct fm_line line; /* the part of the document that describes the node */
};

struct fm_profile_tree {
    struct fm_document *doc;
    const char *format; /* name of the format's row */
    const struct fm_json *json;
    const struct fm_json_document *document;
    struct fm_json_lines lines;
    struct fm_profile_node *nodes;
    uint32_t count, capacity;
    uint32_t *slots; /* hash table of the keys: one more than a node's number */
    uint32_t slot_mask;
    uint32_t *order; /* nodes in the order of their first samples */
    uint32_t order_count;
    uint64_t frames; /* frames of all traces that were added */
};

/* Makes room for nodes. Returns false if out of memory (the document remembers). */
bool fm_profile_tree_init(struct fm_profile_tree *tree, struct fm_document *doc, const char *format,
                          const struct fm_json_document *document, const struct fm_json *json, uint32_t capacity);
/* Adds a node that a value of the document describes; values have to come in the order of the document. Returns its
 * number; FM_PROFILE_NONE if there is no room. */
uint32_t fm_profile_node_add(struct fm_profile_tree *tree, int32_t value, const struct fm_profile_node *node);
/* Returns the node with that key. */
uint32_t fm_profile_node_find(const struct fm_profile_tree *tree, uint64_t key);
/* Returns a key from a number or string of the document, in an id space: equal ids of different spaces give different
 * keys. */
uint64_t fm_profile_key(const struct fm_json *json, int32_t value, uint64_t space);

/* Counts samples of a node. */
void fm_profile_sample(struct fm_profile_tree *tree, uint32_t node, uint64_t count);
/* Adds a trace for each node that has samples. Returns whether there was one. */
bool fm_profile_stacks(struct fm_profile_tree *tree);
/* Adds a trace of the given nodes, the outermost first. */
void fm_profile_stack(struct fm_profile_tree *tree, const uint32_t *nodes, size_t count, uint64_t samples);

/* Returns a string member of an object, decoded. */
framemap_str fm_profile_string(const struct fm_profile_tree *tree, int32_t object, const char *member);
/* Returns a member that is a position from `base`, as one from 1; 0: it is absent or less than its base. */
uint32_t fm_profile_position(const struct fm_json *json, int32_t object, const char *member, int64_t base);

#endif
