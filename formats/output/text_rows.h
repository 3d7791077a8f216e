/* Prints the rows that replace one frame in the output "text": escaped, no more than the limits allow, and with lines
 * of source. Called by output_text.c and text_within.c. The format of the frame (print_frame) determines what a row
 * looks like. */
#ifndef FM_FORMATS_OUTPUT_TEXT_ROWS_H
#define FM_FORMATS_OUTPUT_TEXT_ROWS_H

#include "formats/output/text_printer.h"

/* Prints the rows of a frame to the buffer. prefix: written before each row except the first. extent: the frame's
 * line, whose line end separates the rows. */
void fm_text_print_rows(struct fm_text_printer *p, const struct fm_format *format, const framemap_frame *frame,
                        framemap_str prefix, const struct fm_extent *extent);

#endif
