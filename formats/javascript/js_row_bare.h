/* Frame lines without "at" or '@'. */
#ifndef FM_FORMATS_JAVASCRIPT_JS_ROW_BARE_H
#define FM_FORMATS_JAVASCRIPT_JS_ROW_BARE_H

#include "formats/javascript/js_row_parts.h"

/* The ways that are rows only below a line that announces them, or below others of their kind. */
bool fm_js_row_bare(framemap_str body, struct fm_js_row *out);
bool fm_js_row_console(framemap_str body, struct fm_js_row *out);
/* The two lines of a red box, from the first byte of one to the last of the other. */
bool fm_js_row_box(framemap_str lines, struct fm_js_row *out);
bool fm_js_row_in(framemap_str body, struct fm_js_row *out);

#endif
