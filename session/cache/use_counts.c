/* Implements use_counts.h: each use adds 1 to one counter in each row of the sketch; different bits of the hash select
 * the counters. The smallest of these counters is the estimate. After a number of uses all counters are halved. */
#include "session/cache/use_counts.h"

/* All counts are halved after USES_EACH uses for each index that is kept. If this number were smaller, the order of
 * rarely used indexes would be lost; if it were larger, indexes that were used often some time ago would be kept too
 * long. The number of kept indexes is counted as at most MOST_KEPT, so that the sum of all counts remains well below
 * the number of columns times FM_USE_MOST. It is counted as at least LEAST_KEPT, so that a small number of indexes does
 * not cause frequent halving. */
enum { USES_EACH = 32, LEAST_KEPT = 16, MOST_KEPT = 1024 };

static uint8_t *count_at(struct fm_use_counts *counts, unsigned row, uint64_t hash)
{
    return &counts->rows[row][(hash >> (32 * row)) % FM_USE_COLUMNS];
}

static void halve(struct fm_use_counts *counts)
{
    for (unsigned row = 0; row < FM_USE_ROWS; row++)
        for (size_t i = 0; i < FM_USE_COLUMNS; i++) counts->rows[row][i] >>= 1;
    counts->added = 0;
}

void fm_use_counts_add(struct fm_use_counts *counts, uint64_t hash, size_t kept)
{
    const size_t bounded = kept < LEAST_KEPT ? LEAST_KEPT : kept > MOST_KEPT ? MOST_KEPT : kept;
    for (unsigned row = 0; row < FM_USE_ROWS; row++) {
        uint8_t *count = count_at(counts, row, hash);
        if (*count < FM_USE_MOST) ++*count;
    }
    if (++counts->added >= USES_EACH * bounded) halve(counts);
}

unsigned fm_use_counts_get(const struct fm_use_counts *counts, uint64_t hash)
{
    unsigned least = FM_USE_MOST;
    for (unsigned row = 0; row < FM_USE_ROWS; row++) {
        const uint8_t count = counts->rows[row][(hash >> (32 * row)) % FM_USE_COLUMNS];
        if (count < least) least = count;
    }
    return least;
}
