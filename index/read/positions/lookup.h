/* Decodes the block of a bucket, which has the entries of an interval of the axis of positions. Called by the lookups
 * and iteration in this folder, and by index/verify. */
#ifndef FM_INDEX_READ_POSITIONS_LOOKUP_H
#define FM_INDEX_READ_POSITIONS_LOOKUP_H

#include "index/read/table/tables.h"

struct fm_block {
    const unsigned char *data;                        /* start of the block in BLOCKS */
    uint64_t rows_at, lows_at, contexts_at, names_at; /* offsets in bits from `data` */
    uint64_t uppers, upper_counts; /* the upper bits of entry starts (Elias-Fano), if upper_bits is not 0, and their
                                      fm_count_bytes */
    uint64_t end;                  /* byte offset of the end of the block */
    uint32_t rows, contexts, names, node_base;
    unsigned flags, row_bits, context_bits;
    unsigned shift, upper_bits, lower_bits;
    unsigned index_width, name_width, line_width, col_width, file_width, node_width, base_width;
    bool follows;
};
/* Reads the block of a bucket, an interval of the axis of positions. false: damaged. */
bool fm_block_open(const struct fm_view *view, uint64_t bucket, struct fm_block *out);
/* Returns where a row of the block starts, as a distance from the start of the bucket; 0 for row 0. row < rows. */
uint64_t fm_block_low(const struct fm_block *block, uint32_t row);
/* The number of a row of a block, with the row's start and end as distances from the start of the bucket. */
struct fm_block_span {
    uint32_t row;
    uint64_t begin, end;
};
/* Returns the last row of a block that starts at or before a distance from the start of the bucket; row 0 covers the
 * first position of the bucket. */
struct fm_block_span fm_block_find(const struct fm_block *block, uint64_t low);
/* Decodes a row into place_count and entry of *out, which the caller has zeroed. false: damaged. */
bool fm_block_entry(const struct fm_view *view, const struct fm_block *block, uint32_t row, struct fm_hit *out);
/* Gets the locations of a group of alternatives: rows [first, end) of PLACES. false: damaged. */
bool fm_group_places(const struct fm_view *view, uint64_t group, uint64_t *first, uint64_t *end);

#endif
