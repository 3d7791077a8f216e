/* The pages and blocks of a lazily filled table. Threads publish with compare-and-swap; the first block stays. */
#include "index/read/table/lazy_table.h"

/* Header of each block. */
struct fm_lazy_block {
    _Alignas(max_align_t) size_t size; /* of the whole block, this head included */
    struct fm_lazy_block *older;       /* published before this one */
};

void fm_lazy_table_init(struct fm_lazy_table *memo, struct fm_heap *heap, uint64_t count)
{
    memo->heap = heap;
    memo->count = count;
    memo->most = UINT64_MAX;
    memo->page_bits = FM_LAZY_TABLE_PAGE_BITS;
    atomic_init(&memo->used, 0);
    atomic_init(&memo->pages, NULL);
    atomic_init(&memo->newest_page, NULL);
    atomic_init(&memo->newest, NULL);
}

void fm_lazy_table_limit(struct fm_lazy_table *memo, uint64_t bytes) { memo->most = bytes; }

void *fm_lazy_table_alloc(struct fm_lazy_table *memo, size_t size)
{
    struct fm_lazy_block *head;
    if (size > SIZE_MAX - sizeof *head) return NULL;
    size += sizeof *head;
    const uint64_t before = atomic_fetch_add_explicit(&memo->used, size, memory_order_relaxed);
    head = before <= memo->most && size <= memo->most - before ? fm_heap_resize(memo->heap, NULL, 0, size) : NULL;
    if (head == NULL) {
        atomic_fetch_sub_explicit(&memo->used, size, memory_order_relaxed);
        return NULL;
    }
    head->size = size;
    return head + 1;
}

void fm_lazy_table_give_back(struct fm_lazy_table *memo, void *block)
{
    struct fm_lazy_block *head = (struct fm_lazy_block *)block - 1;
    atomic_fetch_sub_explicit(&memo->used, head->size, memory_order_relaxed);
    fm_heap_free(memo->heap, head, head->size);
}

static size_t page_count(const struct fm_lazy_table *memo)
{
    return (size_t)((memo->count + (UINT64_C(1) << memo->page_bits) - 1) >> memo->page_bits);
}

/* The rows of one page. A table with few rows has a single page with just these. */
static size_t page_rows(const struct fm_lazy_table *memo)
{
    const size_t rows = (size_t)1 << memo->page_bits;
    return memo->count < rows ? (size_t)memo->count : rows;
}

/* The table of pages; the first thread publishes it. */
static fm_lazy_table_page *need_pages(struct fm_lazy_table *memo)
{
    fm_lazy_table_page *pages = atomic_load_explicit(&memo->pages, memory_order_acquire), *made;
    if (pages != NULL) return pages;
    made = fm_heap_zalloc(memo->heap, page_count(memo), sizeof *made);
    if (made == NULL) return NULL;
    if (atomic_compare_exchange_strong_explicit(&memo->pages, &pages, made, memory_order_acq_rel, memory_order_acquire))
        return made;
    fm_heap_free(memo->heap, made, page_count(memo) * sizeof *made);
    return pages;
}

/* The lists of what is to be freed, pages and blocks: to search all rows for them costs more than to fill few. The slot
 * after the rows of a page links it to the page that was listed before it. */
static void list_page(struct fm_lazy_table *memo, fm_lazy_table_slot *page)
{
    fm_lazy_table_slot *older = atomic_load_explicit(&memo->newest_page, memory_order_relaxed);
    do {
        atomic_init(&page[page_rows(memo)], older);
    } while (!atomic_compare_exchange_weak_explicit(&memo->newest_page, &older, page, memory_order_release,
                                                    memory_order_relaxed));
}

static void list_block(struct fm_lazy_table *memo, void *block)
{
    struct fm_lazy_block *head = (struct fm_lazy_block *)block - 1;
    head->older = atomic_load_explicit(&memo->newest, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&memo->newest, &head->older, head, memory_order_release,
                                                  memory_order_relaxed)) {
    }
}

static void free_page(struct fm_lazy_table *memo, fm_lazy_table_slot *page)
{
    fm_heap_free(memo->heap, page, (page_rows(memo) + 1) * sizeof *page);
}

static fm_lazy_table_slot *need_page(struct fm_lazy_table *memo, fm_lazy_table_page *at)
{
    fm_lazy_table_slot *page = atomic_load_explicit(at, memory_order_acquire), *made;
    if (page != NULL) return page;
    made = fm_heap_zalloc(memo->heap, page_rows(memo) + 1, sizeof *made);
    if (made == NULL) return NULL;
    if (atomic_compare_exchange_strong_explicit(at, &page, made, memory_order_acq_rel, memory_order_acquire)) {
        list_page(memo, made);
        return made;
    }
    free_page(memo, made);
    return page;
}

const void *fm_lazy_table_publish(struct fm_lazy_table *memo, uint64_t row, void *block)
{
    fm_lazy_table_page *pages = need_pages(memo);
    fm_lazy_table_slot *page = pages ? need_page(memo, &pages[row >> memo->page_bits]) : NULL;
    if (page == NULL) return NULL;
    void *there = NULL;
    fm_lazy_table_slot *slot = &page[row & ((UINT64_C(1) << memo->page_bits) - 1)];
    if (atomic_compare_exchange_strong_explicit(slot, &there, block, memory_order_acq_rel, memory_order_acquire)) {
        list_block(memo, block);
        return block;
    }
    fm_lazy_table_give_back(memo, block);
    return there;
}

void fm_lazy_table_free(struct fm_lazy_table *memo)
{
    fm_lazy_table_page *pages = atomic_load_explicit(&memo->pages, memory_order_acquire);
    fm_lazy_table_slot *page = atomic_load_explicit(&memo->newest_page, memory_order_acquire);
    struct fm_lazy_block *block = atomic_load_explicit(&memo->newest, memory_order_acquire);
    for (struct fm_lazy_block *older; block != NULL; block = older) {
        older = block->older;
        fm_lazy_table_give_back(memo, block + 1);
    }
    for (fm_lazy_table_slot *older; page != NULL; page = older) {
        older = atomic_load_explicit(&page[page_rows(memo)], memory_order_relaxed);
        free_page(memo, page);
    }
    if (pages != NULL) fm_heap_free(memo->heap, pages, page_count(memo) * sizeof *pages);
    atomic_store_explicit(&memo->pages, NULL, memory_order_release);
    atomic_store_explicit(&memo->newest_page, NULL, memory_order_release);
    atomic_store_explicit(&memo->newest, NULL, memory_order_release);
}
