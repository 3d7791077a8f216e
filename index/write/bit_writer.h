/* Writes packed fields (bits.h) to memory that is large enough: 8 bytes more than the fields take. */
#ifndef FM_INDEX_WRITE_BIT_WRITER_H
#define FM_INDEX_WRITE_BIT_WRITER_H

#include "index/format/bits.h"

struct fm_bit_writer {
    unsigned char *at;
    uint64_t held; /* bits not written yet, fewer than 8 */
    unsigned count;
};

/* Appends a field. value must have no bits above width; width is at most 56. It has no branches: it stores all pending
 * bits, including an incomplete byte that the next call stores again. */
static inline void fm_bit_writer_put(struct fm_bit_writer *writer, uint64_t value, unsigned width)
{
    const uint64_t held = writer->held | value << writer->count;
    const unsigned count = writer->count + width;
    fm_store64(writer->at, held);
    writer->at += count >> 3;
    writer->held = held >> (count & 56);
    writer->count = count & 7;
}
/* Appends a field of up to 64 bits. */
static inline void fm_bit_writer_put_wide(struct fm_bit_writer *writer, uint64_t value, unsigned width)
{
    if (width > 56) {
        fm_bit_writer_put(writer, value & UINT32_MAX, 32);
        value >>= 32;
        width -= 32;
    }
    fm_bit_writer_put(writer, value, width);
}
/* Writes the pending bits, padded to a byte with zeros; returns the end. */
static inline unsigned char *fm_bit_writer_end(struct fm_bit_writer *writer)
{
    if (writer->count == 0) return writer->at;
    *writer->at++ = (unsigned char)writer->held;
    writer->count = 0;
    return writer->at;
}

#endif
