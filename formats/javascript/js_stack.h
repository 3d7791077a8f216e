/* The open stack of a JavaScript parser: begins a trace, sets its error from the lines above, and adds frames.
 * Called by js_trace.c, which decides which lines are frames. */
#ifndef FM_FORMATS_JAVASCRIPT_JS_STACK_H
#define FM_FORMATS_JAVASCRIPT_JS_STACK_H

#include "formats/error_members.h"
#include "formats/javascript/js_row.h"
#include "formats/javascript/js_title.h"

/* maximum number of lines above the first frame that are searched: a message may have several lines */
#define FM_JS_ABOVE 8
/* Maximum number of pending lines. A pending line may be a frame, but becomes one only if a line below it is certainly
 * a frame. */
#define FM_JS_PENDING 4

/* Names of the formats. fm_document_open finds the open trace by the address of such a name. */
extern const char fm_js_v8_name[], fm_hermes_name[], fm_js_spidermonkey_name[], fm_js_jsc_name[], fm_js_other_name[];

struct fm_js_state {
    /* the search for rows above a stack ends at this offset, because the text before it belongs to an earlier stack */
    uint64_t floor;
    uint64_t string1; /* number of the last line with an escaped string of several lines; 0: there was no such line */
    uint64_t before_string; /* value of `floor` before the line with number `string1` */
    struct fm_line pending[FM_JS_PENDING];
    size_t pending_count;
    bool pending_box;   /* the pending line is the second of a frame in React Native's red box */
    uint64_t number1;   /* number of the last row, including pending ones */
    uint64_t short1;    /* number of the last line that announced rows without a path; 0: there was no such line */
    const char *format; /* format of the open stack: one of the names above */
    /* the line after a frame, if it may be a function's name alone; it becomes a frame if another frame follows */
    struct fm_line name;
    struct fm_js_nesting nesting;
    struct fm_error_members members; /* state of reading the error from members after the stack */
    bool open;                       /* a row directly below the last line continues the stack */
    bool bare;                       /* rows of the open stack have no "at" */
    bool box;                        /* the open stack is React Native's red box, in which a frame has two lines */
    /* columns in segments of a bundle ("seg-3.js") count from 0, because the stack is React Native's */
    bool counts_from_0;
};

/* Returns the nearest line above that is not blank, if it is at most `distance` lines away and not part of a stack;
 * absent otherwise. */
framemap_str fm_js_line_above(const struct fm_js_state *state, struct fm_document *doc, const struct fm_line *line,
                              uint64_t distance);
/* Returns the line directly above the first row of a stack, if it is a row of the stack too, which has no "at"
 * (fm_js_row_first); NULL otherwise. *above: the row on that line. */
const struct fm_line *fm_js_first_line(const struct fm_js_state *state, struct fm_document *doc,
                                       const struct fm_line *line, const struct fm_js_row *row,
                                       struct fm_js_row *above);
/* Returns the line directly above and this line as one slice of the text; absent if one of the two lines is a cleaned
 * copy. */
framemap_str fm_js_both_lines(const struct fm_js_state *state, struct fm_document *doc, const struct fm_line *line);
/* Returns the nearest line above that names an error; absent if no line does. */
framemap_str fm_js_find_error(const struct fm_js_state *state, struct fm_document *doc, const struct fm_line *line);

/* Begins a trace. line: the line of its first frame. */
void fm_js_stack_begin(struct fm_js_state *state, struct fm_document *doc, const struct fm_line *line,
                       const struct fm_js_row *row);
/* Adds a frame to the open trace. */
void fm_js_stack_add(struct fm_js_state *state, struct fm_document *doc, const struct fm_line *line,
                     const struct fm_js_row *row);

#endif
