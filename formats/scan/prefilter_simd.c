/* Scans a run for probes (prefilter_tables.h) and line ends, with AVX2 or portably. Called by prefilter.c. */
#include "formats/scan/prefilter_simd.h"
#include "core/cpu.h"

#if FM_CPU_HAS_AVX2
#include <immintrin.h>
#endif

enum { PRINT = FM_PREFILTER_PROBE, STEP = 64, SPARE = 3 };

/* Scans the bytes [from, size) one by one. from: after whole steps. */
static void scan_plainly(const struct fm_prefilter *prefilter, const char *bytes, size_t from, size_t size, size_t left,
                         struct fm_prefilter_run *run)
{
    for (size_t i = from; i < size; i++) {
        const char two = left - i > 1 ? bytes[i + 1] : '\n', three = left - i > 2 ? bytes[i + 2] : '\n';
        const unsigned end = bytes[i] == '\n';
        run->at[run->count] = (uint16_t)i;
        run->count += fm_prefilter_may_begin(prefilter, bytes[i], two, three);
        run->ends[i / STEP] = (i % STEP ? run->ends[i / STEP] : 0) | (uint64_t)end << i % STEP;
        run->lines += end;
    }
}

void fm_prefilter_scan_plain(const struct fm_prefilter *prefilter, const char *bytes, size_t size, size_t left,
                             struct fm_prefilter_run *run)
{
    run->lines = 0;
    run->count = 0;
    scan_plainly(prefilter, bytes, 0, size, left, run);
}

#if FM_CPU_HAS_AVX2
/* Number of bytes that can be scanned in whole steps: no probe begins at the last two bytes of a text. */
static size_t whole_steps(size_t size, size_t left)
{
    if (size + PRINT - 1 > left) size = left < PRINT ? 0 : left - (PRINT - 1);
    return size / STEP * STEP;
}

/* Lists the candidates of all steps, given as one bit each in `fits`, and counts the line ends. Always writes SPARE
 * offsets per step, because a branch on the number would be mispredicted in every second step. */
FM_WITH_AVX2 static inline void note(struct fm_prefilter_run *run, const uint64_t fits[], size_t whole)
{
    uint16_t *out = run->at;
    uint64_t lines = 0;
    for (size_t at = 0; at < whole; at += STEP) {
        uint64_t hits = fits[at / STEP];
        const size_t count = (size_t)_mm_popcnt_u64(hits);
        for (size_t i = 0; i < SPARE; i++, hits = _blsr_u64(hits)) out[i] = (uint16_t)(at + _tzcnt_u64(hits));
        for (size_t i = SPARE; i < count; i++, hits = _blsr_u64(hits)) out[i] = (uint16_t)(at + _tzcnt_u64(hits));
        out += count;
        lines += (uint64_t)_mm_popcnt_u64(run->ends[at / STEP]);
    }
    run->count = (unsigned)(out - run->at);
    run->lines = lines;
}

/* Keeps the candidates whose three bytes are a probe. */
FM_WITH_AVX2 static inline void keep(const struct fm_prefilter *prefilter, const char *bytes,
                                     struct fm_prefilter_run *run)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < run->count; i++) {
        const char *p = bytes + run->at[i];
        run->at[kept] = run->at[i];
        kept += fm_prefilter_may_begin(prefilter, p[0], p[1], p[2]);
    }
    run->count = kept;
}

/* --- by halves of bytes, 32 at once --- */

enum { BLOCK = 32 };

/* The tables of one position of a probe. */
struct halves {
    __m256i low[FM_PREFILTER_BANKS], high[FM_PREFILTER_BANKS];
};

FM_WITH_AVX2 static inline __m256i load(const char *p) { return _mm256_loadu_si256((const __m256i *)(const void *)p); }

FM_WITH_AVX2 static __m256i both_lanes(const uint8_t table[16])
{
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)table));
}

FM_WITH_AVX2 static void load_halves(const struct fm_prefilter *prefilter, struct halves out[PRINT])
{
    for (unsigned place = 0; place < PRINT; place++) {
        for (unsigned bank = 0; bank < FM_PREFILTER_BANKS; bank++) {
            out[place].low[bank] = both_lanes(prefilter->not_low[bank][place]);
            out[place].high[bank] = both_lanes(prefilter->not_high[bank][place]);
        }
    }
}

/* Adds the bins excluded at each of 32 bytes by the byte at one position of a probe. pshufb looks up a byte from 0x80
 * on as 0 in the first table, so that only the table of upper halves decides. */
FM_WITH_AVX2 static inline void refuse(const struct halves *tables, const char *p, __m256i bins[FM_PREFILTER_BANKS])
{
    const __m256i bytes = load(p), high = _mm256_and_si256(_mm256_srli_epi16(bytes, 4), _mm256_set1_epi8(15));
    for (unsigned bank = 0; bank < FM_PREFILTER_BANKS; bank++) {
        const __m256i by_low = _mm256_shuffle_epi8(tables->low[bank], bytes);
        const __m256i by_high = _mm256_shuffle_epi8(tables->high[bank], high);
        bins[bank] = _mm256_or_si256(bins[bank], _mm256_or_si256(by_low, by_high));
    }
}

/* Bit mask of the bytes at which no bin is left. */
FM_WITH_AVX2 static inline uint32_t refused(const struct halves tables[PRINT], const char *p)
{
    __m256i bins[FM_PREFILTER_BANKS] = {_mm256_setzero_si256(), _mm256_setzero_si256()};
    for (unsigned place = 0; place < PRINT; place++) refuse(&tables[place], p + place, bins);
    const __m256i both_banks = _mm256_and_si256(bins[0], bins[1]);
    return (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(both_banks, _mm256_set1_epi8(-1)));
}

FM_WITH_AVX2 static inline uint32_t line_ends(const char *p)
{
    return (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(load(p), _mm256_set1_epi8('\n')));
}

FM_WITH_AVX2 static inline uint64_t both(uint32_t low, uint32_t high) { return low | (uint64_t)high << BLOCK; }

FM_WITH_AVX2 static void scan_avx2(const struct fm_prefilter *prefilter, const char *bytes, size_t size, size_t left,
                                   struct fm_prefilter_run *run)
{
    const size_t whole = whole_steps(size, left);
    uint64_t fits[FM_PREFILTER_WORDS];
    struct halves tables[PRINT];
    load_halves(prefilter, tables);
    for (size_t step = 0; step < whole; step += STEP) {
        const char *p = bytes + step;
        run->ends[step / STEP] = both(line_ends(p), line_ends(p + BLOCK));
        fits[step / STEP] = ~both(refused(tables, p), refused(tables, p + BLOCK));
    }
    note(run, fits, whole);
    keep(prefilter, bytes, run);
    scan_plainly(prefilter, bytes, whole, size, left, run);
}
#endif

fm_prefilter_scan *fm_prefilter_best_scan(unsigned skip)
{
#if FM_CPU_HAS_AVX2
    if (fm_cpu_avx2() && skip-- == 0) return scan_avx2;
#endif
    return skip == 0 ? fm_prefilter_scan_plain : NULL;
}
