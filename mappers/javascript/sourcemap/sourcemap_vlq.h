/* Numbers of base64 digits, as ECMA-426 has them in mappings, scopes and range mappings. */
#ifndef FM_MAPPERS_JAVASCRIPT_SOURCEMAP_SOURCEMAP_VLQ_H
#define FM_MAPPERS_JAVASCRIPT_SOURCEMAP_SOURCEMAP_VLQ_H

#include "mappers/javascript/sourcemap/sourcemap_errors.h"

/* What a byte is: a digit's 0 to 63, or one of these. */
enum { FM_SOURCEMAP_NO_DIGIT = 64, FM_SOURCEMAP_COMMA, FM_SOURCEMAP_SEMICOLON };
extern const unsigned char fm_sourcemap_digits[256];

/* Reads a number of any length and moves behind it. The byte at `end` can be read and is no digit. Gives
 * FM_SOURCEMAP_RULES on success, else the rule that is broken: FM_SOURCEMAP_RULE_UNTERMINATED,
 * FM_SOURCEMAP_RULE_TOO_LARGE, FM_SOURCEMAP_RULE_ALPHABET. */
enum fm_sourcemap_rule fm_sourcemap_vlq(const char **at, const char *end, int64_t *out);
enum fm_sourcemap_rule fm_sourcemap_vlq_unsigned(const char **at, const char *end, uint32_t *out);

#endif
