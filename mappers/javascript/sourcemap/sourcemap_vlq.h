/* Base64 VLQ numbers, as ECMA-426 uses them in mappings, scopes and range mappings. */
#ifndef FM_MAPPERS_JAVASCRIPT_SOURCEMAP_SOURCEMAP_VLQ_H
#define FM_MAPPERS_JAVASCRIPT_SOURCEMAP_SOURCEMAP_VLQ_H

#include "mappers/javascript/sourcemap/sourcemap_errors.h"

/* Classes of bytes: 0 to 63 are digits with that value; the other classes are these constants. */
enum { FM_SOURCEMAP_NO_DIGIT = 64, FM_SOURCEMAP_COMMA, FM_SOURCEMAP_SEMICOLON };
extern const unsigned char fm_sourcemap_digits[256];

/* Reads a number of any length and moves after it. The byte at `end` must be readable and must not be a digit. Returns
 * FM_SOURCEMAP_RULES on success, else the rule that is broken: _UNTERMINATED, _TOO_LARGE or _ALPHABET. */
enum fm_sourcemap_rule fm_sourcemap_vlq(const char **at, const char *end, int64_t *out);
enum fm_sourcemap_rule fm_sourcemap_vlq_unsigned(const char **at, const char *end, uint32_t *out);

#endif
