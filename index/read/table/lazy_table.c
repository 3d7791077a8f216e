/* The pages, chunks and blocks of a lazily filled table. Threads publish blocks with compare-and-swap; the block that
 * was published first stays. */
#include "index/read/table/lazy_table.h"
#include "core/sanitizer.h"

/* Pages and blocks are cut from chunks, so that neither taking nor freeing one calls the allocator. */
struct fm_lazy_chunk {
    _Alignas(max_align_t) size_t size; /* size of the whole chunk, this head included */
    struct fm_lazy_chunk *older;
    atomic_size_t taken; /* bytes from the chunk's start that are in use */
};

enum { LEAST_CHUNK = 256, MOST_CHUNK = 16 << 10, ALIGNED = _Alignof(max_align_t) };
/* AddressSanitizer sees a write past the end of a block only if the block has a chunk of its own. */
enum { CHUNKS_SHARED = !FM_HAS_ASAN };

void fm_lazy_table_init(struct fm_lazy_table *memo, struct fm_heap *heap, uint64_t count)
{
    memo->heap = heap;
    memo->count = count;
    memo->most = UINT64_MAX;
    memo->page_bits = FM_LAZY_TABLE_PAGE_BITS;
    atomic_init(&memo->used, 0);
    atomic_init(&memo->pages, NULL);
    atomic_init(&memo->newest, NULL);
}

void fm_lazy_table_limit(struct fm_lazy_table *memo, uint64_t bytes) { memo->most = bytes; }

/* Takes a block from a chunk; NULL: the chunk has no room. Writes of a thread that used this memory and gave it back
 * are visible afterwards. */
static void *take_block(struct fm_lazy_chunk *chunk, size_t size)
{
    size_t taken = atomic_load_explicit(&chunk->taken, memory_order_relaxed);
    do {
        if (size > chunk->size - taken) return NULL;
    } while (!atomic_compare_exchange_weak_explicit(&chunk->taken, &taken, taken + size, memory_order_acquire,
                                                    memory_order_relaxed));
    return (char *)chunk + taken;
}

static size_t aligned(size_t size) { return (size + ALIGNED - 1) & ~(size_t)(ALIGNED - 1); }

/* Returns the size of the chunk to allocate after `newest`: one and a half times the size of `newest`, up to a
 * limit. */
static size_t next_size(const struct fm_lazy_chunk *newest)
{
    const size_t grown = newest ? aligned(newest->size + newest->size / 2) : LEAST_CHUNK;
    return grown < MOST_CHUNK ? grown : MOST_CHUNK;
}

/* Allocates the chunk that follows `newest`, and takes a block of `size` bytes from it. */
static struct fm_lazy_chunk *new_chunk(struct fm_heap *heap, size_t size, struct fm_lazy_chunk *newest)
{
    const size_t least = sizeof(struct fm_lazy_chunk) + size, wanted = CHUNKS_SHARED ? next_size(newest) : 0;
    const size_t all = least < wanted ? wanted : least;
    struct fm_lazy_chunk *chunk = fm_heap_resize(heap, NULL, 0, all);
    if (chunk == NULL) return NULL;
    chunk->size = all;
    chunk->older = newest;
    atomic_init(&chunk->taken, least);
    return chunk;
}

/* Takes a block from the newest chunk, or from a new one. size: a multiple of ALIGNED. */
static void *need_block(struct fm_lazy_table *memo, size_t size)
{
    struct fm_lazy_chunk *newest = atomic_load_explicit(&memo->newest, memory_order_acquire);
    for (;;) {
        void *block = newest ? take_block(newest, size) : NULL;
        if (block) return block;
        struct fm_lazy_chunk *made = new_chunk(memo->heap, size, newest);
        if (made == NULL) return NULL;
        if (atomic_compare_exchange_strong_explicit(&memo->newest, &newest, made, memory_order_acq_rel,
                                                    memory_order_acquire))
            return made + 1;
        fm_heap_free(memo->heap, made, made->size);
    }
}

/* Makes the last block of the newest chunk free again. false: the block is not the last one. */
static bool untake_block(struct fm_lazy_table *memo, const void *block, size_t size)
{
    struct fm_lazy_chunk *chunk = atomic_load_explicit(&memo->newest, memory_order_acquire);
    /* if the block is in another chunk, this difference is greater than the size of the newest chunk */
    const uintptr_t at = (uintptr_t)block - (uintptr_t)chunk;
    size_t end = (size_t)at + size;
    return at < chunk->size && atomic_compare_exchange_strong_explicit(&chunk->taken, &end, (size_t)at,
                                                                       memory_order_release, memory_order_relaxed);
}

void *fm_lazy_table_alloc(struct fm_lazy_table *memo, size_t size)
{
    if (size > SIZE_MAX / 2) return NULL;
    size = aligned(size);
    const uint64_t before = atomic_fetch_add_explicit(&memo->used, size, memory_order_relaxed);
    void *block = before <= memo->most && size <= memo->most - before ? need_block(memo, size) : NULL;
    if (block == NULL) atomic_fetch_sub_explicit(&memo->used, size, memory_order_relaxed);
    return block;
}

void fm_lazy_table_give_back(struct fm_lazy_table *memo, void *block, size_t size)
{
    size = aligned(size);
    if (untake_block(memo, block, size)) atomic_fetch_sub_explicit(&memo->used, size, memory_order_relaxed);
}

static size_t page_count(const struct fm_lazy_table *memo)
{
    return (size_t)((memo->count + (UINT64_C(1) << memo->page_bits) - 1) >> memo->page_bits);
}

/* Returns the number of rows in one page. A table with few rows has a single page with exactly these. */
static size_t page_rows(const struct fm_lazy_table *memo)
{
    const size_t rows = (size_t)1 << memo->page_bits;
    return memo->count < rows ? (size_t)memo->count : rows;
}

/* Returns the table of pages; the first thread that needs it allocates and publishes it. */
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

static fm_lazy_table_slot *need_page(struct fm_lazy_table *memo, fm_lazy_table_page *at)
{
    fm_lazy_table_slot *page = atomic_load_explicit(at, memory_order_acquire), *made;
    const size_t rows = page_rows(memo), size = aligned(rows * sizeof *made);
    if (page != NULL) return page;
    made = need_block(memo, size);
    if (made == NULL) return NULL;
    for (size_t i = 0; i < rows; i++) atomic_init(&made[i], NULL);
    if (atomic_compare_exchange_strong_explicit(at, &page, made, memory_order_acq_rel, memory_order_acquire))
        return made;
    untake_block(memo, made, size);
    return page;
}

const void *fm_lazy_table_publish(struct fm_lazy_table *memo, uint64_t row, void *block, size_t size)
{
    fm_lazy_table_page *pages = need_pages(memo);
    fm_lazy_table_slot *page = pages ? need_page(memo, &pages[row >> memo->page_bits]) : NULL;
    if (page == NULL) return NULL;
    void *there = NULL;
    fm_lazy_table_slot *slot = &page[row & ((UINT64_C(1) << memo->page_bits) - 1)];
    if (atomic_compare_exchange_strong_explicit(slot, &there, block, memory_order_acq_rel, memory_order_acquire))
        return block;
    fm_lazy_table_give_back(memo, block, size);
    return there;
}

void fm_lazy_table_free(struct fm_lazy_table *memo)
{
    fm_lazy_table_page *pages = atomic_load_explicit(&memo->pages, memory_order_acquire);
    struct fm_lazy_chunk *chunk = atomic_load_explicit(&memo->newest, memory_order_acquire);
    for (struct fm_lazy_chunk *older; chunk != NULL; chunk = older) {
        older = chunk->older;
        fm_heap_free(memo->heap, chunk, chunk->size);
    }
    if (pages != NULL) fm_heap_free(memo->heap, pages, page_count(memo) * sizeof *pages);
    atomic_store_explicit(&memo->pages, NULL, memory_order_release);
    atomic_store_explicit(&memo->newest, NULL, memory_order_release);
    atomic_store_explicit(&memo->used, 0, memory_order_relaxed);
}
