/* Tables of the characters that R8 allows in names, and the decoder of code points. Called by the r8_ parsers. */
#include "mappers/java/r8_chars.h"

#define P FM_R8_NAME_CHAR
#define B FM_R8_BLANK
#define D (FM_R8_NAME_CHAR | FM_R8_DIGIT)
#define W FM_R8_WIDE
#define O FM_R8_DOT

/* '?' is in names because old versions of ProGuard wrote it for characters that they could not print. Each row of the
 * table has 32 bytes.
 */
const unsigned char fm_r8_classes[256] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, B, B, B, B, B, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, B, B, B, B, B, 0, 0, 0, P,
    0, 0, 0, 0, 0, 0, 0, 0, P, O, 0, D, D, D, D, D, D, D, D, D, D, 0, 0, 0, 0, 0, P, 0, P, P, P, P, P, P, P, P, P,
    P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, 0, 0, 0, 0, P, 0, P, P, P, P, P, P, P, P, P, P, P, P, P, P,
    P, P, P, P, P, P, P, P, P, P, P, P, 0, 0, 0, 0, 0, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W,
    W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W,
    W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W,
    W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W,
};

static bool follows(const unsigned char *at, const unsigned char *end) { return at < end && (*at & 0xc0) == 0x80; }

static uint32_t bad(unsigned *size, unsigned bytes)
{
    *size = bytes;
    return FM_R8_REPLACEMENT;
}

static uint32_t decode2(const unsigned char *p, const unsigned char *end, unsigned *size)
{
    if (p[0] < 0xc2 || !follows(p + 1, end)) return bad(size, 1);
    *size = 2;
    return (uint32_t)(p[0] & 0x1f) << 6 | (p[1] & 0x3f);
}

static uint32_t decode3(const unsigned char *p, const unsigned char *end, unsigned *size)
{
    if (!follows(p + 1, end) || (p[0] == 0xe0 && p[1] < 0xa0)) return bad(size, 1);
    if (!follows(p + 2, end)) return bad(size, 2);
    const uint32_t point = (uint32_t)(p[0] & 0x0f) << 12 | (uint32_t)(p[1] & 0x3f) << 6 | (p[2] & 0x3f);
    if (point >= 0xd800 && point < 0xe000) return bad(size, 3); /* a surrogate, which UTF-8 must not encode */
    *size = 3;
    return point;
}

static uint32_t decode4(const unsigned char *p, const unsigned char *end, unsigned *size)
{
    if (p[0] > 0xf4 || !follows(p + 1, end) || (p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] > 0x8f))
        return bad(size, 1);
    if (!follows(p + 2, end)) return bad(size, 2);
    if (!follows(p + 3, end)) return bad(size, 3);
    *size = 4;
    return (uint32_t)(p[0] & 0x07) << 18 | (uint32_t)(p[1] & 0x3f) << 12 | (uint32_t)(p[2] & 0x3f) << 6 | (p[3] & 0x3f);
}

uint32_t fm_r8_decode(const char *at, const char *end, unsigned *size)
{
    const unsigned char *p = (const unsigned char *)at, *last = (const unsigned char *)end;
    if (p[0] < 0x80) {
        *size = 1;
        return p[0];
    }
    if (p[0] < 0xe0) return decode2(p, last, size);
    return p[0] < 0xf0 ? decode3(p, last, size) : decode4(p, last, size);
}

/* Whether DEX allows a character beyond ASCII in simple names. */
static bool is_part(uint32_t point)
{
    return (point >= 0xa1 && point <= 0x1fff) || (point >= 0x2010 && point <= 0x2027) ||
           (point >= 0x2030 && point <= 0xd7ff) ||
           (point >= 0xe000 && point <= 0xffef && point != FM_R8_BYTE_ORDER_MARK) || point >= 0x10000;
}

static bool is_blank(uint32_t point)
{
    return point == 0x1680 || (point >= 0x2000 && point <= 0x200a && point != 0x2007) || point == 0x2028 ||
           point == 0x2029 || point == 0x205f || point == 0x3000;
}

unsigned fm_r8_name_char(const char *at, const char *end)
{
    unsigned size;
    if (at == end) return 0;
    const unsigned char kind = fm_r8_classes[(unsigned char)*at];
    if (kind & FM_R8_NAME_CHAR) return 1;
    if ((kind & FM_R8_WIDE) == 0) return 0;
    return is_part(fm_r8_decode(at, end, &size)) ? size : 0;
}

unsigned fm_r8_blank(const char *at, const char *end, bool *is_mark)
{
    unsigned size;
    *is_mark = false;
    if (at == end) return 0;
    const unsigned char kind = fm_r8_classes[(unsigned char)*at];
    if (kind & FM_R8_BLANK) return 1;
    if ((kind & FM_R8_WIDE) == 0) return 0;
    const uint32_t point = fm_r8_decode(at, end, &size);
    *is_mark = point == FM_R8_BYTE_ORDER_MARK;
    return *is_mark || is_blank(point) ? size : 0;
}

size_t fm_r8_utf16(const char *at, const char *end)
{
    size_t units = 0;
    for (unsigned size; at < end; at += size) units += fm_r8_decode(at, end, &size) >= 0x10000 ? 2 : 1;
    return units;
}
