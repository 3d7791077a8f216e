/* A list of positions in a source, each with the function that is innermost from there on. Entries are collected in any
 * order and written to the builder sorted by position. */
#ifndef FM_MAPPERS_JAVASCRIPT_SOURCEMAP_SOURCEMAP_INTERVALS_H
#define FM_MAPPERS_JAVASCRIPT_SOURCEMAP_SOURCEMAP_INTERVALS_H

#include "mappers/javascript/sourcemap/sourcemap_job.h"

struct fm_sourcemap_interval {
    uint32_t line0, col0;
    uint32_t function; /* number of a string in the builder; FM_NONE: the position is outside of any function */
};
struct fm_sourcemap_intervals {
    struct fm_heap *heap;
    struct fm_sourcemap_interval *list;
    size_t count, capacity;
    bool unordered;
};
/* Adds an entry. If two entries are at one position, the later one counts. false: out of memory. */
bool fm_sourcemap_intervals_add(struct fm_sourcemap_intervals *intervals, struct fm_sourcemap_interval interval);
/* Writes all entries for one source of the index, and empties the list. Errors: the builder's; MEMORY. */
framemap_status fm_sourcemap_intervals_write(struct fm_sourcemap_intervals *intervals, struct fm_sourcemap_job *job,
                                             uint32_t source, enum fm_function_origin origin);
void fm_sourcemap_intervals_free(struct fm_sourcemap_intervals *intervals);

#endif
