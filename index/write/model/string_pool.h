/* Stores each distinct string once, and numbers the strings: a number can be found by its string, and a string by its
 * number. */
#ifndef FM_INDEX_WRITE_MODEL_STRING_POOL_H
#define FM_INDEX_WRITE_MODEL_STRING_POOL_H

#include "core/hash/hash.h"

struct fm_string_pool {
    struct fm_table table;
    uint64_t key; /* the secret key with which strings are hashed */
    char *bytes;  /* a NUL, then all strings without separators, in the order of their numbers; in the class and segment
                     forms this is section STRINGS */
    size_t *ends; /* for each string, in order of numbers: its end in `bytes` */
    size_t size, bytes_capacity, count, capacity;
    bool becomes_big; /* `bytes` was allocated with fm_heap_grow_big */
};
void fm_string_pool_init(struct fm_string_pool *pool, struct fm_heap *heap);
void fm_string_pool_free(struct fm_string_pool *pool);
/* Announces many megabytes of strings, where time matters more than memory. Call it while the pool has only few
 * strings. */
static inline void fm_string_pool_becomes_big(struct fm_string_pool *pool)
{
    pool->becomes_big |= pool->bytes_capacity < FM_BIG_ARRAY;
}
/* Frees the strings; only their offsets are needed from now on. */
void fm_string_pool_drop_bytes(struct fm_string_pool *pool);
/* Removes all strings, but keeps the memory for the next ones. */
void fm_string_pool_clear(struct fm_string_pool *pool);
/* Interns a string. *out: its number; equal strings have equal numbers. Errors: MEMORY, LIMIT. */
framemap_status fm_string_pool_add(struct fm_string_pool *pool, framemap_str text, uint32_t *out,
                                   framemap_error *error);
/* Reserves a number for a string that fm_string_pool_fill sets later. It is never found by content. */
framemap_status fm_string_pool_reserve(struct fm_string_pool *pool, size_t size, uint32_t *out, framemap_error *error);
/* Sets a reserved string. `text` must have the reserved size. */
void fm_string_pool_fill(struct fm_string_pool *pool, uint32_t id, framemap_str text);
/* Adds several strings, which is faster: out[i] is the number of texts[i]. hashes: fm_hash_text of each with the pool's
 * key (only the upper half is used); NULL: unknown. */
framemap_status fm_string_pool_add_all(struct fm_string_pool *pool, const framemap_str *texts, const uint64_t *hashes,
                                       size_t count, uint32_t *out, framemap_error *error);

/* Makes room for `count` more strings of `size` bytes in all. false: out of memory. */
bool fm_string_pool_room(struct fm_string_pool *pool, size_t size, size_t count);
/* Adds all strings of another pool in their order, with their hashes. */
framemap_status fm_string_pool_add_pool(struct fm_string_pool *pool, const struct fm_string_pool *other,
                                        const uint64_t *hashes, uint32_t *out, framemap_error *error);

/* Returns the offset of a string in `bytes`; id < count. */
static inline size_t fm_string_pool_at(const struct fm_string_pool *pool, size_t id)
{
    return id == 0 ? 1 : pool->ends[id - 1];
}
/* Returns a string. Valid until the next string is added. */
static inline framemap_str fm_string_pool_text(const struct fm_string_pool *pool, size_t id)
{
    const size_t at = fm_string_pool_at(pool, id);
    return fm_str(pool->bytes + at, pool->ends[id] - at);
}

#endif
