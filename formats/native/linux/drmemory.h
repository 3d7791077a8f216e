/* Reports of Dr. Memory. Called by valgrind.c, whose parser reads them too. */
#ifndef FM_FORMATS_NATIVE_LINUX_DRMEMORY_H
#define FM_FORMATS_NATIVE_LINUX_DRMEMORY_H

#include "formats/format.h"

/* Parser state: zeroed at the start of a text. */
struct fm_drmemory_state {
    framemap_str error;    /* the last error's title, until a stack takes it */
    framemap_str process;  /* the program that the report is of */
    uint64_t pid, number1; /* number of the last title or row; 0: nothing is open */
    uint64_t main;         /* number of the error's trace */
    framemap_role role;    /* of the next stack */
    bool has_pid, has_trace;
};

enum fm_line_role fm_drmemory_offer(struct fm_drmemory_state *state, struct fm_document *doc,
                                    const struct fm_line *line);
/* Whether a line is a title. Depends on the line alone. */
bool fm_drmemory_is_significant(const struct fm_line *line);

#endif
