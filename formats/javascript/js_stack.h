/* The open stack of a JavaScript parser: begins a trace, with the error above it, and adds frames to it. Called by
 * js_trace.c, which decides which lines are frames. */
#ifndef FM_FORMATS_JAVASCRIPT_JS_STACK_H
#define FM_FORMATS_JAVASCRIPT_JS_STACK_H

#include "formats/javascript/js_error_members.h"
#include "formats/javascript/js_row.h"
#include "formats/javascript/js_title.h"

#define FM_JS_ABOVE 8   /* most lines above the first frame that are searched: messages may have several */
#define FM_JS_PENDING 4 /* most lines that begin a stack only if a line follows that is a frame line by itself */

/* Names of the formats. The document finds the open trace by them. */
extern const char fm_js_v8_name[], fm_hermes_name[], fm_js_spidermonkey_name[], fm_js_jsc_name[], fm_js_other_name[];

struct fm_js_state {
    uint64_t floor;   /* offset after the last line of a stack; the search above the next one stops at this offset */
    uint64_t string1; /* number of the last line with an escaped string of several lines; 0: none */
    uint64_t before_string; /* value of `floor` before line `string1` */
    struct fm_line pending[FM_JS_PENDING];
    size_t pending_count;
    uint64_t number1;    /* number of the last frame line, pending ones included */
    uint64_t short1;     /* number of the last line that announced rows without a path; 0: none */
    const char *format;  /* format of the open stack: one of the names above */
    struct fm_line name; /* a line after a frame that may be a name alone, if a frame follows */
    struct fm_js_nesting nesting;
    struct fm_js_members members; /* members of the error that follow the stack */
    bool open;                    /* a frame line directly below the last line continues the stack */
    bool bare;                    /* the open stack's frame lines have no "at" */
    bool box;                     /* each frame of the open stack has two lines */
    bool counts_from_0;           /* the columns of modules' files count from 0: React Native's exceptions */
};

/* Returns the line above, blank lines aside, if it is at most `distance` lines away and not part of a stack; absent if
 * there is none. */
framemap_str fm_js_line_above(const struct fm_js_state *state, struct fm_document *doc, const struct fm_line *line,
                              uint64_t distance);
/* Returns the line directly above with this one, as one slice of the text; absent if one of them is a cleaned copy. */
framemap_str fm_js_both_lines(const struct fm_js_state *state, struct fm_document *doc, const struct fm_line *line);
/* Returns the nearest line above that names an error; absent if there is none. */
framemap_str fm_js_find_error(const struct fm_js_state *state, struct fm_document *doc, const struct fm_line *line);

/* Begins a trace with the first frame's line. */
void fm_js_stack_begin(struct fm_js_state *state, struct fm_document *doc, const struct fm_line *line,
                       const struct fm_js_row *row);
/* Adds a frame to the open trace. */
void fm_js_stack_add(struct fm_js_state *state, struct fm_document *doc, const struct fm_line *line,
                     const struct fm_js_row *row);

#endif
