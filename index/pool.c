#include "index/pool.h"
#include "core/fault.h"

#define CHUNK ((size_t)64 << 10)

void fm_pool_init(struct fm_pool *pool, struct fm_heap *heap)
{
    *pool = (struct fm_pool){.next = NULL};
    fm_arena_init(&pool->arena, heap);
    fm_table_init(&pool->table, heap);
}

void fm_pool_free(struct fm_pool *pool)
{
    struct fm_heap *heap = pool->arena.heap;
    fm_heap_free(heap, pool->texts, pool->capacity * sizeof *pool->texts);
    fm_table_free(&pool->table);
    fm_arena_free(&pool->arena);
    fm_pool_init(pool, heap);
}

static bool equal(const void *context, uint32_t id, const void *key)
{
    const struct fm_pool *pool = context;
    const framemap_str *text = key;
    return fm_str_equal(pool->texts[id], *text);
}

/* Copies without the padding that an arena block has: most texts are shorter than it. */
static char *keep(struct fm_pool *pool, framemap_str text)
{
    if (text.size > (size_t)(pool->end - pool->next) || pool->next == NULL) {
        if (text.size >= CHUNK / 4) {
            char *own = fm_arena_alloc(&pool->arena, text.size);
            if (own) memcpy(own, text.data, text.size);
            return own;
        }
        char *chunk = fm_arena_alloc(&pool->arena, CHUNK);
        if (chunk == NULL) return NULL;
        pool->next = chunk;
        pool->end = chunk + CHUNK;
    }
    char *copy = pool->next;
    if (text.size) memcpy(copy, text.data, text.size);
    pool->next += text.size;
    return copy;
}

framemap_status fm_pool_add(struct fm_pool *pool, framemap_str text, uint32_t *out, framemap_error *error)
{
    struct fm_heap *heap = pool->arena.heap;
    const uint64_t hash = fm_hash64(text.data, text.size, 0);
    const uint32_t known = fm_table_find(&pool->table, hash, equal, pool, &text);
    if (known != UINT32_MAX) {
        *out = known;
        return FRAMEMAP_OK;
    }
    if (pool->count >= UINT32_MAX - 2) return fm_fault(error, FRAMEMAP_E_LIMIT, "more than 4 billion different texts");
    if (!FM_GROW(heap, pool->texts, pool->capacity, pool->count + 1)) return fm_fault_memory(error);
    char *copy = keep(pool, text);
    if (copy == NULL || !fm_table_add(&pool->table, hash, (uint32_t)pool->count)) return fm_fault_memory(error);
    pool->texts[pool->count] = fm_str(copy, text.size);
    *out = (uint32_t)pool->count++;
    return FRAMEMAP_OK;
}
