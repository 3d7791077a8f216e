/* SHA-256 (FIPS 180-4); portable, with dispatch to the variants for x86. */
#include "core/hash/hash.h"
#include "core/hash/sha256_rounds.h"
#include "core/hash/sha256_shani.h"

#define BLOCK_BYTES 64

static const uint32_t round_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

FM_SHA256_DEFINE_ROUNDS(rounds_of_one, uint32_t, )

static void schedule(const unsigned char *block, uint32_t words[64])
{
    for (unsigned i = 0; i < 16; i++, block += 4)
        words[i] = (uint32_t)block[0] << 24 | (uint32_t)block[1] << 16 | (uint32_t)block[2] << 8 | block[3];
    for (unsigned i = 16; i < 64; i++) {
        const uint32_t second = words[i - 15], last_but_one = words[i - 2];
        words[i] = words[i - 16] + FM_SHA256_FROM_15(second) + words[i - 7] + FM_SHA256_FROM_2(last_but_one);
    }
}

static void add_block(uint32_t state[8], const unsigned char *block)
{
    uint32_t words[64];
    schedule(block, words);
    for (unsigned i = 0; i < 64; i++) words[i] += round_constants[i];
    rounds_of_one(state, words, 1);
}

static void add_blocks(uint32_t state[8], const unsigned char *blocks, size_t count)
{
    if (fm_sha256_x86_here()) {
        fm_sha256_x86_blocks(state, blocks, count, round_constants);
        return;
    }
    const size_t at_once = fm_sha256_avx2_here() ? count - count % FM_SHA256_AT_ONCE : 0;
    if (at_once > 0) fm_sha256_avx2_blocks(state, blocks, at_once, round_constants);
    for (size_t i = at_once; i < count; i++) add_block(state, blocks + i * BLOCK_BYTES);
}

static const struct fm_sha256 begun = {
    .state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};

void fm_sha256_begin(struct fm_sha256 *sha) { *sha = begun; }

void fm_sha256_add(struct fm_sha256 *sha, const void *data, size_t size)
{
    const unsigned char *p = data;
    const size_t have = (size_t)(sha->size % BLOCK_BYTES), fill = BLOCK_BYTES - have;
    sha->size += size;
    if (have > 0 && size >= fill) {
        memcpy(sha->rest + have, p, fill);
        add_block(sha->state, sha->rest);
        p += fill;
        size -= fill;
    } else if (have > 0) {
        memcpy(sha->rest + have, p, size);
        return;
    }
    add_blocks(sha->state, p, size / BLOCK_BYTES);
    if (size % BLOCK_BYTES) memcpy(sha->rest, p + (size - size % BLOCK_BYTES), size % BLOCK_BYTES);
}

/* Ends the text with padding: a one bit, zeros, and the size in bits. That takes one block, or two if the size does not
 * fit the first. */
void fm_sha256_end(struct fm_sha256 *sha, unsigned char out[32])
{
    unsigned char last[2 * BLOCK_BYTES] = {0};
    const size_t left = (size_t)(sha->size % BLOCK_BYTES);
    memcpy(last, sha->rest, left);
    last[left] = 0x80;
    const size_t last_bytes = left + 1 + 8 <= BLOCK_BYTES ? BLOCK_BYTES : 2 * BLOCK_BYTES;
    const uint64_t bits = sha->size * 8;
    for (unsigned i = 0; i < 8; i++) last[last_bytes - 1 - i] = (unsigned char)(bits >> (8 * i));
    for (size_t at = 0; at < last_bytes; at += BLOCK_BYTES) add_block(sha->state, last + at);
    for (unsigned i = 0; i < 32; i++) out[i] = (unsigned char)(sha->state[i / 4] >> (24 - 8 * (i % 4)));
}

void fm_sha256(const void *data, size_t size, unsigned char out[32])
{
    struct fm_sha256 sha;
    fm_sha256_begin(&sha);
    if (size > 0) fm_sha256_add(&sha, data, size);
    fm_sha256_end(&sha, out);
}

void fm_sha256_eight(const void *texts, size_t size, unsigned char out[8][32])
{
    if (size % BLOCK_BYTES == 0 && fm_sha256_avx2_here() && !fm_sha256_x86_here()) {
        fm_sha256_avx2_side_by_side(texts, size, begun.state, round_constants, out);
        return;
    }
    for (size_t i = 0; i < 8; i++) fm_sha256((const unsigned char *)texts + i * size, size, out[i]);
}
