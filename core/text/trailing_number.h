/* The decimal number at the end of a text: "12" of "main.js:12". */
#ifndef FM_CORE_TEXT_TRAILING_NUMBER_H
#define FM_CORE_TEXT_TRAILING_NUMBER_H

#include "core/text/bits64.h"
#include "core/text/text.h"

#define FM_NUMBER_LONG (UINT64_C(1) << 32) /* what a number is that does not fit 32 bits */

/* The same for a text of any size and a number of any length. Linear. */
size_t fm_trailing_number_wide(framemap_str text, uint64_t *value);

/* How many decimal digits a text ends with, and their value; 0 digits: *value is 0. Places in rows have few digits, a
 * varying number of them: they are told apart and summed up eight at a time, since a branch for each would be guessed
 * wrongly at the last. */
static inline size_t fm_trailing_number(framemap_str text, uint64_t *value)
{
    if (text.size < 8) return fm_trailing_number_wide(text, value);
    const uint64_t digits = fm_load64((const unsigned char *)text.data + text.size - 8) ^
                            UINT64_C(0x3030303030303030); /* the last one highest */
    const uint64_t others = (((digits & UINT64_C(0x7F7F7F7F7F7F7F7F)) + UINT64_C(0x7676767676767676)) | digits) &
                            UINT64_C(0x8080808080808080);
    if (others == 0) return fm_trailing_number_wide(text, value);
    const unsigned other_bits = fm_highest_bit(others) + 1; /* of the bytes in front of the digits */
    uint64_t sum = other_bits == 64 ? 0 : digits >> other_bits << other_bits;
    sum = sum * 10 + (sum >> 8); /* pairs, in every second byte */
    *value = ((sum & UINT64_C(0x000000FF000000FF)) * UINT64_C(0x000F424000000064) +
              (sum >> 16 & UINT64_C(0x000000FF000000FF)) * UINT64_C(0x0000271000000001)) >>
             32;
    return (64 - other_bits) / 8;
}

#endif
