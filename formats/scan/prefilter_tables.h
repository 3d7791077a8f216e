/* Tables of the prefilter (prefilter.h), made from the needles of the parsers in use. Called by prefilter.c,
 * prefilter_simd.c and the owners of the tables.
 *
 * A probe is three bytes that represent a needle; "at " and "0x1" are probes too, the other shapes are known by two
 * bytes. Where a probe or one of these pairs is, a needle or a shape may be. Vector code looks at bins instead, each a
 * set of probes or a pair (the shift-or scheme of Hyperscan's Teddy): not_low and not_high list, by the halves of a
 * byte, the bins that a byte excludes, eight in each bank. The pairs have a bank of their own: in a bin of probes, a
 * pair would admit what has one of its bytes. */
#ifndef FM_FORMATS_SCAN_PREFILTER_TABLES_H
#define FM_FORMATS_SCAN_PREFILTER_TABLES_H

#include "formats/format.h"
#include "formats/scan/parser_set.h"

enum fm_prefilter_shape {
    FM_PREFILTER_SIGN = 0,                /* a '@' */
    FM_PREFILTER_NUMBER,                  /* a '#' and a digit */
    FM_PREFILTER_END,                     /* a line that ends in ":1:2", or in ":1" after a URL */
    FM_PREFILTER_COLOUR,                  /* ESC: a sequence of a terminal may be within a needle */
    FM_PREFILTER_NUL,                     /* a NUL byte, which may be within a needle, too */
    FM_PREFILTER_ENTITY,                  /* an entity of HTML, which may be spelled in place of a byte of a needle */
    FM_PREFILTER_ESCAPE,                  /* "\n" in its two characters: the line may contain other physical lines */
    FM_PREFILTER_PAIRS,                   /* number of the shapes above, which are known by two bytes */
    FM_PREFILTER_AT = FM_PREFILTER_PAIRS, /* "at", a blank, and what a frame line may continue with */
    FM_PREFILTER_HEX,                     /* "0x1" */
    FM_PREFILTER_SHAPES
};

#define FM_PREFILTER_PROBE 3     /* most bytes of a probe */
#define FM_PREFILTER_BANKS 3     /* groups of eight bins each: two for probes, one for the pairs */
#define FM_PREFILTER_PAIR_BANK 2 /* the bank of the pairs, whose third byte may be any */
#define FM_PREFILTER_HASHES 8192 /* hash values of probes */
#define FM_PREFILTER_NEEDLES 400 /* most needles of all formats together */

/* A needle. Four of its bytes are compared first, those beside the probe if it is long enough. */
struct fm_prefilter_word {
    const struct fm_needle *needle; /* the format's needle, borrowed */
    uint8_t size, probe;
    uint8_t first; /* offset of the four bytes; none if size is below 4 */
    uint16_t next; /* one more than the number of the next needle with the same hash; 0: there is none */
    char four[4];
};

struct fm_prefilter {
    uint8_t of_pair[2][256]; /* bits of the pairs (enum fm_prefilter_shape), by the first and by the second byte */
    uint8_t not_low[FM_PREFILTER_BANKS][FM_PREFILTER_PROBE][16], not_high[FM_PREFILTER_BANKS][FM_PREFILTER_PROBE][16];
    uint8_t of_hash[FM_PREFILTER_HASHES]; /* bit i is set if a needle has a probe with this hash, followed by a byte
                                             whose lowest three bits are i; 0: no probe has this hash */
    uint16_t first[FM_PREFILTER_HASHES];  /* one more than the number of a needle with this hash; 0: there is none */
    struct fm_prefilter_word words[FM_PREFILTER_NEEDLES];
    unsigned count;
    /* The parsers that a line may be for if it has this needle or this shape. of_all: the parsers that name no marks,
     * which are in each such set. */
    struct fm_parser_set of_needle[FM_PREFILTER_NEEDLES], of_shape[FM_PREFILTER_SHAPES], of_all;
};

/* Starts without needles: finds the shapes only. */
void fm_prefilter_init(struct fm_prefilter *prefilter);
/* Adds the needles of a format, those of several formats once. parser: its number in sets. */
void fm_prefilter_add(struct fm_prefilter *prefilter, const struct fm_format *format, unsigned parser);
/* Completes the tables. No more needles may be added. */
void fm_prefilter_finish(struct fm_prefilter *prefilter);

/* Returns the shapes that two bytes may begin, as bits by enum fm_prefilter_shape. */
static inline unsigned fm_prefilter_pairs(const struct fm_prefilter *prefilter, char one, char two)
{
    return prefilter->of_pair[0][(unsigned char)one] & prefilter->of_pair[1][(unsigned char)two];
}

/* Maps three bytes, of which the lowest is the first, to one of FM_PREFILTER_HASHES numbers (Fibonacci hashing, Knuth,
 * TAOCP vol. 3, 6.4). */
static inline unsigned fm_prefilter_hash_of(uint32_t bytes) { return bytes * UINT32_C(0x9E3779B1) >> 19; }

static inline unsigned fm_prefilter_hash(char one, char two, char three)
{
    return fm_prefilter_hash_of((uint32_t)(unsigned char)one | (uint32_t)(unsigned char)two << 8 |
                                (uint32_t)(unsigned char)three << 16);
}

/* Whether a needle or a shape may begin with three bytes. Also true for a few others with the same hash. */
static inline unsigned fm_prefilter_may_begin(const struct fm_prefilter *prefilter, char one, char two, char three)
{
    return (fm_prefilter_pairs(prefilter, one, two) | prefilter->of_hash[fm_prefilter_hash(one, two, three)]) != 0;
}

#endif
