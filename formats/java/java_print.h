/* Restored rows of Java stacks, as R8's retrace prints them. */
#ifndef FM_FORMATS_JAVA_JAVA_PRINT_H
#define FM_FORMATS_JAVA_JAVA_PRINT_H

#include "core/text/buffer.h"
#include "formats/format.h"

/* As fm_format.print_frame. Several candidates: "<OR> " before those after the first; where they would be many, or the
 * row has no line, the outermost of the first with their number behind it. */
void fm_java_print(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol);

#endif
