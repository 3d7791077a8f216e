/* What the parsers of this folder share: frames of kind OTHER, which are readable as they are and need no symbols.
 * Called by the parsers of the folder; must not know any of their formats. */
#ifndef FM_FORMATS_OTHER_OTHER_ROW_H
#define FM_FORMATS_OTHER_OTHER_ROW_H

#include "formats/format.h"

/* Sets the exception of a trace from a line "TYPE: MESSAGE" or "TYPE". */
void fm_other_exception(framemap_trace *trace, framemap_str text);
/* Adds a frame of kind OTHER that needs no symbols, to be filled in. NULL: out of memory. */
framemap_frame *fm_other_frame(struct fm_document *doc, const struct fm_line *line);
/* Narrows what a frame was read from to a part of its line, which has several frames. */
void fm_other_narrow(framemap_frame *frame, framemap_str part);
/* Adds a row that is not a frame. count: number of frames that it represents; 0: not printed. */
void fm_other_marker(struct fm_document *doc, const struct fm_line *line, framemap_marker marker, uint64_t count);
/* Continues the last frame of the last trace: its row, and so the trace, ends on `line`. */
void fm_other_continue(struct fm_document *doc, framemap_frame *frame, const struct fm_line *line);
/* Returns the last frame of a trace; NULL if it has none. */
framemap_frame *fm_other_last(framemap_trace *trace);

/* Returns the first run of digits in a text, as a number; 0: none. */
uint64_t fm_other_number(framemap_str text);
/* Whether a text is a name with parts: letters, digits, '_', '$' and one of `parts`; no digit first. */
bool fm_other_is_name(framemap_str text, const char *parts);

#endif
