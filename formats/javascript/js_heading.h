/* Parses the lines above and between the rows of a JavaScript stack: the error, and lines that do not end the stack.
 * Called by js_trace.c. */
#ifndef FM_FORMATS_JAVASCRIPT_JS_HEADING_H
#define FM_FORMATS_JAVASCRIPT_JS_HEADING_H

#include "core/text/scan.h"
#include "formats/error_heading.h"
#include "formats/format.h"

/* Finds an error with its message in a line: "TypeError: x" in "Uncaught TypeError: x" or "  [cause]: TypeError: x".
 * near: the line is directly above the stack, so any name with a message is accepted. Takes linear time. Returns
 * false if there is no error. */
bool fm_js_head(framemap_str body, bool near, framemap_str *error);
/* Whether a line that is not a row belongs to the stack: "... skipping 12 frames", a component of React ("in View",
 * "at div"), a source line ("> 12 | throw x"). */
bool fm_js_is_gap(framemap_str body);
/* Whether a line announces rows without a path, as React Native prints them. */
bool fm_js_announces(framemap_str body);
/* Returns the text of a line before ", stack:" or ", js engine: hermes, stack:" at its end, which is the end of a
 * message of React Native. Absent if the line does not end so. */
framemap_str fm_js_before_stack(framemap_str body);
/* Whether a line announces rows with neither "at" nor '@': "Call Stack", "[Error] TypeError: x" of Safari's console. */
bool fm_js_announces_bare(framemap_str body);

/* Whether a line belongs between the message and the stack: NativeScript prints 'File: "file:///app/a.js, line: 1,
 * column: 2' and "StackTrace:", Firefox' console "  Stack:", HarmonyOS "Error code:", "SourceCode:" and "Cannot get
 * SourceMap info, dump raw stack:", Expo's console "Code: Cart.tsx", above lines of source. */
bool fm_js_is_detail(framemap_str body);

/* Whether a line is the mark that Deno and test runners print below a line of source: "          ^". */
bool fm_js_is_caret(framemap_str body);

#endif
