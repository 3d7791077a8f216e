/* Prints restored frames of Java stacks as R8's retrace does. The print_frame slot of java_trace.c. */
#ifndef FM_FORMATS_JAVA_JAVA_PRINT_H
#define FM_FORMATS_JAVA_JAVA_PRINT_H

#include "core/text/buffer.h"
#include "formats/format.h"

/* See print_frame in format.h. Candidates after the first are printed after "<OR> ". If there are too many, or the
 * frame has no line number, prints the outermost frame of the first candidate and the number of candidates. */
void fm_java_print(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol);

#endif
