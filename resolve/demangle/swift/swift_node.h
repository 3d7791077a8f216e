/* Nodes of a Swift name, and the memory of one demangling: nodes are taken from a buffer on the caller's stack first,
 * then from an arena of their own. Functions that are called for each node are in this header, since calls between
 * files take a third of the time. Readers make nodes (swift_reader.h), printers read them (swift_printer.h). */
#ifndef FM_RESOLVE_DEMANGLE_SWIFT_SWIFT_NODE_H
#define FM_RESOLVE_DEMANGLE_SWIFT_SWIFT_NODE_H

#include "core/heap.h"
#include "core/text/text.h"
#include "resolve/demangle/swift/swift_kinds.h"

/* What a node holds besides its kind. */
enum fm_swift_content { FM_SWIFT_CHILDREN, FM_SWIFT_TEXT, FM_SWIFT_VALUE };

/* A node. Nodes are shared: a substitution makes one node the child of several parents. */
struct fm_swift_node {
    uint16_t kind;    /* enum fm_swift_kind */
    uint16_t content; /* enum fm_swift_content */
    uint32_t count;   /* number of children */
    union {
        struct fm_swift_node *few[2];   /* up to two children */
        struct fm_swift_node **several; /* from three children on; the room is the next power of two */
        framemap_str text;
        uint64_t number;
    } is;
};

#define FM_SWIFT_LOCAL_BYTES 8192 /* enough for most real names */
/* Memory and work of one demangling, with all names that are nested in it. */
struct fm_swift_pool {
    struct fm_arena own; /* memory that does not fit into `local` */
    unsigned char *next, *end;
    size_t spent;
    uint32_t work; /* nodes made and printed so far, and other steps */
    _Alignas(max_align_t) unsigned char local[FM_SWIFT_LOCAL_BYTES];
};

void fm_swift_pool_init(struct fm_swift_pool *pool, struct fm_heap *heap);
/* Maximum number of steps for one name. A part to which the name refers back is printed again for each reference, so
 * that the text may double with every few bytes. Real names take fewer than 10,000 steps; this many take some
 * milliseconds. */
#define FM_SWIFT_MOST_WORK ((uint32_t)1 << 18)
/* Counts steps. false: the name takes more steps than FM_SWIFT_MOST_WORK and is given up. */
static inline bool fm_swift_work(struct fm_swift_pool *pool, size_t steps)
{
    if (steps > FM_SWIFT_MOST_WORK - pool->work) {
        pool->work = FM_SWIFT_MOST_WORK;
        return false;
    }
    pool->work += (uint32_t)steps;
    return true;
}
/* Does the work of fm_swift_alloc if the current chunk has no room left. */
void *fm_swift_alloc_more(struct fm_swift_pool *pool, size_t size);
/* Returns memory for pointers and nodes, not zeroed; NULL: out of memory, or over the limit of one name. */
static inline void *fm_swift_alloc(struct fm_swift_pool *pool, size_t size)
{
    const size_t left = (size_t)(pool->end - pool->next), taken = (size + 7) & ~(size_t)7;
    if (size > left || taken > left) return fm_swift_alloc_more(pool, size);
    void *ptr = pool->next;
    pool->next += taken;
    return ptr;
}

/* Make a node without children, with a text, or with a number. The text is borrowed. NULL: no memory. */
static inline struct fm_swift_node *fm_swift_leaf(struct fm_swift_pool *pool, enum fm_swift_kind kind)
{
    struct fm_swift_node *node = fm_swift_work(pool, 1) ? fm_swift_alloc(pool, sizeof *node) : NULL;
    if (node == NULL) return NULL;
    node->kind = (uint16_t)kind;
    node->content = FM_SWIFT_CHILDREN;
    node->count = 0;
    return node;
}

static inline struct fm_swift_node *fm_swift_text(struct fm_swift_pool *pool, enum fm_swift_kind kind,
                                                  framemap_str text)
{
    struct fm_swift_node *node = fm_swift_leaf(pool, kind);
    if (node == NULL) return NULL;
    node->content = FM_SWIFT_TEXT;
    node->is.text = text;
    return node;
}

static inline struct fm_swift_node *fm_swift_number(struct fm_swift_pool *pool, enum fm_swift_kind kind,
                                                    uint64_t number)
{
    struct fm_swift_node *node = fm_swift_leaf(pool, kind);
    if (node == NULL) return NULL;
    node->content = FM_SWIFT_VALUE;
    node->is.number = number;
    return node;
}

/* Makes room for one more child of a node with two or more: at each power of two. */
bool fm_swift_grow(struct fm_swift_pool *pool, struct fm_swift_node *parent);
/* Appends a child. false: parent or child is NULL, or there is no memory. */
static inline bool fm_swift_add(struct fm_swift_pool *pool, struct fm_swift_node *parent, struct fm_swift_node *child)
{
    if (parent == NULL || child == NULL || (parent->count >= 2 && !fm_swift_grow(pool, parent))) return false;
    if (parent->count < 2)
        parent->is.few[parent->count] = child;
    else
        parent->is.several[parent->count] = child;
    parent->count++;
    return true;
}
/* Reverses the order of the children from `first` on. */
void fm_swift_reverse(struct fm_swift_node *parent, uint32_t first);
/* Copies a node under another kind; its children are shared. node may be NULL. */
struct fm_swift_node *fm_swift_rename(struct fm_swift_pool *pool, const struct fm_swift_node *node,
                                      enum fm_swift_kind kind);

static inline struct fm_swift_node *const *fm_swift_children(const struct fm_swift_node *node)
{
    return node->count > 2 ? node->is.several : node->is.few;
}
/* Returns a child, or NULL if the node has no child of this number. */
static inline struct fm_swift_node *fm_swift_child(const struct fm_swift_node *node, uint32_t index)
{
    return index < node->count ? fm_swift_children(node)[index] : NULL;
}
static inline struct fm_swift_node *fm_swift_last(const struct fm_swift_node *node)
{
    return node->count ? fm_swift_children(node)[node->count - 1] : NULL;
}
/* Whether a node, which may be NULL, is of a kind, or of a kind with a property. */
static inline bool fm_swift_is(const struct fm_swift_node *node, enum fm_swift_kind kind)
{
    return node != NULL && node->kind == kind;
}
static inline bool fm_swift_has(const struct fm_swift_node *node, unsigned flags)
{
    return node != NULL && (fm_swift_flags[node->kind] & flags) != 0;
}
/* Returns the text of a node; empty if it has no text. node may be NULL. */
static inline framemap_str fm_swift_text_of(const struct fm_swift_node *node)
{
    return node != NULL && node->content == FM_SWIFT_TEXT ? node->is.text : (framemap_str){NULL, 0};
}
/* Returns the child of kind TYPE's node, or the node itself if it is of another kind. NULL: NULL, or an empty TYPE. */
static inline struct fm_swift_node *fm_swift_unwrap(struct fm_swift_node *node)
{
    return fm_swift_is(node, FM_SWIFT_TYPE) ? fm_swift_child(node, 0) : node;
}
/* Returns the first child of a kind, or NULL. */
static inline struct fm_swift_node *fm_swift_find(const struct fm_swift_node *node, enum fm_swift_kind kind)
{
    for (uint32_t i = 0; i < node->count; i++)
        if (fm_swift_children(node)[i]->kind == kind) return fm_swift_children(node)[i];
    return NULL;
}

#endif
