#include "formats/skim_look.h"
#include "core/cpu.h"

#if FM_CPU_HAS_AVX2
#include <immintrin.h>
#endif

enum { PRINT = FM_SKIM_PRINT, STEP = 64 };

static void clear(struct fm_skim_run *run)
{
    run->lines = 0;
    run->count = 0;
    memset(run->ends, 0, sizeof run->ends);
}

/* Bytes of [from, size) one by one. */
static void look_plainly(const struct fm_skim *skim, const char *bytes, size_t from, size_t size, size_t left, struct fm_skim_run *run)
{
    for (size_t i = from; i < size; i++) {
        const char two = left - i > 1 ? bytes[i + 1] : '\n', three = left - i > 2 ? bytes[i + 2] : '\n';
        const unsigned end = bytes[i] == '\n';
        run->at[run->count] = (uint16_t)i;
        run->count += fm_skim_may_begin(skim, bytes[i], two, three);
        run->ends[i / 64] |= (uint64_t)end << i % 64;
        run->lines += end;
    }
}

void fm_skim_look_plain(const struct fm_skim *skim, const char *bytes, size_t size, size_t left, struct fm_skim_run *run)
{
    clear(run);
    look_plainly(skim, bytes, 0, size, left, run);
}

#if FM_CPU_HAS_AVX2
/* Bytes that can be looked at in whole steps: the last two of a text have no fingerprint behind them. */
static size_t whole_steps(size_t size, size_t left)
{
    if (size + PRINT - 1 > left) size = left < PRINT ? 0 : left - (PRINT - 1);
    return size / STEP * STEP;
}

/* Notes the line ends of one step, and the places that look like a fingerprint's begin. More are written than there are, up to `spare`, so that nothing hangs on how
 * many there are: a branch that is guessed wrongly in every second step takes longer than all else. */
FM_WITH_AVX2 static inline void note(struct fm_skim_run *run, unsigned step, uint64_t ends, uint64_t hits, unsigned spare)
{
    const uint64_t last = UINT64_C(1) << 63; /* a place for those that do not count */
    const unsigned count = (unsigned)__builtin_popcountll(hits);
    uint16_t *out = run->at + run->count;
    run->ends[step / STEP] = ends;
    run->lines += (unsigned)__builtin_popcountll(ends);
    run->count += count;
    for (unsigned i = 0; i < spare; i++, hits &= hits - 1) out[i] = (uint16_t)(step + (unsigned)__builtin_ctzll(hits | last));
    for (unsigned i = spare; i < count; i++, hits &= hits - 1) out[i] = (uint16_t)(step + (unsigned)__builtin_ctzll(hits));
}

/* Keeps those places where a mark may begin. */
FM_WITH_AVX2 static inline void keep(const struct fm_skim *skim, const char *bytes, struct fm_skim_run *run)
{
    const unsigned count = run->count;
    run->count = 0;
    for (unsigned i = 0; i < count; i++) {
        const char *p = bytes + run->at[i];
        run->at[run->count] = run->at[i];
        run->count += fm_skim_may_begin(skim, p[0], p[1], p[2]);
    }
}

/* --- by halves of bytes, 32 at once --- */

enum { BLOCK = 32 };

/* The tables of one place of the fingerprint. */
struct halves {
    __m256i low, high;
};

FM_WITH_AVX2 static __m256i both_lanes(const uint8_t table[16])
{
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)table));
}

FM_WITH_AVX2 static void load_halves(const struct fm_skim *skim, struct halves out[PRINT])
{
    for (unsigned place = 0; place < PRINT; place++)
        out[place] = (struct halves){both_lanes(skim->low[place]), both_lanes(skim->high[place])};
}

/* The bins that may begin at each of 32 bytes, as far as the bytes at one place of the fingerprint tell. */
FM_WITH_AVX2 static inline __m256i bins_of(const struct halves *tables, const char *p)
{
    const __m256i mask = _mm256_set1_epi8(15), bytes = _mm256_loadu_si256((const __m256i *)(const void *)p);
    const __m256i low = _mm256_and_si256(bytes, mask), high = _mm256_and_si256(_mm256_srli_epi16(bytes, 4), mask);
    return _mm256_and_si256(_mm256_shuffle_epi8(tables->low, low), _mm256_shuffle_epi8(tables->high, high));
}

FM_WITH_AVX2 static inline uint64_t is_zero(__m256i low, __m256i high)
{
    const __m256i zero = _mm256_setzero_si256();
    return (uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(low, zero)) |
           (uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(high, zero)) << BLOCK;
}

/* Where the halves of 64 bytes fit a fingerprint. */
FM_WITH_AVX2 static inline uint64_t fits(const struct halves tables[PRINT], const char *p)
{
    __m256i low = bins_of(&tables[0], p), high = bins_of(&tables[0], p + BLOCK);
    for (unsigned place = 1; place < PRINT; place++) {
        low = _mm256_and_si256(low, bins_of(&tables[place], p + place));
        high = _mm256_and_si256(high, bins_of(&tables[place], p + BLOCK + place));
    }
    return ~is_zero(low, high);
}

FM_WITH_AVX2 static inline uint64_t line_ends(const char *p)
{
    const __m256i end = _mm256_set1_epi8('\n');
    return is_zero(_mm256_xor_si256(_mm256_loadu_si256((const __m256i *)(const void *)p), end),
                   _mm256_xor_si256(_mm256_loadu_si256((const __m256i *)(const void *)(p + BLOCK)), end));
}

FM_WITH_AVX2 static void look_avx2(const struct fm_skim *skim, const char *bytes, size_t size, size_t left, struct fm_skim_run *run)
{
    const unsigned whole = (unsigned)whole_steps(size, left);
    struct halves tables[PRINT];
    load_halves(skim, tables);
    clear(run);
    for (unsigned step = 0; step < whole; step += STEP) note(run, step, line_ends(bytes + step), fits(tables, bytes + step), 3);
    keep(skim, bytes, run);
    look_plainly(skim, bytes, whole, size, left, run);
}
#endif

#if FM_CPU_HAS_AVX512
/* --- by the lower seven bits of bytes, 64 at once --- */

FM_WITH_AVX512 static inline __m512i looked_up(const uint8_t table[128], __m512i bytes)
{
    return _mm512_permutex2var_epi8(_mm512_loadu_si512(table), bytes, _mm512_loadu_si512(table + 64));
}

FM_WITH_AVX512 static void look_avx512(const struct fm_skim *skim, const char *bytes, size_t size, size_t left, struct fm_skim_run *run)
{
    const unsigned whole = (unsigned)whole_steps(size, left);
    clear(run);
    for (unsigned step = 0; step < whole; step += STEP) {
        const char *p = bytes + step;
        const __m512i one = _mm512_loadu_si512(p), two = _mm512_loadu_si512(p + 1), three = _mm512_loadu_si512(p + 2);
        const __m512i bins = _mm512_and_si512(looked_up(skim->of_seven[0], one), looked_up(skim->of_seven[1], two));
        const __mmask64 hits = _mm512_test_epi8_mask(bins, looked_up(skim->of_seven[2], three));
        note(run, step, _mm512_cmpeq_epi8_mask(one, _mm512_set1_epi8('\n')), hits, 2);
    }
    keep(skim, bytes, run);
    look_plainly(skim, bytes, whole, size, left, run);
}
#endif

fm_skim_look *fm_skim_best_look(unsigned skip)
{
#if FM_CPU_HAS_AVX512
    if (fm_cpu_avx512() && skip-- == 0) return look_avx512;
#endif
#if FM_CPU_HAS_AVX2
    if (fm_cpu_avx2() && skip-- == 0) return look_avx2;
#endif
    return skip == 0 ? fm_skim_look_plain : NULL;
}
