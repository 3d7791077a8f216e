/* Pages: the parts into which the split form cuts an index (docs/kv-format.md). The page of a position is computed from
 * the position alone, so a client can request it without reading anything else first. */
#ifndef FM_INDEX_FORMAT_VALUE_PAGE_H
#define FM_INDEX_FORMAT_VALUE_PAGE_H

#include <stdint.h>

#define FM_PAGE_BITS 12u        /* a page has 2^12 positions of each scope */
#define FM_PAGE_LINE_BITS 4u    /* a page of a source map has 2^4 generated lines */
#define FM_PAGE_COLUMN_BITS 12u /* a page of a source map has 2^12 columns of each of its lines */
/* a block of 2^FM_PAGE_LINE_BITS generated lines has up to 2^20 pages, one for each range of columns */
#define FM_PAGE_BLOCK_BITS 20u
/* If an entry continues after its page, the following pages, up to this many, are written as well, even those in which
 * no entry begins. */
#define FM_PAGE_CARRIED 16u

static inline uint64_t fm_page_of_position(uint64_t position) { return position >> FM_PAGE_BITS; }
static inline uint64_t fm_page_of_segment(uint32_t line0, uint32_t col0)
{
    return (uint64_t)(line0 >> FM_PAGE_LINE_BITS) << FM_PAGE_BLOCK_BITS | col0 >> FM_PAGE_COLUMN_BITS;
}

#endif
