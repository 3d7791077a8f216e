/* Packed fields: numbers of 0 to 64 bits, back to back, least significant bit first.
 *
 * Reading takes one unaligned 8-byte load for fields of up to 57 bits, and needs 8 readable bytes behind the last
 * field; the layout promises them (FMX_TAIL). The caller has checked that the field itself is inside. */
#ifndef FM_INDEX_FORMAT_BITS_H
#define FM_INDEX_FORMAT_BITS_H

#include "core/text/bits64.h"

/* In byte i, how many bits are set in bytes 0 to i of the word. */
static inline uint64_t fm_count_bytes(uint64_t word)
{
    word -= word >> 1 & UINT64_C(0x5555555555555555);
    word = (word & UINT64_C(0x3333333333333333)) + (word >> 2 & UINT64_C(0x3333333333333333));
    word = (word + (word >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return word * UINT64_C(0x0101010101010101);
}
/* The place of the n-th bit that is not set, from 1 on; the word has that many. counts: fm_count_bytes of it. Without a
 * branch: where the bit stands nobody can guess. */
static inline unsigned fm_select_zero(uint64_t word, uint64_t counts, unsigned n)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), highs = ones << 7;
    const uint64_t zeros = UINT64_C(0x4038302820181008) - counts;                /* in bytes 0 to i */
    const unsigned at = fm_lowest_bit(((zeros | highs) - n * ones) & highs) - 7; /* of the first byte that has enough */
    const uint64_t left = n - (zeros << 8 >> at & 0xff), byte = ~word >> at & 0xff;
    const uint64_t spread = ((byte * ones & UINT64_C(0x8040201008040201)) + UINT64_C(0x7f7f7f7f7f7f7f7f)) >> 7 &
                            ones; /* a byte for each bit */
    return at + (fm_lowest_bit(((spread * ones | highs) - left * ones) & highs) >> 3);
}

/* Bits that hold every value from 0 to most. Without a branch: whether numbers are 0 is hard to guess. */
static inline unsigned fm_bits_for(uint64_t most) { return fm_highest_bit(most | 1) + (most != 0); }
static inline uint64_t fm_bits_mask(unsigned width) { return width >= 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1; }

/* A field of up to 57 bits: what every lookup is made of. */
static inline uint64_t fm_bits_get(const unsigned char *base, uint64_t bit, unsigned width)
{
    return fm_load64(base + (bit >> 3)) >> (bit & 7) & ((UINT64_C(1) << width) - 1);
}
/* At least 57 bits from a place on, with whatever stands behind them: for several fields that are taken off it. */
static inline uint64_t fm_bits_from(const unsigned char *base, uint64_t bit)
{
    return fm_load64(base + (bit >> 3)) >> (bit & 7);
}
/* A field of up to 64 bits. */
static inline uint64_t fm_bits_get_wide(const unsigned char *base, uint64_t bit, unsigned width)
{
    if (width <= 57) return fm_bits_get(base, bit, width);
    return fm_bits_get(base, bit, 32) | fm_bits_get(base, bit + 32, width - 32) << 32;
}

/* Signed numbers near zero as small unsigned ones: 0, -1, 1, -2 … */
static inline uint64_t fm_zigzag(int64_t value) { return (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0); }
static inline int64_t fm_unzigzag(uint64_t code) { return (int64_t)(code >> 1 ^ (0 - (code & 1))); }

#endif
