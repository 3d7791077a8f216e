/* Implements call_memory.h: keeps a list of idle memory pools under a lock. A call takes a pool from the list, or makes
 * one, and puts it into the list at its end; if the list is full, the pool is freed. */
#include "session/cache/call_memory.h"

/* freed bytes that one pool keeps: several times the memory for a text of some hundred frames */
#define POOL_BYTES ((size_t)4 << 20)
/* If the session's ceiling is below this many bytes, no freed memory is kept, since every byte is needed for symbols.
 * With a higher ceiling, all pools together keep at most 1/32 of it. */
#define LEAST_CEILING ((uint64_t)64 << 20)
enum { IDLE_POOLS = 64, IDLE_UNDER_CEILING = 8, SHARE_OF_CEILING = 256 };

void fm_call_memory_init(struct fm_call_memory *memory, struct fm_heap *heap, uint64_t ceiling)
{
    *memory = (struct fm_call_memory){.heap = heap, .idle_most = ceiling ? IDLE_UNDER_CEILING : IDLE_POOLS};
    const uint64_t share = ceiling < LEAST_CEILING ? 0 : ceiling / SHARE_OF_CEILING;
    memory->most_bytes = ceiling == 0 || share > POOL_BYTES ? POOL_BYTES : (size_t)share;
    fm_mutex_init(&memory->lock);
}

static void free_pool(struct fm_call_memory *memory, struct fm_block_pool *pool)
{
    fm_block_pool_free(pool);
    fm_heap_free(memory->heap, pool, sizeof *pool);
}

void fm_call_memory_free(struct fm_call_memory *memory)
{
    for (struct fm_block_pool *pool; (pool = memory->idle) != NULL;) {
        memory->idle = pool->next;
        free_pool(memory, pool);
    }
    fm_mutex_destroy(&memory->lock);
}

struct fm_block_pool *fm_call_memory_take(struct fm_call_memory *memory)
{
    fm_mutex_lock(&memory->lock);
    struct fm_block_pool *pool = memory->idle;
    if (pool) {
        memory->idle = pool->next;
        memory->idle_count--;
    }
    fm_mutex_unlock(&memory->lock);
    if (pool) return pool;
    pool = fm_heap_resize(memory->heap, NULL, 0, sizeof *pool);
    if (pool) fm_block_pool_init(pool, memory->heap, memory->most_bytes);
    return pool;
}

void fm_call_memory_give(struct fm_call_memory *memory, struct fm_block_pool *pool)
{
    if (pool == NULL) return;
    fm_mutex_lock(&memory->lock);
    const bool keeps = memory->most_bytes > 0 && memory->idle_count < memory->idle_most;
    if (keeps) {
        pool->next = memory->idle;
        memory->idle = pool;
        memory->idle_count++;
    }
    fm_mutex_unlock(&memory->lock);
    if (!keeps) free_pool(memory, pool);
}
