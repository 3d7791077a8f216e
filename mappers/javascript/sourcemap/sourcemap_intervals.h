/* Places from which on a function is the innermost one, collected to be handed on by rising place. */
#ifndef FM_MAPPERS_JAVASCRIPT_SOURCEMAP_SOURCEMAP_INTERVALS_H
#define FM_MAPPERS_JAVASCRIPT_SOURCEMAP_SOURCEMAP_INTERVALS_H

#include "mappers/javascript/sourcemap/sourcemap_job.h"

struct fm_sourcemap_interval {
    uint32_t line0, col0;
    uint32_t function; /* a string of the builder; FM_NONE: no function */
};
struct fm_sourcemap_intervals {
    struct fm_heap *heap;
    struct fm_sourcemap_interval *list;
    size_t count, capacity;
    bool unordered;
};
/* Of two at one place the later counts. false: out of memory. */
bool fm_sourcemap_intervals_add(struct fm_sourcemap_intervals *intervals, struct fm_sourcemap_interval interval);
/* Into the order of their places. false: out of memory. */
bool fm_sourcemap_intervals_sort(struct fm_sourcemap_intervals *intervals);
/* Hands all on as those of a source of the index, and forgets them. */
framemap_status fm_sourcemap_intervals_write(struct fm_sourcemap_intervals *intervals, struct fm_sourcemap_job *job,
                                             uint32_t source, enum fm_function_origin origin);
void fm_sourcemap_intervals_free(struct fm_sourcemap_intervals *intervals);

#endif
