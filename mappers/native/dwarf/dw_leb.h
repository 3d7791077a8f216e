/* Reads LEB128 numbers and fixed-size integers at a pointer, for loops that read millions of them. The results are
 * those of fm_read_uleb and fm_read_sleb of the byte reader, with less work for each number. */
#ifndef FM_MAPPERS_NATIVE_DWARF_DW_LEB_H
#define FM_MAPPERS_NATIVE_DWARF_DW_LEB_H

#include "core/byte_reader.h"

/* Reads the number at `at` and returns the address after it, or NULL if it does not end before `end` or does not fit
 * in 64 bits. */
const unsigned char *fm_dw_uleb_long(const unsigned char *at, const unsigned char *end, uint64_t *out);
const unsigned char *fm_dw_sleb_long(const unsigned char *at, const unsigned char *end, int64_t *out);

static inline const unsigned char *fm_dw_uleb(const unsigned char *at, const unsigned char *end, uint64_t *out)
{
    if (at < end && at[0] < 0x80) {
        *out = at[0];
        return at + 1;
    }
    if (end - at >= 2 && at[1] < 0x80) {
        *out = (at[0] & 0x7fu) | (uint64_t)at[1] << 7;
        return at + 2;
    }
    return fm_dw_uleb_long(at, end, out);
}

static inline const unsigned char *fm_dw_sleb(const unsigned char *at, const unsigned char *end, int64_t *out)
{
    if (at < end && at[0] < 0x80) {
        *out = (at[0] & 0x3f) - (at[0] & 0x40);
        return at + 1;
    }
    if (end - at >= 2 && at[1] < 0x80) {
        *out = (at[0] & 0x7f) + 128 * ((at[1] & 0x3f) - (at[1] & 0x40));
        return at + 2;
    }
    return fm_dw_sleb_long(at, end, out);
}

/* Returns the address after a number, or NULL if it does not end before `end`. */
static inline const unsigned char *fm_dw_leb_skip(const unsigned char *at, const unsigned char *end)
{
    while (at < end) {
        if (*at++ < 0x80) return at;
    }
    return NULL;
}

/* Loads four bytes, little-endian. Compilers combine this into one load. */
static inline uint64_t fm_dw_load4(const unsigned char *at)
{
    return at[0] | (uint64_t)at[1] << 8 | (uint64_t)at[2] << 16 | (uint64_t)at[3] << 24;
}

static inline uint64_t fm_dw_load8(const unsigned char *at)
{
    return at[0] | (uint64_t)at[1] << 8 | (uint64_t)at[2] << 16 | (uint64_t)at[3] << 24 | (uint64_t)at[4] << 32 |
           (uint64_t)at[5] << 40 | (uint64_t)at[6] << 48 | (uint64_t)at[7] << 56;
}

/* Returns an unsigned integer of 1 to 8 bytes. The caller has checked that the bytes exist. */
static inline uint64_t fm_dw_fixed(const unsigned char *at, unsigned width, bool big_endian)
{
    uint64_t value = 0;

    if (big_endian) {
        for (unsigned i = 0; i < width; i++) value = value << 8 | at[i];
        return value;
    }
    switch (width) {
    case 1: return at[0];
    case 2: return at[0] | (uint64_t)at[1] << 8;
    case 4: return fm_dw_load4(at);
    case 8: return fm_dw_load8(at);
    default:
        for (unsigned i = width; i > 0; i--) value = value << 8 | at[i - 1];
        return value;
    }
}

#endif
