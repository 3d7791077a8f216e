/* Finds the separators between the frames of a stack that a logger wrote on one line: blanks, punctuation, escaped or
 * encoded line ends, tags. Called by the parsers, which find the next frame after such separators, and by
 * output/text_within.c, which repeats them between inlined frames. */
#ifndef FM_FORMATS_ROW_GAP_H
#define FM_FORMATS_ROW_GAP_H

#include "core/text/text.h"

/* Returns the size of the separators at the start of the text; 0: the text does not begin with a separator. Takes
 * linear time. */
size_t fm_row_gap(framemap_str text);
/* Whether an escaped line end, tab or blank ends directly before p: "#011", "\n", "\u000a". Reads at most 6 bytes. */
bool fm_row_gap_escape_before(const char *start, const char *p);
/* Returns the text without the separators at its end. Takes linear time. */
framemap_str fm_row_gap_trim_end(framemap_str text);

#endif
