/* Passing over the lines of a text that say nothing: most lines of a log are of no stack and of nothing around one. A line that any reader could take
 * for a frame or a header has at least one of a few dozen marks in it, words and shapes of a few bytes, and those are looked for in one pass over the
 * bytes, with all lines at once. A mark proves nothing: whoever finds one asks the readers. */
#ifndef FM_FORMATS_SKIM_H
#define FM_FORMATS_SKIM_H

#include "core/scan.h"

struct fm_skim_word;

/* Sixteen sets of fingerprints of three bytes. A byte at place p of a fingerprint is allowed in the sets whose bits stand in of_byte[p]. The other tables are
 * the same, with more bytes allowed, by the halves of a byte: eight sets a table, as vectors are looked up. */
struct fm_skim {
    uint16_t of_byte[3][256];
    uint8_t low[3][2][16], high[3][2][16];
    uint8_t prints[512];     /* a bit for each hash that a word's fingerprint has */
    uint8_t first_word[257]; /* where the words begin whose fingerprint begins with a byte, in words; the last is their number */
    uint8_t words[128];
    const struct fm_skim_word *table;
};
void fm_skim_make(struct fm_skim *skim);

/* A line with a mark. */
struct fm_skimmed {
    size_t at;      /* where it begins; the text's size where no line has a mark */
    uint64_t lines; /* line ends that were passed over */
};
/* The first line with a mark, from `from` on, where a line begins. Linear. */
struct fm_skimmed fm_skim_next(const struct fm_skim *skim, framemap_str text, size_t from);
/* The same without what only some processors have. */
struct fm_skimmed fm_skim_next_plain(const struct fm_skim *skim, framemap_str text, size_t from);

/* Where the line begins that stands `count` lines above the one at `at`, but not before `floor`, where a line begins, too. *passed: how many lines up that is. */
size_t fm_skim_back(framemap_str text, size_t floor, size_t at, size_t count, size_t *passed);

#endif
