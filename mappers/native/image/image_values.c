/* Reads small integers and copies names and ids. See image_values.h. */
#include "mappers/native/image/image_values.h"

#include "core/byte_reader.h"
#include "core/text/text.h"

uint64_t fm_bytes_get(const unsigned char *at, unsigned width, bool big_endian)
{
    struct fm_byte_reader r = {at, width, 0, big_endian, false};
    return fm_read_uint(&r, width);
}

void fm_bytes_put(unsigned char *at, unsigned width, bool big_endian, uint64_t value)
{
    for (unsigned i = 0; i < width; i++, value >>= 8) at[big_endian ? width - 1 - i : i] = (unsigned char)value;
}

void fm_copy_name(char *out, size_t capacity, const char *text)
{
    const size_t size = strnlen(text, capacity - 1);
    memcpy(out, text, size);
    out[size] = '\0';
}

void fm_hex_id(char out[65], framemap_str id)
{
    out[0] = '\0';
    if (id.size > 32) return;
    fm_hex_put(id.data, id.size, out);
    out[2 * id.size] = '\0';
}
