/* Line ring: the last lines of a text, kept for parsers that look back when a stack begins (trace_document.h has their
 * side). Filled by dispatch.c. */
#ifndef FM_FORMATS_SCAN_LOOK_BACK_H
#define FM_FORMATS_SCAN_LOOK_BACK_H

#include "formats/format.h"

/* A power of two: the current line, FM_LOOK_BACK_MOST above it, and the lines between it and an earlier one from which
 * a parser looks back. */
#define FM_LINE_RING_SIZE 32

/* Lines that were skipped are recorded by number only; each is cut out of the text when a parser looks back to it. */
struct fm_line_ring {
    framemap_str text;
    struct fm_line lines[FM_LINE_RING_SIZE];
    uint64_t hidden[FM_LINE_RING_SIZE]; /* bit mask of the parsers that skip the line when they look back */
    uint64_t count;                     /* lines pushed so far; the next slot holds the current line */
};

static inline struct fm_line *fm_line_ring_slot(struct fm_line_ring *ring)
{
    return &ring->lines[ring->count % FM_LINE_RING_SIZE];
}
/* Keeps the current line, which the caller has written to the slot. */
static inline void fm_line_ring_push(struct fm_line_ring *ring, uint64_t hidden)
{
    ring->hidden[ring->count++ % FM_LINE_RING_SIZE] = hidden;
}
/* Pushes `skipped` lines, or as many of the last as can be looked back to. They end before the line that begins at
 * offset `at` and has number `number1`. */
void fm_line_ring_push_skipped(struct fm_line_ring *ring, uint64_t skipped, size_t at, uint64_t number1);

#endif
