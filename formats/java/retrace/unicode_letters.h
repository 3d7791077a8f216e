/* UTF-8 decoding, and properties of Unicode characters as Java's regular expressions and number parsers define them. */
#ifndef FM_FORMATS_JAVA_RETRACE_UNICODE_LETTERS_H
#define FM_FORMATS_JAVA_RETRACE_UNICODE_LETTERS_H

#include "core/text/text.h"
#include "core/text/unicode_digits.h"

/* Returns the code point at `at`, which must be before `end`; *size is its size in bytes. A byte that does not begin
 * a well-formed sequence is returned as U+FFFD, with size 1. */
uint32_t fm_point_wide(const char *at, const char *end, size_t *size);
static inline uint32_t fm_point_at(const char *at, const char *end, size_t *size)
{
    if ((unsigned char)*at >= 0x80) return fm_point_wide(at, end, size);
    *size = 1;
    return (unsigned char)*at;
}
/* Returns the code point that ends at `at`, which must be after `begin`; *size is its size in bytes. */
uint32_t fm_point_before(const char *begin, const char *at, size_t *size);

/* Whether a character is a letter or digit of any script. */
bool fm_is_letter_wide(uint32_t point); /* fm_is_letter for code points from U+0080 on */
static inline bool fm_is_letter(uint32_t point)
{
    if (point >= 0x80) return fm_is_letter_wide(point);
    return (point >= '0' && point <= '9') || (point >= 'A' && point <= 'Z') || (point >= 'a' && point <= 'z');
}
bool fm_is_mark(uint32_t point); /* whether a character is a non-spacing mark; false for all characters above U+FFFF */
bool fm_is_separator(uint32_t point); /* whether a character matches \p{Z}: the space does, the tab does not */

#endif
