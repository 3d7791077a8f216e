/* The data of a group besides its count: an example stack, the times of its stacks, and the builds that they are from.
 * Called by groups.c. */
#ifndef FM_API_GROUP_EXAMPLE_H
#define FM_API_GROUP_EXAMPLE_H

#include "api/group/stack_frames.h"
#include "core/text/buffer.h"

struct fm_example_job {
    struct fm_heap *heap;
    const framemap_rules *rules;
    struct fm_stack_frames *frames; /* frames of the stack */
    struct fm_buf *words;
    bool failed; /* set when out of memory: a string of the example is then absent */
};

/* Fills in the example of a new group. */
void fm_example_make(struct fm_example_job *job, framemap_group *group, framemap_str file, const framemap_trace *trace);
/* Notes the time and the builds of a further stack. */
void fm_example_note(struct fm_example_job *job, framemap_group *group, const framemap_trace *trace);
/* Frees the strings of an example. */
void fm_example_free(struct fm_heap *heap, framemap_group *group);

#endif
