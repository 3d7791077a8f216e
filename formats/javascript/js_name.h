/* Prints names of JavaScript functions as an engine would print them if the source had not been minified. Called by
 * js_print.c. */
#ifndef FM_FORMATS_JAVASCRIPT_JS_NAME_H
#define FM_FORMATS_JAVASCRIPT_JS_NAME_H

#include "core/text/buffer.h"

/* Writes the name for a row of V8. printed: the name in the row ("new t", "Object.t [as add]", or absent); known: the
 * function in the source ("Cart.add", not absent). Words of the row besides the function's name are kept: "new"; the
 * object's type, unless a minifier renamed it; the property's name, if it differs. */
void fm_js_put_name(struct fm_buf *out, framemap_str printed, framemap_str known);

#endif
