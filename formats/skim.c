#include "formats/skim.h"
#include "core/cpu.h"
#include "formats/skim_marks.h"

#if FM_CPU_HAS_AVX2
#include <immintrin.h>
#endif

enum { PRINT = 3 }; /* bytes of a fingerprint */

/* --- the tables --- */

static bool is_word_byte(char c) { return fm_is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static bool is_closing(char c) { return fm_is_blank(c) || c == '\r'; }
static bool is_x(char c) { return (c | 0x20) == 'x'; }

static void allow(struct fm_skim *skim, enum fm_skim_set set, unsigned place, int byte)
{
    skim->of_byte[place][byte] |= (uint16_t)(1u << set);
}

/* The shapes that are no words. */
static void make_shapes(struct fm_skim *skim)
{
    for (int byte = 0; byte < 256; byte++) {
        const char c = (char)byte;
        const bool digit = fm_is_digit(c);
        if (fm_is_blank(c)) allow(skim, FM_SKIM_AT, 2, byte);
        if (digit || is_closing(c)) allow(skim, FM_SKIM_END, 0, byte);
        if (digit) allow(skim, FM_SKIM_NUMBER, 1, byte);
        if (fm_is_hex(c)) allow(skim, FM_SKIM_HEX, 2, byte);
        if (is_x(c)) allow(skim, FM_SKIM_HEX, 1, byte);
        allow(skim, FM_SKIM_SIGN, 1, byte);
        allow(skim, FM_SKIM_SIGN, 2, byte);
        allow(skim, FM_SKIM_NUMBER, 2, byte);
        allow(skim, FM_SKIM_END, 2, byte);
        allow(skim, FM_SKIM_COLOUR, 2, byte);
        allow(skim, FM_SKIM_ESCAPE, 2, byte);
    }
    allow(skim, FM_SKIM_AT, 0, 'a');
    allow(skim, FM_SKIM_AT, 1, 't');
    allow(skim, FM_SKIM_SIGN, 0, '@');
    allow(skim, FM_SKIM_NUMBER, 0, '#');
    allow(skim, FM_SKIM_HEX, 0, '0');
    allow(skim, FM_SKIM_END, 1, '\n');
    allow(skim, FM_SKIM_END, 1, '\r');
    allow(skim, FM_SKIM_COLOUR, 0, '\033');
    allow(skim, FM_SKIM_COLOUR, 1, '[');
    allow(skim, FM_SKIM_ESCAPE, 0, '\\');
    allow(skim, FM_SKIM_ESCAPE, 1, 'n');
}

static unsigned char print_byte(const struct fm_skim_word *word, unsigned place)
{
    return (unsigned char)word->word.data[word->print + place];
}

/* Three bytes as a number of twelve bits. */
static inline unsigned print_hash(char one, char two, char three)
{
    const uint32_t bytes = (uint32_t)(unsigned char)one | (uint32_t)(unsigned char)two << 8 | (uint32_t)(unsigned char)three << 16;
    return bytes * UINT32_C(0x9E3779B1) >> 20;
}

/* Words in the order of the first byte of their fingerprints. */
static void make_words(struct fm_skim *skim)
{
    size_t count;
    const struct fm_skim_word *words = fm_skim_words(&count);
    uint8_t used = 0;
    skim->table = words;
    for (size_t i = 0; i < count; i++) {
        for (unsigned place = 0; place < PRINT; place++) allow(skim, words[i].set, place, print_byte(&words[i], place));
        skim->first_word[print_byte(&words[i], 0) + 1]++;
        const char *print = words[i].word.data + words[i].print;
        const unsigned hash = print_hash(print[0], print[1], print[2]);
        skim->prints[hash / 8] |= (uint8_t)(1u << hash % 8);
    }
    for (unsigned byte = 0; byte < 256; byte++) skim->first_word[byte + 1] = (uint8_t)(skim->first_word[byte + 1] + skim->first_word[byte]);
    for (unsigned byte = 0; byte < 256; byte++) {
        if (skim->first_word[byte] == skim->first_word[byte + 1]) continue;
        for (size_t i = 0; i < count; i++)
            if (print_byte(&words[i], 0) == byte) skim->words[used++] = (uint8_t)i;
    }
}

void fm_skim_make(struct fm_skim *skim)
{
    *skim = (struct fm_skim){.words = {0}};
    make_shapes(skim);
    make_words(skim);
    for (unsigned place = 0; place < PRINT; place++) {
        for (unsigned byte = 0; byte < 256; byte++) {
            for (unsigned half = 0; half < 2; half++) {
                const uint8_t sets = (uint8_t)(skim->of_byte[place][byte] >> 8 * half);
                skim->low[place][half][byte & 15] |= sets;
                skim->high[place][half][byte >> 4] |= sets;
            }
        }
    }
}

/* --- what a fingerprint stands for --- */

/* Behind what is no word, and in front of a blank. */
static bool is_at(const char *begin, const char *p, const char *end)
{
    return end - p > 2 && fm_is_blank(p[2]) && (p == begin || !is_word_byte(p[-1]));
}

/* ":1:2" or, behind an address of the web, ":1" in front of `to`. */
static bool ends_in_place(const char *begin, const char *to)
{
    const char *p = to;
    while (p > begin && fm_is_digit(p[-1])) p--;
    if (p == to || p == begin || p[-1] != ':') return false;
    const char *behind = --p;
    while (p > begin && fm_is_digit(p[-1])) p--;
    if (p < behind && p > begin && p[-1] == ':') return true;
    for (p = behind; p > begin && p[-1] != '\n'; p--)
        if (*p == '/' && p[-1] == ':') return true;
    return false;
}

/* A line's end at or behind p. */
static bool is_end(const char *begin, const char *p, const char *end)
{
    const char *behind = p + 1, *to = p + 1;
    while (behind < end && is_closing(*behind)) behind++;
    if (behind < end && *behind != '\n') return false;
    while (to > begin && is_closing(to[-1])) to--;
    return ends_in_place(begin, to);
}

static bool is_word(const struct fm_skim *skim, const char *begin, const char *p, const char *end)
{
    const unsigned char first = (unsigned char)*p;
    for (unsigned i = skim->first_word[first]; i < skim->first_word[first + 1]; i++) {
        const struct fm_skim_word *word = &skim->table[skim->words[i]];
        const char *print = word->word.data + word->print;
        if (p[1] != print[1] || p[2] != print[2]) continue;
        if ((size_t)(p - begin) < word->print || (size_t)(end - p) < word->word.size - word->print) continue;
        if (memcmp(p - word->print, word->word.data, word->word.size) == 0) return true;
    }
    return false;
}

/* Whether three bytes may be a word's fingerprint: few others are. */
static inline unsigned may_be_print(const struct fm_skim *skim, char one, char two, char three)
{
    const unsigned hash = print_hash(one, two, three);
    return skim->prints[hash / 8] >> hash % 8 & 1;
}

/* The sets that three bytes are a fingerprint of. */
static inline unsigned sets_of(const struct fm_skim *skim, char one, char two, char three)
{
    return skim->of_byte[0][(unsigned char)one] & skim->of_byte[1][(unsigned char)two] & skim->of_byte[2][(unsigned char)three];
}

static inline bool has(unsigned sets, enum fm_skim_set set) { return (sets >> set & 1) != 0; }

/* Whether the fingerprint at p, which is of these sets, is of a mark. */
static bool is_mark(const struct fm_skim *skim, unsigned sets, const char *begin, const char *p, const char *end)
{
    if (sets >> FM_SKIM_FIRST_WORD != 0 && end - p >= PRINT && is_word(skim, begin, p, end)) return true;
    if (has(sets, FM_SKIM_AT) && is_at(begin, p, end)) return true;
    if (has(sets, FM_SKIM_SIGN)) return true;
    if (end - p < 2) return false;
    if (has(sets, FM_SKIM_NUMBER) || has(sets, FM_SKIM_COLOUR) || has(sets, FM_SKIM_ESCAPE)) return true;
    if (has(sets, FM_SKIM_HEX) && end - p > 2) return true;
    return has(sets, FM_SKIM_END) && is_end(begin, p, end);
}

/* --- lines --- */

/* Whether one of eight bytes is a line end. */
static bool has_line_end(const char *p)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    uint64_t word;
    memcpy(&word, p, sizeof word);
    word ^= ones * '\n';
    return ((word - ones) & ~word & ones << 7) != 0;
}

#if FM_CPU_HAS_AVX2
static uint64_t count_ends(const char *from, const char *to)
{
    uint64_t count = 0;
    for (; from < to; from++) count += *from == '\n';
    return count;
}
#endif

/* Where the line begins that goes on at `at`, not before `floor`. */
static const char *line_begin(const char *floor, const char *at)
{
    while (at - floor >= 8 && !has_line_end(at - 8)) at -= 8;
    while (at > floor && at[-1] != '\n') at--;
    return at;
}

/* --- the pass --- */

struct pass {
    const struct fm_skim *skim;
    const char *begin, *end; /* the whole text */
    const char *line;        /* where the line at hand begins */
    uint64_t lines;
};

/* The line that a mark is in. */
static struct fm_skimmed found(const struct pass *pass) { return (struct fm_skimmed){(size_t)(pass->line - pass->begin), pass->lines}; }

/* Byte by byte from p to the text's end. What would stand behind the end is taken for line ends: no fingerprint has one at its last place but by chance. */
static struct fm_skimmed pass_plain(struct pass *pass, const char *p)
{
    for (; p < pass->end; p++) {
        const char two = pass->end - p > 1 ? p[1] : '\n', three = pass->end - p > 2 ? p[2] : '\n';
        const unsigned sets = sets_of(pass->skim, *p, two, three);
        if (sets && is_mark(pass->skim, sets, pass->begin, p, pass->end)) return found(pass);
        if (*p != '\n') continue;
        pass->line = p + 1;
        pass->lines++;
    }
    return found(pass); /* a last line without an end is shown in any case */
}

struct fm_skimmed fm_skim_next_plain(const struct fm_skim *skim, framemap_str text, size_t from)
{
    struct pass pass = {skim, text.data, text.data + text.size, text.data + from, 0};
    if (from >= text.size) return (struct fm_skimmed){text.size, 0};
    return pass_plain(&pass, text.data + from);
}

#if FM_CPU_HAS_AVX2
enum {
    BLOCK = 32,
    STEP = 2 * BLOCK,
    RUN =
        8 *
        STEP, /* bytes that are looked at before any fingerprint is: few, as what stands behind a mark is looked at again, and fewer at first */
    FIRST_RUN = 2 * STEP,
    SPARE = 4 /* most steps have fewer places */
};

/* The tables of one place of the fingerprint. */
struct vectors {
    __m256i low[2], high[2];
};

FM_WITH_AVX2 static __m256i both_halves(const uint8_t table[16])
{
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)table));
}

FM_WITH_AVX2 static void load_tables(const struct fm_skim *skim, struct vectors out[PRINT])
{
    for (unsigned place = 0; place < PRINT; place++) {
        for (unsigned half = 0; half < 2; half++) {
            out[place].low[half] = both_halves(skim->low[place][half]);
            out[place].high[half] = both_halves(skim->high[place][half]);
        }
    }
}

/* Narrows the sets that may begin at each of 32 bytes by the bytes at one place of the fingerprint. */
FM_WITH_AVX2 static inline void narrow(const struct vectors *tables, const char *p, __m256i *first, __m256i *second)
{
    const __m256i mask = _mm256_set1_epi8(15), bytes = _mm256_loadu_si256((const __m256i *)(const void *)p);
    const __m256i low = _mm256_and_si256(bytes, mask), high = _mm256_and_si256(_mm256_srli_epi16(bytes, 4), mask);
    *first =
        _mm256_and_si256(*first, _mm256_and_si256(_mm256_shuffle_epi8(tables->low[0], low), _mm256_shuffle_epi8(tables->high[0], high)));
    *second =
        _mm256_and_si256(*second, _mm256_and_si256(_mm256_shuffle_epi8(tables->low[1], low), _mm256_shuffle_epi8(tables->high[1], high)));
}

/* The line ends of 64 bytes, and where the halves of bytes fit a fingerprint. */
FM_WITH_AVX2 static inline uint64_t fits(const struct vectors tables[PRINT], const char *p, uint64_t *ends)
{
    const __m256i line_end = _mm256_set1_epi8('\n'), zero = _mm256_setzero_si256();
    uint64_t hits = 0;
    *ends = 0;
    for (unsigned half = 0; half < STEP; half += BLOCK) {
        __m256i first = _mm256_set1_epi8(-1), second = first;
        for (unsigned place = 0; place < PRINT; place++) narrow(&tables[place], p + half + place, &first, &second);
        const __m256i none = _mm256_cmpeq_epi8(_mm256_or_si256(first, second), zero);
        const __m256i bytes = _mm256_loadu_si256((const __m256i *)(const void *)(p + half));
        hits |= (uint64_t)(uint32_t)~_mm256_movemask_epi8(none) << half;
        *ends |= (uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, line_end)) << half;
    }
    return hits;
}

/* Places of one run, from its begin. More are written than count, so that nothing hangs on how many there are: a branch that is guessed wrongly in every second block
 * takes longer than all else. */
struct places {
    unsigned count;
    uint16_t at[RUN + SPARE];
};

FM_WITH_AVX2 static inline void note_places(struct places *places, uint64_t hits, unsigned step)
{
    const uint64_t last = UINT64_C(1) << 63; /* a place for those that do not count */
    unsigned count = (unsigned)__builtin_popcountll(hits);
    uint16_t *out = places->at + places->count;
    places->count += count;
    for (unsigned i = 0; i < SPARE; i++, hits &= hits - 1) out[i] = (uint16_t)(step + (unsigned)__builtin_ctzll(hits | last));
    for (unsigned i = SPARE; i < count; i++, hits &= hits - 1) out[i] = (uint16_t)(step + (unsigned)__builtin_ctzll(hits));
}

/* Keeps the places of fingerprints: those of shapes, and those of words that are one byte for byte. */
FM_WITH_AVX2 static void keep_prints(const struct fm_skim *skim, const char *run, struct places *places)
{
    const unsigned count = places->count;
    places->count = 0;
    for (unsigned i = 0; i < count; i++) {
        const char *p = run + places->at[i];
        const unsigned sets = sets_of(skim, p[0], p[1], p[2]);
        const unsigned word = (sets >> FM_SKIM_FIRST_WORD != 0) & may_be_print(skim, p[0], p[1], p[2]);
        places->at[places->count] = places->at[i];
        places->count += ((sets & ((1u << FM_SKIM_FIRST_WORD) - 1)) != 0) | word;
    }
}

/* Looks at some hundred bytes at once. The mark, or NULL. *ends: the line ends of all of it. */
FM_WITH_AVX2 static const char *run_avx2(const struct pass *pass, const struct vectors tables[PRINT], const char *run, size_t size,
                                         uint64_t *ends)
{
    struct places places;
    places.count = 0;
    *ends = 0;
    for (unsigned step = 0; step < size; step += STEP) {
        uint64_t own;
        const uint64_t hits = fits(tables, run + step, &own);
        *ends += (unsigned)__builtin_popcountll(own);
        note_places(&places, hits, step);
    }
    keep_prints(pass->skim, run, &places);
    for (unsigned i = 0; i < places.count; i++) {
        const char *p = run + places.at[i];
        if (is_mark(pass->skim, sets_of(pass->skim, p[0], p[1], p[2]), pass->begin, p, pass->end)) return p;
    }
    return NULL;
}

FM_WITH_AVX2 static struct fm_skimmed pass_avx2(struct pass *pass, const char *p)
{
    const char *from = p, *mark = NULL;
    struct vectors tables[PRINT];
    size_t most = FIRST_RUN;
    load_tables(pass->skim, tables);
    while (mark == NULL && pass->end - p >= STEP + PRINT - 1) {
        const size_t left = (size_t)(pass->end - p) - (PRINT - 1), size = left < most ? left / STEP * STEP : most;
        uint64_t ends;
        mark = run_avx2(pass, tables, p, size, &ends);
        pass->lines += mark ? count_ends(p, mark) : ends;
        p += size;
        most = RUN;
    }
    pass->line = line_begin(from, mark ? mark : p);
    return mark ? found(pass) : pass_plain(pass, p);
}

FM_WITH_AVX2 static struct fm_skimmed next_avx2(const struct fm_skim *skim, framemap_str text, size_t from)
{
    struct pass pass = {skim, text.data, text.data + text.size, text.data + from, 0};
    if (from >= text.size) return (struct fm_skimmed){text.size, 0};
    return pass_avx2(&pass, text.data + from);
}

struct fm_skimmed fm_skim_next(const struct fm_skim *skim, framemap_str text, size_t from)
{
    return fm_cpu_avx2() ? next_avx2(skim, text, from) : fm_skim_next_plain(skim, text, from);
}
#else
struct fm_skimmed fm_skim_next(const struct fm_skim *skim, framemap_str text, size_t from) { return fm_skim_next_plain(skim, text, from); }
#endif

/* --- back --- */

size_t fm_skim_back(framemap_str text, size_t floor, size_t at, size_t count, size_t *passed)
{
    *passed = 0;
    while (*passed < count && at > floor) {
        at--; /* the end of the line above */
        at = (size_t)(line_begin(text.data + floor, text.data + at) - text.data);
        ++*passed;
    }
    return at;
}
