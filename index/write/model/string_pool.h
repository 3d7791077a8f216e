/* Strings kept once: text to number and back. */
#ifndef FM_INDEX_WRITE_MODEL_STRING_POOL_H
#define FM_INDEX_WRITE_MODEL_STRING_POOL_H

#include "core/hash/hash.h"

struct fm_string_pool {
    struct fm_table table;
    uint64_t key; /* of its hashes */
    char *bytes;  /* a NUL, then all texts one behind the other in the order of their numbers: STRINGS of an index as it
                     stands */
    size_t *ends; /* by number: behind the text in `bytes` */
    size_t size, bytes_capacity, count, capacity;
    bool becomes_big; /* `bytes` is an array of fm_heap_grow_big */
};
void fm_string_pool_init(struct fm_string_pool *pool, struct fm_heap *heap);
void fm_string_pool_free(struct fm_string_pool *pool);
/* Many megabytes of texts are coming, and time counts more than memory. Only where there are few yet. */
static inline void fm_string_pool_becomes_big(struct fm_string_pool *pool)
{
    pool->becomes_big |= pool->bytes_capacity < FM_BIG_ARRAY;
}
/* The texts themselves are not asked for any more, only where they stand. */
void fm_string_pool_drop_bytes(struct fm_string_pool *pool);
/* Forgets all texts; the memory stays. */
void fm_string_pool_clear(struct fm_string_pool *pool);
/* *out: the text's number; equal texts have equal numbers. MEMORY, LIMIT. */
framemap_status fm_string_pool_add(struct fm_string_pool *pool, framemap_str text, uint32_t *out,
                                   framemap_error *error);
/* A place for a text that comes later, with fm_string_pool_fill. No text is taken for it, nor it for a text. */
framemap_status fm_string_pool_reserve(struct fm_string_pool *pool, size_t size, uint32_t *out, framemap_error *error);
void fm_string_pool_fill(struct fm_string_pool *pool, uint32_t id, framemap_str text); /* of that size */
/* Several at once, which is faster: out[i] is the number of texts[i]. hashes: fm_hash_text of each by the pool's key,
 * of which the upper half is asked for; NULL: not known. */
framemap_status fm_string_pool_add_all(struct fm_string_pool *pool, const framemap_str *texts, const uint64_t *hashes,
                                       size_t count, uint32_t *out, framemap_error *error);

/* Makes room for so many texts of so many bytes in all, beside those there are. false: out of memory. */
bool fm_string_pool_room(struct fm_string_pool *pool, size_t size, size_t count);
/* All texts of another pool, in their order, as fm_string_pool_add_all with their hashes would. */
framemap_status fm_string_pool_add_pool(struct fm_string_pool *pool, const struct fm_string_pool *other,
                                        const uint64_t *hashes, uint32_t *out, framemap_error *error);

/* Where a text stands in `bytes`; id < count. */
static inline size_t fm_string_pool_at(const struct fm_string_pool *pool, size_t id)
{
    return id == 0 ? 1 : pool->ends[id - 1];
}
/* A text, valid until the next one is added. */
static inline framemap_str fm_string_pool_text(const struct fm_string_pool *pool, size_t id)
{
    const size_t at = fm_string_pool_at(pool, id);
    return fm_str(pool->bytes + at, pool->ends[id] - at);
}

#endif
