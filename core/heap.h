/* The only way to memory: a counted allocator with a ceiling, and arenas on it. */
#ifndef FM_CORE_HEAP_H
#define FM_CORE_HEAP_H

#include <framemap/base.h>
#include <stdatomic.h>

/* Shared by all objects made for one caller. Thread-safe. Must outlive what was allocated from it. */
struct fm_heap {
    framemap_allocator hook;
    atomic_uint_least64_t used;
    uint64_t ceiling; /* bytes; UINT64_MAX: none */
    atomic_bool over; /* what could not be had last was over the ceiling; else the allocator gave nothing */
};

/* hook NULL: the C library. ceiling 0: none. */
void fm_heap_init(struct fm_heap *heap, const framemap_allocator *hook, uint64_t ceiling);
/* The hook itself, or the C library's allocator where it is NULL or has no `resize`. */
framemap_allocator fm_heap_hook(const framemap_allocator *hook);

/* Counts memory that another library is about to allocate for itself, at most so many bytes, as if it were of this heap
 * (and of the ceiling that the heap is under, memory_ceiling.h). false: over the ceiling, nothing is counted. */
bool fm_heap_reserve(struct fm_heap *heap, uint64_t bytes);
void fm_heap_unreserve(struct fm_heap *heap, uint64_t bytes);

/* Passes a status on. Of E_MEMORY it sets the message to which of both it was: the ceiling, or the allocator. error
 * may be NULL. */
framemap_status fm_heap_fault(const struct fm_heap *heap, framemap_status status, framemap_error *error);

/* Like realloc with the old size said. NULL when out of memory or over the ceiling; the old block is then unchanged.
 * new_size 0 frees and returns NULL. Bytes are not zeroed. */
void *fm_heap_resize(struct fm_heap *heap, void *ptr, size_t old_size, size_t new_size);

/* count * size bytes, zeroed, overflow-checked. NULL when it can't be had. */
void *fm_heap_zalloc(struct fm_heap *heap, size_t count, size_t size);
void fm_heap_free(struct fm_heap *heap, void *ptr, size_t size);

/* Makes room for `need` elements of `size` bytes in an array whose capacity is *capacity: doubles, so that pushing is
 * O(1). array: the address of the pointer to the first element. Elements past the old capacity are not zeroed. false:
 * unchanged. */
bool fm_heap_grow(struct fm_heap *heap, void *array, size_t *capacity, size_t need, size_t size);
#define FM_GROW(heap, array, capacity, need) \
    ((need) <= (capacity) || fm_heap_grow((heap), &(array), &(capacity), (need), sizeof *(array)))

/* The same, but what takes a megabyte and more grows by a quarter: for the few arrays that all memory goes to, where
 * room that is not used counts. */
bool fm_heap_grow_some(struct fm_heap *heap, void *array, size_t *capacity, size_t need, size_t size);
#define FM_GROW_SOME(heap, array, capacity, need) \
    ((need) <= (capacity) || fm_heap_grow_some((heap), &(array), &(capacity), (need), sizeof *(array)))

/* Doubles, too. From FM_BIG_ARRAY bytes on the array has pages of 2 MB to itself, where the system has such: to take
 * memory by small pages costs more than to fill it. For arrays that become big where time counts more than a megabyte;
 * freed by fm_heap_free_big, with the bytes of its capacity. */
#define FM_BIG_ARRAY ((size_t)1 << 20)
bool fm_heap_grow_big(struct fm_heap *heap, void *array, size_t *capacity, size_t need, size_t size);
#define FM_GROW_BIG(heap, array, capacity, need) \
    ((need) <= (capacity) || fm_heap_grow_big((heap), &(array), &(capacity), (need), sizeof *(array)))
void fm_heap_free_big(struct fm_heap *heap, void *array, size_t bytes);

/* memset to zero by a call: what compilers write in its place for some hundred bytes takes several times as long. */
void fm_clear(void *ptr, size_t size);

/* Arena: many small blocks, freed at once. Zero-initialise with the heap set. One thread. */
struct fm_arena_block;
struct fm_arena {
    struct fm_heap *heap;
    struct fm_arena_block *blocks;
    unsigned char *next, *end;
    unsigned char *first; /* of the only block, empty; NULL: there are none or several */
    size_t total;         /* bytes handed out */
    size_t passing;       /* bytes that calls took besides, for their own use, and gave back */
};

void fm_arena_init(struct fm_arena *arena, struct fm_heap *heap);
/* Frees all; the arena may be used again. */
void fm_arena_free(struct fm_arena *arena);
/* Forgets all but keeps the biggest block, so that a warm cycle allocates nothing. */
static inline void fm_arena_reset(struct fm_arena *arena);
/* The same where there is more than one block. */
void fm_arena_reset_all(struct fm_arena *arena);
/* What arenas hand out is a multiple of this: a power of two on every CPU, which the size of max_align_t is not. */
#define FM_ARENA_UNIT (2 * _Alignof(max_align_t))
/* size bytes aligned to max_align_t, not zeroed; NULL when out of memory. size 0 gives a valid pointer. */
static inline void *fm_arena_alloc(struct fm_arena *arena, size_t size);
/* The same where the block at hand has no room for it. */
void *fm_arena_alloc_more(struct fm_arena *arena, size_t size);
/* Makes what was handed out last longer where it stands. false: it was not the last, or there is no room. old_size:
 * what was asked for, not 0. */
static inline bool fm_arena_extend(struct fm_arena *arena, const void *ptr, size_t old_size, size_t new_size);
/* count * size bytes, zeroed, overflow-checked. */
void *fm_arena_zalloc(struct fm_arena *arena, size_t count, size_t size);
#define FM_ARENA_NEW(arena, type) ((type *)fm_arena_zalloc((arena), 1, sizeof(type)))
#define FM_ARENA_ARRAY(arena, type, count) ((type *)fm_arena_zalloc((arena), (count), sizeof(type)))
/* A copy in the arena, NUL-terminated after its end. Fails by data NULL with size > 0 set to 0. */
bool fm_arena_str(struct fm_arena *arena, framemap_str text, framemap_str *out);

static inline void fm_arena_reset(struct fm_arena *arena)
{
    arena->total = 0;
    arena->passing = 0;
    if (arena->first != NULL)
        arena->next = arena->first;
    else
        fm_arena_reset_all(arena);
}

static inline void *fm_arena_alloc(struct fm_arena *arena, size_t size)
{
    const size_t unit = FM_ARENA_UNIT, left = arena->next == NULL ? 0 : (size_t)(arena->end - arena->next);
    const size_t taken = (size + unit - 1) / unit * unit;
    if (size == 0 || size > left || taken > left) return fm_arena_alloc_more(arena, size);
    void *ptr = arena->next;
    arena->next += taken;
    arena->total += taken;
    return ptr;
}

static inline bool fm_arena_extend(struct fm_arena *arena, const void *ptr, size_t old_size, size_t new_size)
{
    const size_t unit = FM_ARENA_UNIT, old = (old_size + unit - 1) / unit * unit;
    if (ptr == NULL || (const unsigned char *)ptr + old != arena->next) return false;
    const size_t more = new_size > old ? new_size - old : 0, left = (size_t)(arena->end - arena->next),
                 taken = (more + unit - 1) / unit * unit;
    if (more > left || taken > left) return false;
    arena->next += taken;
    arena->total += taken;
    return true;
}

#endif
