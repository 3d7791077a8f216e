/* Counts how often each index was needed lately, even while the index is not open, in a fixed amount of memory: a
 * count-min sketch whose counts age, as in TinyLFU (Einziger, Friedman and Manes, 2017). Indexes are identified by
 * their hashes only. Called by cache_slots.c. */
#ifndef FM_SESSION_CACHE_USE_COUNTS_H
#define FM_SESSION_CACHE_USE_COUNTS_H

#include <stddef.h>
#include <stdint.h>

enum { FM_USE_ROWS = 2, FM_USE_COLUMNS = 2048, FM_USE_MOST = 63 };

/* Counts of uses by hash. Zero-initialise the struct; one thread at a time may use it. */
struct fm_use_counts {
    uint8_t rows[FM_USE_ROWS][FM_USE_COLUMNS];
    uint32_t added; /* number of uses since all counts were last halved */
};

/* Counts a use of the index with this hash. kept: the number of indexes that are kept at present. All counts are halved
 * after a number of uses that is proportional to `kept`, so that old uses count less. */
void fm_use_counts_add(struct fm_use_counts *counts, uint64_t hash, size_t kept);
/* Returns the count for a hash, at most FM_USE_MOST. The count is too high if other hashes use the same cells of the
 * sketch. */
unsigned fm_use_counts_get(const struct fm_use_counts *counts, uint64_t hash);

#endif
