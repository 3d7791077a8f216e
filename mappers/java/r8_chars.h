/* Characters of a mapping: UTF-8 code points in the classes that R8 distinguishes. Malformed bytes count as U+FFFD, as
 * Java decodes them; this character is neither a blank nor part of a name. */
#ifndef FM_MAPPERS_JAVA_R8_CHARS_H
#define FM_MAPPERS_JAVA_R8_CHARS_H

#include "core/text/text.h"

#if defined(__SSE2__) && defined(__GNUC__)
#include <emmintrin.h>
#endif

enum {
    FM_R8_NAME_CHAR = 1, /* the byte may be part of a name */
    FM_R8_BLANK = 2,     /* the byte is a blank, as Java's Character.isWhitespace defines it */
    FM_R8_DIGIT = 4,
    FM_R8_DOT = 8,
    FM_R8_WIDE = 16 /* first byte of a code point above U+007F, or a malformed byte */
};
extern const unsigned char fm_r8_classes[256];

#define FM_R8_BYTE_ORDER_MARK 0xfeffu
#define FM_R8_REPLACEMENT 0xfffdu

/* Decodes the code point at `at`, which is before `end`, and stores how many bytes it takes. Malformed input gives
 * U+FFFD and the number of bytes that Java's decoder replaces by one such character. */
uint32_t fm_r8_decode(const char *at, const char *end, unsigned *size);

/* Return the size in bytes of the name character, or of the blank, at `at`; 0: there is another character, or the end.
 * A byte order mark counts as a blank. */
unsigned fm_r8_name_char(const char *at, const char *end);
unsigned fm_r8_blank(const char *at, const char *end, bool *is_mark);

/* Returns the number of UTF-16 units that Java makes of these bytes: R8's messages count columns in them. */
size_t fm_r8_utf16(const char *at, const char *end);

#if defined(__SSE2__) && defined(__GNUC__)
#define FM_R8_HAS_NAME_ENDS 1
/* Returns a bit mask over 16 bytes. A set bit means that the byte is not a letter, digit, '$', '-', '.', '?' or '_', so
 * that it ends a dotted name or belongs to a character outside ASCII. */
static inline uint64_t fm_r8_name_ends16(const char *at)
{
    const __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)at);
    const __m128i letters = _mm_sub_epi8(_mm_or_si128(bytes, _mm_set1_epi8(0x20)), _mm_set1_epi8('a')),
                  digits = _mm_sub_epi8(bytes, _mm_set1_epi8('-')); /* the test for digits also accepts '.' and '/',
                                                                       which are before '0' */
    __m128i good = _mm_cmpeq_epi8(_mm_min_epu8(letters, _mm_set1_epi8('z' - 'a')), letters);
    good = _mm_or_si128(good, _mm_andnot_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('/')),
                                               _mm_cmpeq_epi8(_mm_min_epu8(digits, _mm_set1_epi8('9' - '-')), digits)));
    good = _mm_or_si128(
        good, _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('$')), _mm_cmpeq_epi8(bytes, _mm_set1_epi8('_'))));
    good = _mm_or_si128(good, _mm_cmpeq_epi8(bytes, _mm_set1_epi8('?')));
    return (unsigned)_mm_movemask_epi8(good) ^ 0xffffu;
}
/* Returns the bit mask of fm_r8_name_ends16 for 64 bytes. */
static inline uint64_t fm_r8_name_ends(const char *at)
{
    return fm_r8_name_ends16(at) | fm_r8_name_ends16(at + 16) << 16 | fm_r8_name_ends16(at + 32) << 32 |
           fm_r8_name_ends16(at + 48) << 48;
}
#else
#define FM_R8_HAS_NAME_ENDS 0
#endif

static inline bool fm_r8_digit(const char *at, const char *end) { return at < end && *at >= '0' && *at <= '9'; }

#endif
