/* Parses rows without "at" or '@'. They are recognized only after a line that announces them, or after other such
 * rows. */
#ifndef FM_FORMATS_JAVASCRIPT_JS_ROW_BARE_H
#define FM_FORMATS_JAVASCRIPT_JS_ROW_BARE_H

#include "formats/javascript/js_row_parts.h"

/* Parse "NAME (PLACE)" or "1: NAME (PLACE)", and fm_js_row_console "NAME URL:1:2". Take linear time. Return false, with
 * *out unchanged, if the text is not such a row. */
bool fm_js_row_bare(framemap_str body, struct fm_js_row *out);
bool fm_js_row_console(framemap_str body, struct fm_js_row *out);
/* Parses "f(file:///app/main.js:1:2)", the first row of a stack of NativeScript. It has no "at"; the rows below it
 * have. The closing parenthesis may be missing, as in those (js_row.c). */
bool fm_js_row_first(framemap_str body, struct fm_js_row *out);
/* Parses the two lines of a frame in React Native's red box. lines: from the first byte of one line to the last byte
 * of the other. */
bool fm_js_row_box(framemap_str lines, struct fm_js_row *out);
/* Whether a line may be the second line of a frame in React Native's red box: "    FILE:1:2". */
bool fm_js_is_box_place(framemap_str body);
bool fm_js_row_in(framemap_str body, struct fm_js_row *out);
/* Parses "❯ NAME FILE:1:2" and "❯ FILE:1:2" of Vitest. */
bool fm_js_row_pointer(framemap_str body, struct fm_js_row *out);
/* Parses "Frame: function:'NAME', file:'FILE', line: 1, column: 2". */
bool fm_js_row_fields(framemap_str body, struct fm_js_row *out);

#endif
