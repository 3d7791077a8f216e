/* Restores every frame of every trace in a list, in place. Calls the restorers of a table that has one row for each
 * family of stacks. Called by restore_text.c and by the public framemap_session_restore_traces. Code that is specific
 * to a family is in its restorer (restorer.h), not here. */
#include "api/option_structs.h"
#include "core/error.h"
#include "session/catalog/text_scope.h"
#include "session/restore/recall.h"
#include "session/restore/restorer.h"

/* The restorers. Missing symbols are listed in this order. */
static const struct fm_restorer *const restorers[] = {&fm_restorer_native, &fm_restorer_dart, &fm_restorer_java,
                                                      &fm_restorer_js};
enum { RESTORERS = sizeof restorers / sizeof *restorers };

static const char not_read[] = "symbols for frames of this kind are not supported";

/* --- restoring one trace --- */

/* Sets the status of a frame whose kind has no restorer. */
static framemap_status restore_other(framemap_frame *frame)
{
    if (frame->status != FRAMEMAP_FRAME_RAW) return FRAMEMAP_OK;
    if (frame->kind == FRAMEMAP_KIND_OTHER || (frame->function.size && frame->file.size && frame->line)) {
        frame->status = FRAMEMAP_FRAME_NOT_NEEDED;
        return FRAMEMAP_OK;
    }
    frame->status = FRAMEMAP_FRAME_MISSING_SYMBOLS;
    frame->reason = not_read;
    return FRAMEMAP_OK;
}

static framemap_status restore_frame(struct fm_restore_job *job, framemap_trace *trace, size_t number,
                                     framemap_error *error)
{
    framemap_frame *frame = &trace->frames[number];
    for (size_t r = 0; r < RESTORERS; r++)
        if (restorers[r]->kind == frame->kind) return restorers[r]->frame(job, trace, number, error);
    return restore_other(frame);
}

static framemap_status restore_trace(struct fm_restore_job *job, framemap_trace *trace, size_t number,
                                     framemap_error *error)
{
    framemap_status status = FRAMEMAP_OK;
    for (size_t r = 0; r < RESTORERS && status == FRAMEMAP_OK; r++)
        if (restorers[r]->trace_begin) status = restorers[r]->trace_begin(job, trace, number, error);
    for (size_t f = 0; f < trace->frame_count && status == FRAMEMAP_OK; f++) {
        status = restore_frame(job, trace, f, error);
        if (status == FRAMEMAP_OK) fm_restore_count(&job->summary, &trace->frames[f]);
    }
    for (size_t r = 0; r < RESTORERS && status == FRAMEMAP_OK; r++)
        if (restorers[r]->trace_end) status = restorers[r]->trace_end(job, trace, error);
    return status;
}

/* --- restoring one report --- */

/* Reverses the frames of traces that list the outermost frame first. Restorers must get the innermost frame first,
 * because the meaning of a frame can depend on the frames that it called. */
static void turn_frames(framemap_trace *traces, size_t count)
{
    for (size_t t = 0; t < count; t++) {
        if (!traces[t].outermost_first) continue;
        for (size_t low = 0, high = traces[t].frame_count; low + 1 < high; low++) {
            const framemap_frame frame = traces[t].frames[low];
            traces[t].frames[low] = traces[t].frames[--high];
            traces[t].frames[high] = frame;
        }
    }
}

static framemap_status restore_report(struct fm_restore_job *job, framemap_trace *traces, size_t count,
                                      framemap_error *error)
{
    framemap_status status = FRAMEMAP_OK;
    turn_frames(traces, count);
    if (job->remote) status = fm_restore_ask(job, traces, count, error);
    for (size_t r = 0; r < RESTORERS && status == FRAMEMAP_OK; r++)
        if (restorers[r]->report_begin) status = restorers[r]->report_begin(job, traces, count, error);
    for (size_t t = 0; t < count && status == FRAMEMAP_OK; t++) status = restore_trace(job, &traces[t], t, error);
    for (size_t r = 0; r < RESTORERS && status == FRAMEMAP_OK; r++)
        if (restorers[r]->report_end) status = restorers[r]->report_end(job, traces, count, error);
    if (status == FRAMEMAP_OK) fm_restore_settle(traces, count);
    turn_frames(traces, count);
    return status;
}

/* --- running a whole restore call --- */

void fm_restore_job_open(struct fm_restore_job *job, framemap_session *session, struct fm_arena *arena,
                         const framemap_restore_options *options, struct fm_missing_list *missing)
{
    *job = (struct fm_restore_job){.session = session,
                                   .begin = fm_index_cache_begin(&session->cache),
                                   .heap = arena->heap,
                                   .arena = arena,
                                   .demangle = options->demangle,
                                   .context = options->context,
                                   .missing = missing};
    fm_arena_init(&job->scratch, job->heap);
}

void fm_restore_job_close(struct fm_restore_job *job)
{
    for (size_t r = RESTORERS; r-- > 0;) restorers[r]->end(job);
    fm_recall_end(job);
    fm_remote_close(job->remote);
    fm_arena_free(&job->scratch);
}

/* Releases the results and indexes that the restorers keep for a batch. all: also releases memory that the next batch
 * would reuse. */
static void forget(struct fm_restore_job *job, bool all)
{
    for (size_t r = RESTORERS; r-- > 0;) {
        if (restorers[r]->forget && !all && job->remote == NULL)
            restorers[r]->forget(job);
        else
            restorers[r]->end(job);
    }
    fm_recall_forget(job);
    fm_remote_forget(job->remote);
    job->dart = NULL;
}

static framemap_status report_missing(struct fm_restore_job *job, framemap_error *error)
{
    bool ok = true;
    fm_mutex_lock(&job->session->lock);
    for (size_t r = 0; r < RESTORERS && ok; r++) ok = restorers[r]->missing(job);
    fm_mutex_unlock(&job->session->lock);
    return ok ? FRAMEMAP_OK : fm_error_memory(error);
}

/* Warns that several symbol files did not fit into memory together. A file that is too large by itself was already
 * reported by its name. */
static void warn_of_crowd(framemap_session *session)
{
    framemap_error warning = {0};
    fm_error_set(&warning, FRAMEMAP_E_MEMORY,
                 "over-memory: the symbols that one text needs do not fit into --max-memory together "
                 "(max_memory): raise it");
    fm_session_warn(session, &warning);
}

framemap_status fm_restore_traces(struct fm_restore_job *job, framemap_trace *traces, size_t count, bool may_redo,
                                  framemap_restore_summary *summary, struct fm_redo *redo, framemap_error *error)
{
    framemap_session *session = job->session;
    framemap_status status = FRAMEMAP_OK;
    const uint64_t before = atomic_load(&session->crowded);
    *redo = (struct fm_redo){.changed = false};
    job->summary = (framemap_restore_summary){.traces = count};
    job->waited = 0;
    job->changed = false;
    if (job->remote == NULL) status = fm_remote_open(session, job->heap, &job->remote, error);
    for (size_t r = 0; r < RESTORERS && status == FRAMEMAP_OK; r++)
        if (restorers[r]->begin) status = restorers[r]->begin(job, error);
    if (status == FRAMEMAP_OK) status = restore_report(job, traces, count, error);
    redo->crowded = atomic_load(&session->crowded) - before > job->waited;
    redo->changed =
        status == FRAMEMAP_OK && (fm_index_cache_retire_changed(&session->cache, job->begin) > 0 || job->changed);
    const bool again = redo->changed || (redo->crowded && may_redo);
    if (status == FRAMEMAP_OK && !again) status = report_missing(job, error);
    if (redo->crowded && !may_redo) warn_of_crowd(session);
    forget(job, status != FRAMEMAP_OK || again || session->has_ceiling);
    if (summary && status == FRAMEMAP_OK) *summary = job->summary;
    return status;
}

/* Restores traces once; sets *redo if they must be restored again. Errors: IO, MEMORY, ARGUMENT. */
static framemap_status restore_once(framemap_session *session, struct fm_arena *arena, framemap_trace *traces,
                                    size_t count, const framemap_restore_options *options,
                                    framemap_restore_summary *summary, struct fm_redo *redo, framemap_error *error)
{
    struct fm_restore_job job;
    framemap_scope scope;
    *redo = (struct fm_redo){.changed = false};
    if (summary) *summary = (framemap_restore_summary){.traces = 0};
    framemap_status status = fm_text_scope_read(options->scope, false, &scope, error);
    if (status != FRAMEMAP_OK || count == 0) return status;
    fm_restore_job_open(&job, session, arena, options, NULL);
    status = fm_text_scope_copy(arena, &scope, &job.scope) ? FRAMEMAP_OK : fm_error_memory(error);
    if (status == FRAMEMAP_OK) status = fm_restore_traces(&job, traces, count, false, summary, redo, error);
    fm_restore_job_close(&job);
    return status;
}

framemap_status fm_restore_all(framemap_session *session, struct fm_arena *arena, framemap_trace *traces, size_t count,
                               const framemap_restore_options *options, framemap_restore_summary *summary,
                               framemap_error *error)
{
    struct fm_redo redo;
    framemap_status status = fm_demangle_check(options->demangle, error);
    if (status == FRAMEMAP_OK) status = restore_once(session, arena, traces, count, options, summary, &redo, error);
    if (status == FRAMEMAP_OK && redo.changed)
        status = fm_error_set(error, FRAMEMAP_E_IO,
                              "an index was changed while it was read: parse the text again and restore that");
    if (status == FRAMEMAP_E_MEMORY) fm_heap_fault(arena->heap, status, error);
    return fm_session_memory_fault(session, status, error);
}

framemap_status framemap_session_restore_traces(framemap_session *session, framemap_trace_list *list,
                                                framemap_demangle demangle, framemap_restore_summary *summary,
                                                framemap_error *error)
{
    const framemap_restore_options options = {.size = sizeof options, .demangle = demangle};
    if (session == NULL || list == NULL || (list->count && list->owner == NULL))
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a required argument is NULL");
    struct fm_trace_owner *owner = list->owner;
    return fm_restore_all(session, owner ? &owner->arena : NULL, list->traces, list->count, &options, summary, error);
}
