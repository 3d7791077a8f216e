#include "index/pool.h"
#include "core/fault.h"

void fm_pool_init(struct fm_pool *pool, struct fm_heap *heap)
{
    *pool = (struct fm_pool){.bytes = NULL};
    fm_table_init(&pool->table, heap);
}

void fm_pool_free(struct fm_pool *pool)
{
    struct fm_heap *heap = pool->table.heap;
    fm_heap_free(heap, pool->ends, pool->capacity * sizeof *pool->ends);
    fm_heap_free(heap, pool->bytes, pool->bytes_capacity);
    fm_table_free(&pool->table);
    fm_pool_init(pool, heap);
}

static bool equal(const void *context, uint32_t id, const void *key)
{
    const framemap_str *text = key;
    return fm_str_equal(fm_pool_text(context, id), *text);
}

static bool reserve(struct fm_pool *pool, size_t size)
{
    struct fm_heap *heap = pool->table.heap;
    if (size > SIZE_MAX / 4 || pool->size > SIZE_MAX / 4) return false;
    return FM_GROW(heap, pool->bytes, pool->bytes_capacity, pool->size + size + 1) &&
           FM_GROW(heap, pool->ends, pool->capacity, pool->count + 1);
}

framemap_status fm_pool_add(struct fm_pool *pool, framemap_str text, uint32_t *out, framemap_error *error)
{
    const uint64_t hash = fm_hash64(text.data, text.size, 0);
    const uint32_t known = fm_table_find(&pool->table, hash, equal, pool, &text);
    if (known != UINT32_MAX) {
        *out = known;
        return FRAMEMAP_OK;
    }
    if (pool->count >= UINT32_MAX - 2) return fm_fault(error, FRAMEMAP_E_LIMIT, "more than 4 billion different texts");
    if (!reserve(pool, text.size) || !fm_table_add(&pool->table, hash, (uint32_t)pool->count)) return fm_fault_memory(error);
    if (pool->size == 0) pool->bytes[pool->size++] = 0; /* offset 0 is no text's */
    if (text.size) memcpy(pool->bytes + pool->size, text.data, text.size);
    pool->size += text.size;
    pool->ends[pool->count] = pool->size;
    *out = (uint32_t)pool->count++;
    return FRAMEMAP_OK;
}
