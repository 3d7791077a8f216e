/* Implements hash.h: XXH64, the keyed hash, and the hash table of ids. */
#include "core/hash/hash.h"

/* --- computing XXH64 by its public specification (xxHash fast digest algorithm, 0.1.1) --- */
#define PRIME1 UINT64_C(0x9E3779B185EBCA87)
#define PRIME2 UINT64_C(0xC2B2AE3D27D4EB4F)
#define PRIME3 UINT64_C(0x165667B19E3779F9)
#define PRIME4 UINT64_C(0x85EBCA77C2B2AE63)
#define PRIME5 UINT64_C(0x27D4EB2F165667C5)

static uint64_t rotate(uint64_t value, unsigned by) { return value << by | value >> (64 - by); }

/* Loads a little-endian number from any alignment; compilers recognise it as a single load. */
static uint64_t load32(const unsigned char *p)
{
    return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24;
}
static uint64_t load64(const unsigned char *p)
{
    return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24 | (uint64_t)p[4] << 32 |
           (uint64_t)p[5] << 40 | (uint64_t)p[6] << 48 | (uint64_t)p[7] << 56;
}

/* Adds eight bytes of input to a lane, as a round of XXH64 does with the factor PRIME2. */
static inline uint64_t round_lane(uint64_t lane, uint64_t input, uint64_t factor)
{
    return rotate(lane + input * factor, 31) * PRIME1;
}
static inline uint64_t merge_lane(uint64_t hash, uint64_t lane)
{
    return (hash ^ round_lane(0, lane, PRIME2)) * PRIME1 + PRIME4;
}

static inline uint64_t hash_stripes(const unsigned char **at, size_t *left, uint64_t seed, uint64_t factor)
{
    const unsigned char *p = *at;
    uint64_t a = seed + PRIME1 + PRIME2, b = seed + PRIME2, c = seed, d = seed - PRIME1;
    for (; *left >= 32; *left -= 32, p += 32) {
        a = round_lane(a, load64(p), factor);
        b = round_lane(b, load64(p + 8), factor);
        c = round_lane(c, load64(p + 16), factor);
        d = round_lane(d, load64(p + 24), factor);
    }
    *at = p;
    uint64_t hash = rotate(a, 1) + rotate(b, 7) + rotate(c, 12) + rotate(d, 18);
    return merge_lane(merge_lane(merge_lane(merge_lane(hash, a), b), c), d);
}

static inline uint64_t hash_tail(uint64_t hash, const unsigned char *p, size_t left, uint64_t factor)
{
    for (; left >= 8; left -= 8, p += 8) hash = rotate(hash ^ round_lane(0, load64(p), factor), 27) * PRIME1 + PRIME4;
    if (left >= 4) {
        hash = rotate(hash ^ load32(p) * PRIME1, 23) * PRIME2 + PRIME3;
        left -= 4;
        p += 4;
    }
    for (; left > 0; left--, p++) hash = rotate(hash ^ *p * PRIME5, 11) * PRIME1;
    return hash;
}

static inline uint64_t hash_bytes(const void *data, size_t size, uint64_t seed, uint64_t factor)
{
    const unsigned char *p = data;
    size_t left = size;
    uint64_t hash = (size >= 32 ? hash_stripes(&p, &left, seed, factor) : seed + PRIME5) + size;
    hash = hash_tail(hash, p, left, factor);
    hash = (hash ^ hash >> 33) * PRIME2;
    hash = (hash ^ hash >> 29) * PRIME3;
    return hash ^ hash >> 32;
}

uint64_t fm_hash64(const void *data, size_t size, uint64_t seed) { return hash_bytes(data, size, seed, PRIME2); }

uint64_t fm_hash_key(const void *owner)
{
    const uintptr_t place = (uintptr_t)owner;
    return fm_hash64(&place, sizeof place, 0);
}

#if defined(__SIZEOF_INT128__)
/* Multiplies to 128 bits and xors both halves. */
static inline uint64_t mix(uint64_t a, uint64_t b)
{
    __extension__ typedef unsigned __int128 wide;
    const wide product = (wide)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* Loads sixteen bytes that cover a string of at most that size. */
static inline void load_short(const unsigned char *p, size_t size, uint64_t *a, uint64_t *b)
{
    *a = *b = 0;
    if (size >= 8) {
        *a = load64(p);
        *b = load64(p + size - 8);
    } else if (size >= 4) {
        *a = load32(p);
        *b = load32(p + size - 4);
    } else if (size > 0) {
        *a = (uint64_t)p[0] << 16 | (uint64_t)p[size / 2] << 8 | p[size - 1];
    }
}

/* Hashes a text. Every word is xored with a secret before it is multiplied, so that nobody can find an input that makes
 * a product zero without knowing the key. */
uint64_t fm_hash_text(framemap_str text, uint64_t key)
{
    const unsigned char *p = (const unsigned char *)text.data;
    const uint64_t secret = key * PRIME2 ^ rotate(key, 32);
    uint64_t a, b, hash = key ^ PRIME1;
    size_t left = text.size;
    if (left <= 16) {
        load_short(p, left, &a, &b);
    } else {
        for (; left > 16; left -= 16, p += 16) hash = mix(load64(p) ^ secret, load64(p + 8) ^ hash);
        a = load64(p + left - 16);
        b = load64(p + left - 8);
    }
    return mix(mix(a ^ secret, b ^ hash) ^ PRIME3, secret ^ text.size);
}
#else
/* Hashes with a secret key, since a seed is not enough: most strings that collide under one seed of XXH64 collide under
 * others. */
uint64_t fm_hash_text(framemap_str text, uint64_t key) { return hash_bytes(text.data, text.size, key, key | 1); }
#endif

/* The table: linear probing, at most three quarters full. The slot depends only on the stored half of the hash, so
 * growing needs no call back to the owner of the keys. */
#define TABLE_LEAST ((size_t)64)

void fm_table_init(struct fm_table *table, struct fm_heap *heap) { *table = (struct fm_table){.heap = heap}; }

void fm_table_free(struct fm_table *table)
{
    fm_heap_free(table->heap, table->slots, table->capacity * sizeof *table->slots);
    fm_table_init(table, table->heap);
}

static void table_put(uint64_t *slots, size_t capacity, uint64_t slot)
{
    size_t at = (size_t)(slot >> 32) & (capacity - 1);
    while (slots[at] != 0) at = (at + 1) & (capacity - 1);
    slots[at] = slot;
}

/* Reallocates the table with slots for `more` further ids. */
static bool table_grow(struct fm_table *table, size_t more)
{
    size_t capacity = table->capacity ? table->capacity : TABLE_LEAST;
    while (more > capacity - capacity / 4 - table->count) {
        if (capacity > SIZE_MAX / 2) return false;
        capacity *= 2;
    }
    uint64_t *slots = fm_heap_zalloc(table->heap, capacity, sizeof *slots);
    if (slots == NULL) return false;
    for (size_t i = 0; i < table->capacity; i++)
        if (table->slots[i] != 0) table_put(slots, capacity, table->slots[i]);
    struct fm_table grown = {table->heap, slots, capacity, table->count};
    fm_table_free(table);
    *table = grown;
    return true;
}

bool fm_table_reserve(struct fm_table *table, size_t more)
{
    return more <= table->capacity - table->capacity / 4 - table->count || table_grow(table, more);
}

bool fm_table_add(struct fm_table *table, uint64_t hash, uint32_t id)
{
    if (id == UINT32_MAX) return false;
    if (table->count >= table->capacity - table->capacity / 4 && !table_grow(table, 1)) return false;
    table_put(table->slots, table->capacity, (hash >> 32 << 32) | ((uint64_t)id + 1));
    table->count++;
    return true;
}

void fm_table_clear(struct fm_table *table)
{
    if (table->capacity / 16 > TABLE_LEAST + table->count)
        fm_table_free(table);
    else if (table->count > 0)
        memset(table->slots, 0, table->capacity * sizeof *table->slots);
    table->count = 0;
}
