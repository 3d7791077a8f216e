/* What is worked out of an index once and lent from then on: a table of blocks by row, filled as rows are asked for, by
 * any thread.
 *
 *     const struct path *path = fm_lazy_table_get(memo, row);
 *     if (path == NULL) {
 *         struct path *made = fm_lazy_table_alloc(memo, sizeof *made + size);
 *         ...fill it...
 *         path = fm_lazy_table_publish(memo, row, made);
 *     }
 *
 * A block never changes once it is published and stands until fm_lazy_table_free, so that what it holds can be
 * borrowed. Nothing is allocated before the first block, and then the table page by page: a memo that is asked for few
 * rows stays small. */
#ifndef FM_INDEX_READ_TABLE_LAZY_TABLE_H
#define FM_INDEX_READ_TABLE_LAZY_TABLE_H

#include "core/heap.h"

enum { FM_LAZY_TABLE_PAGE_BITS = 9, FM_LAZY_TABLE_PAGE_ROWS = 1 << FM_LAZY_TABLE_PAGE_BITS };

typedef _Atomic(void *) fm_lazy_table_slot;
typedef _Atomic(fm_lazy_table_slot *) fm_lazy_table_page;

struct fm_lazy_table {
    struct fm_heap *heap;
    uint64_t count; /* rows */
    uint64_t most;  /* bytes that may be allocated for blocks */
    atomic_uint_least64_t used;
    _Atomic(fm_lazy_table_page *) pages;
};

/* heap: must outlive the memo. Allocates nothing. */
void fm_lazy_table_init(struct fm_lazy_table *memo, struct fm_heap *heap, uint64_t count);
/* A ceiling on the bytes of all blocks, beside the heap's own; none else. Before the first block. */
void fm_lazy_table_limit(struct fm_lazy_table *memo, uint64_t bytes);
/* Frees all blocks. No other thread may use the memo. A zeroed memo is allowed. */
void fm_lazy_table_free(struct fm_lazy_table *memo);

/* The block of a row, NULL: none yet. row < count. Any thread. */
static inline const void *fm_lazy_table_get(struct fm_lazy_table *memo, uint64_t row)
{
    fm_lazy_table_page *pages = atomic_load_explicit(&memo->pages, memory_order_acquire);
    if (pages == NULL) return NULL;
    fm_lazy_table_slot *page = atomic_load_explicit(&pages[row >> FM_LAZY_TABLE_PAGE_BITS], memory_order_acquire);
    return page == NULL ? NULL : atomic_load_explicit(&page[row & (FM_LAZY_TABLE_PAGE_ROWS - 1)], memory_order_acquire);
}

/* A block to be filled and published, or given back; aligned to max_align_t, not zeroed. NULL: out of memory, or over
 * the ceiling. Any thread. */
void *fm_lazy_table_alloc(struct fm_lazy_table *memo, size_t size);
/* Whether so many bytes more are under the ceiling. Any thread. */
static inline bool fm_lazy_table_has_room(struct fm_lazy_table *memo, size_t size)
{
    const uint64_t used = atomic_load_explicit(&memo->used, memory_order_relaxed);
    return used <= memo->most && size <= memo->most - used;
}
void fm_lazy_table_give_back(struct fm_lazy_table *memo, void *block);

/* Publishes a filled block and returns the row's block: this one, or the one that another thread has published before;
 * this one is freed then. NULL: out of memory for the table; the block is still the caller's. row < count. Any thread.
 */
const void *fm_lazy_table_publish(struct fm_lazy_table *memo, uint64_t row, void *block);

#endif
