/* The decimal number at the end of a string: "12" in "main.js:12". */
#ifndef FM_CORE_TEXT_TRAILING_NUMBER_H
#define FM_CORE_TEXT_TRAILING_NUMBER_H

#include "core/text/bits64.h"
#include "core/text/text.h"

#define FM_NUMBER_LONG (UINT64_C(1) << 32) /* returned for numbers that do not fit 32 bits */

/* Like fm_trailing_number, for a string and a number of any length. Linear time. */
size_t fm_trailing_number_wide(framemap_str text, uint64_t *value);

/* Returns the number of decimal digits at the end of a string, and their value (0 without digits). Eight bytes are
 * tested and summed at a time (SWAR), because the number of digits varies and a loop would end in a mispredicted
 * branch. */
static inline size_t fm_trailing_number(framemap_str text, uint64_t *value)
{
    if (text.size < 8) return fm_trailing_number_wide(text, value);
    const uint64_t digits = fm_load64((const unsigned char *)text.data + text.size - 8) ^
                            UINT64_C(0x3030303030303030); /* the last digit is the highest byte */
    const uint64_t others = (((digits & UINT64_C(0x7F7F7F7F7F7F7F7F)) + UINT64_C(0x7676767676767676)) | digits) &
                            UINT64_C(0x8080808080808080);
    if (others == 0) return fm_trailing_number_wide(text, value);
    const unsigned other_bits = fm_highest_bit(others) + 1; /* bits of the bytes before the digits */
    uint64_t sum = other_bits == 64 ? 0 : digits >> other_bits << other_bits;
    sum = sum * 10 + (sum >> 8); /* pairs, in every second byte */
    *value = ((sum & UINT64_C(0x000000FF000000FF)) * UINT64_C(0x000F424000000064) +
              (sum >> 16 & UINT64_C(0x000000FF000000FF)) * UINT64_C(0x0000271000000001)) >>
             32;
    return (64 - other_bits) / 8;
}

#endif
