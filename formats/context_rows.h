/* Rows that show the source lines around the line of a restored frame, for output as text. Called by output/text_rows.c
 * and javascript/js_print.c. */
#ifndef FM_FORMATS_CONTEXT_ROWS_H
#define FM_FORMATS_CONTEXT_ROWS_H

#include "core/text/buffer.h"
#include <framemap/frame.h>

/* Appends the source lines around a frame's line. Each is written after `eol` and `prefix`, four columns further to
 * the right than `row`, the row of the frame; the frame's own line has a mark. Control characters except tabs are
 * escaped. */
void fm_put_context_rows(struct fm_buf *out, const framemap_frame *source, framemap_str row, framemap_str prefix,
                         framemap_str eol);

/* Inserts lines of source into the printed rows of a frame, which start at offset `at` of the buffer. Because of
 * inlined functions, a frame can have several restored frames. If each restored frame has one row, its source lines
 * follow that row; otherwise all source lines follow the last row. */
void fm_insert_contexts(struct fm_buf *out, size_t at, const framemap_frame *frame, framemap_str prefix,
                        framemap_str eol);

#endif
