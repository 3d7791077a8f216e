/* Characters of a mapping: UTF-8 code points in R8's classes. Bytes that are no UTF-8 count as U+FFFD, as Java decodes
 * them: neither a blank nor part of a name. */
#ifndef FM_MAPPERS_JAVA_R8_CHARS_H
#define FM_MAPPERS_JAVA_R8_CHARS_H

#include "core/text/text.h"

#if defined(__SSE2__) && defined(__GNUC__)
#include <emmintrin.h>
#endif

enum {
    FM_R8_PART = 1,  /* of a name */
    FM_R8_BLANK = 2, /* Java's Character.isWhitespace */
    FM_R8_DIGIT = 4,
    FM_R8_DOT = 8,
    FM_R8_WIDE = 16 /* the first byte of a code point above U+007F, or of none */
};
extern const unsigned char fm_r8_classes[256];

#define FM_R8_BYTE_ORDER_MARK 0xfeffu
#define FM_R8_REPLACEMENT 0xfffdu

/* The code point at `at` < end, and its bytes; U+FFFD with the bytes that Java's decoder takes for one of them. */
uint32_t fm_r8_decode(const char *at, const char *end, unsigned *size);

/* Bytes of the part of a name, or of the blank, that stands at `at`; 0: something else or the end. A byte order mark is
 * a blank here. */
unsigned fm_r8_part(const char *at, const char *end);
unsigned fm_r8_blank(const char *at, const char *end, bool *is_mark);

/* How many UTF-16 units Java makes of these bytes: columns of its messages. */
size_t fm_r8_utf16(const char *at, const char *end);

#if defined(__SSE2__) && defined(__GNUC__)
#define FM_R8_HAS_STOPS 1
/* Of 16 bytes those that are no letters, digits, '$', '-', '.', '?' or '_', a bit for each: what of ASCII ends names
 * with dots, and all wide characters. */
static inline uint64_t fm_r8_stops16(const char *at)
{
    const __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)at);
    const __m128i letters = _mm_sub_epi8(_mm_or_si128(bytes, _mm_set1_epi8(0x20)), _mm_set1_epi8('a')),
                  digits = _mm_sub_epi8(bytes, _mm_set1_epi8('-')); /* and '-', '.', '/' before them */
    __m128i good = _mm_cmpeq_epi8(_mm_min_epu8(letters, _mm_set1_epi8('z' - 'a')), letters);
    good = _mm_or_si128(good, _mm_andnot_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('/')),
                                               _mm_cmpeq_epi8(_mm_min_epu8(digits, _mm_set1_epi8('9' - '-')), digits)));
    good = _mm_or_si128(
        good, _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('$')), _mm_cmpeq_epi8(bytes, _mm_set1_epi8('_'))));
    good = _mm_or_si128(good, _mm_cmpeq_epi8(bytes, _mm_set1_epi8('?')));
    return (unsigned)_mm_movemask_epi8(good) ^ 0xffffu;
}
/* The same of 64 bytes. */
static inline uint64_t fm_r8_stops(const char *at)
{
    return fm_r8_stops16(at) | fm_r8_stops16(at + 16) << 16 | fm_r8_stops16(at + 32) << 32 |
           fm_r8_stops16(at + 48) << 48;
}
#else
#define FM_R8_HAS_STOPS 0
#endif

static inline bool fm_r8_digit(const char *at, const char *end) { return at < end && *at >= '0' && *at <= '9'; }

#endif
