/* UTF-8 in bytes that may not be well-formed. */
#ifndef FM_CORE_TEXT_UTF8_H
#define FM_CORE_TEXT_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns the size of the well-formed character at p, or 0 (Unicode 15, table 3-7). left: bytes available, at least 1.
 */
size_t fm_character_size(const unsigned char *p, size_t left);

/* Returns how many of the malformed bytes at p one U+FFFD replaces, as Java counts: the longest prefix of a valid
 * sequence, or all three bytes of a surrogate. */
size_t fm_malformed_size(const unsigned char *p, size_t left);

#define FM_CHARACTER_MOST 4
/* Writes a code point, at most 0x10FFFF, and returns its size. */
size_t fm_utf8_put(uint32_t point, char out[FM_CHARACTER_MOST]);

#endif
