/* The state of reading one Swift name, and the operations that all readers of this folder share.
 *
 * A name is a program for a stack: each operator takes nodes from the stack and puts its result on it. The functions
 * that read an operator return its node; NULL: the name is not valid, or a limit was exceeded. */
#ifndef FM_RESOLVE_DEMANGLE_SWIFT_SWIFT_READER_H
#define FM_RESOLVE_DEMANGLE_SWIFT_SWIFT_READER_H

#include "core/text/scan.h"
#include "resolve/demangle/swift/swift_node.h"

#define FM_SWIFT_WORDS 26u /* words of identifiers that later identifiers can refer to by a letter */
#define FM_SWIFT_LOCAL_NODES 64u
#define FM_SWIFT_MOST_REPEATS 2048 /* maximum number of repetitions of one substitution, as in Swift */

/* A list of nodes that starts in the reader and moves into the pool when it grows. */
struct fm_swift_list {
    struct fm_swift_node **nodes;
    size_t count, room;
    struct fm_swift_node *local[FM_SWIFT_LOCAL_NODES];
};

struct fm_swift_reader {
    framemap_str text; /* the name after its prefix */
    size_t at;
    bool has_old_functions; /* the name is of Swift 4.0: the labels of arguments are in the types of functions */
    struct fm_swift_pool *pool;
    struct fm_swift_list stack, substitutions;
    framemap_str words[FM_SWIFT_WORDS];
    unsigned word_count;
};

/* --- text --- */

/* Returns the next character, or 0 at the end. Names have no NUL bytes. */
static inline char fm_swift_peek(const struct fm_swift_reader *r)
{
    return r->at < r->text.size ? r->text.data[r->at] : (char)0;
}
static inline char fm_swift_take(struct fm_swift_reader *r)
{
    return r->at < r->text.size ? r->text.data[r->at++] : (char)0;
}
static inline bool fm_swift_take_if(struct fm_swift_reader *r, char c)
{
    if (fm_swift_peek(r) != c) return false;
    r->at++;
    return true;
}
static inline bool fm_swift_is_lower(char c) { return c >= 'a' && c <= 'z'; }
static inline bool fm_swift_is_upper(char c) { return c >= 'A' && c <= 'Z'; }

/* Reads a decimal number below 2^31, or an index: "_" is 0, "0_" is 1. -1: the text is not one. */
int32_t fm_swift_natural(struct fm_swift_reader *r);
int32_t fm_swift_index(struct fm_swift_reader *r);
/* Reads an index and returns it as a node. */
struct fm_swift_node *fm_swift_index_node(struct fm_swift_reader *r);

/* --- stack --- */

/* Initialises a list, or appends to it; false: over the limit of entries, or no memory. */
void fm_swift_list_init(struct fm_swift_list *list);
bool fm_swift_list_add(struct fm_swift_pool *pool, struct fm_swift_list *list, struct fm_swift_node *node);

static inline bool fm_swift_push(struct fm_swift_reader *r, struct fm_swift_node *node)
{
    return fm_swift_list_add(r->pool, &r->stack, node);
}
static inline struct fm_swift_node *fm_swift_top(const struct fm_swift_reader *r)
{
    return r->stack.count ? r->stack.nodes[r->stack.count - 1] : NULL;
}
/* Take the top node from the stack: any one; one of a kind; one of a kind with one of these properties. NULL: the top
 * node is another one, and stays. */
static inline struct fm_swift_node *fm_swift_pop_any(struct fm_swift_reader *r)
{
    return r->stack.count ? r->stack.nodes[--r->stack.count] : NULL;
}
static inline struct fm_swift_node *fm_swift_pop(struct fm_swift_reader *r, enum fm_swift_kind kind)
{
    return fm_swift_is(fm_swift_top(r), kind) ? fm_swift_pop_any(r) : NULL;
}
static inline struct fm_swift_node *fm_swift_pop_with(struct fm_swift_reader *r, unsigned flags)
{
    return fm_swift_has(fm_swift_top(r), flags) ? fm_swift_pop_any(r) : NULL;
}
/* Pop a type and return what it wraps; only a class, structure, enum …; a module; what a declaration can be inside of;
 * an entity, which is a type or a context; a protocol, as a type. */
struct fm_swift_node *fm_swift_pop_type_child(struct fm_swift_reader *r);
struct fm_swift_node *fm_swift_pop_nominal(struct fm_swift_reader *r);
struct fm_swift_node *fm_swift_pop_module(struct fm_swift_reader *r);
struct fm_swift_node *fm_swift_pop_context(struct fm_swift_reader *r);
struct fm_swift_node *fm_swift_pop_entity(struct fm_swift_reader *r);
struct fm_swift_node *fm_swift_pop_protocol(struct fm_swift_reader *r);
/* Pops the elements of a list up to the one with the first-element mark, each by `pop`, into a node of `kind`. */
struct fm_swift_node *fm_swift_pop_list(struct fm_swift_reader *r, enum fm_swift_kind kind,
                                        struct fm_swift_node *(*pop)(struct fm_swift_reader *));
struct fm_swift_node *fm_swift_pop_type(struct fm_swift_reader *r);

/* --- nodes --- */

static inline struct fm_swift_node *fm_swift_make(struct fm_swift_reader *r, enum fm_swift_kind kind)
{
    return fm_swift_leaf(r->pool, kind);
}
/* Make a node with children. NULL: a child is NULL, or there is no memory. */
struct fm_swift_node *fm_swift_make1(struct fm_swift_reader *r, enum fm_swift_kind kind, struct fm_swift_node *a);
struct fm_swift_node *fm_swift_make2(struct fm_swift_reader *r, enum fm_swift_kind kind, struct fm_swift_node *a,
                                     struct fm_swift_node *b);
struct fm_swift_node *fm_swift_make3(struct fm_swift_reader *r, enum fm_swift_kind kind, struct fm_swift_node *a,
                                     struct fm_swift_node *b, struct fm_swift_node *c);
static inline struct fm_swift_node *fm_swift_type(struct fm_swift_reader *r, struct fm_swift_node *child)
{
    return fm_swift_make1(r, FM_SWIFT_TYPE, child);
}
/* Append a child, and return the parent; NULL if one of them is NULL or there is no memory. The second function leaves
 * out a child that is NULL. */
static inline struct fm_swift_node *fm_swift_with(struct fm_swift_reader *r, struct fm_swift_node *parent,
                                                  struct fm_swift_node *child)
{
    return fm_swift_add(r->pool, parent, child) ? parent : NULL;
}
static inline struct fm_swift_node *fm_swift_with_optional(struct fm_swift_reader *r, struct fm_swift_node *parent,
                                                           struct fm_swift_node *child)
{
    return child != NULL ? fm_swift_with(r, parent, child) : parent;
}
/* Adds a node to the table of substitutions and returns it; NULL: the node is NULL, or there is no memory. */
static inline struct fm_swift_node *fm_swift_substitutable(struct fm_swift_reader *r, struct fm_swift_node *node)
{
    return node != NULL && fm_swift_list_add(r->pool, &r->substitutions, node) ? node : NULL;
}

#endif
