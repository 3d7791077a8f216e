/* What separates the rows of a stack that a logger wrote on one line: blanks, punctuation, escaped or encoded line
 * ends, tags. The readers use it to find the next row, output_text.c to repeat it between inlined frames. */
#ifndef FM_FORMATS_ROW_GAP_H
#define FM_FORMATS_ROW_GAP_H

#include "core/text/text.h"

/* Bytes at the start of text that only separate rows. Linear. 0: none. */
size_t fm_row_gap(framemap_str text);
/* Whether an escaped line end, tab or blank ends right before p: "#011", "\n", "\u000a". Looks at 6 bytes at most. */
bool fm_row_gap_escape_before(const char *start, const char *p);
/* text without the separators at its end. Linear. */
framemap_str fm_row_gap_trim_end(framemap_str text);

#endif
