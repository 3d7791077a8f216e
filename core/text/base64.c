/* Implements base64.h: appends bytes to a buffer as base64, three bytes to four characters, with '=' at the end. */
#include "core/text/base64.h"

bool fm_buf_base64(struct fm_buf *buf, framemap_str bytes)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *data = (const unsigned char *)bytes.data;
    for (size_t i = 0; i < bytes.size; i += 3) {
        size_t left = bytes.size - i;
        uint32_t three = (uint32_t)data[i] << 16;
        if (left > 1) three |= (uint32_t)data[i + 1] << 8;
        if (left > 2) three |= data[i + 2];
        const char four[4] = {digits[three >> 18], digits[three >> 12 & 63], left > 1 ? digits[three >> 6 & 63] : '=',
                              left > 2 ? digits[three & 63] : '='};
        fm_buf_add(buf, four, 4);
    }
    return !buf->failed;
}
