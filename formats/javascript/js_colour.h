/* Terminal colour escapes within a frame line. */
#ifndef FM_FORMATS_JAVASCRIPT_JS_COLOUR_H
#define FM_FORMATS_JAVASCRIPT_JS_COLOUR_H

#include "core/text/scan.h"

/* Whether a text has colours within. */
static inline bool fm_js_is_coloured(framemap_str text) { return fm_find(text.data, text.size, '\033') != NULL; }
/* Writes text without its colours, at most as many bytes, and returns how many. Linear. */
size_t fm_js_uncolour(framemap_str text, char *out);
/* Where byte `at` of the text without colours stands in the one with them. Linear. */
size_t fm_js_coloured_at(framemap_str text, size_t at);

#endif
