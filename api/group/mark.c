/* Implements mark.h: sets for each frame of restored stacks whether it is the app's own code, and who owns its file.
 * Then computes the fingerprint of each stack with its causes. */
#include "api/group/mark.h"
#include "api/group/owner_path.h"
#include "api/trace_owner.h"
#include "core/error.h"

void fm_marker_open(struct fm_marker *marker, const framemap_rules *rules, struct fm_heap *heap)
{
    marker->rules = rules;
    fm_fingerprint_init(&marker->work, heap);
    fm_buf_init(&marker->words, heap);
}

void fm_marker_close(struct fm_marker *marker)
{
    fm_fingerprint_free(&marker->work);
    fm_buf_free(&marker->words);
}

static bool mark_source(struct fm_marker *marker, const framemap_trace *trace, const framemap_frame *frame,
                        framemap_frame *source)
{
    source->has_in_app = true;
    source->in_app = framemap_rules_in_app(marker->rules, trace, frame, source);
    source->owner = framemap_rules_owner(marker->rules, fm_source_path(&marker->words, frame->kind, source));
    return !marker->words.failed;
}

static bool mark_frame(struct fm_marker *marker, struct fm_arena *arena, const framemap_trace *trace,
                       framemap_frame *frame)
{
    const size_t count = frame->restored.count;
    if (frame->kind == FRAMEMAP_KIND_MARKER) return true;
    if (!mark_source(marker, trace, frame, frame)) return false;
    if (count == 0) return true;
    framemap_frame *sources = FM_ARENA_ARRAY(arena, framemap_frame, count);
    if (sources == NULL) return false;
    for (size_t i = 0; i < count; i++) {
        sources[i] = frame->restored.frames[i];
        if (!mark_source(marker, trace, frame, &sources[i])) return false;
    }
    frame->restored.frames = sources;
    return true;
}

static bool mark_stack(struct fm_marker *marker, struct fm_arena *arena, framemap_trace *traces, size_t count)
{
    char text[FRAMEMAP_FINGERPRINT_SIZE];
    const framemap_fingerprint_options options = {.size = sizeof options, .rules = marker->rules};
    if (traces[0].role != FRAMEMAP_ROLE_NONE) return true;
    return fm_fingerprint_of(&marker->work, traces, count, &options, text) &&
           fm_arena_str(arena, fm_str(text, sizeof text - 1), &traces[0].fingerprint);
}

bool fm_mark_traces(struct fm_marker *marker, struct fm_arena *arena, framemap_trace *traces, size_t count)
{
    if (marker->rules == NULL) return true;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < traces[i].frame_count; j++)
            if (!mark_frame(marker, arena, &traces[i], &traces[i].frames[j])) return false;
    for (size_t i = 0; i < count; i++)
        if (!mark_stack(marker, arena, &traces[i], count - i)) return false;
    return true;
}

framemap_status framemap_trace_list_mark(framemap_trace_list *list, const framemap_rules *rules, framemap_error *error)
{
    if (list == NULL || rules == NULL || (list->owner == NULL && list->count))
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a required argument is NULL");
    if (list->count == 0) return FRAMEMAP_OK;
    struct fm_trace_owner *owner = list->owner;
    struct fm_marker marker;
    fm_marker_open(&marker, rules, &owner->heap);
    const bool marked = fm_mark_traces(&marker, &owner->arena, list->traces, list->count);
    fm_marker_close(&marker);
    return marked ? FRAMEMAP_OK : fm_error_memory(error);
}
