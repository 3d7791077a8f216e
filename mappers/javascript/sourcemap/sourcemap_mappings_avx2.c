/* Decodes regular segments of `mappings` with AVX2. Called by sourcemap_mappings.c; see sourcemap_mappings_avx2.h. */
#include "mappers/javascript/sourcemap/sourcemap_mappings_avx2.h"

#include "core/cpu.h"

/* --- searching for negative column deltas --- */

#define ONES (UINT64_MAX / 0xFF) /* 0x01 in each byte */

/* Sets each byte that is a comma to 0x01, and the others to 0. */
static inline uint64_t commas(uint64_t word)
{
    const uint64_t zero_where_comma = word ^ ONES * ',';
    return ~(((zero_where_comma & ONES * 0x7F) + ONES * 0x7F) | zero_where_comma) >> 7 & ONES;
}

/* Sets each byte that is a base64 digit of odd value to 0x01. A letter has an odd value if its character code is even.
 * Other digits have an odd value if their code is odd, except '+'. */
static inline uint64_t odd_digits(uint64_t word)
{
    const uint64_t odd = word, letter = word >> 6, no_plus = word >> 4 | word >> 2;
    return ((letter & ~odd) | (~letter & odd & no_plus)) & ONES;
}

/* Searches for a comma that an odd digit follows: a number is negative if the value of its first digit is odd. */
bool fm_sourcemap_may_go_back(framemap_str text)
{
    uint64_t found = 0, word, next;
    size_t at = 0;
    for (; text.size - at >= 9; at += 8) {
        memcpy(&word, text.data + at, 8);
        memcpy(&next, text.data + at + 1, 8);
        found |= commas(word) & odd_digits(next);
    }
    for (; at + 1 < text.size; at++)
        found |= text.data[at] == ',' ? odd_digits((unsigned char)text.data[at + 1]) & 1 : 0;
    return found != 0;
}

#if FM_CPU_HAS_AVX2
#include <immintrin.h>

#define BLOCK ((size_t)32)

static inline FM_WITH_AVX2 __m256i avx2_load(const void *at) { return _mm256_loadu_si256((const __m256i *)at); }

/* --- translating characters to digits --- */

/* Table by the upper nibble of a character: what to add to the character to get the digit's value; '/' uses entry 1.
 * (Muła and Lemire, "Faster Base64 Encoding and Decoding Using AVX2 Instructions", 2018.) */
#define ROLLS 0, 16, 19, 4, (char)-65, (char)-65, (char)-71, (char)-71, 0, 0, 0, 0, 0, 0, 0, 0
/* Tables of bit masks by the upper and the lower nibble of a character: it is a digit if its two masks have a common
 * bit. */
#define UPPER 0, 0, 1, 2, 4, 8, 4, 8, 0, 0, 0, 0, 0, 0, 0, 0
#define LOWER 10, 14, 14, 14, 14, 14, 14, 14, 14, 14, 12, 5, 4, 4, 4, 5

static inline void put_bits(unsigned char *to, uint32_t bits) { memcpy(to, &bits, sizeof bits); }

static inline FM_WITH_AVX2 void translate_block(struct fm_sourcemap_window *window, size_t at, __m256i text)
{
    const __m256i half = _mm256_set1_epi8(0x0F);
    const __m256i upper = _mm256_and_si256(_mm256_srli_epi16(text, 4), half),
                  slash = _mm256_cmpeq_epi8(text, _mm256_set1_epi8('/'));
    const __m256i roll = _mm256_shuffle_epi8(_mm256_setr_epi8(ROLLS, ROLLS), _mm256_add_epi8(upper, slash));
    const __m256i common =
        _mm256_and_si256(_mm256_shuffle_epi8(_mm256_setr_epi8(UPPER, UPPER), upper),
                         _mm256_shuffle_epi8(_mm256_setr_epi8(LOWER, LOWER), _mm256_and_si256(text, half)));
    const __m256i digits = _mm256_add_epi8(text, roll);
    const uint32_t others = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(common, _mm256_setzero_si256()));
    const uint32_t more =
        /* bit 5 of a digit shows that the number continues in the next digit */
        (uint32_t)_mm256_movemask_epi8(_mm256_slli_epi16(digits, 2));
    _mm256_storeu_si256((__m256i *)(void *)(window->digits + at), digits);
    put_bits(window->others + at / 8, others);
    put_bits(window->lasts + at / 8, ~(others | more));
}

static FM_WITH_AVX2 void avx2_translate(struct fm_sourcemap_window *window, const char *begin, const char *end)
{
    const size_t left = (size_t)(end - begin), whole = left < FM_SOURCEMAP_WINDOW ? left : FM_SOURCEMAP_WINDOW;
    size_t at = 0;
    window->begin = begin;
    window->usable = left <= FM_SOURCEMAP_WINDOW ? end : begin + FM_SOURCEMAP_WINDOW - 64;
    for (; whole - at >= BLOCK; at += BLOCK) translate_block(window, at, avx2_load(begin + at));
    char rest[3 * BLOCK] = {0};
    if (whole > at) memcpy(rest, begin + at, whole - at);
    for (size_t i = 0; i < sizeof rest; i += BLOCK) translate_block(window, at + i, avx2_load(rest + i));
}

/* --- decoding segments --- */

#define PAYLOAD 0x1F1F1F1Fu
#define GOES_ON 0x20202020u

static inline uint64_t bits_from(const unsigned char *bits, size_t at)
{
    uint64_t word;
    memcpy(&word, bits + (at >> 3), sizeof word);
    return word >> (at & 7);
}

static inline uint32_t four_digits(const unsigned char *digits)
{
    uint32_t word;
    memcpy(&word, digits, sizeof word);
    return word;
}

/* Offsets of the numbers of a segment, and the character that ends the segment. */
struct segment_shape {
    unsigned size, fields;
    unsigned at[5];
};

/* Finds the digits of a segment. Returns false unless the segment has four or five numbers of one to four digits. */
static inline FM_WITH_AVX2 bool avx2_segment_shape(const struct fm_sourcemap_window *window, size_t at,
                                                   struct segment_shape *out)
{
    const uint64_t others = bits_from(window->others, at);
    if (others == 0) return false;
    const uint64_t inside = (others - 1) & ~others;
    uint64_t lasts = bits_from(window->lasts, at) & inside;
    const uint64_t more = inside ^ lasts, more2 = more & more >> 1;
    out->size = (unsigned)__builtin_ctzll(others);
    out->fields = (unsigned)__builtin_popcountll(lasts);
    if (out->fields - 4 > 1 || ((more2 & more2 >> 2) | (more & (inside ^ inside >> 1))) != 0) return false;
    out->at[0] = 0;
    for (unsigned i = 1; i < 5; i++, lasts &= lasts - 1) out->at[i] = (unsigned)__builtin_ctzll(lasts) + 1;
    return true;
}

/* The first four numbers of a segment are stored with one write. */
_Static_assert(offsetof(struct fm_segment, original_col0) == offsetof(struct fm_segment, col0) + 12, "no room between");

/* Gathers the first four numbers of a segment, with the sign still in the lowest bit. */
static inline FM_WITH_AVX2 __m128i four_numbers(const unsigned char *digits, const unsigned at[5])
{
    __m128i word = _mm_cvtsi32_si128((int)four_digits(digits));
    word = _mm_insert_epi32(word, (int)four_digits(digits + at[1]), 1);
    word = _mm_insert_epi32(word, (int)four_digits(digits + at[2]), 2);
    word = _mm_insert_epi32(word, (int)four_digits(digits + at[3]), 3);
    /* A mask of the bits up to the lowest continuation bit that is clear. */
    const __m128i ends = _mm_andnot_si128(word, _mm_set1_epi32((int)GOES_ON));
    const __m128i own = _mm_xor_si128(ends, _mm_add_epi32(ends, _mm_set1_epi32(-1)));
    word = _mm_and_si128(_mm_and_si128(word, own), _mm_set1_epi32((int)PAYLOAD));
    return _mm_madd_epi16(_mm_maddubs_epi16(word, _mm_set1_epi16(0x2001)),
                          /* the factors by which the digits of a number are multiplied: 1 and 32, then 1 and 1024 */
                          _mm_set1_epi32(0x04000001));
}

static inline uint32_t one_number(const unsigned char *digits)
{
    uint32_t word = four_digits(digits);
    const uint32_t ends = ~word & GOES_ON;
    word &= (ends ^ (ends - 1)) & PAYLOAD;
    word = (word & 0x001F001F) | (word >> 3 & 0x03E003E0);
    return (word & 0x3FF) | (word >> 6 & 0xFFC00);
}

static inline FM_WITH_AVX2 __m128i load4(const uint32_t *four)
{
    return _mm_loadu_si128((const __m128i *)(const void *)four);
}

static inline bool ends_line(const char *at, const char *end) { return at == end || *at == ';'; }

static FM_WITH_AVX2 size_t avx2_read_segments(struct fm_sourcemap_fast *fast, struct fm_sourcemap_window *window,
                                              struct fm_segment *out, size_t room, bool *ended)
{
    const __m128i one = _mm_set1_epi32(1), zero = _mm_setzero_si128(), limit = load4(fast->limit),
                  base = load4(fast->base), falls = _mm_setr_epi32(fast->only_forward ? -1 : 0, 0, 0, 0);
    __m128i state = load4(fast->state);
    uint32_t name = fast->name;
    size_t count = 0;
    const char *at = fast->at;
    struct segment_shape shape;
    *ended = false;
    for (; count < room; at++) {
        if (window->begin == NULL || at > window->usable) avx2_translate(window, at, fast->end);
        const size_t offset = (size_t)(at - window->begin);
        if (!avx2_segment_shape(window, offset, &shape)) break;
        const unsigned char *digits = window->digits + offset;

        const __m128i numbers = four_numbers(digits, shape.at), sign = _mm_and_si128(numbers, one);
        const __m128i delta = _mm_add_epi32(_mm_xor_si128(_mm_srli_epi32(numbers, 1), _mm_sub_epi32(zero, sign)), sign);
        const __m128i next = _mm_add_epi32(state, delta);
        __m128i odd = _mm_or_si128(_mm_cmpeq_epi32(_mm_max_epu32(next, limit), next),
                                   _mm_cmpeq_epi32(numbers, one)); /* such a number is "minus zero", which is invalid */
        odd = _mm_or_si128(odd, _mm_and_si128(_mm_srai_epi32(delta, 31), falls));

        const uint32_t named = 0u - (shape.fields - 4), number = one_number(digits + shape.at[4]) & named;
        const uint32_t next_name = name + (((number >> 1) ^ (0u - (number & 1))) + (number & 1));
        if (!_mm_testz_si128(odd, odd) || number == 1 || ((shape.fields - 4) & (next_name >= fast->name_limit)) != 0)
            break;
        const char *const after = at + shape.size;
        const bool last = ends_line(after, fast->end);
        if (!last && *after != ',') break;

        const __m128i place = _mm_add_epi32(next, base);
        struct fm_segment *segment = &out[count++];
        segment->line0 = fast->line0;
        memcpy((char *)segment + offsetof(struct fm_segment, col0), &place, sizeof place);
        segment->name = (fast->name_base + next_name) | ~named;
        state = next;
        name = next_name;
        at = after;
        if (last) {
            *ended = true;
            break;
        }
    }
    _mm_storeu_si128((__m128i *)(void *)fast->state, state);
    fast->name = name;
    fast->at = at;
    return count;
}

bool fm_sourcemap_fast_here(void) { return fm_cpu_avx2(); }

size_t fm_sourcemap_fast_segments(struct fm_sourcemap_fast *fast, struct fm_sourcemap_window *window,
                                  struct fm_segment *out, size_t room, bool *ended)
{
    return avx2_read_segments(fast, window, out, room, ended);
}

#else

bool fm_sourcemap_fast_here(void) { return false; }

size_t fm_sourcemap_fast_segments(struct fm_sourcemap_fast *fast, struct fm_sourcemap_window *window,
                                  struct fm_segment *out, size_t room, bool *ended)
{
    (void)fast;
    (void)window;
    (void)out;
    (void)room;
    *ended = false;
    return 0;
}

#endif
