/* Blocks of a bucket: the entries of an index of positions, for lookups, walks and verification. */
#ifndef FM_INDEX_READ_POSITIONS_LOOKUP_H
#define FM_INDEX_READ_POSITIONS_LOOKUP_H

#include "index/read/table/tables.h"

struct fm_block {
    const unsigned char *data;                        /* of BLOCKS */
    uint64_t rows_at, lows_at, contexts_at, names_at; /* bits from data */
    uint64_t uppers, upper_counts; /* the word of upper parts, where upper_bits is not 0, and fm_count_bytes of it */
    uint64_t end;                  /* byte behind the block */
    uint32_t rows, contexts, names, node_base;
    unsigned flags, row_bits, context_bits;
    unsigned shift, upper_bits, lower_bits;
    unsigned index_width, name_width, line_width, col_width, file_width, node_width, base_width;
    bool follows;
};
/* Reads a bucket's block. false: damaged. */
bool fm_block_open(const struct fm_view *view, uint64_t bucket, struct fm_block *out);
/* Low bits of a row, 0 for row 0. row < rows. */
uint64_t fm_block_low(const struct fm_block *block, uint32_t row);
/* A row and where it begins and ends: spots of the bucket. */
struct fm_block_span {
    uint32_t row;
    uint64_t begin, end;
};
/* The last row that begins at or before a spot of the bucket; row 0 covers its first. */
struct fm_block_span fm_block_find(const struct fm_block *block, uint64_t low);
/* What a row says: place_count and entry of a hit that was zeroed. false: damaged. */
bool fm_block_entry(const struct fm_view *view, const struct fm_block *block, uint32_t row, struct fm_hit *out);
/* Places of a group of alternatives: rows [first, end) of PLACES. false: damaged. */
bool fm_group_places(const struct fm_view *view, uint64_t group, uint64_t *first, uint64_t *end);

#endif
