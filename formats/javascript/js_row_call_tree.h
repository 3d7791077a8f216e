/* Parses rows of call trees as they are copied from consoles: Chrome's "f @ main.js:12", and Safari's, which have a
 * dash in place of '@'. Called by js_devtools.c and js_row.c. */
#ifndef FM_FORMATS_JAVASCRIPT_JS_ROW_CALL_TREE_H
#define FM_FORMATS_JAVASCRIPT_JS_ROW_CALL_TREE_H

#include "formats/javascript/js_row_parts.h"

/* Parses "NAME @ FILE:1:2" or "NAME @ FILE:1"; within a stack also "NAME @ FILE". Takes linear time. */
bool fm_js_row_call_tree(framemap_str body, bool in_stack, struct fm_js_row *out);
/* Whether the line consists of the name of a function of the engine, as Safari prints it: "promiseReactionJob",
 * "map". */
bool fm_js_is_engine_call(framemap_str body);
/* Whether the line names the asynchronous call that led to the frames above it: "Promise.then (async)", "await in
 * f", "setTimeout". */
bool fm_js_is_async_call(framemap_str body);

#endif
