/* Lists those frames of a trace that decide into which group a stack belongs. Called by fingerprint.c and groups.c. */
#ifndef FM_API_GROUP_STACK_FRAMES_H
#define FM_API_GROUP_STACK_FRAMES_H

#include "api/group/rules.h"

#define FM_STACK_FRAMES_MOST ((size_t)16384) /* maximum number of frames of one trace, from the innermost on */

struct fm_stack_frame {
    const framemap_frame *frame, *source; /* source: a frame that `frame` was restored to, or `frame` itself */
    bool in_app;
};

struct fm_stack_frames {
    struct fm_heap *heap;
    struct fm_stack_frame *rows; /* the frames, innermost first */
    size_t count, capacity;
    bool any_in_app;
};

/* Lists the frames of a trace: one for each source frame, without markers, hidden frames and frames of functions that
 * the compiler made. rules NULL: all frames are taken as the app's own. Replaces the previous list. Returns false if
 * out of memory. */
bool fm_stack_frames_of(struct fm_stack_frames *frames, const framemap_trace *trace, const framemap_rules *rules);
void fm_stack_frames_free(struct fm_stack_frames *frames);

#endif
