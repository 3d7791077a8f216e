/* SHA-256 without instructions of its own, which Intel's big cores have since Ice Lake only. The words that follow the first sixteen of a block hang on each other, but not on
 * other blocks: those of eight blocks are worked out side by side. */
#include "core/cpu.h"
#include "core/sha256_rounds.h"
#include "core/sha256_x86.h"

#if FM_CPU_HAS_AVX2
#include <immintrin.h>

#define BLOCK_BYTES 64
#define WITH_AVX2 __attribute__((target("avx2,bmi,bmi2")))

bool fm_sha256_avx2_here(void) { return fm_cpu_avx2() && __builtin_cpu_supports("bmi2"); }

typedef uint32_t eight __attribute__((vector_size(32))); /* a number of each block */

static inline WITH_AVX2 __m256i load(const unsigned char *at)
{
    const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0bLL, 0x0405060700010203LL);
    return _mm256_shuffle_epi8(_mm256_loadu_si256((const __m256i *)(const void *)at), _mm256_broadcastsi128_si256(big_endian));
}

/* Eight words of each block: rows of one block to rows of one word. */
static inline WITH_AVX2 void transpose(const unsigned char *blocks, eight words[8])
{
    __m256i rows[8], pairs[8];
    for (unsigned i = 0; i < 8; i++) rows[i] = load(blocks + (size_t)BLOCK_BYTES * i);
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

static inline WITH_AVX2 eight rotate(eight value, int by) { return value >> by | value << (32 - by); }

/* The inputs of all rounds. */
static inline WITH_AVX2 void schedule(const unsigned char *blocks, const uint32_t constants[64], eight inputs[64])
{
    eight words[16];
    transpose(blocks, words);
    transpose(blocks + BLOCK_BYTES / 2, words + 8);
    for (unsigned i = 0; i < 64; i += 16)
        for (unsigned j = 0; j < 16; j++) { /* each word makes room for the one sixteen behind it */
            const eight now = words[j], second = words[(j + 1) % 16], last_but_one = words[(j + 14) % 16];
            inputs[i + j] = now + constants[i + j];
            const eight s0 = rotate(second, 7) ^ rotate(second, 18) ^ second >> 3,
                        s1 = rotate(last_but_one, 17) ^ rotate(last_but_one, 19) ^ last_but_one >> 10;
            words[j] = now + s0 + words[(j + 9) % 16] + s1;
        }
}

WITH_AVX2 void fm_sha256_avx2_blocks(uint32_t state[8], const unsigned char *blocks, size_t count, const uint32_t constants[64])
{
    eight inputs[64];
    for (; count >= FM_SHA256_AT_ONCE; count -= FM_SHA256_AT_ONCE, blocks += (size_t)BLOCK_BYTES * FM_SHA256_AT_ONCE) {
        schedule(blocks, constants, inputs);
        for (unsigned i = 0; i < FM_SHA256_AT_ONCE; i++) fm_sha256_rounds(state, (const uint32_t *)inputs + i, FM_SHA256_AT_ONCE);
    }
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

#endif
