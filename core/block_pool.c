/* Implements block_pool.h: segregated free lists with four classes to a power of two. */
#include "core/block_pool.h"
#include "core/sanitizer.h"

#include <string.h>

enum { LEAST_BITS = 6, STEPS_BITS = 2 }; /* the smallest class has 64 bytes */

struct fm_pool_block {
    struct fm_pool_block *next;
};

/* Returns the class of a size; *bytes: the size of the blocks of this class. */
static unsigned class_of(size_t size, size_t *bytes)
{
    unsigned bits = LEAST_BITS;
    if (size <= (size_t)1 << LEAST_BITS) {
        *bytes = (size_t)1 << LEAST_BITS;
        return 0;
    }
    while ((size - 1) >> (bits + 1) != 0) bits++;
    /* Block sizes grow in steps of 2^step bytes. `steps` is the block size as a number of such steps; here it is 5 to
     * 8. */
    const unsigned step = bits - STEPS_BITS, steps = (unsigned)((size - 1) >> step) + 1;
    *bytes = (size_t)steps << step;
    return ((bits - LEAST_BITS) << STEPS_BITS) + steps - (1u << STEPS_BITS);
}

static void *take(struct fm_block_pool *pool, size_t size)
{
    size_t bytes;
    struct fm_pool_block **list = &pool->kept[class_of(size, &bytes)], *block = *list;
    if (block == NULL) {
        block = fm_heap_resize(pool->inner, NULL, 0, bytes);
        if (block) FM_POISON((char *)block + size, bytes - size);
        return block;
    }
    FM_UNPOISON(block, size > sizeof *block ? size : sizeof *block);
    *list = block->next;
    if (size < sizeof *block) FM_POISON((char *)block + size, sizeof *block - size);
    pool->kept_bytes -= bytes;
    return block;
}

static void keep(struct fm_block_pool *pool, void *ptr, size_t size)
{
    size_t bytes;
    const unsigned number = class_of(size, &bytes);
    struct fm_pool_block *block = ptr;
    FM_UNPOISON(ptr, bytes);
    if (bytes > pool->most_bytes - pool->kept_bytes) {
        fm_heap_resize(pool->inner, ptr, bytes, 0);
        return;
    }
    block->next = pool->kept[number];
    pool->kept[number] = block;
    pool->kept_bytes += bytes;
    /* LeakSanitizer does not follow pointers in poisoned memory, and would report the blocks after this one, so the
     * link to the next block is left out. */
    FM_POISON(block + 1, bytes - sizeof *block);
}

static bool is_kept_size(size_t size) { return size <= FM_POOL_BLOCK_MOST; }

static void *new_block(struct fm_block_pool *pool, size_t size)
{
    return is_kept_size(size) ? take(pool, size) : fm_heap_resize(pool->inner, NULL, 0, size);
}

static void drop_block(struct fm_block_pool *pool, void *ptr, size_t size)
{
    if (is_kept_size(size))
        keep(pool, ptr, size);
    else
        fm_heap_resize(pool->inner, ptr, size, 0);
}

/* Whether a block of old_size bytes has room for new_size bytes, so that it need not move. */
static bool fits(size_t old_size, size_t new_size)
{
    size_t old_bytes, new_bytes;
    return is_kept_size(old_size) && is_kept_size(new_size) &&
           class_of(old_size, &old_bytes) == class_of(new_size, &new_bytes);
}

static void *pool_resize(void *context, void *ptr, size_t old_size, size_t new_size)
{
    struct fm_block_pool *pool = context;
    const bool grows_outside = ptr && !is_kept_size(old_size) && !is_kept_size(new_size);
    if (pool->most_bytes == 0 || grows_outside) return fm_heap_resize(pool->inner, ptr, old_size, new_size);
    if (ptr == NULL) return new_block(pool, new_size);
    if (new_size == 0) {
        drop_block(pool, ptr, old_size);
        return NULL;
    }
    if (fits(old_size, new_size)) {
        FM_UNPOISON(ptr, new_size);
        if (new_size < old_size) FM_POISON((char *)ptr + new_size, old_size - new_size);
        return ptr;
    }
    void *moved = new_block(pool, new_size);
    if (moved == NULL) return NULL;
    memcpy(moved, ptr, old_size < new_size ? old_size : new_size);
    drop_block(pool, ptr, old_size);
    return moved;
}

void fm_block_pool_init(struct fm_block_pool *pool, struct fm_heap *inner, size_t most_bytes)
{
    const framemap_allocator hook = {pool_resize, pool};
    *pool = (struct fm_block_pool){.inner = inner, .most_bytes = most_bytes};
    fm_heap_init(&pool->heap, &hook, 0);
}

static void free_list(struct fm_block_pool *pool, unsigned number, size_t bytes)
{
    for (struct fm_pool_block *block; (block = pool->kept[number]) != NULL;) {
        FM_UNPOISON(block, bytes);
        pool->kept[number] = block->next;
        fm_heap_resize(pool->inner, block, bytes, 0);
    }
}

void fm_block_pool_free(struct fm_block_pool *pool)
{
    for (size_t size = 1, bytes; size <= FM_POOL_BLOCK_MOST; size = bytes + 1) {
        const unsigned number = class_of(size, &bytes);
        free_list(pool, number, bytes);
    }
    pool->kept_bytes = 0;
}
