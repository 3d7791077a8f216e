/* Scan of string contents, eight bytes at a time, or 32 with AVX2. See json_string.h. */
#include "core/json/json_string.h"
#include "core/cpu.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define EACH (UINT64_MAX / 0xFF) /* multiplied by a byte: eight copies of it */

/* --- scanning without CPU-specific instructions --- */

/* Sets the high bit of each byte that is a quote, a backslash or a control character. After the first such byte, more
 * bits may be set wrongly. */
static uint64_t special_bytes(uint64_t word)
{
    const uint64_t quote = word ^ EACH * '"', slash = word ^ EACH * '\\';
    return (((quote - EACH) & ~quote) | ((slash - EACH) & ~slash) | ((word - EACH * 0x20) & ~word)) & EACH * 0x80;
}

static bool is_special(unsigned char byte) { return byte < 0x20 || byte == '"' || byte == '\\'; }

/* Moves to the next special byte, eight at a time, since strings can be megabytes. */
static const char *plain_end(const char *at, const char *end)
{
    uint64_t word;
    for (; end - at >= 8; at += 8) {
        memcpy(&word, at, 8);
        const uint64_t special = special_bytes(word);
        if (special == 0) continue;
#if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
        return at + (unsigned)__builtin_ctzll(special) / 8;
#else
        break;
#endif
    }
    while (at < end && !is_special((unsigned char)*at)) at++;
    return at;
}

static bool is_escape_letter(char c)
{
    return c == 'n' || c == '"' || c == '\\' || c == 't' || c == 'r' || c == '/' || c == 'b' || c == 'f';
}

const char *fm_json_string_run_plain(const char *at, const char *end, bool *escaped)
{
    for (;;) {
        at = plain_end(at, end);
        if (at == end || *at != '\\') return at;
        *escaped = true;
        if (end - at < 2 || !is_escape_letter(at[1])) return at;
        at += 2;
    }
}

/* --- scanning with AVX2 --- */

#if FM_CPU_HAS_AVX2
#include <immintrin.h>

#define BLOCK 64
#define EVEN (UINT64_MAX / 3) /* the number in which the bits 0, 2, 4 … are set */

struct bytes {
    __m256i low, high;
};

static inline FM_WITH_AVX2 struct bytes load_block(const char *at)
{
    return (struct bytes){_mm256_loadu_si256((const __m256i *)(const void *)at),
                          _mm256_loadu_si256((const __m256i *)(const void *)(at + 32))};
}

/* Returns a mask with a bit for each byte whose highest bit is set. */
static inline FM_WITH_AVX2 uint64_t bits(__m256i low, __m256i high)
{
    return (uint32_t)_mm256_movemask_epi8(low) | (uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32;
}

static inline FM_WITH_AVX2 uint64_t equal_to(struct bytes b, char byte)
{
    const __m256i all = _mm256_set1_epi8(byte);
    return bits(_mm256_cmpeq_epi8(b.low, all), _mm256_cmpeq_epi8(b.high, all));
}

static inline FM_WITH_AVX2 uint64_t below_blank(struct bytes b)
{
    const __m256i most = _mm256_set1_epi8(0x1F);
    return bits(_mm256_cmpeq_epi8(_mm256_max_epu8(b.low, most), most),
                _mm256_cmpeq_epi8(_mm256_max_epu8(b.high, most), most));
}

/* Returns a value other than 0 for each byte that may follow a backslash. For such a byte, the class bits of its upper
 * half (2, 5, 6 or 7) and those of its lower half have a bit in common. */
static inline FM_WITH_AVX2 __m256i letters_of(__m256i v)
{
    const __m256i upper = _mm256_setr_epi8(0, 0, 1, 0, 0, 2, 4, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 2, 4, 8, 0, 0,
                                           0, 0, 0, 0, 0, 0);
    const __m256i lower = _mm256_setr_epi8(0, 0, 13, 0, 8, 0, 4, 0, 0, 0, 0, 0, 2, 0, 4, 1, 0, 0, 13, 0, 8, 0, 4, 0, 0,
                                           0, 0, 0, 2, 0, 4, 1);
    const __m256i half = _mm256_set1_epi8(0x0F);
    return _mm256_and_si256(_mm256_shuffle_epi8(upper, _mm256_and_si256(_mm256_srli_epi16(v, 4), half)),
                            _mm256_shuffle_epi8(lower, _mm256_and_si256(v, half)));
}

static inline FM_WITH_AVX2 uint64_t no_escape_letters(struct bytes b)
{
    const __m256i zero = _mm256_setzero_si256();
    return bits(_mm256_cmpeq_epi8(letters_of(b.low), zero), _mm256_cmpeq_epi8(letters_of(b.high), zero));
}

/* Returns a mask of the backslashes in a block that start an escape: every second backslash of each run, starting with
 * the first. */
static inline uint64_t escapes(uint64_t slashes)
{
    const uint64_t begins = slashes & ~(slashes << 1);
    /* the carry of the addition passes through each run of backslashes that starts at an even offset, and clears its
     * bits */
    const uint64_t even_runs = slashes & ~(slashes + (begins & EVEN));
    return (even_runs & EVEN) | (slashes & ~even_runs & ~EVEN);
}

static FM_WITH_AVX2 const char *run_avx2(const char *at, const char *end, bool *escaped)
{
    uint64_t carried = 0; /* 1 if the first byte of the block follows a backslash */
    for (; end - at >= BLOCK; at += BLOCK) {
        const struct bytes b = load_block(at);
        const uint64_t slashes = equal_to(b, '\\') & ~carried;
        uint64_t stops = equal_to(b, '"'), after = 0, begun = 0;
        if ((slashes | carried) != 0) {
            begun = escapes(slashes);
            after = begun << 1 | carried;
            stops = (stops & ~after) | (after & no_escape_letters(b));
        }
        stops |= below_blank(b);
        if (stops != 0) {
            const unsigned first = (unsigned)__builtin_ctzll(stops);
            if ((begun & (stops ^ (stops - 1))) != 0) *escaped = true;
            return at + first - (after >> first & 1);
        }
        if (begun != 0) *escaped = true;
        carried = begun >> 63;
    }
    return fm_json_string_run_plain(at - carried, end, escaped);
}
#endif

const char *fm_json_string_run(const char *at, const char *end, bool *escaped)
{
#if FM_CPU_HAS_AVX2
    if (end - at >= BLOCK && fm_cpu_avx2()) return run_avx2(at, end, escaped);
#endif
    return fm_json_string_run_plain(at, end, escaped);
}
