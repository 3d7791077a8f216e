/* The decimal number at the end of a string: "12" in "main.js:12". */
#ifndef FM_CORE_TEXT_TRAILING_NUMBER_H
#define FM_CORE_TEXT_TRAILING_NUMBER_H

#include "core/text/text.h"

#define FM_NUMBER_LONG (UINT64_C(1) << 32) /* returned for numbers that do not fit 32 bits */

/* Returns the number of decimal digits at the end of a string, and their value (0 without digits). Linear time. */
size_t fm_trailing_number(framemap_str text, uint64_t *value);

#endif
