/* Places from which on a function is the innermost one, collected to be handed on by rising place. */
#ifndef FM_SM_STRETCHES_H
#define FM_SM_STRETCHES_H

#include "mappers/javascript/sourcemap/sourcemap_job.h"

struct fm_sm_stretch {
    uint32_t line0, col0;
    uint32_t function; /* a string of the builder; FM_NONE: no function */
};
struct fm_sm_stretches {
    struct fm_heap *heap;
    struct fm_sm_stretch *list;
    size_t count, capacity;
    bool unordered;
};
/* Of two at one place the later counts. false: out of memory. */
bool fm_sm_stretches_add(struct fm_sm_stretches *stretches, struct fm_sm_stretch stretch);
/* Into the order of their places. false: out of memory. */
bool fm_sm_stretches_sort(struct fm_sm_stretches *stretches);
/* Hands all on as those of a source of the index, and forgets them. */
framemap_status fm_sm_stretches_of_source(struct fm_sm_stretches *stretches, struct fm_sm_job *job, uint32_t source,
                                          enum fm_function_origin origin);
void fm_sm_stretches_free(struct fm_sm_stretches *stretches);

#endif
