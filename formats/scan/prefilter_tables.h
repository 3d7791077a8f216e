/* Tables of the prefilter (prefilter.h), made from the needles of the parsers in use. Called by prefilter.c,
 * prefilter_simd.c and the owners of the tables.
 *
 * A probe is three bytes that represent a needle or a shape. Probes are grouped in sets. A byte at position p of a
 * probe is allowed in the sets whose bits are set in of_byte[p]; where the three words have a bit in common, a needle
 * may begin. Vector code looks at 16 bins instead, each a set of needles and shapes (the shift-or scheme of Hyperscan's
 * Teddy): not_low and not_high list, by the halves of a byte, the bins that a byte excludes, eight in each bank. */
#ifndef FM_FORMATS_SCAN_PREFILTER_TABLES_H
#define FM_FORMATS_SCAN_PREFILTER_TABLES_H

#include "formats/format.h"

enum fm_prefilter_set {
    FM_PREFILTER_AT = 0,       /* "at", a blank, and what a frame line may continue with */
    FM_PREFILTER_SIGN,         /* "@" */
    FM_PREFILTER_NUMBER,       /* "#0" */
    FM_PREFILTER_HEX,          /* "0x1" */
    FM_PREFILTER_END,          /* a line that ends in ":1:2", or in ":1" after a URL */
    FM_PREFILTER_COLOUR,       /* an escape sequence: what follows it may begin the line */
    FM_PREFILTER_ESCAPE,       /* "\n" in its two characters: the line may hold others */
    FM_PREFILTER_FIRST_NEEDLE, /* sets from here on are bins of needles */
    FM_PREFILTER_SETS = FM_PREFILTER_FIRST_NEEDLE + 16
};

#define FM_PREFILTER_PROBE 3     /* bytes of a probe */
#define FM_PREFILTER_BANKS 2     /* of eight bins each */
#define FM_PREFILTER_HASHES 2048 /* hash values of probes */
#define FM_PREFILTER_NEEDLES 400 /* at most, of all formats together */

struct fm_prefilter {
    uint32_t of_byte[FM_PREFILTER_PROBE][256];
    uint8_t not_low[FM_PREFILTER_BANKS][FM_PREFILTER_PROBE][16], not_high[FM_PREFILTER_BANKS][FM_PREFILTER_PROBE][16];
    uint32_t
        of_hash[FM_PREFILTER_HASHES];    /* sets that a probe with this hash may be of: all shapes, and its needles' */
    uint16_t first[FM_PREFILTER_HASHES]; /* one more than the number of a needle with this hash; 0: there is none */
    uint16_t next[FM_PREFILTER_NEEDLES]; /* the same for the next needle with the same hash */
    const struct fm_needle *needles[FM_PREFILTER_NEEDLES]; /* borrowed from the formats */
    unsigned count;
    /* The parsers, bits of a mask, that a line may be for that has a needle or a shape, and those that name no marks.
     */
    uint64_t of_needle[FM_PREFILTER_NEEDLES], of_shape[FM_PREFILTER_FIRST_NEEDLE], of_all;
};

/* Starts without needles: finds the shapes only. */
void fm_prefilter_init(struct fm_prefilter *prefilter);
/* Adds the needles of a format, those of several formats once. parser: its bit, below 64. */
void fm_prefilter_add(struct fm_prefilter *prefilter, const struct fm_format *format, unsigned parser);
/* Makes the tables of the bins. No more needles may be added. */
void fm_prefilter_finish(struct fm_prefilter *prefilter);

/* The sets that three bytes are a probe of. */
static inline unsigned fm_prefilter_sets(const struct fm_prefilter *prefilter, char one, char two, char three)
{
    return prefilter->of_byte[0][(unsigned char)one] & prefilter->of_byte[1][(unsigned char)two] &
           prefilter->of_byte[2][(unsigned char)three];
}

/* Three bytes as one of FM_PREFILTER_HASHES numbers (Fibonacci hashing, Knuth, TAOCP vol. 3, 6.4). */
static inline unsigned fm_prefilter_hash(char one, char two, char three)
{
    const uint32_t bytes =
        (uint32_t)(unsigned char)one | (uint32_t)(unsigned char)two << 8 | (uint32_t)(unsigned char)three << 16;
    return bytes * UINT32_C(0x9E3779B1) >> 21;
}

/* Whether a needle or a shape may begin with three bytes: exact for the bytes of needles, but for a few collisions. */
static inline unsigned fm_prefilter_may_begin(const struct fm_prefilter *prefilter, char one, char two, char three)
{
    return (fm_prefilter_sets(prefilter, one, two, three) & prefilter->of_hash[fm_prefilter_hash(one, two, three)]) !=
           0;
}

#endif
