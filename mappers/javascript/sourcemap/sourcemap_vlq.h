/* Numbers of base64 digits, as ECMA-426 has them in mappings, scopes and range mappings. */
#ifndef FM_SM_VLQ_H
#define FM_SM_VLQ_H

#include "mappers/javascript/sourcemap/sourcemap_errors.h"

/* What a byte is: a digit's 0 to 63, or one of these. */
enum { FM_SM_NO_DIGIT = 64, FM_SM_COMMA, FM_SM_SEMICOLON };
extern const unsigned char fm_sm_digits[256];

/* Reads a number of any length and moves behind it. The byte at `end` can be read and is no digit. Gives FM_SM_RULES on success, else the rule that is
 * broken: FM_SM_UNTERMINATED, FM_SM_TOO_LARGE, FM_SM_ALPHABET. */
enum fm_sm_rule fm_sm_vlq(const char **at, const char *end, int64_t *out);
enum fm_sm_rule fm_sm_vlq_unsigned(const char **at, const char *end, uint32_t *out);

#endif
