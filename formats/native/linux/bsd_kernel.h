/* Stacks of the kernels of FreeBSD, NetBSD and OpenBSD. Called by kernel.c, whose parser reads them too. */
#ifndef FM_FORMATS_NATIVE_LINUX_BSD_KERNEL_H
#define FM_FORMATS_NATIVE_LINUX_BSD_KERNEL_H

#include "formats/format.h"

/* Parser state: zeroed at the start of a text. */
struct fm_bsd_state {
    uint64_t number1; /* line of the title or the last row; 0: nothing is open */
    bool titled;      /* the title was "KDB: stack backtrace:": rows with a number follow */
    bool fresh;       /* a title was read since the last row */
};

enum fm_line_role fm_bsd_offer(struct fm_bsd_state *state, struct fm_document *doc, const struct fm_line *line);
/* Whether a line is a row wherever it is, or a title. Depends on the line alone. */
bool fm_bsd_is_significant(const struct fm_line *line);

#endif
