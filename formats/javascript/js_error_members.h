/* The error of a stack that is a string of JSON without a title of its own, as Firefox and Safari have it: other
 * members of the same object name it, or other attributes of the same list, as OpenTelemetry writes them.
 *
 *     {"name":"TypeError","message":"x is null","stack":"f@https://a.b/main.js:1:2\ng@…"}
 *     [{"key":"exception.type","value":{"stringValue":"TypeError"}},
 *      {"key":"exception.stacktrace","value":{"stringValue":"f@https://a.b/main.js:1:2\ng@…"}}]
 *
 * Members that follow may be on lines of their own. Called by js_stack.c and js_trace.c. */
#ifndef FM_FORMATS_JAVASCRIPT_JS_ERROR_MEMBERS_H
#define FM_FORMATS_JAVASCRIPT_JS_ERROR_MEMBERS_H

#include "formats/format.h"

/* How the members after a string are read, line by line. */
struct fm_js_members {
    unsigned lines_left;            /* number of lines that may still have members; 0: the object has ended, or no stack
                                       awaits members */
    uint64_t number1, text_number1; /* numbers of the last line that was read */
    uint64_t trace;                 /* number of the trace that gets the error */
    unsigned run;                   /* backslashes of the string's line ends */
    unsigned levels;                /* objects from a value up to the list of attributes; 0: members of one object */
    unsigned depth;                 /* brackets that are open within the object or list */
    unsigned message_name;          /* number of the name of the message that was found; the lowest is the best */
    unsigned key;                   /* number of the key of the current attribute; 0: it is not a name of an error */
    bool is_whole;                  /* the message names the type too */
};

/* Gives the trace the error that the members next to the string name; leaves it as it is if there are none. line: the
 * first of the string. Looks at FM_JS_MEMBERS_MOST bytes before the string, and at as many after it on its line. */
#define FM_JS_MEMBERS_MOST 4096
void fm_js_error_members(struct fm_js_members *members, struct fm_document *doc, const struct fm_line *line,
                         framemap_trace *trace);
/* Reads a line below the string. format: the trace's format. */
void fm_js_error_members_below(struct fm_js_members *members, struct fm_document *doc, const struct fm_line *line,
                               const char *format);

#endif
