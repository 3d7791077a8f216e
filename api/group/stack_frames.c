/* Implements stack_frames.h: lists the frames of a stack from the innermost one outwards. A restored frame is replaced
 * by its source frames; markers, hidden frames and compiler-generated frames are left out. */
#include "api/group/stack_frames.h"
#include "formats/output/trace_words.h"

static bool add(struct fm_stack_frames *frames, const framemap_trace *trace, const framemap_frame *frame,
                const framemap_frame *source, const framemap_rules *rules)
{
    if (source->artificial || frames->count == FM_STACK_FRAMES_MOST) return true;
    if (!FM_GROW(frames->heap, frames->rows, frames->capacity, frames->count + 1)) return false;
    const bool in_app = rules == NULL || fm_app_rules_in_app(&rules->app, trace, frame, source);
    frames->any_in_app = frames->any_in_app || in_app;
    frames->rows[frames->count++] = (struct fm_stack_frame){frame, source, in_app};
    return true;
}

bool fm_stack_frames_of(struct fm_stack_frames *frames, const framemap_trace *trace, const framemap_rules *rules)
{
    frames->count = 0;
    frames->any_in_app = false;
    for (size_t i = 0; i < trace->frame_count; i++) {
        const size_t at = trace->outermost_first ? trace->frame_count - 1 - i : i;
        const framemap_frame *frame = &trace->frames[at];
        if (frame->kind == FRAMEMAP_KIND_MARKER || fm_frame_is_hidden(frame)) continue;
        for (size_t j = 0; j < frame->restored.count; j++)
            if (!add(frames, trace, frame, &frame->restored.frames[j], rules)) return false;
        if (frame->restored.count == 0 && !add(frames, trace, frame, frame, rules)) return false;
    }
    return true;
}

void fm_stack_frames_free(struct fm_stack_frames *frames)
{
    fm_heap_free(frames->heap, frames->rows, frames->capacity * sizeof *frames->rows);
}
