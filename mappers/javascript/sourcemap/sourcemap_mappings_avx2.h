/* `mappings` by the CPU's own means: segments of which nothing is odd, many in a row. What it stops at goes the ways of
 * sourcemap_mappings.c, which know the rules. */
#ifndef FM_MAPPERS_JAVASCRIPT_SOURCEMAP_SOURCEMAP_MAPPINGS_AVX2_H
#define FM_MAPPERS_JAVASCRIPT_SOURCEMAP_SOURCEMAP_MAPPINGS_AVX2_H

#include "core/text/text.h"
#include "index/write/segment_builder.h"

/* Text translated ahead: from `begin` on, up to where `usable` segments may begin. Not zeroed. */
#define FM_SOURCEMAP_WINDOW ((size_t)4096)
#define FM_SOURCEMAP_WINDOW_PAD ((size_t)96)
struct fm_sourcemap_window {
    const char *begin, *usable; /* begin NULL: nothing is translated yet */
    unsigned char digits[FM_SOURCEMAP_WINDOW + FM_SOURCEMAP_WINDOW_PAD];
    unsigned char lasts[(FM_SOURCEMAP_WINDOW + FM_SOURCEMAP_WINDOW_PAD) /
                        8]; /* a bit for each byte: the last digit of a number */
    unsigned char others[(FM_SOURCEMAP_WINDOW + FM_SOURCEMAP_WINDOW_PAD) /
                         8]; /* likewise: no digit; bytes behind the text are none */
};

struct fm_sourcemap_fast {
    const char *at, *end; /* at: the begin of a segment; of the text */
    uint32_t state[4];    /* generated column, source, original line and column, all below 2^31 */
    uint32_t limit[4];    /* each has to be less than this, at most 2^31 - 1 */
    uint32_t base[4];     /* what is added to each in the segment */
    uint32_t name, name_limit, name_base;
    uint32_t line0;
    bool only_forward; /* columns may not fall */
};
/* Whether this CPU can. */
bool fm_sourcemap_fast_here(void);
/* Reads up to `room` segments of a line; returns how many. *ended: the last of them ends the line, `at` is on its
 * semicolon or at the end; else `at` is on the begin of a segment that is not read: it is odd, or there is no room. */
size_t fm_sourcemap_fast_segments(struct fm_sourcemap_fast *fast, struct fm_sourcemap_window *window,
                                  struct fm_segment *out, size_t room, bool *ended);

/* Whether some segment that is not the first of its line may begin with a negative number. */
bool fm_sourcemap_some_go_back(framemap_str mappings);

#endif
