/* Frame lines of SpiderMonkey and JavaScriptCore: NAME@PLACE. */
#ifndef FM_FORMATS_JAVASCRIPT_JS_ROW_AT_SIGN_H
#define FM_FORMATS_JAVASCRIPT_JS_ROW_AT_SIGN_H

#include "formats/javascript/js_row_parts.h"

/* Parses a frame line of SpiderMonkey or JavaScriptCore; arguments as in fm_js_row_at. in_stack: a location without
 * '@', or an '@' without a location, is accepted too. */
bool fm_js_row_sign(framemap_str body, bool in_stack, struct fm_js_row *out);

#endif
