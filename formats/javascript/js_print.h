/* Prints restored frames of JavaScript stacks in the syntax of the engine that printed them. The formats in js_trace.c
 * use it as print_frame. */
#ifndef FM_FORMATS_JAVASCRIPT_JS_PRINT_H
#define FM_FORMATS_JAVASCRIPT_JS_PRINT_H

#include "core/text/buffer.h"
#include "formats/format.h"

/* Prints a restored frame; see print_frame in format.h. If the symbols have no name for the function, the name in the
 * row is kept. */
void fm_js_print(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol);

#endif
