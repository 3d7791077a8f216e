/* Finds the functions of a JavaScript text: where each starts and ends, and what its name is made of. It scans tokens,
 * brackets and the few forms in which JavaScript binds functions to names, and does not check the syntax. Any text is
 * accepted; code that it does not understand yields fewer names. Time and memory are linear in the text, and nesting
 * uses no call stack. Called by the source map mapper. */
#ifndef FM_MAPPERS_JAVASCRIPT_FUNCTIONS_JS_FUNCTIONS_H
#define FM_MAPPERS_JAVASCRIPT_FUNCTIONS_JS_FUNCTIONS_H

#include "mappers/javascript/functions/js_function_list.h"

/* Finds the functions of a text, which must stay valid as long as the list. A byte order mark at the start of the text
 * has no column. Errors: LIMIT (4 GB of text, FM_LIMIT_SCRIPT_DEPTH), MEMORY. Free the list in any case. */
framemap_status fm_js_functions_read(framemap_str text, struct fm_heap *heap, struct fm_js_functions *out,
                                     framemap_error *error);

#endif
