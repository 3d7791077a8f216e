/* Passing over the lines of a text that say nothing: most lines of a log are of no stack and of nothing around one. A
 * line that any reader could take for a frame or a header has at least one of a few dozen marks in it, words and shapes
 * of a few bytes, and those are looked for in one pass over the bytes, with all lines at once. A mark proves nothing:
 * whoever finds one asks the readers. */
#ifndef FM_FORMATS_SCAN_PREFILTER_H
#define FM_FORMATS_SCAN_PREFILTER_H

#include "core/text/scan.h"
#include "formats/format.h"
#include "formats/scan/prefilter_words.h"

#define FM_PREFILTER_RUN 2048 /* bytes that are looked at at once */
#define FM_PREFILTER_WORDS (FM_PREFILTER_RUN / 64)
#define FM_PREFILTER_PROBES 2048 /* hashes of fingerprints */
#define FM_PREFILTER_SPARE 4     /* places behind the last one, for those that write some at once */

/* Whether lines of a text are passed over: as it is said, or where making the tables pays. */
static inline bool fm_prefilter_pays(enum fm_passing passing, size_t text_size)
{
    enum { WORTH_IT = 4096 };
    return passing == FM_PASS_ALWAYS || (passing == FM_PASS_WHERE_IT_PAYS && text_size >= WORTH_IT);
}

/* Sets of fingerprints of three bytes. A byte at place p of a fingerprint is allowed in the sets whose bits stand in
 * of_byte[p]. Sets share eight bins (prefilter_words.h). The other tables are those that vectors look up, by the halves
 * of a byte: the bins that a byte excludes. They allow more bytes than of_byte does. */
struct fm_prefilter {
    uint16_t of_byte[3][256];
    uint8_t not_low[3][16], not_high[3][16];
    uint16_t of_print[FM_PREFILTER_PROBES]; /* by the hash of a fingerprint, the sets that it may be of: those of all
                                               shapes, and of the words that have it */
    const struct fm_prefilter_word *words;
    uint8_t by_print[FM_PREFILTER_PROBES]; /* by the hash of a fingerprint, one more than the number of a word that has
                                              it; zero where none has */
    uint8_t next[128];                     /* the same of the next word with the same hash */
};
void fm_prefilter_make(struct fm_prefilter *skim);

/* What was seen of a run of bytes. */
struct fm_prefilter_run {
    uint64_t lines;                    /* how many line ends are in it */
    uint64_t ends[FM_PREFILTER_WORDS]; /* a bit for each byte that is one; behind the run's own bytes anything */
    unsigned count;                    /* of the places where a mark may begin, in their order */
    uint16_t at[FM_PREFILTER_RUN + FM_PREFILTER_SPARE];
};

/* Looks at `size` bytes, at most FM_PREFILTER_RUN. Places that no mark begins at cost time alone. `left`: bytes up to
 * the text's end, size or more; what would stand behind it is taken for line ends: no fingerprint has one at its last
 * place but by chance. */
typedef void fm_prefilter_look(const struct fm_prefilter *skim, const char *bytes, size_t size, size_t left,
                               struct fm_prefilter_run *run);

/* A walk over a text, forwards. */
struct fm_prefilter_walk {
    const struct fm_prefilter *skim;
    fm_prefilter_look *look;
    framemap_str text;
    size_t begin, end; /* of the run that was looked at last */
    unsigned next;     /* of its places, the first that was not asked for yet */
    struct fm_prefilter_run run;
};
/* skim and text must outlive the walk. */
void fm_prefilter_start(struct fm_prefilter_walk *walk, const struct fm_prefilter *skim, framemap_str text);

/* A line with a mark. */
struct fm_prefilter_line {
    size_t at; /* where it begins; where no line has a mark, the text's size or the begin of a last line without an end,
                  which is shown in any case */
    uint64_t lines; /* line ends that were passed over */
};
/* The first line with a mark, from `from` on, where a line begins: not before that of the last call. All bytes are
 * looked at once, however often it is asked. */
struct fm_prefilter_line fm_prefilter_next(struct fm_prefilter_walk *walk, size_t from);

#endif
