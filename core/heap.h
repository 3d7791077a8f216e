/* Memory allocation: a counted allocator with a ceiling, and arenas built on it. All memory of the library comes
 * through this file. */
#ifndef FM_CORE_HEAP_H
#define FM_CORE_HEAP_H

#include "core/sanitizer.h"
#include <framemap/base.h>
#include <stdatomic.h>

/* A heap counts allocations and enforces a ceiling. All objects made for one caller share one; any thread may use it.
 * It must outlive everything allocated from it. */
struct fm_heap {
    framemap_allocator hook;
    atomic_uint_least64_t used;
    uint64_t ceiling; /* the most bytes that may be allocated; UINT64_MAX: no ceiling */
    /* what the last failed allocation exceeded: true: the ceiling; false: the memory of the allocator */
    atomic_bool over;
};

/* Initialises a heap. hook NULL: the C library's allocator. ceiling in bytes; 0: no ceiling. */
void fm_heap_init(struct fm_heap *heap, const framemap_allocator *hook, uint64_t ceiling);
/* Returns *hook, or the C library's allocator if hook is NULL or has no `resize`. */
framemap_allocator fm_heap_hook(const framemap_allocator *hook);

/* Counts memory that another library is about to allocate by itself (at most `bytes`) as if it came from this heap, and
 * from the heap's fm_ceiling if it has one. false: over the ceiling, nothing was counted. */
bool fm_heap_reserve(struct fm_heap *heap, uint64_t bytes);
void fm_heap_unreserve(struct fm_heap *heap, uint64_t bytes);

/* Returns `status`. If it is E_MEMORY, the message is set to the cause: the ceiling, or the allocator. error may be
 * NULL. */
framemap_status fm_heap_fault(const struct fm_heap *heap, framemap_status status, framemap_error *error);

/* Resizes a block as realloc does, but gets its old size as an argument. NULL: out of memory or over the ceiling; the
 * old block is unchanged. new_size 0 frees the block and returns NULL. New bytes are not zeroed. */
void *fm_heap_resize(struct fm_heap *heap, void *ptr, size_t old_size, size_t new_size);

/* Allocates count * size zeroed bytes. NULL: overflow, out of memory or over the ceiling. */
void *fm_heap_zalloc(struct fm_heap *heap, size_t count, size_t size);
void fm_heap_free(struct fm_heap *heap, void *ptr, size_t size);

/* Grows an array to a capacity of at least `need` elements of `size` bytes. The capacity doubles, so that appending is
 * amortised O(1). array: the address of the pointer to the first element. New elements are not zeroed. false: out of
 * memory, nothing changed. */
bool fm_heap_grow(struct fm_heap *heap, void *array, size_t *capacity, size_t need, size_t size);
#define FM_GROW(heap, array, capacity, need) \
    ((need) <= (capacity) || fm_heap_grow((heap), &(array), &(capacity), (need), sizeof *(array)))

/* Makes room as fm_heap_grow does, but arrays of a megabyte or more grow by a quarter. It is for the few arrays that
 * use most of the memory, where unused capacity matters. */
bool fm_heap_grow_some(struct fm_heap *heap, void *array, size_t *capacity, size_t need, size_t size);
#define FM_GROW_SOME(heap, array, capacity, need) \
    ((need) <= (capacity) || fm_heap_grow_some((heap), &(array), &(capacity), (need), sizeof *(array)))

/* Grows an array as fm_heap_grow does, but from FM_BIG_ARRAY bytes on the array gets 2 MB pages of its own, if the
 * system has them: page faults on 4 KB pages cost more than filling the memory. It is for arrays that become large
 * where time matters more than a megabyte of memory. Free the array with fm_heap_free_big; its argument `bytes` is the
 * size of the whole capacity. */
#define FM_BIG_ARRAY ((size_t)1 << 20)
bool fm_heap_grow_big(struct fm_heap *heap, void *array, size_t *capacity, size_t need, size_t size);
#define FM_GROW_BIG(heap, array, capacity, need) \
    ((need) <= (capacity) || fm_heap_grow_big((heap), &(array), &(capacity), (need), sizeof *(array)))
void fm_heap_free_big(struct fm_heap *heap, void *array, size_t bytes);

/* Sets bytes to zero by a call of memset. For sizes of some hundred bytes compilers otherwise emit inline code that is
 * several times slower. */
void fm_clear(void *ptr, size_t size);

struct fm_arena_block;
/* Arena: many small blocks that are freed together. Zero-initialise it and set `heap`. One thread may use it at a
 * time. */
struct fm_arena {
    struct fm_heap *heap;
    struct fm_arena_block *blocks;
    unsigned char *next, *end;
    unsigned char *first; /* start of the arena's block if it has only one; otherwise NULL */
    size_t total;         /* bytes given to callers so far */
    size_t passing;       /* bytes that functions needed only for a while and released again */
};

void fm_arena_init(struct fm_arena *arena, struct fm_heap *heap);
/* Frees all blocks; the arena can be used again. */
void fm_arena_free(struct fm_arena *arena);
/* Discards all contents but keeps the largest block, so that the next use allocates nothing. */
static inline void fm_arena_reset(struct fm_arena *arena);
/* Does the work of fm_arena_reset for an arena that has several blocks. */
void fm_arena_reset_all(struct fm_arena *arena);
/* All sizes are rounded up to a multiple of this. It is a power of two on every CPU, unlike the size of max_align_t. */
#define FM_ARENA_UNIT (2 * _Alignof(max_align_t))
/* Bytes after each piece of memory that AddressSanitizer reports if they are used. */
#define FM_ARENA_GAP (FM_HAS_ASAN ? FM_ARENA_UNIT : 0)
/* Returns `size` bytes aligned to max_align_t, not zeroed; NULL: out of memory. size 0 returns a valid pointer. */
static inline void *fm_arena_alloc(struct fm_arena *arena, size_t size);
/* Does the work of fm_arena_alloc if the current block has no room left. */
void *fm_arena_alloc_more(struct fm_arena *arena, size_t size);
/* Grows the block that was returned last without moving it. false: it was not the block returned last, or the arena has
 * no room after it. old_size: the size that was requested, not 0. */
static inline bool fm_arena_extend(struct fm_arena *arena, const void *ptr, size_t old_size, size_t new_size);
/* Allocates count * size zeroed bytes; NULL on overflow or out of memory. */
void *fm_arena_zalloc(struct fm_arena *arena, size_t count, size_t size);
#define FM_ARENA_NEW(arena, type) ((type *)fm_arena_zalloc((arena), 1, sizeof(type)))
#define FM_ARENA_ARRAY(arena, type, count) ((type *)fm_arena_zalloc((arena), (count), sizeof(type)))
/* Whether `size` bytes at an address are within a block of the arena. */
bool fm_arena_holds(const struct fm_arena *arena, const void *ptr, size_t size);
/* Returns the range of addresses from the lowest block to the end of the highest; empty if there is no block. */
void fm_arena_extent(const struct fm_arena *arena, uintptr_t *begin, uintptr_t *end);
/* Copies a string into the arena and adds a NUL after its end. false: out of memory, *out is {NULL, 0}. */
bool fm_arena_str(struct fm_arena *arena, framemap_str text, framemap_str *out);

static inline void fm_arena_reset(struct fm_arena *arena)
{
    arena->total = 0;
    arena->passing = 0;
    if (arena->first != NULL) {
        arena->next = arena->first;
        FM_POISON(arena->next, (size_t)(arena->end - arena->next));
    } else {
        fm_arena_reset_all(arena);
    }
}

static inline void *fm_arena_alloc(struct fm_arena *arena, size_t size)
{
    const size_t unit = FM_ARENA_UNIT, left = arena->next == NULL ? 0 : (size_t)(arena->end - arena->next);
    const size_t taken = (size + unit - 1) / unit * unit;
    if (size == 0 || size > left || taken + FM_ARENA_GAP > left) return fm_arena_alloc_more(arena, size);
    void *ptr = arena->next;
    FM_UNPOISON(ptr, size);
    arena->next += taken + FM_ARENA_GAP;
    arena->total += taken;
    return ptr;
}

static inline bool fm_arena_extend(struct fm_arena *arena, const void *ptr, size_t old_size, size_t new_size)
{
    const size_t unit = FM_ARENA_UNIT, old = (old_size + unit - 1) / unit * unit;
    if (ptr == NULL || (const unsigned char *)ptr + old + FM_ARENA_GAP != arena->next) return false;
    const size_t more = new_size > old ? new_size - old : 0, left = (size_t)(arena->end - arena->next),
                 taken = (more + unit - 1) / unit * unit;
    if (more > left || taken > left) return false;
    FM_UNPOISON(ptr, new_size);
    arena->next += taken;
    arena->total += taken;
    return true;
}

#endif
