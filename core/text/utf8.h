/* Characters of UTF-8 in bytes that may be none. */
#ifndef FM_CORE_TEXT_UTF8_H
#define FM_CORE_TEXT_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* Length of the well-formed character at p, 0 where there is none (Unicode 15, table 3-7). left: bytes there, at
 * least 1. */
size_t fm_character_size(const unsigned char *p, size_t left);

/* Where there is none: bytes that one U+FFFD stands for, as Java counts them: as much of a sequence as may begin one,
 * and all of half a surrogate pair. */
size_t fm_malformed_size(const unsigned char *p, size_t left);

#endif
