/* Writing packed fields (bits.h) into memory that is known to be big enough: 8 bytes more than the fields take. */
#ifndef FM_INDEX_WRITE_BIT_WRITER_H
#define FM_INDEX_WRITE_BIT_WRITER_H

#include "index/format/bits.h"

struct fm_bit_writer {
    unsigned char *at;
    uint64_t held; /* bits that are not written yet, fewer than 8 */
    unsigned count;
};

/* value has no bits above width; width is at most 56. Without a branch: all that is held is stored, and stored again
 * with what follows. */
static inline void fm_bit_writer_put(struct fm_bit_writer *pen, uint64_t value, unsigned width)
{
    const uint64_t held = pen->held | value << pen->count;
    const unsigned count = pen->count + width;
    fm_store64(pen->at, held);
    pen->at += count >> 3;
    pen->held = held >> (count & 56);
    pen->count = count & 7;
}
/* The same up to 64 bits. */
static inline void fm_bit_writer_put_wide(struct fm_bit_writer *pen, uint64_t value, unsigned width)
{
    if (width > 56) {
        fm_bit_writer_put(pen, value & UINT32_MAX, 32);
        value >>= 32;
        width -= 32;
    }
    fm_bit_writer_put(pen, value, width);
}
/* Writes what is held, filled up to a byte with zeros; returns where it ends. */
static inline unsigned char *fm_bit_writer_end(struct fm_bit_writer *pen)
{
    if (pen->count == 0) return pen->at;
    *pen->at++ = (unsigned char)pen->held;
    pen->count = 0;
    return pen->at;
}

#endif
