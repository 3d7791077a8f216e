/* Names of JavaScript functions, as an engine would print them if the source had not been minified. */
#ifndef FM_FORMATS_JAVASCRIPT_JS_NAME_H
#define FM_FORMATS_JAVASCRIPT_JS_NAME_H

#include "core/text/buffer.h"

/* Writes the name for a row of V8 that printed `printed` ("new t", "Object.t [as add]", absent) where the source's
 * function is `known` ("Cart.add", not absent): what the row says beyond the function stays: "new", the object's type
 * where that is no renamed class, the property's name where it is another one. */
void fm_js_put_name(struct fm_buf *out, framemap_str printed, framemap_str known);

#endif
