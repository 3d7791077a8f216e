/* Little-endian loads and stores on any machine, and bit operations on 64-bit words. */
#ifndef FM_CORE_TEXT_BITS64_H
#define FM_CORE_TEXT_BITS64_H

#include <stdint.h>

/* Loads a little-endian number from any alignment; compilers recognise it as a single load. */
static inline uint64_t fm_load64(const unsigned char *p)
{
    return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24 | (uint64_t)p[4] << 32 |
           (uint64_t)p[5] << 40 | (uint64_t)p[6] << 48 | (uint64_t)p[7] << 56;
}
static inline uint32_t fm_load32(const unsigned char *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}
static inline void fm_store64(unsigned char *p, uint64_t value)
{
    for (unsigned i = 0; i < 8; i++) p[i] = (unsigned char)(value >> 8 * i);
}
static inline void fm_store32(unsigned char *p, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++) p[i] = (unsigned char)(value >> 8 * i);
}

/* Sets the highest bit of each byte that is 0. */
static inline uint64_t fm_zero_bytes(uint64_t word)
{
    const uint64_t low = UINT64_C(0x7F7F7F7F7F7F7F7F);
    return ~(((word & low) + low) | word | low);
}

/* Reverses the order of bytes; compilers emit one instruction. */
static inline uint64_t fm_turn64(uint64_t word)
{
    word = (word & UINT64_C(0x00ff00ff00ff00ff)) << 8 | (word >> 8 & UINT64_C(0x00ff00ff00ff00ff));
    word = (word & UINT64_C(0x0000ffff0000ffff)) << 16 | (word >> 16 & UINT64_C(0x0000ffff0000ffff));
    return word << 32 | word >> 32;
}

/* Functions for the index of the lowest and of the highest set bit (word must not be 0), and the number of set bits. */
static inline unsigned fm_lowest_bit(uint64_t word)
{
#if defined(__GNUC__)
    return (unsigned)__builtin_ctzll(word);
#else
    unsigned at = 0;
    for (; (word & 1) == 0; word >>= 1) at++;
    return at;
#endif
}
static inline unsigned fm_highest_bit(uint64_t word)
{
#if defined(__GNUC__)
    return 63 - (unsigned)__builtin_clzll(word);
#else
    unsigned at = 0;
    for (; word > 1; word >>= 1) at++;
    return at;
#endif
}
static inline unsigned fm_count_bits(uint64_t word)
{
#if defined(__GNUC__) && (defined(__POPCNT__) || defined(__aarch64__))
    return (unsigned)__builtin_popcountll(word);
#else
    /* The bits are added in parallel: in pairs, in nibbles, in bytes, then all bytes. This is faster than the library
     * call that compilers emit for CPUs that may lack POPCNT. */
    word -= word >> 1 & UINT64_C(0x5555555555555555);
    word = (word & UINT64_C(0x3333333333333333)) + (word >> 2 & UINT64_C(0x3333333333333333));
    word = (word + (word >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F);
    return (unsigned)(word * UINT64_C(0x0101010101010101) >> 56);
#endif
}

#endif
