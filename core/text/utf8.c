/* Well-formed UTF-8 (Unicode 15, table 3-7). See utf8.h. */
#include "core/text/utf8.h"

size_t fm_character_size(const unsigned char *p, size_t left)
{
    unsigned char low = 0x80, high = 0xBF;
    size_t size = p[0] < 0x80 ? 1 : p[0] < 0xC2 ? 0 : p[0] < 0xE0 ? 2 : p[0] < 0xF0 ? 3 : p[0] < 0xF5 ? 4 : 0;
    if (size < 2) return size;
    if (size > left) return 0;
    if (p[0] == 0xE0) low = 0xA0;
    if (p[0] == 0xED) high = 0x9F;
    if (p[0] == 0xF0) low = 0x90;
    if (p[0] == 0xF4) high = 0x8F;
    if (p[1] < low || p[1] > high) return 0;
    for (size_t i = 2; i < size; i++)
        if (p[i] < 0x80 || p[i] > 0xBF) return 0;
    return size;
}

static bool is_continuation(const unsigned char *p, size_t left, size_t which)
{
    return which < left && (p[which] & 0xC0) == 0x80;
}

size_t fm_malformed_size(const unsigned char *p, size_t left)
{
    if (p[0] < 0xE0 || p[0] > 0xF4 || !is_continuation(p, left, 1)) return 1;
    if ((p[0] == 0xE0 && p[1] < 0xA0) || (p[0] == 0xF0 && p[1] < 0x90) || (p[0] == 0xF4 && p[1] > 0x8F)) return 1;
    return is_continuation(p, left, 2) ? 3 : 2;
}

size_t fm_utf8_put(uint32_t point, char out[FM_CHARACTER_MOST])
{
    if (point < 0x80) {
        out[0] = (char)point;
        return 1;
    }
    const size_t size = point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    for (size_t i = size; i > 1; i--, point >>= 6) out[i - 1] = (char)(0x80 | (point & 0x3F));
    out[0] = (char)((0xF00u >> size & 0xFF) | point);
    return size;
}
