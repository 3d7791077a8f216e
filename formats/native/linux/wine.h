/* Backtraces of Wine's debugger. Called by execinfo.c, whose parser reads them too. */
#ifndef FM_FORMATS_NATIVE_LINUX_WINE_H
#define FM_FORMATS_NATIVE_LINUX_WINE_H

#include "formats/format.h"

/* Parser state: zeroed at the start of a text. */
struct fm_wine_state {
    framemap_str exception, thread, process; /* read above a stack, until the stack begins */
    uint64_t exception1, thread1;            /* numbers of their lines */
    uint64_t number1;                        /* line number of the last row; 0: none */
};

enum fm_line_role fm_wine_offer(struct fm_wine_state *state, struct fm_document *doc, const struct fm_line *line);
/* Whether a line is the first row of a stack, or states the exception, process or thread of one. Depends on the line
 * alone; checks its first byte first. */
bool fm_wine_is_significant(const struct fm_line *line);

#endif
