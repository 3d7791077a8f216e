/* Line ring: the last lines of a text, kept for parsers that look back when a stack begins (parsers call the functions
 * in trace_document.h). Filled by dispatch.c. */
#ifndef FM_FORMATS_SCAN_LOOK_BACK_H
#define FM_FORMATS_SCAN_LOOK_BACK_H

#include "formats/format.h"
#include "formats/scan/parser_set.h"

/* Number of slots, a power of two: room for FM_LOOK_BACK_FAR lines and for pieces of escaped strings among them. */
#define FM_LINE_RING_SIZE 256
/* how many lines up a parser can look back, counting the lines of all processes and threads */
#define FM_LOOK_BACK_FAR 200
/* number of skipped lines that fm_look_back_next keeps; each further one overwrites the oldest. A parser makes at most
 * four walks at a time, which need fewer. */
#define FM_LOOK_BACK_CUT 64

struct fm_ring_line {
    struct fm_line line;         /* the line; its number1 is not set */
    uint64_t lane;               /* origin (process and thread) of the line */
    struct fm_parser_set hidden; /* the parsers that skip the line when they look back */
    uint64_t skipped;            /* number of skipped lines between the line in the slot before and this line */
    /* offset in the ring's `text` at which the physical line starts; set only if lines were skipped before it */
    size_t at;
};

struct fm_line_ring {
    framemap_str text; /* the part of the text that is in memory */
    uint64_t base;     /* offset of `text` in the whole text */
    uint64_t reach;    /* how many bytes above a line a parser can look back */
    struct fm_ring_line lines[FM_LINE_RING_SIZE];
    uint64_t count;                       /* number of lines added so far; the slot after them has the current line */
    struct fm_line cut[FM_LOOK_BACK_CUT]; /* the lines that fm_look_back_next returned last */
    unsigned cut_count;
    /* The physical line whose end fm_document_around found last: its number in the text (0: there is none), and the
     * offset of its line end in the whole text. */
    uint64_t ended1, ended_at;
};

/* Whether a line with this `hidden` is a frame. A frame is hidden from its parser and from all parsers with a higher
 * number; other lines are hidden from single parsers. No parser has the highest number, so its bit is set for frames
 * only. */
static inline bool fm_line_is_frame(struct fm_parser_set hidden)
{
    return fm_parsers_have(hidden, FM_PARSERS_MOST - 1);
}

static inline struct fm_ring_line *fm_line_ring_slot(struct fm_line_ring *ring)
{
    return &ring->lines[ring->count % FM_LINE_RING_SIZE];
}
/* Adds the current line to the ring; the caller has already written it to the slot. */
static inline void fm_line_ring_push(struct fm_line_ring *ring, struct fm_parser_set hidden)
{
    ring->lines[ring->count++ % FM_LINE_RING_SIZE].hidden = hidden;
    fm_line_ring_slot(ring)->skipped = 0;
}
/* Records that lines were skipped between the last line and the line of the current slot, which starts at offset
 * `at`. */
static inline void fm_line_ring_skip(struct fm_line_ring *ring, uint64_t skipped, size_t at)
{
    fm_line_ring_slot(ring)->skipped = skipped;
    fm_line_ring_slot(ring)->at = at;
}
/* Makes the ring use another copy of the text in memory, which starts at offset `base` of the whole text. The new copy
 * includes the end of the old one. */
void fm_line_ring_move(struct fm_line_ring *ring, framemap_str text, uint64_t base);

#endif
