/* Java frames that share their line with other frames or other text. Called by output_text.c, which prints frames that
 * have a line for themselves. */
#ifndef FM_FORMATS_OUTPUT_TEXT_WITHIN_H
#define FM_FORMATS_OUTPUT_TEXT_WITHIN_H

#include "formats/output/text_printer.h"

/* Whether a Java frame shares its line. A frame does not if it begins at the start of the line, or after a blank and a
 * log prefix, and no other frame is on the line. */
bool fm_text_is_within(const struct fm_text_printer *p, const struct fm_extent *extent, const framemap_trace *trace,
                       size_t number);
/* Prints the restored frames on the line, with the separator that the line has between frames. */
void fm_text_print_within(struct fm_text_printer *p, const struct fm_format *format, const struct fm_extent *extent,
                          const framemap_trace *trace, size_t number);
/* Omits the frame and the separator before it, or after it if it is the first. */
void fm_text_omit_within(struct fm_text_printer *p, const struct fm_extent *extent, const framemap_trace *trace,
                         size_t number);
/* Whether more than blanks and closing colours follow a frame of Java on its line. */
bool fm_text_has_rest(const struct fm_text_printer *p, const struct fm_extent *extent, const framemap_frame *frame);

#endif
