/* Restored rows of JavaScript stacks, in the look of the engine that printed them. */
#ifndef FM_FORMATS_JAVASCRIPT_JS_PRINT_H
#define FM_FORMATS_JAVASCRIPT_JS_PRINT_H

#include "core/text/buffer.h"
#include "formats/format.h"

/* As fm_format.print_frame. A name that the source does not have stays as printed. */
void fm_js_print(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol);

#endif
