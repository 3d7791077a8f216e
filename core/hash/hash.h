/* Hash functions (XXH64, SHA-256) and a hash table of ids. */
#ifndef FM_CORE_HASH_HASH_H
#define FM_CORE_HASH_HASH_H

#include "core/heap.h"
#include "core/text/text.h"

/* Computes XXH64 of bytes, which is the same value on every machine. */
uint64_t fm_hash64(const void *data, size_t size, uint64_t seed);

/* Returns the key for a keyed hash, for tables of strings from input. The key is derived from the address of the
 * table's owner, so that input cannot be crafted to collide. It differs from run to run: nothing that is written may
 * depend on it. */
uint64_t fm_hash_key(const void *owner);
uint64_t fm_hash_text(framemap_str text, uint64_t key);
/* Returns a keyed hash of a number. It is not the same as the hash of the number's bytes. */
static inline uint64_t fm_hash_word(uint64_t word, uint64_t key)
{
#if defined(__SIZEOF_INT128__)
    __extension__ typedef unsigned __int128 wide;
    const wide first = (wide)(word ^ key) * (key | 1),
               second = ((uint64_t)first ^ (uint64_t)(first >> 64) ^ key) * (wide)UINT64_C(0x9E3779B185EBCA87);
    return (uint64_t)second ^ (uint64_t)(second >> 64);
#else
    return fm_hash_text((framemap_str){(const char *)&word, sizeof word}, key);
#endif
}

/* Computes the SHA-256 of bytes. For large data that need no standard hash, use core/hash/content_hash.h. */
void fm_sha256(const void *data, size_t size, unsigned char out[32]);
/* Hashes eight adjacent texts of `size` bytes each; on some CPUs four times as fast as one by one if size is a multiple
 * of 64. */
void fm_sha256_eight(const void *texts, size_t size, unsigned char out[8][32]);

/* Incremental SHA-256; parts of 64 KB and more are the fastest. */
struct fm_sha256 {
    uint32_t state[8];
    uint64_t size;
    unsigned char rest[64];
};
void fm_sha256_begin(struct fm_sha256 *sha);
void fm_sha256_add(struct fm_sha256 *sha, const void *data, size_t size);
void fm_sha256_end(struct fm_sha256 *sha, unsigned char out[32]);

/* Hash table with open addressing that finds ids by their keys, which the caller stores. It grows and never shrinks. */
struct fm_table {
    struct fm_heap *heap;
    uint64_t *slots; /* lower half: id + 1, or 0 if empty; upper half: the upper half of the hash */
    size_t capacity, count;
};
void fm_table_init(struct fm_table *table, struct fm_heap *heap);
void fm_table_free(struct fm_table *table);
/* Returns the id whose key equals `key`; UINT32_MAX: there is none. Inline, so that the comparison is compiled into the
 * search. */
static inline uint32_t fm_table_find(const struct fm_table *table, uint64_t hash,
                                     bool (*equal)(const void *context, uint32_t id, const void *key),
                                     const void *context, const void *key)
{
    if (table->capacity == 0) return UINT32_MAX;
    const uint64_t upper = hash >> 32;
    const size_t mask = table->capacity - 1;
    for (size_t at = (size_t)upper & mask; table->slots[at] != 0; at = (at + 1) & mask) {
        const uint64_t slot = table->slots[at];
        if (slot >> 32 == upper && equal(context, (uint32_t)slot - 1, key)) return (uint32_t)slot - 1;
    }
    return UINT32_MAX;
}
/* Returns the id whose key equals `key`. If there is none, adds `id`, which must not be UINT32_MAX, and returns it.
 * Call fm_table_reserve before, so that there is room. */
static inline uint32_t fm_table_find_or_put(struct fm_table *table, uint64_t hash,
                                            bool (*equal)(const void *context, uint32_t id, const void *key),
                                            const void *context, const void *key, uint32_t id)
{
    const uint64_t upper = hash >> 32;
    const size_t mask = table->capacity - 1;
    size_t at = (size_t)upper & mask;
    for (; table->slots[at] != 0; at = (at + 1) & mask) {
        const uint64_t slot = table->slots[at];
        if (slot >> 32 == upper && equal(context, (uint32_t)slot - 1, key)) return (uint32_t)slot - 1;
    }
    table->slots[at] = upper << 32 | ((uint64_t)id + 1);
    table->count++;
    return id;
}
/* Prefetches the slot of a hash before a lookup. */
static inline void fm_table_hint(const struct fm_table *table, uint64_t hash)
{
#if defined(__GNUC__)
    if (table->capacity > 0) __builtin_prefetch(&table->slots[(size_t)(hash >> 32) & (table->capacity - 1)], 1);
#else
    (void)table;
    (void)hash;
#endif
}
/* Returns the id in the first slot for a hash, if that slot stores the upper half of this hash; else UINT32_MAX. The id
 * may be wrong, since keys are not compared: use it only to prefetch. */
static inline uint32_t fm_table_guess(const struct fm_table *table, uint64_t hash)
{
    const uint64_t slot = table->capacity > 0 ? table->slots[(size_t)(hash >> 32) & (table->capacity - 1)] : 0;
    return slot != 0 && (slot ^ hash) >> 32 == 0 ? (uint32_t)slot - 1 : UINT32_MAX;
}
/* Adds an id that is not in the table. false: out of memory. */
bool fm_table_add(struct fm_table *table, uint64_t hash, uint32_t id);
/* Makes room for `more` ids, so that adding them does not allocate. false: out of memory. */
bool fm_table_reserve(struct fm_table *table, size_t more);
/* Removes all ids, in time proportional to their number; memory for about as many is kept. */
void fm_table_clear(struct fm_table *table);

#endif
