/* Java frames that share their line with other frames or other text. Called by output_text.c, which prints frames that
 * have a line for themselves. */
#ifndef FM_FORMATS_OUTPUT_TEXT_WITHIN_H
#define FM_FORMATS_OUTPUT_TEXT_WITHIN_H

#include "formats/output/text_printer.h"

/* Whether a frame of Java is such a frame. One that begins at the start of its line, or after a blank and a log prefix,
 * has the line for itself, unless another frame is on it. */
bool fm_text_is_within(const struct fm_text_printer *p, const struct fm_extent *extent, const framemap_trace *trace,
                       size_t number);
/* Prints its restored frames on the line, separated as frames are there. */
void fm_text_print_within(struct fm_text_printer *p, const struct fm_format *format, const struct fm_extent *extent,
                          const framemap_trace *trace, size_t number);
/* Omits the frame and the separator before it, or after it if it is the first. */
void fm_text_omit_within(struct fm_text_printer *p, const struct fm_extent *extent, const framemap_trace *trace,
                         size_t number);
/* Whether more than blanks and closing colours follow a frame of Java on its line. */
bool fm_text_has_rest(const struct fm_text_printer *p, const struct fm_extent *extent, const framemap_frame *frame);

#endif
