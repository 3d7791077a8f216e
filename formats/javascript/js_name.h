/* Names of JavaScript functions as an engine would print them for source that was not minified. Called by js_print.c.
 */
#ifndef FM_FORMATS_JAVASCRIPT_JS_NAME_H
#define FM_FORMATS_JAVASCRIPT_JS_NAME_H

#include "core/text/buffer.h"

/* Writes the name for a V8 frame that printed `printed` ("new t", "Object.t [as add]", absent) if the function in the
 * source is `known` ("Cart.add", not absent). Keeps what the frame says beyond the function: "new", the object's type
 * unless that is a renamed class, the property's name if it differs. */
void fm_js_put_name(struct fm_buf *out, framemap_str printed, framemap_str known);

#endif
