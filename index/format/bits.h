/* Packed fields: numbers of 0 to 64 bits without gaps between them, least significant bit first.
 *
 * A read is one unaligned 8-byte load for fields of up to 57 bits. It needs 8 readable bytes after the last field,
 * which the file layout guarantees (FMX_TAIL). The caller has checked that the field itself is in bounds. */
#ifndef FM_INDEX_FORMAT_BITS_H
#define FM_INDEX_FORMAT_BITS_H

#include "core/text/bits64.h"

/* Counts set bits: byte i of the result is the number of set bits in bytes 0 to i of the word. */
static inline uint64_t fm_count_bytes(uint64_t word)
{
    word -= word >> 1 & UINT64_C(0x5555555555555555);
    word = (word & UINT64_C(0x3333333333333333)) + (word >> 2 & UINT64_C(0x3333333333333333));
    word = (word + (word >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return word * UINT64_C(0x0101010101010101);
}
/* Returns the index of the n-th clear bit, n from 1; the word must have that many. counts: fm_count_bytes(word).
 * Branch-free, because the position is unpredictable (broadword select, S. Vigna, 2008). */
static inline unsigned fm_select_zero(uint64_t word, uint64_t counts, unsigned n)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), highs = ones << 7;
    const uint64_t zeros = UINT64_C(0x4038302820181008) - counts; /* number of clear bits in bytes 0 to i */
    /* index of the first bit of the byte that contains the n-th clear bit */
    const unsigned at = fm_lowest_bit(((zeros | highs) - n * ones) & highs) - 7;
    const uint64_t left = n - (zeros << 8 >> at & 0xff), byte = ~word >> at & 0xff;
    /* spreads the byte to one byte for each of its bits */
    const uint64_t spread = ((byte * ones & UINT64_C(0x8040201008040201)) + UINT64_C(0x7f7f7f7f7f7f7f7f)) >> 7 & ones;
    return at + (fm_lowest_bit(((spread * ones | highs) - left * ones) & highs) >> 3);
}

/* Returns the width that holds every value from 0 to `most`. Branch-free, because it is hard to predict whether a
 * number is 0. */
static inline unsigned fm_bits_for(uint64_t most) { return fm_highest_bit(most | 1) + (most != 0); }
static inline uint64_t fm_bits_mask(unsigned width) { return width >= 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1; }

/* Reads a field of up to 57 bits. */
static inline uint64_t fm_bits_get(const unsigned char *base, uint64_t bit, unsigned width)
{
    return fm_load64(base + (bit >> 3)) >> (bit & 7) & ((UINT64_C(1) << width) - 1);
}
/* Returns at least 57 bits from a bit offset on, from which the caller takes several fields. Bits after the last field
 * have any value. */
static inline uint64_t fm_bits_from(const unsigned char *base, uint64_t bit)
{
    return fm_load64(base + (bit >> 3)) >> (bit & 7);
}
/* Reads a field of up to 64 bits. */
static inline uint64_t fm_bits_get_wide(const unsigned char *base, uint64_t bit, unsigned width)
{
    if (width <= 57) return fm_bits_get(base, bit, width);
    return fm_bits_get(base, bit, 32) | fm_bits_get(base, bit + 32, width - 32) << 32;
}

/* Zigzag coding: maps signed numbers near zero to small unsigned ones: 0, -1, 1, -2 … */
static inline uint64_t fm_zigzag(int64_t value) { return (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0); }
static inline int64_t fm_unzigzag(uint64_t code) { return (int64_t)(code >> 1 ^ (0 - (code & 1))); }

#endif
