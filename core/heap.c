/* The only caller of the C allocator. See heap.h. */
#define _DEFAULT_SOURCE /* makes the system headers declare madvise */
#include "core/heap.h"
#include "core/checked.h"
#include "core/error.h"
#include "core/memory_ceiling.h"
#include <stdlib.h>
#include <string.h>
#if defined(__linux__)
#include <sys/mman.h>
#endif

/* size of an arena's first block, which is small because a session has several arenas and its ceiling may be low */
#define ARENA_BLOCK_BYTES ((size_t)8 << 10)
#define HUGE_PAGE ((uintptr_t)2 << 20)
#define ARENA_BLOCK_MOST ((size_t)4 << 20)
#define BIG_BLOCK ARENA_BLOCK_MOST

struct fm_arena_block {
    struct fm_arena_block *older;
    size_t size; /* size of the whole block, including this header */
    max_align_t data[];
};

static void *libc_resize(void *context, void *ptr, size_t old_size, size_t new_size)
{
    (void)context;
    (void)old_size;
    if (new_size == 0) {
        free(ptr);
        return NULL;
    }
    return realloc(ptr, new_size);
}

framemap_allocator fm_heap_hook(const framemap_allocator *hook)
{
    return hook && hook->resize ? *hook : (framemap_allocator){libc_resize, NULL};
}

void fm_heap_init(struct fm_heap *heap, const framemap_allocator *hook, uint64_t ceiling)
{
    heap->hook = fm_heap_hook(hook);
    heap->ceiling = ceiling ? ceiling : UINT64_MAX;
    atomic_init(&heap->used, 0);
    atomic_init(&heap->over, false);
}

framemap_status fm_heap_fault(const struct fm_heap *heap, framemap_status status, framemap_error *error)
{
    if (status != FRAMEMAP_E_MEMORY || error == NULL) return status;
    if (atomic_load(&heap->over)) return fm_error_over_memory(error, heap->ceiling);
    framemap_error fault = *error;
    fm_error_set(&fault, status, "out of memory");
    memcpy(error->message, fault.message, sizeof error->message);
    return status;
}

/* Counts bytes that will be allocated. It adds before it compares, so that two threads cannot both pass the ceiling. */
static bool heap_count(struct fm_heap *heap, uint64_t bytes)
{
    uint64_t before = atomic_fetch_add(&heap->used, bytes);
    if (before <= heap->ceiling && bytes <= heap->ceiling - before) return true;
    atomic_fetch_sub(&heap->used, bytes);
    atomic_store(&heap->over, true);
    return false;
}

bool fm_heap_reserve(struct fm_heap *heap, uint64_t bytes)
{
    struct fm_ceiling *ceiling = fm_ceiling_of(&heap->hook);
    if (!heap_count(heap, bytes)) return false;
    if (ceiling == NULL || fm_ceiling_take(ceiling, bytes)) return true;
    atomic_fetch_sub(&heap->used, bytes);
    return false;
}

void fm_heap_unreserve(struct fm_heap *heap, uint64_t bytes)
{
    struct fm_ceiling *ceiling = fm_ceiling_of(&heap->hook);
    atomic_fetch_sub(&heap->used, bytes);
    if (ceiling) fm_ceiling_give_back(ceiling, bytes);
}

static void heap_uncount(struct fm_heap *heap, size_t bytes)
{
    atomic_fetch_sub(&heap->used, bytes);
    atomic_store(&heap->over, false);
}

/* Requests 2 MB pages for a block, if the system has them: page faults on 4 KB pages cost as much as filling the
 * memory. */
static void advise_huge_pages(void *block, size_t bytes)
{
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    const uintptr_t from = ((uintptr_t)block + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE,
                    to = ((uintptr_t)block + bytes) / HUGE_PAGE * HUGE_PAGE;
    if (from < to)
        (void)madvise((void *)from, to - from, MADV_HUGEPAGE); /* if the call fails, the block keeps small
                                                                  pages */
#else
    (void)block;
    (void)bytes;
#endif
}

void *fm_heap_resize(struct fm_heap *heap, void *ptr, size_t old_size, size_t new_size)
{
    if (ptr == NULL) old_size = 0;
    if (new_size == 0) {
        if (ptr) heap->hook.resize(heap->hook.context, ptr, old_size, 0);
        atomic_fetch_sub(&heap->used, old_size);
        return NULL;
    }
    size_t more = new_size > old_size ? new_size - old_size : 0;
    if (!heap_count(heap, more)) return NULL;
    void *result = heap->hook.resize(heap->hook.context, ptr, old_size, new_size);
    if (result == NULL)
        heap_uncount(heap, more);
    else if (new_size < old_size)
        atomic_fetch_sub(&heap->used, old_size - new_size);
    /* Only a new block gets huge pages, since the contents of a block that grows would have to be copied to them. */
    if (result && ptr == NULL && new_size >= BIG_BLOCK) advise_huge_pages(result, new_size);
    return result;
}

void *fm_heap_zalloc(struct fm_heap *heap, size_t count, size_t size)
{
    size_t bytes;
    if (!fm_mul_size(count, size, &bytes)) return NULL;
    void *ptr = fm_heap_resize(heap, NULL, 0, bytes ? bytes : 1);
    if (ptr) memset(ptr, 0, bytes);
    return ptr;
}

void fm_heap_free(struct fm_heap *heap, void *ptr, size_t size)
{
    if (ptr) fm_heap_resize(heap, ptr, size ? size : 1, 0);
}

void fm_clear(void *ptr, size_t size) { memset(ptr, 0, size); }

#define SOME_FROM ((size_t)1 << 20) /* fm_heap_grow_some grows arrays of this size or more by a quarter */

static bool grow_to(struct fm_heap *heap, void *array_of, size_t *capacity, size_t want, size_t size)
{
    size_t old_bytes, new_bytes;
    if (!fm_mul_size(*capacity, size, &old_bytes) || !fm_mul_size(want, size, &new_bytes)) return false;
    /* The type of the caller's pointer is unknown here, so its bytes are copied. */
    void *array;
    memcpy(&array, array_of, sizeof array);
    array = fm_heap_resize(heap, array, old_bytes, new_bytes);
    if (array == NULL) return false;
    memcpy(array_of, &array, sizeof array);
    *capacity = want;
    return true;
}

bool fm_heap_grow(struct fm_heap *heap, void *array_of, size_t *capacity, size_t need, size_t size)
{
    if (need <= *capacity) return true;
    size_t want = *capacity ? *capacity : 16;
    while (want < need) {
        if (want > SIZE_MAX / 2) return false;
        want *= 2;
    }
    return grow_to(heap, array_of, capacity, want, size);
}

bool fm_heap_grow_some(struct fm_heap *heap, void *array_of, size_t *capacity, size_t need, size_t size)
{
    if (need <= *capacity) return true;
    if (*capacity < SOME_FROM / size) return fm_heap_grow(heap, array_of, capacity, need, size);
    const size_t more = *capacity / 4;
    if (*capacity > SIZE_MAX - more) return false;
    return grow_to(heap, array_of, capacity, need > *capacity + more ? need : *capacity + more, size);
}

/* --- growing arrays that become big --- */

/* Returns the size to allocate: whole 2 MB pages, room to align to such a page, and room for a pointer to the
 * allocation's start. */
static size_t big_bytes(size_t bytes)
{
    return (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE + HUGE_PAGE + sizeof(void *);
}

static void *alloc_big(struct fm_heap *heap, size_t bytes)
{
    if (bytes > SIZE_MAX / 2 || !heap_count(heap, big_bytes(bytes))) return NULL;
    char *block = heap->hook.resize(heap->hook.context, NULL, 0, big_bytes(bytes));
    if (block == NULL) {
        heap_uncount(heap, big_bytes(bytes));
        return NULL;
    }
    char *array = block + sizeof block + (HUGE_PAGE - ((uintptr_t)block + sizeof block) % HUGE_PAGE) % HUGE_PAGE;
    memcpy(array - sizeof block, &block, sizeof block);
    advise_huge_pages(array, big_bytes(bytes) - HUGE_PAGE - sizeof block);
    return array;
}

void fm_heap_free_big(struct fm_heap *heap, void *array, size_t bytes)
{
    void *block;
    if (array == NULL || bytes < FM_BIG_ARRAY) {
        fm_heap_free(heap, array, bytes);
        return;
    }
    memcpy(&block, (char *)array - sizeof block, sizeof block);
    heap->hook.resize(heap->hook.context, block, big_bytes(bytes), 0);
    atomic_fetch_sub(&heap->used, big_bytes(bytes));
}

bool fm_heap_grow_big(struct fm_heap *heap, void *array_of, size_t *capacity, size_t need, size_t size)
{
    const size_t twice = *capacity < SIZE_MAX / 2 ? *capacity * 2 : SIZE_MAX, want = need > twice ? need : twice;
    size_t bytes;
    if (need <= *capacity) return true;
    if (!fm_mul_size(want, size, &bytes)) return false;
    if (bytes < FM_BIG_ARRAY) return grow_to(heap, array_of, capacity, want, size);
    void *array, *grown = alloc_big(heap, bytes);
    if (grown == NULL) return false;
    memcpy(&array, array_of, sizeof array);
    if (*capacity > 0) memcpy(grown, array, *capacity * size);
    fm_heap_free_big(heap, array, *capacity * size);
    memcpy(array_of, &grown, sizeof grown);
    *capacity = want;
    return true;
}

void fm_arena_init(struct fm_arena *arena, struct fm_heap *heap) { *arena = (struct fm_arena){.heap = heap}; }

static void arena_free_block(struct fm_arena *arena, struct fm_arena_block *block)
{
    FM_UNPOISON(block, block->size);
    fm_heap_free(arena->heap, block, block->size);
}

void fm_arena_free(struct fm_arena *arena)
{
    for (struct fm_arena_block *block = arena->blocks, *older; block; block = older) {
        older = block->older;
        arena_free_block(arena, block);
    }
    fm_arena_init(arena, arena->heap);
}

static void arena_use(struct fm_arena *arena, struct fm_arena_block *block)
{
    arena->next = (unsigned char *)block->data;
    arena->end = (unsigned char *)block + block->size;
    arena->first = block->older == NULL ? arena->next : NULL;
    FM_POISON(arena->next, (size_t)(arena->end - arena->next));
}

void fm_arena_reset_all(struct fm_arena *arena)
{
    struct fm_arena_block *biggest = NULL;
    for (struct fm_arena_block *block = arena->blocks, *older; block; block = older) {
        older = block->older;
        struct fm_arena_block *loser = biggest && biggest->size >= block->size ? block : biggest;
        if (loser != block) biggest = block;
        if (loser) arena_free_block(arena, loser);
    }
    fm_arena_init(arena, arena->heap);
    if (biggest == NULL) return;
    biggest->older = NULL;
    arena->blocks = biggest;
    arena_use(arena, biggest);
}

static bool arena_add_block(struct fm_arena *arena, size_t size)
{
    size_t bytes = arena->blocks ? arena->blocks->size * 2 : ARENA_BLOCK_BYTES, least;
    if (!fm_add_size(size, sizeof(struct fm_arena_block) + FM_ARENA_GAP, &least)) return false;
    if (bytes > ARENA_BLOCK_MOST) bytes = ARENA_BLOCK_MOST;
    if (bytes < least) bytes = least;
    struct fm_arena_block *block = fm_heap_resize(arena->heap, NULL, 0, bytes);
    if (block == NULL) return false;
    block->older = arena->blocks;
    block->size = bytes;
    arena->blocks = block;
    arena_use(arena, block);
    return true;
}

void *fm_arena_alloc_more(struct fm_arena *arena, size_t size)
{
    const size_t unit = FM_ARENA_UNIT;
    if (size > SIZE_MAX - unit) return NULL;
    size = (size + unit - 1) / unit * unit;
    if (size == 0) size = unit;
    const size_t left = arena->next == NULL ? 0 : (size_t)(arena->end - arena->next);
    if ((size > left || size + FM_ARENA_GAP > left) && !arena_add_block(arena, size)) return NULL;
    return fm_arena_alloc(arena, size);
}

void *fm_arena_zalloc(struct fm_arena *arena, size_t count, size_t size)
{
    size_t bytes;
    if (!fm_mul_size(count, size, &bytes)) return NULL;
    void *ptr = fm_arena_alloc(arena, bytes);
    if (ptr) memset(ptr, 0, bytes);
    return ptr;
}

bool fm_arena_holds(const struct fm_arena *arena, const void *ptr, size_t size)
{
    const uintptr_t at = (uintptr_t)ptr;
    for (const struct fm_arena_block *block = arena->blocks; block; block = block->older) {
        const uintptr_t begin = (uintptr_t)block->data, end = (uintptr_t)block + block->size;
        if (at >= begin && at < end && size <= end - at) return true;
    }
    return false;
}

void fm_arena_extent(const struct fm_arena *arena, uintptr_t *begin, uintptr_t *end)
{
    *begin = arena->blocks ? UINTPTR_MAX : 0;
    *end = 0;
    for (const struct fm_arena_block *block = arena->blocks; block; block = block->older) {
        const uintptr_t first = (uintptr_t)block, last = first + block->size;
        if (first < *begin) *begin = first;
        if (last > *end) *end = last;
    }
}

bool fm_arena_str(struct fm_arena *arena, framemap_str text, framemap_str *out)
{
    char *copy = text.size < SIZE_MAX ? fm_arena_alloc(arena, text.size + 1) : NULL;
    *out = (framemap_str){NULL, 0};
    if (copy == NULL) return false;
    if (text.size) memcpy(copy, text.data, text.size);
    copy[text.size] = 0;
    *out = (framemap_str){copy, text.size};
    return true;
}
