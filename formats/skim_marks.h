/* The words of which a line that says something has at least one, unless it has one of the shapes that skim.c knows. */
#ifndef FM_FORMATS_SKIM_MARKS_H
#define FM_FORMATS_SKIM_MARKS_H

#include "core/text.h"

/* Sets of fingerprints. Words are gathered in sets by what is rare in them, so that few other bytes fit a set. */
enum fm_skim_set {
    FM_SKIM_AT = 0,                    /* "at", a word, and a blank */
    FM_SKIM_SIGN,                      /* "@" */
    FM_SKIM_NUMBER,                    /* "#0" */
    FM_SKIM_HEX,                       /* "0x1" */
    FM_SKIM_END,                       /* a line that ends in ":1:2", or in ":1" behind an address of the web */
    FM_SKIM_COLOUR,                    /* an escape sequence: what stands behind it may begin the line */
    FM_SKIM_ESCAPE,                    /* "\n" in its two characters: the line may hold others */
    FM_SKIM_FIRST_WORD,                /* those from here on are of words */
    FM_SKIM_OPEN = FM_SKIM_FIRST_WORD, /* that begin with "(" */
    FM_SKIM_DOT,                       /* with "." */
    FM_SKIM_COLON,                     /* with ':' or '=' behind two letters */
    FM_SKIM_LOW,                       /* with '_' */
    FM_SKIM_UPPER,                     /* with a letter of titles */
    FM_SKIM_TITLE,                     /* with others */
    FM_SKIM_LETTER,                    /* of small letters alone */
    FM_SKIM_CODE,                      /* of other small letters: with those above many more words would fit */
    FM_SKIM_RULE,                      /* of stars, lines and arrows */
    FM_SKIM_SETS
};

struct fm_skim_word {
    framemap_str word;
    uint8_t print; /* where in it its fingerprint begins */
    uint8_t set;   /* enum fm_skim_set */
};

const struct fm_skim_word *fm_skim_words(size_t *count);

#endif
