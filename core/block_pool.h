/* A heap that keeps freed blocks for later requests of the same size. Work that is repeated, with about the same amount
 * of memory each time, then needs no further memory from the system. */
#ifndef FM_CORE_BLOCK_POOL_H
#define FM_CORE_BLOCK_POOL_H

#include "core/heap.h"

/* Blocks of up to this size are kept when they are freed; each has the size of its class, which is at most a quarter
 * larger than was requested. Larger blocks come from the inner heap and go back to it. */
#define FM_POOL_BLOCK_MOST ((size_t)1 << 20)
enum { FM_POOL_CLASSES = 64 };

struct fm_pool_block;

/* A pool may be used by one thread at a time. */
struct fm_block_pool {
    struct fm_heap heap;   /* the heap to allocate from: its blocks are pooled */
    struct fm_heap *inner; /* the heap that blocks come from; it counts kept blocks as used */
    struct fm_pool_block *kept[FM_POOL_CLASSES];
    size_t kept_bytes, most_bytes;
    struct fm_block_pool *next; /* next pool, for an owner that keeps a list of pools */
};

/* Initialises a pool, which must not move afterwards. most_bytes: how many bytes of freed blocks are kept at most; 0:
 * the pool passes all requests on to the inner heap. */
void fm_block_pool_init(struct fm_block_pool *pool, struct fm_heap *inner, size_t most_bytes);
/* Frees the kept blocks. The caller must have freed all its blocks before. */
void fm_block_pool_free(struct fm_block_pool *pool);

#endif
