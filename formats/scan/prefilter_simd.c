/* Scans a run for probes (prefilter_tables.h) and line ends, with AVX-512, with AVX2 or portably. Called by
 * prefilter.c. */
#include "formats/scan/prefilter_simd.h"
#include "core/cpu.h"

#if FM_CPU_HAS_AVX2
#include <immintrin.h>
#endif

enum { SPAN = FM_PREFILTER_SPAN, STEP = 64, SPARE = 3 };

/* Scans the bytes [from, size) one by one; the vector loop has scanned the bytes before `from`. */
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
/* Prefetches the memory that is scanned after the next run, because CPUs do not prefetch beyond the end of a page by
 * themselves. */
static inline void prefetch(const char *bytes)
{
    enum { AHEAD = 4096 };
    fm_prefetch((const void *)((uintptr_t)bytes + AHEAD)); /* prefetching an address after the text is harmless */
}

/* Returns how many bytes can be scanned by vector steps, which read up to four bytes at each position. */
static size_t whole_steps(size_t size, size_t left)
{
    if (size + SPAN > left) size = left < SPAN ? 0 : left - SPAN;
    return size / STEP * STEP;
}

/* Lists the candidates, given as one bit per byte in `fits`, and counts the line ends. Writes SPARE offsets in each
 * step, even if there are fewer candidates, because a branch on their number would often be mispredicted. */
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

/* Drops candidates: only a position stays whose three bytes have the hash of a probe, or whose two bytes are those
 * of a shape. */
FM_WITH_AVX2 static inline void keep(const struct fm_prefilter *prefilter, const char *bytes,
                                     struct fm_prefilter_run *run)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < run->count; i++) {
        const char *p = bytes + run->at[i];
        run->at[kept] = run->at[i];
        uint32_t four;
        memcpy(&four, p, sizeof four);
        const unsigned after = prefilter->of_hash[fm_prefilter_hash_of(four & 0xFFFFFF)] >> (four >> 24 & 7) & 1;
        kept += (fm_prefilter_pairs(prefilter, p[0], p[1]) | after) != 0;
    }
    run->count = kept;
}

/* --- testing 32 bytes at a time, by tables for the halves of bytes --- */

enum { BLOCK = 32 };

static inline uint64_t both(uint32_t low, uint32_t high) { return low | (uint64_t)high << BLOCK; }

FM_WITH_AVX2 static inline __m256i load(const void *p) { return _mm256_loadu_si256((const __m256i *)p); }

FM_WITH_AVX2 static inline void store(uint8_t *p, __m256i bytes) { _mm256_storeu_si256((__m256i *)(void *)p, bytes); }

FM_WITH_AVX2 static inline __m256i both_lanes(const uint8_t table[16])
{
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)table));
}

/* Copies the upper halves of the bytes of a run, and of the few bytes after it that are tested with the last ones. */
FM_WITH_AVX2 static void split_bytes(const char *bytes, size_t size, uint8_t high[FM_PREFILTER_RUN + BLOCK])
{
    for (size_t at = 0; at < size; at += STEP) prefetch(bytes + at);
    for (size_t at = 0; at < size; at += BLOCK)
        store(high + at, _mm256_and_si256(_mm256_srli_epi16(load(bytes + at), 4), _mm256_set1_epi8(15)));
    for (size_t i = size; i < size + SPAN - 1; i++) high[i] = (uint8_t)((unsigned char)bytes[i] >> 4);
}

/* The lookup tables of a bank, which is a group of eight bins (sets of probes). The three bytes of a probe and the byte
 * after it have two tables each: one for the low half of the byte, one for the high half. */
struct halves {
    __m256i low[SPAN], high[SPAN];
};

FM_WITH_AVX2 static inline struct halves load_halves(const struct fm_prefilter *prefilter, unsigned bank)
{
    struct halves out;
    for (unsigned place = 0; place < SPAN; place++) {
        out.low[place] = both_lanes(prefilter->not_low[bank][place]);
        out.high[place] = both_lanes(prefilter->not_high[bank][place]);
    }
    return out;
}

/* Returns, for each of 32 bytes, a bit mask of the bins of a bank that are excluded, because none of their probes has
 * the byte at this position. For a byte from 0x80 on, pshufb returns 0 from the table of low halves, so only the table
 * of high halves decides. */
FM_WITH_AVX2 static inline __m256i refused(const struct halves *tables, const char *bytes, const uint8_t *high,
                                           unsigned places)
{
    __m256i bins = _mm256_setzero_si256();
    for (unsigned place = 0; place < places; place++) {
        const __m256i by_low = _mm256_shuffle_epi8(tables->low[place], load(bytes + place)),
                      by_high = _mm256_shuffle_epi8(tables->high[place], load(high + place));
        bins = _mm256_or_si256(bins, _mm256_or_si256(by_low, by_high));
    }
    return bins;
}

/* Notes, for each byte of a run, which bins of the two banks of probes are excluded, because no probe of such a bin can
 * begin there. Processes one bank after the other, because the registers hold the tables of only one. */
FM_WITH_AVX2 static void refuse_probes(const struct fm_prefilter *prefilter, const char *bytes, const uint8_t *high,
                                       size_t size, uint8_t bins[FM_PREFILTER_RUN])
{
    const struct halves one = load_halves(prefilter, 0);
    for (size_t at = 0; at < size; at += BLOCK) store(bins + at, refused(&one, bytes + at, high + at, SPAN));
    const struct halves two = load_halves(prefilter, 1);
    for (size_t at = 0; at < size; at += BLOCK)
        store(bins + at, _mm256_and_si256(load(bins + at), refused(&two, bytes + at, high + at, SPAN)));
}

/* Returns a bit mask of the bytes at which every bin of all banks is excluded, so that neither a probe nor a shape
 * begins there. Shapes are searched for by two bytes, so in their bank the bytes after these may be any. */
FM_WITH_AVX2 static inline uint32_t none_left(const struct halves *pairs, const char *bytes, const uint8_t *high,
                                              const uint8_t *bins)
{
    enum { PAIR = 2 };
    const __m256i all = _mm256_and_si256(load(bins), refused(pairs, bytes, high, PAIR));
    return (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(all, _mm256_set1_epi8((char)-1)));
}

FM_WITH_AVX2 static inline uint32_t line_ends(const char *p)
{
    return (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(load(p), _mm256_set1_epi8('\n')));
}

FM_WITH_AVX2 static void scan_avx2(const struct fm_prefilter *prefilter, const char *bytes, size_t size, size_t left,
                                   struct fm_prefilter_run *run)
{
    const size_t whole = whole_steps(size, left);
    uint64_t fits[FM_PREFILTER_WORDS];
    uint8_t high[FM_PREFILTER_RUN + BLOCK], bins[FM_PREFILTER_RUN];
    const struct halves pairs = load_halves(prefilter, FM_PREFILTER_PAIR_BANK);
    if (whole) split_bytes(bytes, whole, high);
    refuse_probes(prefilter, bytes, high, whole, bins);
    for (size_t step = 0; step < whole; step += STEP) {
        const char *p = bytes + step;
        const uint8_t *half = high + step, *bin = bins + step;
        run->ends[step / STEP] = both(line_ends(p), line_ends(p + BLOCK));
        fits[step / STEP] =
            ~both(none_left(&pairs, p, half, bin), none_left(&pairs, p + BLOCK, half + BLOCK, bin + BLOCK));
    }
    note(run, fits, whole);
    keep(prefilter, bytes, run);
    scan_plainly(prefilter, bytes, whole, size, left, run);
}

/* --- testing 64 bytes at a time, by tables for whole bytes --- */

FM_WITH_AVX512 static inline __m512i load_wide(const void *p) { return _mm512_loadu_si512(p); }

/* The lookup table for one byte of the probes of a bank: bytes below 64, and those from 64 on. */
struct wide_table {
    __m512i below, from;
};

FM_WITH_AVX512 static inline struct wide_table load_table(const struct fm_prefilter *prefilter, unsigned bank,
                                                          unsigned place)
{
    const uint8_t *table = prefilter->not_byte[bank][place];
    return (struct wide_table){load_wide(table), load_wide(table + STEP)};
}

/* The tables of the two banks of probes and of the bank of shapes; AVX-512 has registers for all of them. */
struct wide_tables {
    struct wide_table one[SPAN], two[SPAN], pairs[2];
};

FM_WITH_AVX512 static inline void load_tables(const struct fm_prefilter *prefilter, struct wide_tables *out)
{
    for (unsigned place = 0; place < SPAN; place++) {
        out->one[place] = load_table(prefilter, 0, place);
        out->two[place] = load_table(prefilter, 1, place);
    }
    out->pairs[0] = load_table(prefilter, FM_PREFILTER_PAIR_BANK, 0);
    out->pairs[1] = load_table(prefilter, FM_PREFILTER_PAIR_BANK, 1);
}

/* Looks up 64 bytes. The instruction ignores the highest bit of each. */
FM_WITH_AVX512 static inline __m512i look_up(const struct wide_table *table, __m512i bytes)
{
    return _mm512_permutex2var_epi8(table->below, bytes, table->from);
}

/* Returns, for each of 64 positions, a bit mask of the bins of a bank that are excluded there. */
FM_WITH_AVX512 static inline __m512i refused_wide(const struct wide_table tables[SPAN], const char *p)
{
    enum { OR_3 = 0xFE }; /* truth table of "a | b | c" */
    const __m512i three =
        _mm512_ternarylogic_epi64(look_up(&tables[0], load_wide(p)), look_up(&tables[1], load_wide(p + 1)),
                                  look_up(&tables[2], load_wide(p + 2)), OR_3);
    return _mm512_or_si512(three, look_up(&tables[3], load_wide(p + 3)));
}

/* Returns a bit mask of the bytes at which at least one bin is not excluded, so that a probe or a shape may begin
 * there. */
FM_WITH_AVX512 static inline uint64_t left_at(const struct wide_tables *tables, const char *p)
{
    enum { OR_THEN_AND = 0xA8 }; /* truth table of "(a | b) & c" */
    const __m512i probes = _mm512_and_si512(refused_wide(tables->one, p), refused_wide(tables->two, p));
    const __m512i all = _mm512_ternarylogic_epi64(look_up(&tables->pairs[0], load_wide(p)),
                                                  look_up(&tables->pairs[1], load_wide(p + 1)), probes, OR_THEN_AND);
    return _mm512_cmpneq_epi8_mask(all, _mm512_set1_epi8((char)-1));
}

static const uint8_t numbers[STEP] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                      16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
                                      32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47,
                                      48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};

/* Lists the candidates of a step of 64 bytes, given as bits. Always writes half a step of offsets, so that most
 * steps need no branch. Returns the end of the list. */
FM_WITH_AVX512 static inline uint16_t *list(uint64_t hits, size_t at, uint16_t *out)
{
    const __m512i places = _mm512_maskz_compress_epi8(hits, _mm512_loadu_si512(numbers));
    const __m512i step = _mm512_set1_epi16((short)at);
    const size_t count = (size_t)_mm_popcnt_u64(hits);
    _mm512_storeu_si512(out, _mm512_add_epi16(_mm512_cvtepu8_epi16(_mm512_castsi512_si256(places)), step));
    if (count > STEP / 2) {
        const __m256i rest = _mm512_extracti64x4_epi64(places, 1);
        _mm512_storeu_si512(out + STEP / 2, _mm512_add_epi16(_mm512_cvtepu8_epi16(rest), step));
    }
    return out + count;
}

FM_WITH_AVX512 static void scan_avx512(const struct fm_prefilter *prefilter, const char *bytes, size_t size,
                                       size_t left, struct fm_prefilter_run *run)
{
    const size_t whole = whole_steps(size, left);
    struct wide_tables tables;
    uint16_t *out = run->at;
    uint64_t lines = 0;
    load_tables(prefilter, &tables);
    for (size_t step = 0; step < whole; step += STEP) {
        prefetch(bytes + step);
        const uint64_t ends = _mm512_cmpeq_epi8_mask(load_wide(bytes + step), _mm512_set1_epi8('\n'));
        run->ends[step / STEP] = ends;
        lines += (uint64_t)_mm_popcnt_u64(ends);
        out = list(left_at(&tables, bytes + step), step, out);
    }
    run->lines = lines;
    run->count = (unsigned)(out - run->at);
    keep(prefilter, bytes, run);
    scan_plainly(prefilter, bytes, whole, size, left, run);
}
#endif

fm_prefilter_scan *fm_prefilter_best_scan(unsigned skip)
{
#if FM_CPU_HAS_AVX2
    if (fm_cpu_avx512() && skip-- == 0) return scan_avx512;
    if (fm_cpu_avx2() && skip-- == 0) return scan_avx2;
#endif
    return skip == 0 ? fm_prefilter_scan_plain : NULL;
}
