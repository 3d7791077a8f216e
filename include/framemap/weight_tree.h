/* One tree of the stacks of a profile, with the weight of each function: by itself, and with all that it called.
 *
 *     framemap_sample_tree *tree;
 *     framemap_sample_tree_make(set, NULL, &tree, &error);
 *     framemap_sample_tree_print(tree, "text", FRAMEMAP_TREE_FUNCTIONS, 20, write, context, &error);
 *     framemap_sample_tree_close(tree);
 */
#ifndef FRAMEMAP_WEIGHT_TREE_H
#define FRAMEMAP_WEIGHT_TREE_H

#include <framemap/group.h>
#include <framemap/samples.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A tree and its functions. Does not change once it is made; any number of threads may read it. */
typedef struct framemap_sample_tree framemap_sample_tree;

/* Options of framemap_sample_tree_make. Zero the struct, set size to sizeof, then set what differs from the defaults.
 */
typedef struct framemap_sample_tree_options {
    size_t size;
    const framemap_allocator *allocator; /* copied; NULL: the allocator of the C library */
    /* which weights count: the number of a type of the set (framemap_sample_set_type), from 0 */
    uint32_t type;
    const framemap_rules *rules; /* rules for `in_app` and `owner`; borrowed for the call. NULL: neither is known */
} framemap_sample_tree_options;

/* Makes the tree of all samples of a set, whatever their threads and labels. Frames with one name are one function, and
 * the calls of one function from the same stack are one node. set: borrowed for the call. options: NULL for the
 * defaults. out: written on success; close it with framemap_sample_tree_close. Errors: ARGUMENT (also a type that the
 * set does not have, unless it is 0), MEMORY. Any thread that may read the set and the rules. */
FRAMEMAP_API framemap_status framemap_sample_tree_make(const framemap_sample_set *set,
                                                       const framemap_sample_tree_options *options,
                                                       framemap_sample_tree **out, framemap_error *error);
/* Closes a tree and frees its nodes. NULL is allowed. */
FRAMEMAP_API void framemap_sample_tree_close(framemap_sample_tree *tree);

/* What is in a tree. Strings are borrowed from it. */
typedef struct framemap_sample_tree_totals {
    framemap_str type, unit; /* type and unit of the weights, in the words of pprof; absent if the set has none */
    int64_t total;           /* the weight of all samples, also of those without frames */
    uint32_t functions, nodes;
} framemap_sample_tree_totals;
FRAMEMAP_API framemap_sample_tree_totals framemap_sample_tree_count(const framemap_sample_tree *tree);

/* A function. Strings are borrowed from the tree; an absent string is {NULL, 0}. */
typedef struct framemap_sample_function {
    framemap_str name;         /* name of the function; without one, the image in brackets, "[libc.so]", or the address,
                                  "0x4f2a" */
    framemap_str file, module; /* the first file and module that the set has for the function; functions of several
                                  files may share a name */
    int64_t self, total;       /* self: weight of the samples whose innermost function this is; total: weight of all
                                  samples whose stack contains it, each sample counted once */
    bool has_in_app, in_app;   /* in_app: the function is the app's own; has_in_app: rules were given, so that in_app is
                                  known */
    framemap_str owner;        /* owners of `file`, where rules were given */
} framemap_sample_function;

/* Gets function number `at`, from 0. Functions are sorted by self, then by total, the largest first, then by name.
 * Returns false if there is no such function.
 */
FRAMEMAP_API bool framemap_sample_tree_function(const framemap_sample_tree *tree, uint32_t at,
                                                framemap_sample_function *out);

/* A function called from one stack. */
typedef struct framemap_sample_tree_node {
    /* Number of the caller's node, less than the node's own; FRAMEMAP_NO_NODE: the node is outermost. */
    uint32_t parent;
    uint32_t function; /* a number of framemap_sample_tree_function */
    uint32_t depth;    /* number of callers around the node; 0 for an outermost node */
    int64_t self, total;
} framemap_sample_tree_node;

/* Gets node number `at`, from 0. A node comes before its callees, and these before the next node of the same depth; the
 * callees of one node are sorted by total, then by self, the largest first, then by name. Returns false if there is no
 * such node. */
FRAMEMAP_API bool framemap_sample_tree_node_at(const framemap_sample_tree *tree, uint32_t at,
                                               framemap_sample_tree_node *out);

/* Which part of a tree is printed. The numeric values never change. */
typedef enum framemap_tree_part {
    FRAMEMAP_TREE_FUNCTIONS = 0, /* a table of functions */
    FRAMEMAP_TREE_NODES = 1      /* the nodes of the tree */
} framemap_tree_part;

/* Writes the first `most` functions, or the `most` nodes with the largest totals, as "text" (a table for people) or
 * "json" (docs/json.md). most 0: all. write: receives the output in pieces, with `context`. Errors: ARGUMENT (also
 * another format or part), IO (write refused), MEMORY. */
FRAMEMAP_API framemap_status framemap_sample_tree_print(const framemap_sample_tree *tree, const char *format,
                                                        framemap_tree_part part, uint32_t most, framemap_write write,
                                                        void *context, framemap_error *error);

/* Adds stacks of texts to a set, each as one sample: with the frames that they were restored to, its thread, and the
 * weight 1, or the count that the text prints. traces: `count` of them. A framemap_trace_visit may call it. Errors:
 * ARGUMENT, MEMORY, LIMIT; after MEMORY and LIMIT the set can only be closed. The set belongs to one thread. */
FRAMEMAP_API framemap_status framemap_sample_set_add_traces(framemap_sample_set *set, const framemap_trace *traces,
                                                            size_t count, framemap_error *error);

/* Returns the name of the profile format of a text, as framemap_sample_set_read decides it; "traces" if the text is not
 * a profile, and an empty name if it is a recording that framemap_sample_set_read refuses. head: the first 64 KiB of
 * the text, or all of it if it is shorter; may be compressed. Since a JSON document may show its format only later, up
 * to 64 MiB of a document should be given. Static memory, never NULL. Any thread. */
FRAMEMAP_API const char *framemap_sample_format_of(framemap_str head);

#ifdef __cplusplus
}
#endif
#endif
