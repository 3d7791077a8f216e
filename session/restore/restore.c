/* The main job: every frame of every trace to its source. */
#include "api/option_structs.h"
#include "core/error.h"
#include "session/restore/restore_job.h"

static const char not_read[] = "symbols for frames of this kind are not read yet";

/* --- one frame --- */

void fm_restore_give(framemap_frame *frame, const framemap_frame *answer)
{
    frame->status = answer->status;
    frame->reason = answer->reason;
    frame->restored = answer->restored;
    frame->function_size = answer->function_size;
    frame->alternatives = answer->alternatives;
    frame->alternative_count = answer->alternative_count;
    frame->aliases = answer->aliases;
    frame->alias_count = answer->alias_count;
    frame->over_limit = answer->over_limit;
    if (!frame->has_function_offset && answer->has_function_offset) {
        frame->has_function_offset = true;
        frame->function_offset = answer->function_offset;
    }
}

static framemap_status look_up(struct fm_restore_job *job, framemap_trace *trace, size_t number, framemap_error *error)
{
    framemap_frame *frame = &trace->frames[number];
    if (frame->kind == FRAMEMAP_KIND_JAVA) return fm_restore_java_frame(job, trace, number, error);
    if (frame->kind == FRAMEMAP_KIND_JS) return fm_restore_script_frame(job, frame, error);
    if (frame->status != FRAMEMAP_FRAME_RAW) return FRAMEMAP_OK;
    if (frame->kind == FRAMEMAP_KIND_DART) return fm_restore_dart_frame(job, trace, frame, error);
    if (frame->kind == FRAMEMAP_KIND_OTHER || (frame->function.size && frame->file.size && frame->line)) {
        frame->status = FRAMEMAP_FRAME_NOT_NEEDED;
        return FRAMEMAP_OK;
    }
    if (frame->kind == FRAMEMAP_KIND_NATIVE) return fm_restore_native_frame(job, trace, frame, error);
    frame->status = FRAMEMAP_FRAME_MISSING_SYMBOLS;
    frame->reason = not_read;
    return FRAMEMAP_OK;
}

static void count(framemap_restore_summary *summary, const framemap_frame *frame)
{
    if (frame->status == FRAMEMAP_FRAME_NOT_NEEDED || frame->status == FRAMEMAP_FRAME_RAW) return;
    summary->frames++;
    if (frame->status == FRAMEMAP_FRAME_OK || frame->status == FRAMEMAP_FRAME_SYMBOL)
        summary->restored++;
    else
        summary->unmapped++;
    if (frame->status == FRAMEMAP_FRAME_MALFORMED && summary->malformed++ == 0) {
        summary->first_malformed = frame->raw_offset;
        summary->malformed_reason = frame->reason;
    }
}

static framemap_status restore_trace(struct fm_restore_job *job, framemap_trace *trace, size_t number,
                                     framemap_error *error)
{
    framemap_status status = fm_restore_dart_trace(job, trace, error);
    if (status == FRAMEMAP_OK) status = fm_restore_script_trace(job, trace, error);
    fm_restore_java_trace(job, trace, number);
    for (size_t f = 0; f < trace->frame_count && status == FRAMEMAP_OK; f++) {
        status = look_up(job, trace, f, error);
        if (status == FRAMEMAP_OK) count(&job->summary, &trace->frames[f]);
    }
    if (status == FRAMEMAP_OK) status = fm_restore_script_trace_end(job, trace, error);
    return status == FRAMEMAP_OK ? fm_restore_java_trace_end(job, trace, error) : status;
}

/* --- a whole call --- */

static void job_begin(struct fm_restore_job *job, framemap_session *session, struct fm_arena *arena,
                      const framemap_restore_options *options)
{
    *job = (struct fm_restore_job){.session = session,
                                   .heap = arena->heap,
                                   .arena = arena,
                                   .demangle = options->demangle,
                                   .context = options->context};
    fm_arena_init(&job->scratch, job->heap);
    fm_restore_native_begin(job);
}

static framemap_status tell_missing(struct fm_restore_job *job, framemap_error *error)
{
    fm_mutex_lock(&job->session->lock);
    bool ok = fm_restore_native_missing(job) && fm_restore_dart_missing(job) && fm_restore_java_missing(job) &&
              fm_restore_script_missing(job);
    fm_mutex_unlock(&job->session->lock);
    return ok ? FRAMEMAP_OK : fm_error_memory(error);
}

static void job_end(struct fm_restore_job *job)
{
    fm_restore_script_end(job);
    fm_restore_java_end(job);
    fm_restore_dart_end(job);
    fm_restore_native_end(job);
    fm_arena_free(&job->scratch);
}

/* Frames whose images had to wait until others were let go of. */
static framemap_status restore_waiting(struct fm_restore_job *job, framemap_trace *trace, framemap_error *error)
{
    framemap_status status = FRAMEMAP_OK;
    for (size_t f = 0; f < trace->frame_count && status == FRAMEMAP_OK; f++) {
        framemap_frame *frame = &trace->frames[f];
        if (frame->kind != FRAMEMAP_KIND_NATIVE || frame->status != FRAMEMAP_FRAME_RAW) continue;
        status = fm_restore_native_frame(job, trace, frame, error);
        if (status == FRAMEMAP_OK) count(&job->summary, frame);
    }
    return status;
}

static framemap_status restore_all(struct fm_restore_job *job, framemap_trace_list *list, framemap_error *error)
{
    framemap_status status = fm_restore_java_begin(job, list, error);
    for (size_t t = 0; t < list->count && status == FRAMEMAP_OK; t++)
        status = restore_trace(job, &list->traces[t], t, error);
    while (status == FRAMEMAP_OK && fm_restore_native_again(job))
        for (size_t t = 0; t < list->count && status == FRAMEMAP_OK; t++)
            status = restore_waiting(job, &list->traces[t], error);
    return status;
}

/* A file that is too big even alone was warned of by name. */
static void warn_of_crowd(framemap_session *session)
{
    framemap_error warning = {0};
    fm_error_set(&warning, FRAMEMAP_E_MEMORY,
                 "over-memory: symbols that one text wants do not fit beside each other below --max-memory "
                 "(max_memory): raise it");
    fm_session_warn(session, &warning);
}

framemap_status fm_restore_list(framemap_session *session, framemap_trace_list *list,
                                const framemap_restore_options *options, bool may_redo,
                                framemap_restore_summary *summary, struct fm_redo *redo, framemap_error *error)
{
    struct fm_restore_job job = {.summary = {0}};
    struct fm_trace_owner *owner = list->owner;
    framemap_status status = FRAMEMAP_OK;
    const uint64_t before = atomic_load(&session->crowded);
    *redo = (struct fm_redo){.changed = false};
    if (list->count) {
        job_begin(&job, session, &owner->arena, options);
        status = restore_all(&job, list, error);
        redo->crowded = atomic_load(&session->crowded) - before > job.waited;
        redo->changed = status == FRAMEMAP_OK && fm_index_cache_retire_changed(&session->cache) > 0;
        if (status == FRAMEMAP_OK && !redo->changed && !(redo->crowded && may_redo)) status = tell_missing(&job, error);
        if (redo->crowded && !may_redo) warn_of_crowd(session);
        job_end(&job);
    }
    job.summary.traces = list->count;
    if (summary && status == FRAMEMAP_OK) *summary = job.summary;
    return status;
}

framemap_status framemap_session_restore_traces(framemap_session *session, framemap_trace_list *list,
                                                framemap_demangle demangle, framemap_restore_summary *summary,
                                                framemap_error *error)
{
    const framemap_restore_options options = {.size = sizeof options, .demangle = demangle};
    if (session == NULL || list == NULL || (list->count && list->owner == NULL))
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a pointer is missing");
    struct fm_redo redo;
    framemap_status status = fm_demangle_check(demangle, error);
    if (status == FRAMEMAP_OK) status = fm_restore_list(session, list, &options, false, summary, &redo, error);
    if (status == FRAMEMAP_OK && redo.changed)
        status = fm_error_set(error, FRAMEMAP_E_IO,
                              "an index was changed while it was read: parse the text again and restore that");
    if (list->owner && status == FRAMEMAP_E_MEMORY)
        fm_heap_fault(&((struct fm_trace_owner *)list->owner)->heap, status, error);
    return fm_session_memory_fault(session, status, error);
}
