/* Rows of call graphs as Apple's sample and spindump print them. Called by apple_sample.c. */
#ifndef FM_FORMATS_NATIVE_APPLE_SAMPLE_ROW_H
#define FM_FORMATS_NATIVE_APPLE_SAMPLE_ROW_H

#include "formats/native/apple/apple.h"

struct fm_sample_row {
    size_t column;  /* column where the count begins */
    uint64_t count; /* number of samples */
    framemap_frame frame;
};

/* Parses "+   ! 2397 main  (in App) + 294  [0x10e3817e6]  main.cc:276". */
bool fm_sample_row(framemap_str body, struct fm_document *doc, struct fm_sample_row *row);
/* Parses "  *997  main + 294 (main.cc:276,6 in App + 6118) [0x10e3817e6] (running)". open: a graph is open, so a row
 * without an address, "11  ??? (dyld + 82408)", is accepted as well. */
bool fm_spindump_row(framemap_str body, bool open, struct fm_document *doc, struct fm_sample_row *row);
/* Returns the text of a row after its indent: blanks and the lines of the tree ("+", "!", ":", "|"). */
framemap_str fm_sample_unindented(framemap_str body);

/* The columns of the rows on the current path of the tree; rows further right are callees. Contains no pointers. */
#define FM_SAMPLE_LEVELS 512
struct fm_sample_levels {
    size_t count;
    uint16_t columns[FM_SAMPLE_LEVELS];
};
/* Returns the level of a row in the tree: how many rows of the current path are further to the left. */
size_t fm_sample_level(struct fm_sample_levels *levels, size_t column);

/* Prints a restored row. Functions inlined into it get rows of their own at the same column; callers precede
 * callees. */
void fm_sample_print_frame(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol);
void fm_spindump_print_frame(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol);

#endif
