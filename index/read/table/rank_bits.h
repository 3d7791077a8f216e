/* A bit vector with rank (Jacobson): gives the bit with a number, and the count of set bits before it. A row of its
 * table has 64 bits and the count of set bits in all earlier rows. */
#ifndef FM_INDEX_READ_TABLE_RANK_BITS_H
#define FM_INDEX_READ_TABLE_RANK_BITS_H

#include "index/read/table/tables.h"

struct fm_rank {
    bool set;
    uint64_t before; /* how many lower numbers have their bit set */
};
/* Looks up the bit and the rank of a number, which must be less than 64 * count. */
static inline struct fm_rank fm_rank_of(const struct fm_packed *ranks, uint64_t number)
{
    const uint64_t bits = fm_field_wide(ranks, number >> 6, RANK_BITS), below = fm_bits_mask((unsigned)number & 63);
    return (struct fm_rank){(bits >> (number & 63) & 1) != 0,
                            fm_field(ranks, number >> 6, RANK_BEFORE) + fm_count_bits(bits & below)};
}
#endif
