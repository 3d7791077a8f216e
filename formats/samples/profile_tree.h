/* The call tree of a JSON profile. Collects the frames of the profile in the order of the document, and then adds a
 * trace for each stack that was sampled. Called by the readers of JSON profiles. */
#ifndef FM_FORMATS_SAMPLES_PROFILE_TREE_H
#define FM_FORMATS_SAMPLES_PROFILE_TREE_H

#include "formats/json_document.h"

/* maximum number of frames of a stack; of a deeper stack, the outermost frames are dropped */
#define FM_PROFILE_DEPTH 4096
#define FM_PROFILE_NONE UINT32_MAX

struct fm_profile_node {
    framemap_str function, file;
    uint32_t line1, column1; /* position from 1; 0: not known */
    uint32_t parent;         /* number of the caller's node; FM_PROFILE_NONE: the node is a root */
    uint64_t key;            /* key of the node's id in the profile (fm_profile_key) */
    /* key of the parent's id, for use with `by_key`, since the parent may follow later in the document */
    uint64_t parent_key;
    bool by_key;
    uint64_t count;      /* number of samples whose innermost frame is the node */
    uint32_t seen;       /* number of the last stack, counted from 1, that contained the node */
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
    uint32_t *slots; /* hash table of the keys; a slot contains the number of a node plus one */
    uint32_t slot_mask;
    uint32_t *order; /* the sampled nodes, in the order of their first samples */
    uint32_t order_count;
    uint64_t frames; /* number of frames in all traces added so far */
};

/* Makes room for nodes in a tree. Returns false if out of memory, which the document records. */
bool fm_profile_tree_init(struct fm_profile_tree *tree, struct fm_document *doc, const char *format,
                          const struct fm_json_document *document, const struct fm_json *json, uint32_t capacity);
/* Adds a node for a JSON value; values must be passed in the order of the document. Returns the node's number;
 * FM_PROFILE_NONE if there is no room. */
uint32_t fm_profile_node_add(struct fm_profile_tree *tree, int32_t value, const struct fm_profile_node *node);
/* Returns the number of the node with this key; FM_PROFILE_NONE if not found. */
uint32_t fm_profile_node_find(const struct fm_profile_tree *tree, uint64_t key);
/* Returns a key for an id, which is a number or string of the document. space: equal ids in different spaces have
 * different keys. */
uint64_t fm_profile_key(const struct fm_json *json, int32_t value, uint64_t space);

/* Adds `count` to the samples of a node. */
void fm_profile_sample(struct fm_profile_tree *tree, uint32_t node, uint64_t count);
/* Adds a trace for each node that was sampled. Returns whether there was such a node. */
bool fm_profile_stacks(struct fm_profile_tree *tree);
/* Adds a trace with the given nodes, outermost first. samples: number of samples of the stack. */
void fm_profile_stack(struct fm_profile_tree *tree, const uint32_t *nodes, size_t count, uint64_t samples);

/* Returns a string member of an object, decoded; empty if not found. */
framemap_str fm_profile_string(const struct fm_profile_tree *tree, int32_t object, const char *member);
/* Returns a member that is a line or column, converted so that it counts from 1; 0: the member is absent or less than
 * `base`. base: number of the first line or column in the document. */
uint32_t fm_profile_position(const struct fm_json *json, int32_t object, const char *member, int64_t base);

#endif
