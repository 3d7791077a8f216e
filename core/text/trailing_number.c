/* The portable part of fm_trailing_number, byte by byte. */
#include "core/text/trailing_number.h"
#include "core/text/scan.h"

size_t fm_trailing_number(framemap_str text, uint64_t *value)
{
    size_t at = text.size;
    while (at && fm_is_digit(text.data[at - 1])) at--;
    *value = 0;
    for (size_t i = at; i < text.size && *value < FM_NUMBER_LONG; i++)
        *value = *value * 10 + (uint64_t)(text.data[i] - '0');
    if (*value > FM_NUMBER_LONG) *value = FM_NUMBER_LONG;
    return text.size - at;
}
