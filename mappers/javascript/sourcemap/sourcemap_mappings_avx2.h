/* Fast path for `mappings` with AVX2: decodes runs of regular segments, up to the first irregular one, which
 * sourcemap_mappings.c then decodes and checks. Method: vectorized classification of base64 digits, then the fields of
 * a segment are gathered in one vector. */
#ifndef FM_MAPPERS_JAVASCRIPT_SOURCEMAP_SOURCEMAP_MAPPINGS_AVX2_H
#define FM_MAPPERS_JAVASCRIPT_SOURCEMAP_SOURCEMAP_MAPPINGS_AVX2_H

#include "core/text/text.h"
#include "index/write/segment_builder.h"

/* A part of the text, from `begin` on, whose characters were translated to digits before they are decoded. Segments
 * that start at or before `usable` can be decoded from this struct. The struct need not be zeroed. */
#define FM_SOURCEMAP_WINDOW ((size_t)4096)
#define FM_SOURCEMAP_WINDOW_PAD ((size_t)96)
struct fm_sourcemap_window {
    const char *begin, *usable; /* `begin` is NULL as long as no text was translated */
    unsigned char digits[FM_SOURCEMAP_WINDOW + FM_SOURCEMAP_WINDOW_PAD];
    /* one bit for each byte of the text: the byte is the last digit of a number */
    unsigned char lasts[(FM_SOURCEMAP_WINDOW + FM_SOURCEMAP_WINDOW_PAD) / 8];
    /* one bit for each byte of the text: the byte is not a digit; bits after the end of the text are clear */
    unsigned char others[(FM_SOURCEMAP_WINDOW + FM_SOURCEMAP_WINDOW_PAD) / 8];
};

struct fm_sourcemap_fast {
    const char *at, *end; /* at: start of a segment in the text */
    uint32_t state[4];    /* generated column, source, original line, original column; all below 2^31 */
    uint32_t limit[4];    /* exclusive limit of each number in `state`, at most 2^31 - 1 */
    uint32_t base[4];     /* amounts that are added to the four numbers of a segment when it is stored */
    uint32_t name, name_limit, name_base;
    uint32_t line0;
    bool only_forward; /* stop at a column that decreases */
};
/* Whether this CPU has the instructions for fm_sourcemap_fast_segments. */
bool fm_sourcemap_fast_here(void);
/* Decodes up to `room` segments of one line, and returns how many. If *ended is set, the last of these segments ends
 * the line, and `at` is at the line's semicolon or at the end of the text. Otherwise `at` is at the start of a segment
 * that was not read, because it is irregular or there is no room. */
size_t fm_sourcemap_fast_segments(struct fm_sourcemap_fast *fast, struct fm_sourcemap_window *window,
                                  struct fm_segment *out, size_t room, bool *ended);

/* Whether some segment, other than the first of its line, may start with a negative column delta. */
bool fm_sourcemap_may_go_back(framemap_str mappings);

#endif
