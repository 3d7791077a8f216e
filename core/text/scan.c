/* Parsers of numbers and lines. See scan.h. */
#include "core/text/scan.h"
#include "core/text/find_any.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

bool fm_scan_dec(struct fm_scan *s, uint64_t *out, bool *overflow)
{
    enum { ALWAYS_FIT = 19 }; /* every number of at most this many digits fits 64 bits */
    uint64_t value = 0;
    bool over = false;
    const char *p = s->at, *sure = s->end - s->at > ALWAYS_FIT ? s->at + ALWAYS_FIT : s->end;
    for (; p < sure && fm_is_digit(*p); p++) value = value * 10 + (uint64_t)(*p - '0');
    for (; p >= sure && p < s->end && fm_is_digit(*p); p++) {
        const uint64_t digit = (uint64_t)(*p - '0');
        if (value >= UINT64_MAX / 10 && (value > UINT64_MAX / 10 || digit > UINT64_MAX % 10))
            over = true;
        else
            value = value * 10 + digit;
    }
    if (overflow) *overflow = over;
    if (p == s->at || over) return false;
    s->at = p;
    *out = value;
    return true;
}

bool fm_scan_dec32(struct fm_scan *s, uint32_t *out)
{
    struct fm_scan t = *s;
    uint64_t value;
    if (!fm_scan_dec(&t, &value, NULL) || value > UINT32_MAX) return false;
    *s = t;
    *out = (uint32_t)value;
    return true;
}

bool fm_is_all_hex(framemap_str text)
{
    for (size_t i = 0; i < text.size; i++)
        if (!fm_is_hex(text.data[i])) return false;
    return true;
}

/* A table avoids a branch, because it is unpredictable whether a digit of an address is a letter. */
const unsigned char fm_hex_digits[256] = {
    ['0'] = FM_HEX | 0,  ['1'] = FM_HEX | 1,  ['2'] = FM_HEX | 2,  ['3'] = FM_HEX | 3,  ['4'] = FM_HEX | 4,
    ['5'] = FM_HEX | 5,  ['6'] = FM_HEX | 6,  ['7'] = FM_HEX | 7,  ['8'] = FM_HEX | 8,  ['9'] = FM_HEX | 9,
    ['a'] = FM_HEX | 10, ['b'] = FM_HEX | 11, ['c'] = FM_HEX | 12, ['d'] = FM_HEX | 13, ['e'] = FM_HEX | 14,
    ['f'] = FM_HEX | 15, ['A'] = FM_HEX | 10, ['B'] = FM_HEX | 11, ['C'] = FM_HEX | 12, ['D'] = FM_HEX | 13,
    ['E'] = FM_HEX | 14, ['F'] = FM_HEX | 15,
};

#if defined(__SSE2__)
enum { BLOCK = 16 };

static __m128i within(__m128i bytes, char first, char last)
{
    const __m128i above = _mm_sub_epi8(bytes, _mm_set1_epi8(first));
    return _mm_cmpeq_epi8(_mm_min_epu8(above, _mm_set1_epi8((char)(last - first))), above);
}

/* Parses up to 16 digits at once with SSE2: computes the value of each digit, then of each pair; fm_turn64 then makes
 * the first pair the highest. */
static unsigned hex_block(const char *at, uint64_t *value)
{
    const __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)at);
    const __m128i letters = within(_mm_or_si128(bytes, _mm_set1_epi8(0x20)), 'a', 'f');
    const __m128i digits = _mm_or_si128(letters, within(bytes, '0', '9'));
    const unsigned count = fm_lowest_bit(~(unsigned)_mm_movemask_epi8(digits));
    const __m128i values =
        _mm_add_epi8(_mm_and_si128(bytes, _mm_set1_epi8(15)), _mm_and_si128(letters, _mm_set1_epi8(9)));
    const __m128i pairs =
        _mm_and_si128(_mm_or_si128(_mm_slli_epi16(values, 4), _mm_srli_epi16(values, 8)), _mm_set1_epi16(0xFF));
    uint64_t all;
    _mm_storel_epi64((__m128i *)(void *)&all, _mm_packus_epi16(pairs, pairs));
    *value = count ? fm_turn64(all) >> 4 * (BLOCK - count) : 0;
    return count;
}
#endif

unsigned fm_hex_run(const char *at, const char *end, uint64_t *value)
{
    unsigned count = 0;
#if defined(__SSE2__)
    if (end - at >= BLOCK) return hex_block(at, value);
#endif
    *value = 0;
    const size_t size = (size_t)(end - at);
    for (unsigned digit; count < 16 && count < size && (digit = fm_hex_digit(at[count])) != 0; count++)
        *value = *value << 4 | (digit ^ FM_HEX);
    return count;
}

bool fm_scan_hex(struct fm_scan *s, uint64_t *out, unsigned *digits, bool *overflow)
{
    uint64_t value;
    bool over = false;
    const unsigned count = fm_hex_run(s->at, s->end, &value);
    if (overflow) *overflow = false;
    if (count == 0) return false;
    const char *p = s->at + count;
    for (unsigned digit; p < s->end && (digit = fm_hex_digit(*p)) != 0; p++) {
        over |= value >> 60 != 0;
        value = value << 4 | (digit ^ FM_HEX);
    }
    if (overflow) *overflow = over;
    if (over) return false;
    if (digits) *digits = (unsigned)(p - s->at);
    s->at = p;
    *out = value;
    return true;
}

bool fm_scan_0xhex(struct fm_scan *s, uint64_t *out, bool *overflow)
{
    struct fm_scan probe = *s;
    if (overflow) *overflow = false;
    if (!fm_scan_byte(&probe, '0') || !(fm_scan_byte(&probe, 'x') || fm_scan_byte(&probe, 'X'))) return false;
    if (!fm_scan_hex(&probe, out, NULL, overflow)) return false;
    *s = probe;
    return true;
}

bool fm_scan_until(struct fm_scan *s, char stop, framemap_str *out)
{
    framemap_str rest = fm_scan_rest(s);
    size_t at = fm_str_find_byte(rest, stop);
    if (at == FM_NOT_FOUND) return false;
    *out = fm_str_slice(rest, 0, at);
    s->at += at;
    return true;
}

bool fm_scan_word(struct fm_scan *s, framemap_str *out)
{
    static const char blanks[4] = {' ', '\t', ' ', '\t'};
    const framemap_str rest = fm_scan_rest(s);
    const size_t size = fm_str_find_any(rest, 0, blanks);
    if (size == 0) return false;
    *out = fm_str(rest.data, size);
    s->at += size;
    return true;
}

bool fm_scan_line(struct fm_scan *s, framemap_str *line)
{
    if (s->at == s->end) return false;
    framemap_str rest = fm_scan_rest(s);
    size_t end = fm_str_find_byte(rest, '\n');
    size_t size = end == FM_NOT_FOUND ? rest.size : end;
    s->at += end == FM_NOT_FOUND ? rest.size : end + 1;
    if (size > 0 && rest.data[size - 1] == '\r') size--;
    *line = fm_str_slice(rest, 0, size);
    return true;
}

bool fm_scan_code_line(struct fm_scan *s, framemap_str *line)
{
    if (s->at == s->end) return false;
    const char *at = s->at;
    while (at < s->end && *at != '\n' && *at != '\r') at++;
    *line = fm_str(s->at, (size_t)(at - s->at));
    if (at < s->end) at += *at == '\r' && s->end - at > 1 && at[1] == '\n' ? 2 : 1;
    s->at = at;
    return true;
}
