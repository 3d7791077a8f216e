/* Values that are computed from an index on first use and then borrowed by callers. The table has a block of memory for
 * each row that was used; any thread may fill a row. Called by the caches of a view.
 *
 *     const struct path *path = fm_lazy_table_get(memo, row);
 *     if (path == NULL) {
 *         struct path *made = fm_lazy_table_alloc(memo, sizeof *made + size);
 *         ...fill it...
 *         path = fm_lazy_table_publish(memo, row, made, sizeof *made + size);
 *     }
 *
 * A published block never changes and stays valid until fm_lazy_table_free, so callers may borrow its contents. Nothing
 * is allocated before the first block; the table is then allocated page by page, so it stays small if few rows are
 * used. */
#ifndef FM_INDEX_READ_TABLE_LAZY_TABLE_H
#define FM_INDEX_READ_TABLE_LAZY_TABLE_H

#include "core/heap.h"

enum {
    FM_LAZY_TABLE_PAGE_BITS = 9, /* binary logarithm of the number of rows in a page */
    FM_LAZY_TABLE_PAGE_ROWS = 1 << FM_LAZY_TABLE_PAGE_BITS,
    FM_LAZY_TABLE_SMALL_BITS = 6, /* bits of a row number within a page, for a table whose used rows are scattered */
    /* bits of a row number within a page, for a table of few rows, which can have more and smaller pages */
    FM_LAZY_TABLE_TINY_BITS = 4
};

typedef _Atomic(void *) fm_lazy_table_slot;
typedef _Atomic(fm_lazy_table_slot *) fm_lazy_table_page;
struct fm_lazy_chunk; /* memory of pages and blocks */

struct fm_lazy_table {
    struct fm_heap *heap;
    uint64_t count; /* number of rows */
    uint64_t most;  /* bytes that may be allocated for blocks */
    unsigned page_bits;
    atomic_uint_least64_t used;
    _Atomic(fm_lazy_table_page *) pages;
    _Atomic(struct fm_lazy_chunk *) newest; /* the newest chunk; each chunk links to the next older one */
};

/* Initialises an empty table; allocates nothing. heap: must outlive the table. */
void fm_lazy_table_init(struct fm_lazy_table *memo, struct fm_heap *heap, uint64_t count);
/* Limits the bytes of all blocks, in addition to the heap's limit; without a call there is no limit. Called before the
 * first block is allocated. */
void fm_lazy_table_limit(struct fm_lazy_table *memo, uint64_t bytes);
/* Sets the number of rows in a page, as a binary logarithm. Called before the first block is allocated. */
static inline void fm_lazy_table_page_size(struct fm_lazy_table *memo, unsigned bits) { memo->page_bits = bits; }
/* Frees all blocks. No other thread may use the table. A zeroed table is allowed. */
void fm_lazy_table_free(struct fm_lazy_table *memo);

/* Returns the block of a row; NULL: not published yet. row < count. Any thread. */
static inline const void *fm_lazy_table_get(struct fm_lazy_table *memo, uint64_t row)
{
    fm_lazy_table_page *pages = atomic_load_explicit(&memo->pages, memory_order_acquire);
    if (pages == NULL) return NULL;
    fm_lazy_table_slot *page = atomic_load_explicit(&pages[row >> memo->page_bits], memory_order_acquire);
    return page == NULL
               ? NULL
               : atomic_load_explicit(&page[row & ((UINT64_C(1) << memo->page_bits) - 1)], memory_order_acquire);
}

/* Returns how many of the rows from `first` on have a block, counted up to `most`. All these rows must be in one
 * page. */
static inline unsigned fm_lazy_table_count(struct fm_lazy_table *memo, uint64_t first, unsigned rows, unsigned most)
{
    unsigned count = 0;
    fm_lazy_table_page *pages = atomic_load_explicit(&memo->pages, memory_order_acquire);
    fm_lazy_table_slot *page =
        pages == NULL ? NULL : atomic_load_explicit(&pages[first >> memo->page_bits], memory_order_acquire);
    if (page == NULL) return 0;
    page += first & ((UINT64_C(1) << memo->page_bits) - 1);
    for (unsigned i = 0; i < rows && count < most; i++)
        count += atomic_load_explicit(&page[i], memory_order_relaxed) != NULL;
    return count;
}

/* Allocates a block for the caller to fill and publish, or to free; aligned to max_align_t, not zeroed. NULL: out of
 * memory, or over the limit. Any thread. */
void *fm_lazy_table_alloc(struct fm_lazy_table *memo, size_t size);
/* Whether this many more bytes are under the ceiling. Any thread. */
static inline bool fm_lazy_table_has_room(struct fm_lazy_table *memo, size_t size)
{
    const uint64_t used = atomic_load_explicit(&memo->used, memory_order_relaxed);
    return used <= memo->most && size <= memo->most - used;
}
/* Frees a block that is not published. size: as requested. If another thread has allocated a block after it, the memory
 * stays in use until fm_lazy_table_free. */
void fm_lazy_table_give_back(struct fm_lazy_table *memo, void *block, size_t size);

/* Publishes a filled block of `size` bytes as the block of a row, and returns the row's block. If another thread has
 * published a block for the row, returns that thread's block and frees `block`. NULL: out of memory for the table; the
 * caller still owns the block. row < count. Any thread. */
const void *fm_lazy_table_publish(struct fm_lazy_table *memo, uint64_t row, void *block, size_t size);

#endif
