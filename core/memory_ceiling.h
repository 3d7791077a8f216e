/* One ceiling over several heaps: an allocator in front of the caller's, which counts what all of them have.
 *
 * A session has one: its own heap, those of the indexes that it compiles and opens, and those of the texts that it
 * reads are made with the ceiling's allocator. A heap that has a ceiling of its own (heap.h) counts for itself beside
 * it. */
#ifndef FM_CORE_MEMORY_CEILING_H
#define FM_CORE_MEMORY_CEILING_H

#include <framemap/base.h>
#include <stdatomic.h>
#include <stdbool.h>

struct fm_ceiling {
    framemap_allocator inner; /* the caller's, or the C library's */
    atomic_uint_least64_t used;
    atomic_uint_least64_t refused; /* how often memory was refused */
    atomic_bool over; /* what could not be had last was over the ceiling; else the allocator gave nothing */
    uint64_t most;    /* bytes */
    /* Called where `bytes` more would be too many. true: something was freed, and it is worth trying again. Any
     * thread, whatever locks it holds; NULL: none. */
    bool (*make_room)(void *context, uint64_t bytes);
    void *context;
};

/* inner NULL: the C library. most: not 0. */
void fm_ceiling_init(struct fm_ceiling *ceiling, const framemap_allocator *inner, uint64_t most);
/* Counts `bytes`. false: they would be too many. */
bool fm_ceiling_take(struct fm_ceiling *ceiling, uint64_t bytes);
void fm_ceiling_give_back(struct fm_ceiling *ceiling, uint64_t bytes);
/* The allocator for heaps that count; the ceiling must outlive them. */
framemap_allocator fm_ceiling_allocator(struct fm_ceiling *ceiling);
/* The ceiling that an allocator is of; NULL: it is another. */
struct fm_ceiling *fm_ceiling_of(const framemap_allocator *allocator);
/* Bytes that may still be taken. */
uint64_t fm_ceiling_left(const struct fm_ceiling *ceiling);

#endif
