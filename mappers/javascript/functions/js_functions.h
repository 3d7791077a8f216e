/* The functions of a script, read off its text: where each begins and ends and what its names are made of. A scanner of
 * tokens, brackets and the few forms in which JavaScript binds functions to names; no engine, no syntax check. Any text
 * is taken: of what it does not understand it tells less. Time and memory are linear in the text, nesting costs no
 * stack. */
#ifndef FM_MAPPERS_JAVASCRIPT_FUNCTIONS_JS_FUNCTIONS_H
#define FM_MAPPERS_JAVASCRIPT_FUNCTIONS_JS_FUNCTIONS_H

#include "mappers/javascript/functions/js_function_list.h"

/* text: borrowed as long as the script. A byte order mark at its begin has no column. Errors: LIMIT (4 GB of text,
 * FM_LIMIT_SCRIPT_DEPTH), MEMORY. Free it in any case. */
framemap_status fm_js_functions_read(framemap_str text, struct fm_heap *heap, struct fm_js_functions *out,
                                     framemap_error *error);

#endif
