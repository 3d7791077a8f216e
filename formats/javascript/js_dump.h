/* The stack of scripts that V8 prints where it ends a process. Called by js_opera.c, whose parser reads it too. */
#ifndef FM_FORMATS_JAVASCRIPT_JS_DUMP_H
#define FM_FORMATS_JAVASCRIPT_JS_DUMP_H

#include "formats/format.h"

/* Parser state: zeroed at the start of a text. */
struct fm_js_dump_state {
    uint64_t number1; /* line of the title or the last row; 0: nothing is open */
    int64_t index;    /* number of the last row */
    bool has_trace;
};

enum fm_line_role fm_js_dump_offer(struct fm_js_dump_state *state, struct fm_document *doc, const struct fm_line *line);
/* Whether a line is the title of a stack. Depends on the line alone. */
bool fm_js_dump_is_significant(const struct fm_line *line);

#endif
