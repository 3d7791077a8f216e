/* Prints restored frames of JavaScript stacks in the syntax of the engine that printed them. The print_frame slot of
 * js_trace.c. */
#ifndef FM_FORMATS_JAVASCRIPT_JS_PRINT_H
#define FM_FORMATS_JAVASCRIPT_JS_PRINT_H

#include "core/text/buffer.h"
#include "formats/format.h"

/* See print_frame in format.h. A name that the source does not have is kept as printed. */
void fm_js_print(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol);

#endif
