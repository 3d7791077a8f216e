/* SHA-256 with AVX2, for CPUs without SHA instructions (Intel's large cores before Ice Lake). The words of a block's
 * message schedule depend on each other but not on other blocks, so the schedules of eight blocks are computed in
 * parallel; for eight separate texts the rounds are parallel too. */
#include "core/cpu.h"
#include "core/hash/sha256_rounds.h"
#include "core/hash/sha256_shani.h"

#if FM_CPU_HAS_AVX2
#include <immintrin.h>
#include <string.h>

#define BLOCK_BYTES 64
#define WITH_AVX2 __attribute__((target("avx2,bmi,bmi2")))

bool fm_sha256_avx2_here(void) { return fm_cpu_avx2() && __builtin_cpu_supports("bmi2"); }

typedef uint32_t eight __attribute__((vector_size(32))); /* one number for each block */

/* Converts words between memory order and SHA-256's big-endian order. */
static inline WITH_AVX2 __m256i turned(__m256i words)
{
    const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0bLL, 0x0405060700010203LL);
    return _mm256_shuffle_epi8(words, _mm256_broadcastsi128_si256(big_endian));
}

/* Loads eight words of each block and transposes them: from rows by block to rows by word. The blocks are `apart` bytes
 * apart. */
static inline WITH_AVX2 void transpose(const unsigned char *blocks, size_t apart, eight words[8])
{
    __m256i rows[8], pairs[8];
    for (unsigned i = 0; i < 8; i++)
        rows[i] = turned(_mm256_loadu_si256((const __m256i *)(const void *)(blocks + apart * i)));
    for (unsigned i = 0; i < 8; i += 2) {
        pairs[i] = _mm256_unpacklo_epi32(rows[i], rows[i + 1]);
        pairs[i + 1] = _mm256_unpackhi_epi32(rows[i], rows[i + 1]);
    }
    for (unsigned i = 0; i < 8; i += 4) {
        rows[i] = _mm256_unpacklo_epi64(pairs[i], pairs[i + 2]);
        rows[i + 1] = _mm256_unpackhi_epi64(pairs[i], pairs[i + 2]);
        rows[i + 2] = _mm256_unpacklo_epi64(pairs[i + 1], pairs[i + 3]);
        rows[i + 3] = _mm256_unpackhi_epi64(pairs[i + 1], pairs[i + 3]);
    }
    for (unsigned i = 0; i < 4; i++) {
        words[i] = (eight)_mm256_permute2x128_si256(rows[i], rows[i + 4], 0x20);
        words[i + 4] = (eight)_mm256_permute2x128_si256(rows[i], rows[i + 4], 0x31);
    }
}

/* Computes the inputs of all rounds: message words plus constants. */
static inline WITH_AVX2 void schedule(const unsigned char *blocks, size_t apart, const uint32_t constants[64],
                                      eight inputs[64])
{
    eight words[16];
    transpose(blocks, apart, words);
    transpose(blocks + BLOCK_BYTES / 2, apart, words + 8);
    for (unsigned i = 0; i < 64; i += 16)
        /* each new word of the message schedule replaces the word that is sixteen positions before it */
        for (unsigned j = 0; j < 16; j++) {
            const eight now = words[j], second = words[(j + 1) % 16], last_but_one = words[(j + 14) % 16];
            inputs[i + j] = now + constants[i + j];
            words[j] = now + FM_SHA256_FROM_15(second) + words[(j + 9) % 16] + FM_SHA256_FROM_2(last_but_one);
        }
}

FM_SHA256_DEFINE_ROUNDS(rounds_of_one, uint32_t, WITH_AVX2)
FM_SHA256_DEFINE_ROUNDS(rounds_of_eight, eight, WITH_AVX2)

WITH_AVX2 void fm_sha256_avx2_blocks(uint32_t state[8], const unsigned char *blocks, size_t count,
                                     const uint32_t constants[64])
{
    eight inputs[64];
    for (; count >= FM_SHA256_AT_ONCE; count -= FM_SHA256_AT_ONCE, blocks += (size_t)BLOCK_BYTES * FM_SHA256_AT_ONCE) {
        schedule(blocks, BLOCK_BYTES, constants, inputs);
        for (unsigned i = 0; i < FM_SHA256_AT_ONCE; i++)
            rounds_of_one(state, (const uint32_t *)inputs + i, FM_SHA256_AT_ONCE);
    }
}

/* Makes the block of padding that follows each of several texts of one size: a one bit, zeros, and the size in bits. */
static void pad(size_t size, unsigned char block[BLOCK_BYTES])
{
    const uint64_t bits = (uint64_t)size * 8;
    memset(block, 0, BLOCK_BYTES);
    block[0] = 0x80;
    for (unsigned i = 0; i < 8; i++) block[BLOCK_BYTES - 1 - i] = (unsigned char)(bits >> (8 * i));
}

WITH_AVX2 void fm_sha256_avx2_side_by_side(const unsigned char *texts, size_t size, const uint32_t start[8],
                                           const uint32_t constants[64], unsigned char digests[FM_SHA256_AT_ONCE][32])
{
    unsigned char padding[BLOCK_BYTES];
    eight state[8], inputs[64];
    for (unsigned i = 0; i < 8; i++) state[i] = (eight)_mm256_set1_epi32((int)start[i]);
    for (size_t at = 0; at < size; at += BLOCK_BYTES) {
        schedule(texts + at, size, constants, inputs);
        rounds_of_eight(state, inputs, 1);
    }
    pad(size, padding);
    schedule(padding, 0, constants, inputs);
    rounds_of_eight(state, inputs, 1);
    for (unsigned i = 0; i < 8; i++) state[i] = (eight)turned((__m256i)state[i]);
    for (unsigned i = 0; i < FM_SHA256_AT_ONCE; i++)
        for (unsigned j = 0; j < 8; j++) memcpy(digests[i] + 4 * (size_t)j, (const char *)&state[j] + 4 * (size_t)i, 4);
}

#else

bool fm_sha256_avx2_here(void) { return false; }

void fm_sha256_avx2_blocks(uint32_t state[8], const unsigned char *blocks, size_t count, const uint32_t constants[64])
{
    (void)state;
    (void)blocks;
    (void)count;
    (void)constants;
}

void fm_sha256_avx2_side_by_side(const unsigned char *texts, size_t size, const uint32_t start[8],
                                 const uint32_t constants[64], unsigned char digests[FM_SHA256_AT_ONCE][32])
{
    (void)texts;
    (void)size;
    (void)start;
    (void)constants;
    (void)digests;
}

#endif
