/* Stacks that async-profiler prints as text. Called by pprof_traces.c, whose parser reads them too. */
#ifndef FM_FORMATS_SAMPLES_ASYNC_PROFILER_H
#define FM_FORMATS_SAMPLES_ASYNC_PROFILER_H

#include "formats/format.h"

/* Parser state: zeroed at the start of a text. */
struct fm_async_state {
    uint64_t number1; /* line number of the title or the last row; 0: nothing is open */
    uint64_t samples;
    int64_t index; /* of the last row; -1: none */
};

enum fm_line_role fm_async_offer(struct fm_async_state *state, struct fm_document *doc, const struct fm_line *line);
/* Whether a line is the title of a stack. Depends on the line alone. */
bool fm_async_is_significant(const struct fm_line *line);

#endif
