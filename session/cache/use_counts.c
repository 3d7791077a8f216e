/* Implements use_counts.h. */
#include "session/cache/use_counts.h"

/* After USES_EACH uses for each kept thing, all counts are halved. With fewer uses, the order of rarely used things
 * would be lost; with more, things that were used often some time ago would stay too long. MOST_KEPT bounds the
 * number of kept things in this product, so that the sum of all counts stays well below the number of columns times
 * FM_USE_MOST; LEAST_KEPT bounds it so that a few kept things are not forgotten at once. */
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
