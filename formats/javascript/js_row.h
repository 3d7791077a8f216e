/* One frame line of a JavaScript stack, in any of the syntaxes that js_row_parts.h lists. Called by the parsers of
 * js_trace.c and, to print a frame in its own syntax, by js_print.c. */
#ifndef FM_FORMATS_JAVASCRIPT_JS_ROW_H
#define FM_FORMATS_JAVASCRIPT_JS_ROW_H

#include "formats/javascript/js_colour.h"
#include "formats/javascript/js_row_at_sign.h"
#include "formats/javascript/js_row_bare.h"

/* body: a line's body, or a frame's raw, without colours. Linear. false: no row, *out is of no use. */
bool fm_js_row_at(framemap_str body, bool in_stack, struct fm_js_row *out);
/* Any of them, told by its first bytes, as a row of a stack. */
bool fm_js_row_any(framemap_str body, struct fm_js_row *out);
/* The row that a frame was read from: the same name and file. text: its raw without colours. */
bool fm_js_row_of(const framemap_frame *frame, framemap_str text, struct fm_js_row *out);

#endif
