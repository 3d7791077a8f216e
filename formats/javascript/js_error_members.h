/* The error of a stack that is a string of JSON without a title of its own, as Firefox and Safari have it: other
 * members of the same object name it.
 *
 *     {"name":"TypeError","message":"x is null","stack":"f@https://a.b/main.js:1:2\ng@…"}
 *
 * Called by js_stack.c. */
#ifndef FM_FORMATS_JAVASCRIPT_JS_ERROR_MEMBERS_H
#define FM_FORMATS_JAVASCRIPT_JS_ERROR_MEMBERS_H

#include "formats/format.h"

/* Gives the trace the error that the members next to the string name; leaves it as it is if there are none. line: the
 * first of the string. Looks at FM_JS_MEMBERS_MOST bytes before the string, and at as many after it on its line. */
#define FM_JS_MEMBERS_MOST 4096
void fm_js_error_members(struct fm_document *doc, const struct fm_line *line, framemap_trace *trace);

#endif
