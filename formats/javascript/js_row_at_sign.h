/* Frame lines of SpiderMonkey and JavaScriptCore: NAME@PLACE. */
#ifndef FM_FORMATS_JAVASCRIPT_JS_ROW_AT_SIGN_H
#define FM_FORMATS_JAVASCRIPT_JS_ROW_AT_SIGN_H

#include "formats/javascript/js_row_parts.h"

/* in_stack: a row stands right above, so that all rows are sure, and a place without '@', or a '@' without a place, is
 * one too. */
bool fm_js_row_sign(framemap_str body, bool in_stack, struct fm_js_row *out);

#endif
