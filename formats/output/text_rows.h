/* The rows that output "text" prints in place of one frame: escaped, within limits, with lines of source. Called by
 * output_text.c and text_within.c. How a row looks is known by the format of the frame (print_frame). */
#ifndef FM_FORMATS_OUTPUT_TEXT_ROWS_H
#define FM_FORMATS_OUTPUT_TEXT_ROWS_H

#include "formats/output/text_printer.h"

/* Gathers the rows. prefix: precedes each row but the first. extent: extent of the line, whose eol separates rows. */
void fm_text_print_rows(struct fm_text_printer *p, const struct fm_format *format, const framemap_frame *frame,
                        framemap_str prefix, const struct fm_extent *extent);

#endif
