/* Stacks of managed code as the debugger extension SOS prints them. Called by windbg.c, whose parser reads them too. */
#ifndef FM_FORMATS_NATIVE_MINIDUMP_SOS_H
#define FM_FORMATS_NATIVE_MINIDUMP_SOS_H

#include "formats/format.h"

/* Parser state: zeroed at the start of a text. */
struct fm_sos_state {
    uint64_t number1; /* line of the title or the last row; 0: nothing is open */
    bool has_trace;
};

enum fm_line_role fm_sos_offer(struct fm_sos_state *state, struct fm_document *doc, const struct fm_line *line);
/* Whether a line is a title. Depends on the line alone; checks its first byte first. */
bool fm_sos_is_significant(const struct fm_line *line);

#endif
