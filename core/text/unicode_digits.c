/* The table of zeros among the decimal digits (category Nd) up to U+FFFF in Unicode 13, which Java 17 uses; the code
 * points after each zero are the digits 1 to 9. */
#include "core/text/unicode_digits.h"

#include <stddef.h>

/* clang-format off */
static const uint16_t zeros[] = {
    0x660, 0x6F0, 0x7C0, 0x966, 0x9E6, 0xA66, 0xAE6, 0xB66, 0xBE6, 0xC66, 0xCE6, 0xD66, 0xDE6, 0xE50, 0xED0, 0xF20, 0x1040, 0x1090,
    0x17E0, 0x1810, 0x1946, 0x19D0, 0x1A80, 0x1A90, 0x1B50, 0x1BB0, 0x1C40, 0x1C50, 0xA620, 0xA8D0, 0xA900, 0xA9D0, 0xA9F0, 0xAA50,
    0xABF0, 0xFF10,
};
/* clang-format on */

int fm_digit_wide(uint32_t point)
{
    for (size_t i = 0; i < sizeof zeros / sizeof *zeros; i++)
        if (point >= zeros[i] && point < (uint32_t)zeros[i] + 10) return (int)(point - zeros[i]);
    return -1;
}
