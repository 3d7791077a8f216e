/* Prints restored frames of Java stacks as R8's retrace does, and frames of any format as a stack of Java. The slots of
 * java_trace.c that print. */
#ifndef FM_FORMATS_JAVA_JAVA_PRINT_H
#define FM_FORMATS_JAVA_JAVA_PRINT_H

#include "core/text/buffer.h"
#include "formats/format.h"

/* See print_frame in format.h. Candidates after the first are printed after "<OR> ". If there are too many, or the
 * frame has no line number, prints the outermost frame of the first candidate and the number of candidates. */
void fm_java_print(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol);

/* The slots put_row, put_head and put_tail of fm_format, which write frames of any format as a stack of Java. The head
 * is that of Thread.dumpStack, which prints a stack without an exception; the tail is "... 12 more". */
void fm_java_put_row(struct fm_buf *out, const struct fm_row_out *row);
void fm_java_put_head(struct fm_buf *out, const framemap_trace *trace);
void fm_java_put_tail(struct fm_buf *out, const framemap_trace *trace);

#endif
