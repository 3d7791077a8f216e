/* Escapes the strings of restored frames, which come from symbol files, so that no control character reaches an output.
 * print_frame is given only such frames. Called by output_text.c. */
#ifndef FM_FORMATS_OUTPUT_FRAME_ESCAPE_H
#define FM_FORMATS_OUTPUT_FRAME_ESCAPE_H

#include "core/text/buffer.h"
#include "formats/format.h"

/* Whether the restored frames can be printed unchanged. run: number of backslashes of an escaped line end if the frame
 * is in an escaped string (scan/escaped_strings.h), else 0. */
bool fm_frame_is_plain(const framemap_frame *frame, unsigned run);
/* Replaces the restored frames by copies in the arena without control characters (core/text/escape.h) and, in an
 * escaped string, with its escapes. Strings that point into `report`, and strings that the frame was printed with, are
 * kept. Source lines keep tabs and line ends. Returns false if out of memory. */
bool fm_frame_show(struct fm_arena *arena, framemap_str report, unsigned run, framemap_frame *frame);
/* Appends one string of a symbol file, escaped as fm_frame_show escapes. */
void fm_text_show(struct fm_buf *out, framemap_str text, unsigned run);

#endif
