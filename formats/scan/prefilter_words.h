/* The words of which a line that says something has at least one, unless it has one of the shapes that prefilter.c
 * knows. */
#ifndef FM_FORMATS_SCAN_PREFILTER_WORDS_H
#define FM_FORMATS_SCAN_PREFILTER_WORDS_H

#include "core/text/text.h"

/* Sets of fingerprints. Each of the shapes is a set of its own, and the words are in eight. */
enum fm_prefilter_set {
    FM_PREFILTER_AT = 0,     /* "at", a word, a blank, and what a row may go on with */
    FM_PREFILTER_SIGN,       /* "@" */
    FM_PREFILTER_NUMBER,     /* "#0" */
    FM_PREFILTER_HEX,        /* "0x1" */
    FM_PREFILTER_END,        /* a line that ends in ":1:2", or in ":1" behind an address of the web */
    FM_PREFILTER_COLOUR,     /* an escape sequence: what stands behind it may begin the line */
    FM_PREFILTER_ESCAPE,     /* "\n" in its two characters: the line may hold others */
    FM_PREFILTER_FIRST_WORD, /* those from here on are of words */
    FM_PREFILTER_SETS = FM_PREFILTER_FIRST_WORD + 8
};

/* What is looked up for many bytes at once tells eight sets apart, bins: one for each set of words, in which the shapes
 * are, too. Bytes that stand in one bin fit together: with
 * "@x" in it and "rs:" any "@s:" does. Which words share a bin, and which three bytes of them are looked for, was found
 * by trying at random what fits the fewest places of logs, prose, JSON and what builds print: 12 of 1000 in a log with
 * few stacks, 28 in prose. */
extern const uint8_t fm_prefilter_bins[FM_PREFILTER_FIRST_WORD];

struct fm_prefilter_word {
    framemap_str word;
    uint8_t print; /* where in it its fingerprint begins */
    uint8_t set;   /* enum fm_prefilter_set, FM_PREFILTER_FIRST_WORD and the number of its bin */
};

const struct fm_prefilter_word *fm_prefilter_words(size_t *count);

#endif
