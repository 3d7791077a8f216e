/* The scan over a run of text: the positions where needles or shapes may begin, and the line ends. With AVX-512 64
 * positions at a time, with AVX2 32, else one by one; the fallback gives the same hits. Called by prefilter.c. */
#ifndef FM_FORMATS_SCAN_PREFILTER_SIMD_H
#define FM_FORMATS_SCAN_PREFILTER_SIMD_H

#include "formats/scan/prefilter_tables.h"

#define FM_PREFILTER_RUN 2048 /* bytes that are scanned at once */
#define FM_PREFILTER_WORDS (FM_PREFILTER_RUN / 64)
#define FM_PREFILTER_SPARE 64 /* array elements after the last candidate, for code that writes some at once */

/* Result of the scan of a run. */
struct fm_prefilter_run {
    uint64_t lines; /* number of line ends */
    /* One bit per byte, set at line ends; bits after the run's bytes are undefined. */
    uint64_t ends[FM_PREFILTER_WORDS];
    unsigned count;                                     /* number of candidates */
    uint16_t at[FM_PREFILTER_RUN + FM_PREFILTER_SPARE]; /* offsets of candidates in the run, ascending */
};

/* Scans `size` bytes, at most FM_PREFILTER_RUN. Candidates that are not hits only cost time. `left`: bytes up to the
 * end of the text, at least `size`; bytes after it count as line ends. */
typedef void fm_prefilter_scan(const struct fm_prefilter *prefilter, const char *bytes, size_t size, size_t left,
                               struct fm_prefilter_run *run);
/* The scan byte by byte. */
fm_prefilter_scan fm_prefilter_scan_plain;
/* Returns the fastest scan that this CPU can run. skip: number of the fastest to leave out, for tests; NULL if none is
 * left. */
fm_prefilter_scan *fm_prefilter_best_scan(unsigned skip);

#endif
