/* Decimal digits of all scripts, as Java's number parsers accept them. */
#ifndef FM_CORE_TEXT_UNICODE_DIGITS_H
#define FM_CORE_TEXT_UNICODE_DIGITS_H

#include <stdint.h>

/* Returns 0 to 9 for a decimal digit of any script up to U+FFFF, else -1. */
int fm_digit_wide(uint32_t point); /* does the work of fm_digit for code points from U+0080 on */
static inline int fm_digit(uint32_t point)
{
    return point >= 0x80 ? fm_digit_wide(point) : point >= '0' && point <= '9' ? (int)point - '0' : -1;
}

#endif
