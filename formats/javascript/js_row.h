/* One frame line of a JavaScript stack, in any of the syntaxes that js_row_parts.h lists. Called by the parsers of
 * js_trace.c and, to print a frame in its own syntax, by js_print.c. */
#ifndef FM_FORMATS_JAVASCRIPT_JS_ROW_H
#define FM_FORMATS_JAVASCRIPT_JS_ROW_H

#include "formats/javascript/js_colour.h"
#include "formats/javascript/js_row_at_sign.h"
#include "formats/javascript/js_row_bare.h"
#include "formats/javascript/js_row_call_tree.h"

/* Parses "at NAME (PLACE)". body: body of a line, or raw text of a frame, without colours. in_stack: the line above is
 * a frame line, so every match is a frame line. Takes linear time. Returns false, with *out undefined, if it is not a
 * frame line. */
bool fm_js_row_at(framemap_str body, bool in_stack, struct fm_js_row *out);
/* Parses a frame line within a stack, in any syntax. */
bool fm_js_row_any(framemap_str body, struct fm_js_row *out);
/* Parses the frame line that a frame was made from: tries the syntaxes, and takes the one that gives the same name and
 * file. text: its raw text without colours. */
bool fm_js_row_of(const framemap_frame *frame, framemap_str text, struct fm_js_row *out);

#endif
