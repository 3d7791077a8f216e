/* SHA-256 with the SHA extensions of x86 CPUs. See sha256_shani.h. */
#include "core/hash/sha256_shani.h"

#include "core/cpu.h"

#if FM_CPU_HAS_SHA
#include <immintrin.h>

bool fm_sha256_x86_here(void)
{
    return __builtin_cpu_supports("sha") && __builtin_cpu_supports("sse4.1") && __builtin_cpu_supports("ssse3");
}

#define WITH_SHA __attribute__((target("sha,sse4.1,ssse3")))

static inline WITH_SHA __m128i load_words(const void *at) { return _mm_loadu_si128((const __m128i *)at); }

/* Returns the next four schedule words from the last sixteen; words[0] has the oldest four. */
static inline WITH_SHA __m128i next_words(__m128i oldest, __m128i second, __m128i third, __m128i newest)
{
    __m128i sum = _mm_add_epi32(_mm_sha256msg1_epu32(oldest, second), _mm_alignr_epi8(newest, third, 4));
    return _mm_sha256msg2_epu32(sum, newest);
}

WITH_SHA void fm_sha256_x86_blocks(uint32_t state[8], const unsigned char *blocks, size_t count,
                                   const uint32_t constants[64])
{
    const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0bLL, 0x0405060700010203LL);
    /* The instructions need the state as {a, b, e, f} and {c, d, g, h}, highest first. */
    __m128i low = _mm_shuffle_epi32(load_words(state), 0xb1), high = _mm_shuffle_epi32(load_words(state + 4), 0x1b);
    __m128i abef = _mm_alignr_epi8(low, high, 8), cdgh = _mm_blend_epi16(high, low, 0xf0);
    for (; count > 0; count--, blocks += 64) {
        const __m128i abef_before = abef, cdgh_before = cdgh;
        __m128i words[4];
        for (unsigned i = 0; i < 16; i++) {
            __m128i *now = &words[i % 4];
            if (i < 4)
                *now = _mm_shuffle_epi8(load_words(blocks + 16 * i), big_endian);
            else
                *now = next_words(*now, words[(i + 1) % 4], words[(i + 2) % 4], words[(i + 3) % 4]);
            __m128i input = _mm_add_epi32(*now, load_words(constants + 4 * i));
            cdgh = _mm_sha256rnds2_epu32(cdgh, abef, input);
            abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(input, 0x0e));
        }
        abef = _mm_add_epi32(abef, abef_before);
        cdgh = _mm_add_epi32(cdgh, cdgh_before);
    }
    low = _mm_shuffle_epi32(abef, 0x1b);
    high = _mm_shuffle_epi32(cdgh, 0xb1);
    _mm_storeu_si128((__m128i *)(void *)state, _mm_blend_epi16(low, high, 0xf0));
    _mm_storeu_si128((__m128i *)(void *)(state + 4), _mm_alignr_epi8(high, low, 8));
}

#else

bool fm_sha256_x86_here(void) { return false; }

void fm_sha256_x86_blocks(uint32_t state[8], const unsigned char *blocks, size_t count, const uint32_t constants[64])
{
    (void)state;
    (void)blocks;
    (void)count;
    (void)constants;
}

#endif
