/* What symbol files say of a frame, as it can be printed: the formats' print_frame is given no other frames. */
#ifndef FM_FORMATS_OUTPUT_FRAME_ESCAPE_H
#define FM_FORMATS_OUTPUT_FRAME_ESCAPE_H

#include "core/text/buffer.h"
#include "formats/format.h"

/* Whether its restored frames can be printed as they are. run: how many backslashes escape a line end where the frame
 * is in a string (lines.h), else 0. */
bool fm_frame_is_plain(const framemap_frame *frame, unsigned run);
/* Replaces its restored frames by copies of the arena without control characters (core/text/escape.h) and, in a string,
 * with the string's own escapes. What the report itself says stays as it is: texts in `report`, and those that the
 * frame has as it was printed. Of source lines tabs and line ends stay. false: out of memory. */
bool fm_frame_show(struct fm_arena *arena, framemap_str report, unsigned run, framemap_frame *frame);
/* Appends one text of a symbol file in the same way. */
void fm_text_show(struct fm_buf *out, framemap_str text, unsigned run);

#endif
