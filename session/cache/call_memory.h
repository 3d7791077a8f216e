/* The memory of restore calls. Memory that one call frees is kept for the next call of the session. So a server that
 * restores small texts rarely allocates memory from the system. Called by the restore calls and by session.c. */
#ifndef FM_SESSION_CACHE_CALL_MEMORY_H
#define FM_SESSION_CACHE_CALL_MEMORY_H

#include "core/block_pool.h"
#include "core/thread.h"

/* Pools that no call uses at present. The pool that was returned last is used first, since its memory may still be in
 * the processor's caches. */
struct fm_call_memory {
    struct fm_heap *heap; /* heap of the session; blocks that are kept count towards its ceiling */
    fm_mutex lock;
    struct fm_block_pool *idle;
    unsigned idle_count, idle_most;
    size_t most_bytes; /* most freed bytes that one pool keeps; 0: nothing is kept */
};

/* Prepares the memory. ceiling: framemap_session_options.max_memory in bytes; 0: there is no ceiling. */
void fm_call_memory_init(struct fm_call_memory *memory, struct fm_heap *heap, uint64_t ceiling);
void fm_call_memory_free(struct fm_call_memory *memory);
/* Returns the pool for one call, or for a stream as long as it is open. NULL: out of memory. Any thread may call. */
struct fm_block_pool *fm_call_memory_take(struct fm_call_memory *memory);
/* Takes a pool back, so that a later call can use it. All of its blocks must have been freed. pool: may be NULL. */
void fm_call_memory_give(struct fm_call_memory *memory, struct fm_block_pool *pool);

#endif
