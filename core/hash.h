/* Hashing: a fast 64-bit hash for tables and checksums, and an interning table on it. */
#ifndef FM_CORE_HASH_H
#define FM_CORE_HASH_H

#include "core/text.h"

/* XXH64 of the bytes: the same value on every machine. */
uint64_t fm_hash64(const void *data, size_t size, uint64_t seed);

/* For tables of texts from input: a hash by a key that is told by where the table's owner stands in memory. Whoever wrote the input can't know it, and so
 * can't fill the table with texts of one hash. It differs from run to run: nothing that is written may depend on it. */
uint64_t fm_hash_key(const void *owner);
uint64_t fm_hash_text(framemap_str text, uint64_t key);

/* SHA-256, for content addresses of the cache on disk. */
void fm_sha256(const void *data, size_t size, unsigned char out[32]);

/* The same of bytes that come in parts; parts of 64 KB and more are the fastest. */
struct fm_sha256 {
    uint32_t state[8];
    uint64_t size;
    unsigned char rest[64];
};
void fm_sha256_begin(struct fm_sha256 *sha);
void fm_sha256_add(struct fm_sha256 *sha, const void *data, size_t size);
void fm_sha256_end(struct fm_sha256 *sha, unsigned char out[32]);

/* Set of small integers found by content: open addressing, grows, never shrinks. Keys live with the caller. */
struct fm_table {
    struct fm_heap *heap;
    uint64_t *slots; /* lower half: id + 1, 0: empty; upper half: that of the hash */
    size_t capacity, count;
};
void fm_table_init(struct fm_table *table, struct fm_heap *heap);
void fm_table_free(struct fm_table *table);
/* Looks for an id whose key is equal; UINT32_MAX: none. */
uint32_t fm_table_find(const struct fm_table *table, uint64_t hash, bool (*equal)(const void *context, uint32_t id, const void *key),
                       const void *context, const void *key);
/* Has the place of a hash brought near, for a question that comes soon. */
static inline void fm_table_hint(const struct fm_table *table, uint64_t hash)
{
#if defined(__GNUC__)
    if (table->capacity > 0) __builtin_prefetch(&table->slots[(size_t)(hash >> 32) & (table->capacity - 1)], 1);
#else
    (void)table;
    (void)hash;
#endif
}
/* Adds an id that was not found. false: out of memory. */
bool fm_table_add(struct fm_table *table, uint64_t hash, uint32_t id);

#endif
