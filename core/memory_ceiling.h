/* One memory ceiling over several heaps: an allocator that counts before it calls the caller's allocator.
 * A session has one ceiling. The session's own heap, the heaps of the indexes that it compiles and opens, and those of
 * the texts that it parses use the ceiling's allocator. A heap with a ceiling of its own (heap.h) enforces that as
 * well. */
#ifndef FM_CORE_MEMORY_CEILING_H
#define FM_CORE_MEMORY_CEILING_H

#include <framemap/base.h>
#include <stdatomic.h>
#include <stdbool.h>

struct fm_ceiling {
    framemap_allocator inner; /* the caller's allocator, or the C library's */
    atomic_uint_least64_t used;
    atomic_uint_least64_t refused; /* number of refused allocations */
    /* what the last failed allocation exceeded: true: the ceiling; false: the memory of the allocator */
    atomic_bool over;
    uint64_t most; /* maximum number of bytes that may be allocated */
    /* Called when `bytes` more would exceed the ceiling. true: something was freed, try again. May be called from any
     * thread, with any locks held. NULL: no such callback. */
    bool (*make_room)(void *context, uint64_t bytes);
    void *context;
};

/* Initialises a ceiling. inner: the result of fm_heap_hook. most: the bytes that may be allocated; not 0. */
void fm_ceiling_init(struct fm_ceiling *ceiling, framemap_allocator inner, uint64_t most);
/* Counts `bytes`. false: the ceiling would be exceeded. */
bool fm_ceiling_take(struct fm_ceiling *ceiling, uint64_t bytes);
void fm_ceiling_give_back(struct fm_ceiling *ceiling, uint64_t bytes);
/* Returns the allocator for heaps whose memory counts against the ceiling. The ceiling must outlive these heaps. */
framemap_allocator fm_ceiling_allocator(struct fm_ceiling *ceiling);
/* Returns the ceiling that an allocator belongs to; NULL if it is another kind of allocator. */
struct fm_ceiling *fm_ceiling_of(const framemap_allocator *allocator);
/* Returns the number of bytes that can still be allocated. */
uint64_t fm_ceiling_left(const struct fm_ceiling *ceiling);

#endif
