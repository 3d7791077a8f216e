/* The decimal number at the end of a text: "12" of "main.js:12". */
#ifndef FM_CORE_TEXT_TRAILING_NUMBER_H
#define FM_CORE_TEXT_TRAILING_NUMBER_H

#include "core/text/text.h"

#define FM_NUMBER_LONG (UINT64_C(1) << 32) /* the value of a number that does not fit 32 bits */

/* How many decimal digits a text ends with, and their value; 0 digits: *value is 0. Linear. */
size_t fm_trailing_number(framemap_str text, uint64_t *value);

#endif
