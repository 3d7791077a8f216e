/* Prints restored frames of Java stacks as R8's retrace does, and prints frames of any format as a Java stack.
 * java_trace.c refers to these functions in its struct fm_format. */
#ifndef FM_FORMATS_JAVA_JAVA_PRINT_H
#define FM_FORMATS_JAVA_JAVA_PRINT_H

#include "core/text/buffer.h"
#include "formats/row_writer.h"

/* Prints a restored frame; see print_frame in format.h. If there are several candidates for the original frame,
 * those after the first are printed with "<OR> ". If there are too many, or the row has no line number, only the
 * outermost frame of the first candidate and the number of candidates are printed. */
void fm_java_print(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol);

/* Implement put_row, put_head and put_tail of struct fm_output: they write a stack of any format as a Java stack. A
 * stack without an exception begins with the line that Thread.dumpStack prints; put_tail writes "... 12 more". */
void fm_java_put_row(struct fm_buf *out, const struct fm_row_out *row);
void fm_java_put_head(struct fm_buf *out, const framemap_trace *trace);
void fm_java_put_tail(struct fm_buf *out, const framemap_trace *trace);

#endif
