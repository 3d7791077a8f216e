/* Scans a run of text for positions where needles or shapes may begin, and for line ends: 64 positions at a time
 * with AVX-512, 32 with AVX2, otherwise one by one, always with the same hits. Called by prefilter.c. */
#ifndef FM_FORMATS_SCAN_PREFILTER_SIMD_H
#define FM_FORMATS_SCAN_PREFILTER_SIMD_H

#include "formats/scan/prefilter_tables.h"

#define FM_PREFILTER_RUN 2048 /* maximum number of bytes in one scan */
#define FM_PREFILTER_WORDS (FM_PREFILTER_RUN / 64)
/* elements after the last candidate, since the vector code writes more offsets at once than it keeps */
#define FM_PREFILTER_SPARE 64

/* Result of the scan of a run. */
struct fm_prefilter_run {
    uint64_t lines; /* number of line ends in the run */
    /* One bit per byte, set at line ends; bits after the run's bytes are undefined. */
    uint64_t ends[FM_PREFILTER_WORDS];
    unsigned count; /* number of candidates: places that may have a needle or shape */
    /* offsets in the run of the candidates (places that may have a needle or shape), ascending */
    uint16_t at[FM_PREFILTER_RUN + FM_PREFILTER_SPARE];
};

/* Scans `size` bytes, at most FM_PREFILTER_RUN. May report places that have no needle or shape; these only cost
 * time. left: bytes up to the end of the text, at least `size`; positions after the text count as line ends. */
typedef void fm_prefilter_scan(const struct fm_prefilter *prefilter, const char *bytes, size_t size, size_t left,
                               struct fm_prefilter_run *run);
/* The scan byte by byte. */
fm_prefilter_scan fm_prefilter_scan_plain;
/* Returns the fastest scan that this CPU can run. skip: how many of the fastest to leave out, for tests; NULL if no
 * other is left. */
fm_prefilter_scan *fm_prefilter_best_scan(unsigned skip);

#endif
