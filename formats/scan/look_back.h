/* Line ring: the last lines of a text, kept for parsers that look back when a stack begins (parsers call the functions
 * in trace_document.h). Filled by dispatch.c. */
#ifndef FM_FORMATS_SCAN_LOOK_BACK_H
#define FM_FORMATS_SCAN_LOOK_BACK_H

#include "formats/format.h"
#include "formats/scan/parser_set.h"

/* Slots of the ring, a power of two: for the lines within FM_LOOK_BACK_FAR, and for pieces of escaped strings. */
#define FM_LINE_RING_SIZE 256
#define FM_LOOK_BACK_FAR 200 /* how many lines up, counting those of all lanes, a parser can look back */
#define FM_LOOK_BACK_CUT 64  /* skipped lines that are cut out of the text at a time; four looks back need fewer */

struct fm_ring_line {
    struct fm_line line;         /* the line; its number1 is not set */
    uint64_t lane;               /* origin of the line's lane */
    struct fm_parser_set hidden; /* the parsers that skip the line when they look back */
    uint64_t skipped;            /* number of skipped lines between the line of the slot before and this one */
    size_t at;                   /* start of the physical line in `text` of the ring; set if lines were skipped */
};

struct fm_line_ring {
    framemap_str text; /* the part of the text that is in memory */
    uint64_t base;     /* offset of `text` in the whole text */
    uint64_t reach;    /* how many bytes before a line may be looked back to */
    struct fm_ring_line lines[FM_LINE_RING_SIZE];
    uint64_t count;                       /* lines pushed so far; the next slot holds the current line */
    struct fm_line cut[FM_LOOK_BACK_CUT]; /* the skipped lines that were cut out and returned */
    unsigned cut_count;
};

/* Whether a line with this `hidden` is a frame: it is hidden from its parser and all with a higher number, while a line
 * that is not a frame is hidden from single parsers. No parser has the highest number. */
static inline bool fm_line_is_frame(struct fm_parser_set hidden)
{
    return fm_parsers_have(hidden, FM_PARSERS_MOST - 1);
}

static inline struct fm_ring_line *fm_line_ring_slot(struct fm_line_ring *ring)
{
    return &ring->lines[ring->count % FM_LINE_RING_SIZE];
}
/* Keeps the current line, which the caller has written to the slot. */
static inline void fm_line_ring_push(struct fm_line_ring *ring, struct fm_parser_set hidden)
{
    ring->lines[ring->count++ % FM_LINE_RING_SIZE].hidden = hidden;
    fm_line_ring_slot(ring)->skipped = 0;
}
/* Records that lines were skipped between the last one and the current slot, which begins at `at` of the text. */
static inline void fm_line_ring_skip(struct fm_line_ring *ring, uint64_t skipped, size_t at)
{
    fm_line_ring_slot(ring)->skipped = skipped;
    fm_line_ring_slot(ring)->at = at;
}
/* Moves the ring: from now on, the text in memory is another copy, from offset `base` on. It continues the old one. */
void fm_line_ring_move(struct fm_line_ring *ring, framemap_str text, uint64_t base);

#endif
