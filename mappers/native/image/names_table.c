/* Small things that every file of image/ uses: names out of string tables, integers in place, ids. */
#include "mappers/native/image/image_inner.h"

#include "core/checked.h"
#include "core/limits.h"
#include "core/text/text.h"

/* Names seen in real files take less than 8 bytes for each byte of both tables together. */
#define READS_PER_BYTE 64

struct fm_names fm_names_of(framemap_str table, uint64_t entries)
{
    struct fm_names names = {table, UINT64_MAX};
    uint64_t budget;

    if (fm_mul_u64((uint64_t)table.size + entries, READS_PER_BYTE, &budget)) names.budget = budget;
    return names;
}

framemap_str fm_names_at(struct fm_names *names, uint64_t offset)
{
    const framemap_str none = {NULL, 0};

    if (offset >= names->table.size) return none;
    const char *name = names->table.data + offset;
    size_t most = names->table.size - (size_t)offset;
    if (most > FM_LIMIT_NAME) most = FM_LIMIT_NAME;
    if (most > names->budget) most = (size_t)names->budget;
    const size_t size = strnlen(name, most);
    names->budget -= size;
    return size < most ? (framemap_str){name, size} : none;
}

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
