#include "core/hash.h"

/* --- XXH64, after the algorithm's public description --- */

#define P1 UINT64_C(0x9E3779B185EBCA87)
#define P2 UINT64_C(0xC2B2AE3D27D4EB4F)
#define P3 UINT64_C(0x165667B19E3779F9)
#define P4 UINT64_C(0x85EBCA77C2B2AE63)
#define P5 UINT64_C(0x27D4EB2F165667C5)

static uint64_t rotate(uint64_t x, unsigned by) { return x << by | x >> (64 - by); }

static uint64_t load64(const unsigned char *p)
{
    uint64_t value = 0;
    for (unsigned i = 8; i > 0; i--) value = value << 8 | p[i - 1];
    return value;
}

static uint32_t load32(const unsigned char *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static uint64_t lane(uint64_t acc, uint64_t input) { return rotate(acc + input * P2, 31) * P1; }
static uint64_t fold(uint64_t hash, uint64_t acc) { return (hash ^ lane(0, acc)) * P1 + P4; }

static uint64_t stripes(const unsigned char **p, const unsigned char *end, uint64_t seed)
{
    uint64_t a = seed + P1 + P2, b = seed + P2, c = seed, d = seed - P1;
    for (; end - *p >= 32; *p += 32) {
        a = lane(a, load64(*p));
        b = lane(b, load64(*p + 8));
        c = lane(c, load64(*p + 16));
        d = lane(d, load64(*p + 24));
    }
    uint64_t hash = rotate(a, 1) + rotate(b, 7) + rotate(c, 12) + rotate(d, 18);
    return fold(fold(fold(fold(hash, a), b), c), d);
}

uint64_t fm_hash64(const void *data, size_t size, uint64_t seed)
{
    static const unsigned char nothing[1];
    const unsigned char *p = size ? data : nothing, *end = p + size;
    uint64_t hash = size >= 32 ? stripes(&p, end, seed) : seed + P5;
    hash += size;
    for (; end - p >= 8; p += 8) hash = rotate(hash ^ lane(0, load64(p)), 27) * P1 + P4;
    if (end - p >= 4) {
        hash = rotate(hash ^ load32(p) * P1, 23) * P2 + P3;
        p += 4;
    }
    for (; p < end; p++) hash = rotate(hash ^ *p * P5, 11) * P1;
    hash = (hash ^ hash >> 33) * P2;
    hash = (hash ^ hash >> 29) * P3;
    return hash ^ hash >> 32;
}

/* --- SHA-256, FIPS 180-4 --- */

static uint32_t rotate32(uint32_t x, unsigned by) { return x >> by | x << (32 - by); }

static const uint32_t sha_k[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be,
    0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa,
    0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85,
    0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3,
    0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f,
    0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t load_be32(const unsigned char *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | (uint32_t)p[3];
}

static void sha_block(uint32_t state[8], const unsigned char *block)
{
    uint32_t w[64], v[8];
    for (unsigned i = 0; i < 16; i++) w[i] = load_be32(block + 4 * i);
    for (unsigned i = 16; i < 64; i++) {
        uint32_t s0 = rotate32(w[i - 15], 7) ^ rotate32(w[i - 15], 18) ^ w[i - 15] >> 3;
        uint32_t s1 = rotate32(w[i - 2], 17) ^ rotate32(w[i - 2], 19) ^ w[i - 2] >> 10;
        w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    memcpy(v, state, sizeof v);
    for (unsigned i = 0; i < 64; i++) {
        uint32_t s1 = rotate32(v[4], 6) ^ rotate32(v[4], 11) ^ rotate32(v[4], 25);
        uint32_t s0 = rotate32(v[0], 2) ^ rotate32(v[0], 13) ^ rotate32(v[0], 22);
        uint32_t t1 = v[7] + s1 + ((v[4] & v[5]) ^ (~v[4] & v[6])) + sha_k[i] + w[i];
        uint32_t t2 = s0 + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += t1;
        v[0] = t1 + t2;
    }
    for (unsigned i = 0; i < 8; i++) state[i] += v[i];
}

void fm_sha256(const void *data, size_t size, unsigned char out[32])
{
    uint32_t state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    const unsigned char *p = data;
    size_t left = size;
    unsigned char tail[128] = {0};
    for (; left >= 64; left -= 64, p += 64) sha_block(state, p);
    if (left) memcpy(tail, p, left);
    tail[left] = 0x80;
    size_t blocks = left < 56 ? 64 : 128;
    for (unsigned i = 0; i < 8; i++) tail[blocks - 1 - i] = (unsigned char)((uint64_t)size * 8 >> (8 * i));
    sha_block(state, tail);
    if (blocks == 128) sha_block(state, tail + 64);
    for (unsigned i = 0; i < 32; i++) out[i] = (unsigned char)(state[i / 4] >> (24 - 8 * (i % 4)));
}

/* --- table --- */

void fm_table_init(struct fm_table *table, struct fm_heap *heap) { *table = (struct fm_table){.heap = heap}; }

void fm_table_free(struct fm_table *table)
{
    fm_heap_free(table->heap, table->slots, table->capacity * sizeof *table->slots);
    fm_heap_free(table->heap, table->hashes, table->capacity * sizeof *table->hashes);
    fm_table_init(table, table->heap);
}

/* The upper half of the hash is kept: it places an id, tells most strangers apart, and is there again when the table grows. */
static uint32_t kept(uint64_t hash) { return (uint32_t)(hash >> 32); }

uint32_t fm_table_find(const struct fm_table *table, uint64_t hash, bool (*equal)(const void *context, uint32_t id, const void *key),
                       const void *context, const void *key)
{
    if (table->capacity == 0) return UINT32_MAX;
    size_t mask = table->capacity - 1;
    for (size_t at = kept(hash) & mask; table->slots[at] != 0; at = (at + 1) & mask)
        if (table->hashes[at] == kept(hash) && equal(context, table->slots[at] - 1, key)) return table->slots[at] - 1;
    return UINT32_MAX;
}

static void place(struct fm_table *table, uint32_t hash, uint32_t slot)
{
    size_t mask = table->capacity - 1, at = hash & mask;
    while (table->slots[at] != 0) at = (at + 1) & mask;
    table->slots[at] = slot;
    table->hashes[at] = hash;
}

static bool table_grow(struct fm_table *table)
{
    struct fm_table bigger = {.heap = table->heap, .capacity = table->capacity ? table->capacity * 2 : 64, .count = table->count};
    if (table->capacity > SIZE_MAX / 16) return false;
    bigger.slots = fm_heap_zalloc(table->heap, bigger.capacity, sizeof *bigger.slots);
    bigger.hashes = fm_heap_zalloc(table->heap, bigger.capacity, sizeof *bigger.hashes);
    if (bigger.slots == NULL || bigger.hashes == NULL) {
        fm_table_free(&bigger);
        return false;
    }
    for (size_t i = 0; i < table->capacity; i++)
        if (table->slots[i] != 0) place(&bigger, table->hashes[i], table->slots[i]);
    fm_table_free(table);
    *table = bigger;
    return true;
}

bool fm_table_add(struct fm_table *table, uint64_t hash, uint32_t id)
{
    if ((table->count + 1) * 4 > table->capacity * 3 && !table_grow(table)) return false;
    place(table, kept(hash), id + 1);
    table->count++;
    return true;
}
