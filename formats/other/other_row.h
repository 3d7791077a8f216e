/* Shared by the parsers of this folder: frames of kind OTHER, whose names are already readable, so that they need no
 * symbols. Must not know any of the parsers' formats. */
#ifndef FM_FORMATS_OTHER_OTHER_ROW_H
#define FM_FORMATS_OTHER_OTHER_ROW_H

#include "formats/format.h"

/* Sets the exception of a trace from a line "TYPE: MESSAGE" or "TYPE". */
void fm_other_exception(framemap_trace *trace, framemap_str text);
/* Adds a frame of kind OTHER that needs no symbols. The caller fills it. Returns NULL if out of memory. */
framemap_frame *fm_other_frame(struct fm_document *doc, const struct fm_line *line);
/* Makes the trace before this one its cause, if it has the number `cause` and is of the format `name`. */
void fm_other_link_cause(struct fm_document *doc, const char *name, uint64_t cause, const framemap_trace *trace);
/* Narrows the raw text of a frame to `part`, because its line has several frames. */
void fm_other_narrow(framemap_frame *frame, framemap_str part);
/* Adds a marker, a row that is not a frame. count: number of frames that it represents; 0: the row has no number. */
void fm_other_marker(struct fm_document *doc, const struct fm_line *line, framemap_marker marker, uint64_t count);
/* Extends the raw text of the last frame, and so its trace, to the end of `line`. */
void fm_other_continue(struct fm_document *doc, framemap_frame *frame, const struct fm_line *line);
/* Returns the last frame of a trace; NULL if the trace has no frames. */
framemap_frame *fm_other_last(framemap_trace *trace);

/* Returns the first number in a text, in decimal digits; 0: not found. */
uint64_t fm_other_number(framemap_str text);
/* Whether a text is a name that consists of letters, digits, '_', '$' and the characters of `parts`, and does not
 * begin with a digit. */
bool fm_other_is_name(framemap_str text, const char *parts);

#endif
