/* Tables of the prefilter (prefilter.h), made from the needles of the parsers in use. Called by prefilter.c,
 * prefilter_simd.c and the owners of the tables.
 *
 * A probe is three bytes of a needle; "at " and "0x1" are probes too, while the other shapes are recognized by a
 * pair of bytes. A needle or shape can only be where its probe or pair is. Vector code first tests for bins, which
 * are sets of probes, or one pair each (the shift-or scheme of Hyperscan's Teddy). Its tables list the bins that
 * exclude a byte at a place of a probe, eight bins in each bank: not_low and not_high by the halves of the byte, for
 * AVX2; not_byte by the byte, for AVX-512. The byte after a probe is tested as well, unless the needle ends with its
 * probe: then that byte may be any. Pairs have a bank of their own, because their third byte may be any. */
#ifndef FM_FORMATS_SCAN_PREFILTER_TABLES_H
#define FM_FORMATS_SCAN_PREFILTER_TABLES_H

#include "formats/format.h"
#include "formats/scan/parser_set.h"

enum fm_prefilter_shape {
    FM_PREFILTER_SIGN = 0, /* a '@' */
    FM_PREFILTER_NUMBER,   /* a '#' and a digit */
    FM_PREFILTER_END,      /* a line that ends in ":1:2", or in ":1" after a URL */
    FM_PREFILTER_COLOUR,   /* ESC: a control sequence of a terminal may be within a needle, so the line is examined */
    FM_PREFILTER_NUL,      /* a NUL byte, which may also be within a needle */
    FM_PREFILTER_ENTITY,   /* an HTML entity, which may replace a byte of a needle */
    FM_PREFILTER_ESCAPE,   /* "\n" in its two characters: the line may contain other physical lines */
    FM_PREFILTER_PAIRS,    /* number of the shapes above, which are searched for by two bytes */
    FM_PREFILTER_AT = FM_PREFILTER_PAIRS, /* "at", a blank, and what may follow these in a frame row */
    FM_PREFILTER_HEX,                     /* "0x1" */
    FM_PREFILTER_SHAPES
};

#define FM_PREFILTER_PROBE 3 /* number of bytes in a probe */
#define FM_PREFILTER_SPAN 4  /* number of bytes that vector code tests: a probe and the byte after it */
/* number of banks, groups of eight bins (sets of probes) each: two for probes, one for shapes known by two bytes */
#define FM_PREFILTER_BANKS 3
#define FM_PREFILTER_PAIR_BANK 2 /* number of the bank of shapes known by two bytes; their third byte may be any */
/* number of entries of a table for whole bytes; a byte from 0x80 on has the entry of the byte that is 0x80 less */
#define FM_PREFILTER_BYTES 128
#define FM_PREFILTER_HASHES 8192 /* number of different hash values of probes */
#define FM_PREFILTER_NEEDLES 512 /* maximum number of needles of all formats together */

/* A needle. Four of its bytes are compared first: those next to the probe (the three bytes that are searched for) if
 * the needle is long enough. */
struct fm_prefilter_word {
    const struct fm_needle *needle; /* the format's needle, borrowed */
    uint8_t size, probe;
    /* offset of the four bytes that are compared first; unused if the needle has fewer than four bytes */
    uint8_t first;
    uint16_t next; /* one more than the number of the next needle with the same hash; 0: there is none */
    char four[4];
};

struct fm_prefilter {
    /* of_pair[0][b]: the shapes that begin with byte b; of_pair[1][b]: the shapes whose second byte is b. Only for
     * shapes that are searched for by two bytes; as bits by enum fm_prefilter_shape. */
    uint8_t of_pair[2][256];
    uint8_t not_low[FM_PREFILTER_BANKS][FM_PREFILTER_SPAN][16], not_high[FM_PREFILTER_BANKS][FM_PREFILTER_SPAN][16];
    uint8_t not_byte[FM_PREFILTER_BANKS][FM_PREFILTER_SPAN][FM_PREFILTER_BYTES];
    /* bit i: a needle has a probe with this hash, followed by a byte whose lowest three bits are i; 0: no probe has
     * this hash */
    uint8_t of_hash[FM_PREFILTER_HASHES];
    uint16_t first[FM_PREFILTER_HASHES]; /* one more than the number of a needle with this hash; 0: there is none */
    struct fm_prefilter_word words[FM_PREFILTER_NEEDLES];
    unsigned count;
    /* For each needle and each shape: the parsers that a line with it may be for. of_all: the parsers without marks,
     * which are in each of these sets too. */
    struct fm_parser_set of_needle[FM_PREFILTER_NEEDLES], of_shape[FM_PREFILTER_SHAPES], of_all;
};

/* Starts tables without needles, which find only the shapes. */
void fm_prefilter_init(struct fm_prefilter *prefilter);
/* Adds the needles of a format; a needle that another format has as well is added once. parser: number of the
 * format's parser in sets. */
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

/* Whether a needle or a shape may begin with three bytes. May also be true for other bytes that have the same hash. */
static inline unsigned fm_prefilter_may_begin(const struct fm_prefilter *prefilter, char one, char two, char three)
{
    return (fm_prefilter_pairs(prefilter, one, two) | prefilter->of_hash[fm_prefilter_hash(one, two, three)]) != 0;
}

#endif
