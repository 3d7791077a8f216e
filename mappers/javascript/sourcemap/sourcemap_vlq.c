/* Decodes base64 VLQ numbers of any length. See sourcemap_vlq.h. */
#include "mappers/javascript/sourcemap/sourcemap_vlq.h"

#define X FM_SOURCEMAP_NO_DIGIT
#define X16 X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X
const unsigned char fm_sourcemap_digits[256] = {
    X16, X16, X,  X,  X,  X,  X,  X,  X,   X,   X,   X,   X,   62,  FM_SOURCEMAP_COMMA,
    X,   X,   63, 52, 53, 54, 55, 56, 57,  58,  59,  60,  61,  X,   FM_SOURCEMAP_SEMICOLON,
    X,   X,   X,  X,  X,  0,  1,  2,  3,   4,   5,   6,   7,   8,   9,
    10,  11,  12, 13, 14, 15, 16, 17, 18,  19,  20,  21,  22,  23,  24,
    25,  X,   X,  X,  X,  X,  X,  26, 27,  28,  29,  30,  31,  32,  33,
    34,  35,  36, 37, 38, 39, 40, 41, 42,  43,  44,  45,  46,  47,  48,
    49,  50,  51, X,  X,  X,  X,  X,  X16, X16, X16, X16, X16, X16, X16,
    X16,
};

/* Reads a number without sign. Digits of value zero are allowed anywhere, in any number. A digit that would set bit 32
 * or above makes the number too large. */
enum fm_sourcemap_rule fm_sourcemap_vlq_unsigned(const char **at, const char *end, uint32_t *out)
{
    uint64_t value = 0;
    unsigned shift = 0, digit;
    const char *p = *at;
    do {
        if (p == end) return FM_SOURCEMAP_RULE_UNTERMINATED;
        digit = fm_sourcemap_digits[(unsigned char)*p];
        if (digit >= FM_SOURCEMAP_NO_DIGIT)
            return digit == FM_SOURCEMAP_NO_DIGIT ? FM_SOURCEMAP_RULE_ALPHABET : FM_SOURCEMAP_RULE_UNTERMINATED;
        p++;
        const uint64_t bits = digit & 31;
        if (bits != 0 && (shift >= 32 || bits << shift > UINT32_MAX)) return FM_SOURCEMAP_RULE_TOO_LARGE;
        if (shift < 32) value |= bits << shift;
        shift = shift < 32 ? shift + 5 : shift;
    } while (digit >= 32);
    *at = p;
    *out = (uint32_t)value;
    return FM_SOURCEMAP_RULES;
}

/* Reads a number with sign. "Minus zero" means -2^31. */
enum fm_sourcemap_rule fm_sourcemap_vlq(const char **at, const char *end, int64_t *out)
{
    uint32_t bits;
    const enum fm_sourcemap_rule rule = fm_sourcemap_vlq_unsigned(at, end, &bits);
    if (rule != FM_SOURCEMAP_RULES) return rule;
    const int64_t size = bits >> 1;
    *out = (bits & 1) == 0 ? size : size == 0 ? INT32_MIN : -size;
    return FM_SOURCEMAP_RULES;
}
