/* Makes the nodes of Swift names, and bounds their memory. Called by the readers and printers of this folder. */
#include "resolve/demangle/swift/swift_node.h"

#define FLAGS(name, flags, words) [FM_SWIFT_##name] = (flags),
#define WORDS(name, flags, words) [FM_SWIFT_##name] = (words),
const uint16_t fm_swift_flags[FM_SWIFT_KIND_COUNT] = {FM_SWIFT_KINDS(FLAGS)};
const char *const fm_swift_words[FM_SWIFT_KIND_COUNT] = {FM_SWIFT_KINDS(WORDS)};

#define CHUNK_BYTES ((size_t)16 << 10)
/* Maximum number of bytes of memory for one name: a name may repeat one of its parts 2,048 times in six bytes. */
#define MOST_BYTES ((size_t)8 << 20)
void fm_swift_pool_init(struct fm_swift_pool *pool, struct fm_heap *heap)
{
    fm_arena_init(&pool->own, heap);
    pool->next = pool->local;
    pool->end = pool->local + sizeof pool->local;
    pool->spent = 0;
    pool->work = 0;
}

void *fm_swift_alloc_more(struct fm_swift_pool *pool, size_t size)
{
    const size_t unit = _Alignof(max_align_t);
    if (size > MOST_BYTES) return NULL;
    const size_t taken = (size + 7) & ~(size_t)7;
    const size_t chunk = taken > CHUNK_BYTES / 2 ? (taken + unit - 1) / unit * unit : CHUNK_BYTES;
    if (chunk > MOST_BYTES - pool->spent) return NULL;
    unsigned char *more = fm_arena_alloc(&pool->own, chunk);
    if (more == NULL) return NULL;
    pool->spent += chunk;
    if (chunk != CHUNK_BYTES) return more; /* a large block; the current chunk keeps its rest */
    pool->next = more + taken;
    pool->end = more + chunk;
    return more;
}

bool fm_swift_grow(struct fm_swift_pool *pool, struct fm_swift_node *parent)
{
    const uint32_t count = parent->count;
    if ((count & (count - 1)) != 0) return true;
    struct fm_swift_node **more = fm_swift_alloc(pool, 2 * (size_t)count * sizeof *more);
    if (more == NULL) return false;
    memcpy(more, fm_swift_children(parent), (size_t)count * sizeof *more);
    parent->is.several = more;
    return true;
}

void fm_swift_reverse(struct fm_swift_node *parent, uint32_t first)
{
    struct fm_swift_node **children = parent->count > 2 ? parent->is.several : parent->is.few;
    for (uint32_t low = first, high = parent->count; low + 1 < high; low++) {
        struct fm_swift_node *kept = children[low];
        children[low] = children[--high];
        children[high] = kept;
    }
}

struct fm_swift_node *fm_swift_rename(struct fm_swift_pool *pool, const struct fm_swift_node *node,
                                      enum fm_swift_kind kind)
{
    if (node == NULL) return NULL;
    struct fm_swift_node *renamed = fm_swift_leaf(pool, kind);
    if (renamed == NULL) return NULL;
    if (node->content != FM_SWIFT_CHILDREN) {
        *renamed = *node;
        renamed->kind = (uint16_t)kind;
        return renamed;
    }
    for (uint32_t i = 0; i < node->count; i++)
        if (!fm_swift_add(pool, renamed, fm_swift_children(node)[i])) return NULL;
    return renamed;
}
