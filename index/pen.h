/* Writing packed fields (bits.h) into memory that is known to be big enough: 8 bytes more than the fields take. */
#ifndef FM_INDEX_PEN_H
#define FM_INDEX_PEN_H

#include "index/bits.h"

struct fm_pen {
    unsigned char *at;
    uint64_t held; /* bits that are not written yet, fewer than 32 */
    unsigned count;
};

/* value has no bits above width; width is at most 32. */
static inline void fm_pen_put(struct fm_pen *pen, uint64_t value, unsigned width)
{
    pen->held |= value << pen->count;
    pen->count += width;
    if (pen->count >= 32) {
        fm_store32(pen->at, (uint32_t)pen->held);
        pen->at += 4;
        pen->held >>= 32;
        pen->count -= 32;
    }
}
/* The same up to 64 bits. */
static inline void fm_pen_put_wide(struct fm_pen *pen, uint64_t value, unsigned width)
{
    if (width > 32) {
        fm_pen_put(pen, value & UINT32_MAX, 32);
        value >>= 32;
        width -= 32;
    }
    fm_pen_put(pen, value, width);
}
/* Writes what is held, filled up to a byte with zeros; returns where it ends. */
static inline unsigned char *fm_pen_end(struct fm_pen *pen)
{
    for (; pen->count > 0; pen->count = pen->count > 8 ? pen->count - 8 : 0) {
        *pen->at++ = (unsigned char)pen->held;
        pen->held >>= 8;
    }
    return pen->at;
}

#endif
