/* Escapes the strings of restored frames, which come from symbol files, so that control characters in them do not reach
 * an output. print_frame of a format is called only with escaped frames. Called by output_text.c. */
#ifndef FM_FORMATS_OUTPUT_FRAME_ESCAPE_H
#define FM_FORMATS_OUTPUT_FRAME_ESCAPE_H

#include "core/text/buffer.h"
#include "formats/format.h"

/* Whether the restored frames can be printed without escapes. run: number of backslashes in an escaped line end, if the
 * frame is in an escaped string (scan/escaped_strings.h); else 0. */
bool fm_frame_is_plain(const framemap_frame *frame, unsigned run);
/* Replaces the restored frames by copies in the arena. Control characters in them are escaped (core/text/escape.h), and
 * in an escaped string also quotes and backslashes. Strings that point into `report`, and strings that the frame's row
 * has, are not escaped. Source lines keep tabs and line ends. Returns false if out of memory. */
bool fm_frame_show(struct fm_arena *arena, framemap_str report, unsigned run, framemap_frame *frame);
/* Appends one string from a symbol file, escaped as by fm_frame_show. */
void fm_text_show(struct fm_buf *out, framemap_str text, unsigned run);

#endif
