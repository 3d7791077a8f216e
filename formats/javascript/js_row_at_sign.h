/* Parses rows of SpiderMonkey and JavaScriptCore, NAME@FILE:1:2. */
#ifndef FM_FORMATS_JAVASCRIPT_JS_ROW_AT_SIGN_H
#define FM_FORMATS_JAVASCRIPT_JS_ROW_AT_SIGN_H

#include "formats/javascript/js_row_parts.h"

/* Parses a row of SpiderMonkey or JavaScriptCore; the parameters are those of fm_js_row_at. in_stack: rows with only
 * a location, or with '@' but no location, are accepted too. */
bool fm_js_row_sign(framemap_str body, bool in_stack, struct fm_js_row *out);

#endif
