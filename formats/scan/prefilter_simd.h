/* The look at a run of text: where fingerprints of marks may begin, and where lines end. There are several ways to
 * look, by what the CPU at hand can do. */
#ifndef FM_FORMATS_SCAN_PREFILTER_SIMD_H
#define FM_FORMATS_SCAN_PREFILTER_SIMD_H

#include "formats/scan/prefilter.h"

#define FM_PREFILTER_PROBE 3 /* bytes of a fingerprint */

/* The sets that three bytes are a fingerprint of. */
static inline unsigned fm_prefilter_sets(const struct fm_prefilter *skim, char one, char two, char three)
{
    return skim->of_byte[0][(unsigned char)one] & skim->of_byte[1][(unsigned char)two] &
           skim->of_byte[2][(unsigned char)three];
}

/* Three bytes as one of FM_PREFILTER_PROBES numbers. */
static inline unsigned fm_prefilter_probe_hash(char one, char two, char three)
{
    const uint32_t bytes =
        (uint32_t)(unsigned char)one | (uint32_t)(unsigned char)two << 8 | (uint32_t)(unsigned char)three << 16;
    return bytes * UINT32_C(0x9E3779B1) >> 21;
}

/* Whether a mark may begin with three bytes: a word's are one byte for byte, but for a few others. */
static inline unsigned fm_prefilter_may_begin(const struct fm_prefilter *skim, char one, char two, char three)
{
    return (fm_prefilter_sets(skim, one, two, three) & skim->of_print[fm_prefilter_probe_hash(one, two, three)]) != 0;
}

/* Byte by byte. */
fm_prefilter_look fm_prefilter_look_plain;
/* The best way on this CPU; of `skip` the best ones are not taken, for tests: NULL where no way is left. */
fm_prefilter_look *fm_prefilter_best_look(unsigned skip);

#endif
