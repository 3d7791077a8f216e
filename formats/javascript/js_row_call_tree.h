/* Frame lines of the call tree of Chrome's console, as they are copied: "f @ main.js:12". Called by js_devtools.c and
 * js_row.c. */
#ifndef FM_FORMATS_JAVASCRIPT_JS_ROW_CALL_TREE_H
#define FM_FORMATS_JAVASCRIPT_JS_ROW_CALL_TREE_H

#include "formats/javascript/js_row_parts.h"

/* Parses "NAME @ FILE:1:2", "NAME @ FILE:1", and within a stack "NAME @ FILE". Linear. */
bool fm_js_row_call_tree(framemap_str body, bool in_stack, struct fm_js_row *out);
/* Whether the line names what called the frames above asynchronously: "Promise.then (async)", "await in f",
 * "setTimeout". */
bool fm_js_is_async_call(framemap_str body);

#endif
