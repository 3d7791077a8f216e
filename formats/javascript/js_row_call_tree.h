/* Frame lines of the call trees of consoles, as they are copied: Chrome's "f @ main.js:12", and with a dash Safari's.
 * Called by js_devtools.c and js_row.c. */
#ifndef FM_FORMATS_JAVASCRIPT_JS_ROW_CALL_TREE_H
#define FM_FORMATS_JAVASCRIPT_JS_ROW_CALL_TREE_H

#include "formats/javascript/js_row_parts.h"

/* Parses "NAME @ FILE:1:2", "NAME @ FILE:1", and within a stack "NAME @ FILE". Takes linear time. */
bool fm_js_row_call_tree(framemap_str body, bool in_stack, struct fm_js_row *out);
/* Whether the line is a name alone, as Safari prints functions of the engine: "promiseReactionJob", "map". */
bool fm_js_is_engine_call(framemap_str body);
/* Whether the line names what called the frames above asynchronously: "Promise.then (async)", "await in f",
 * "setTimeout". */
bool fm_js_is_async_call(framemap_str body);

#endif
