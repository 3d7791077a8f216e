/* Parses one row of a JavaScript stack, in any of the syntaxes that js_row_parts.h lists. Called by the parsers of
 * js_trace.c, and by js_print.c, which prints a frame in the syntax of its row. */
#ifndef FM_FORMATS_JAVASCRIPT_JS_ROW_H
#define FM_FORMATS_JAVASCRIPT_JS_ROW_H

#include "formats/javascript/js_colour.h"
#include "formats/javascript/js_row_at_sign.h"
#include "formats/javascript/js_row_bare.h"
#include "formats/javascript/js_row_call_tree.h"

/* Parses "at NAME (PLACE)". body: body of a line, or raw text of a frame, without colours. in_stack: the line above is
 * a row; every text of this form is then accepted. Takes linear time. Returns false, with *out undefined, if the text
 * is not a row. */
bool fm_js_row_at(framemap_str body, bool in_stack, struct fm_js_row *out);
/* Parses a row within a stack, in any syntax. */
bool fm_js_row_any(framemap_str body, struct fm_js_row *out);
/* Parses the row that a frame was made from. The syntax is the one with which the row has the frame's name and file.
 * text: the raw text of the frame without colours. */
bool fm_js_row_of(const framemap_frame *frame, framemap_str text, struct fm_js_row *out);

#endif
