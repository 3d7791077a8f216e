/* Finds the error above a stack, and determines which stacks belong to another one: Node and Deno print the cause of
 * an error, and the errors of an AggregateError, indented within that error:
 *
 *     Error: checkout failed
 *         at main (store.js:4:9) {
 *       [cause]: TypeError: Cannot read properties of undefined
 *           at total (store.js:1:8)
 *     }
 *
 * Called by the parsers of JavaScript. */
#ifndef FM_FORMATS_JAVASCRIPT_JS_TITLE_H
#define FM_FORMATS_JAVASCRIPT_JS_TITLE_H

#include "formats/error_heading.h"
#include "formats/format.h"

/* maximum number of lines above a stack that are searched: a message may have several lines */
#define FM_JS_TITLE_ABOVE 16
#define FM_JS_NESTED 8 /* maximum number of errors that may be nested in each other */

/* An error in which other errors may be nested, because its properties may follow its frames. */
struct fm_js_outer {
    uint64_t number; /* number of the trace that was made for the error */
    uint32_t indent; /* indent of the error's title */
    bool braced;     /* the error's last frame ends with " {", so its properties follow */
};
struct fm_js_nesting {
    struct fm_js_outer outer[FM_JS_NESTED]; /* the open errors: each is nested in the one before it */
    unsigned count;
    uint64_t number1; /* number of the last line of the innermost error */
};

/* Finds the nearest line above that names an error, and sets text, type and message of the trace's exception from that
 * line. walk: starts at the first frame of the trace. Takes linear time. */
void fm_js_title_find(struct fm_look_back *walk, struct fm_document *doc, const struct fm_line *line,
                      struct fm_js_nesting *nesting, framemap_trace *trace);
/* Sets the exception of a trace from an error that precedes the first frame on the same line. */
void fm_js_title_set(framemap_str error, struct fm_js_nesting *nesting, framemap_trace *trace);

/* Called after each frame of a trace. tail: the text after the frame's location, such as " {". */
void fm_js_nesting_frame(struct fm_js_nesting *nesting, const struct fm_line *line, framemap_str tail);
/* Called for each line that is not a frame: a line "}" ends an error. */
void fm_js_nesting_line(struct fm_js_nesting *nesting, const struct fm_line *line);

/* Splits "TypeError [CODE]: message" into type and message. A text without a type is a message. */
void fm_js_error_parts(framemap_str error, framemap_str *type, framemap_str *message);
/* Sets exception, type and message of a trace from the text of an error. */
void fm_js_error_set(framemap_trace *trace, framemap_str error);
/* How JavaScript writes errors, for error_members.h: finds an error in a message, and calls fm_js_error_set. */
extern const struct fm_error_rules fm_js_error_rules;

#endif
