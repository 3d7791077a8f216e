/* Java frames that share their line with other frames or other text. Called by output_text.c, which itself prints
 * the frames that are alone on their line. */
#ifndef FM_FORMATS_OUTPUT_TEXT_WITHIN_H
#define FM_FORMATS_OUTPUT_TEXT_WITHIN_H

#include "formats/output/text_printer.h"

/* Whether a Java frame shares its line with other frames or text. This is false if no other frame is on the line, and
 * the frame is at the line's start or after a log prefix and a blank. */
bool fm_text_is_within(const struct fm_text_printer *p, const struct fm_extent *extent, const framemap_trace *trace,
                       size_t number);
/* Prints restored frames on the line of the original frame, with the separator that the line has between its frames. */
void fm_text_print_within(struct fm_text_printer *p, const struct fm_format *format, const struct fm_extent *extent,
                          const framemap_trace *trace, size_t number);
/* Omits a frame and the separator before it; for the first frame on its line, the separator after it. */
void fm_text_omit_within(struct fm_text_printer *p, const struct fm_extent *extent, const framemap_trace *trace,
                         size_t number);
/* Whether the text after a Java frame on its line has more than blanks and colour codes. */
bool fm_text_has_rest(const struct fm_text_printer *p, const struct fm_extent *extent, const framemap_frame *frame);

#endif
