/* Implements restore_batch.h: restores the stacks that have ended, adds source lines, marks the app's own frames, and
 * prints the stacks with the text around them. If the memory ceiling is reached, half of the stacks are tried. If a
 * symbol file changed meanwhile, the stacks are restored again. */
#include "session/restore/restore_batch.h"
#include "core/error.h"
#include "core/text/text.h"
#include "formats/text_stream.h"
#include "session/catalog/text_scope.h"

/* The number of times that batches may be divided because their symbols did not fit into memory together. It is limited
 * because each part may have to compile the symbols again. */
#define CROWDED_MOST 64u

/* --- keeping parsed traces, to restore them again --- */

/* A frame before it was restored. For a frame without an address, only the few members that restoring changes are
 * stored; other frames are copied as a whole. */
struct before {
    framemap_frame_status status;
    framemap_why why;
    const char *reason;
    const framemap_frame *whole;
};

struct saved {
    struct before *rows; /* states of the frames of all traces, one after the other */
    framemap_frame *wholes;
    size_t count, whole_count;
};

/* Whether only the status and its reason have to be stored of a frame, because the parsers have set no other member of
 * the result. (In reports of framemap itself, parsers set further members.) */
static bool is_plain(const framemap_frame *frame)
{
    const bool has_result = frame->function_size || frame->restored.count || frame->alternative_count ||
                            frame->alias_count || frame->matched_by != FRAMEMAP_MATCH_NONE;
    if (frame->kind == FRAMEMAP_KIND_JAVA) return !has_result;
    return (frame->kind == FRAMEMAP_KIND_JS || frame->kind == FRAMEMAP_KIND_DART) && !frame->has_address &&
           !frame->has_function_offset && !has_result;
}

static void save_frame(struct saved *saved, const framemap_frame *frame)
{
    framemap_frame *whole = NULL;
    if (!is_plain(frame)) {
        whole = &saved->wholes[saved->whole_count++];
        *whole = *frame;
    }
    saved->rows[saved->count++] = (struct before){frame->status, frame->why, frame->reason, whole};
}

static void free_saved(struct fm_heap *heap, struct saved *saved)
{
    fm_heap_free(heap, saved->rows, saved->count * sizeof *saved->rows);
    fm_heap_free(heap, saved->wholes, saved->whole_count * sizeof *saved->wholes);
}

static void clear_images(const framemap_trace *trace)
{
    for (size_t i = 0; i < trace->image_count; i++) trace->images[i].symbols = FRAMEMAP_SYMBOLS_NOT_NEEDED;
}

/* Clears the results that traces of an earlier batch left in images that they share with these traces. */
static void clear_shared_images(const framemap_trace *traces, size_t count)
{
    for (size_t t = 0; t < count; t++)
        if (t == 0 || traces[t].images != traces[t - 1].images) clear_images(&traces[t]);
}

static bool save(struct fm_heap *heap, const framemap_trace *traces, size_t count, struct saved *saved)
{
    size_t frames = 0, wholes = 0;
    clear_shared_images(traces, count);
    for (size_t t = 0; t < count; t++) {
        frames += traces[t].frame_count;
        for (size_t f = 0; f < traces[t].frame_count; f++) wholes += !is_plain(&traces[t].frames[f]);
    }
    *saved = (struct saved){.count = 0};
    if (frames) saved->rows = fm_heap_resize(heap, NULL, 0, frames * sizeof *saved->rows);
    if (frames && saved->rows == NULL) return false;
    if (wholes) saved->wholes = fm_heap_resize(heap, NULL, 0, wholes * sizeof *saved->wholes);
    if (wholes && saved->wholes == NULL) {
        fm_heap_free(heap, saved->rows, frames * sizeof *saved->rows);
        return false;
    }
    for (size_t t = 0; t < count; t++)
        for (size_t f = 0; f < traces[t].frame_count; f++) save_frame(saved, &traces[t].frames[f]);
    return true;
}

static void put_frame_back(framemap_frame *frame, const struct before *before)
{
    if (before->whole) {
        *frame = *before->whole;
        return;
    }
    const framemap_frame none = {.status = before->status, .reason = before->reason};
    fm_restore_give(frame, &none);
    frame->why = before->why;
    frame->conflict = false;
    frame->matched_by = FRAMEMAP_MATCH_NONE;
    frame->context = frame->owner = (framemap_str){NULL, 0};
    frame->context_line = 0;
    frame->has_in_app = false;
}

static void put_back(framemap_trace *traces, size_t count, const struct saved *saved)
{
    const struct before *before = saved->rows;
    for (size_t t = 0; t < count; t++) {
        framemap_trace *trace = &traces[t];
        trace->fingerprint = (framemap_str){NULL, 0};
        for (size_t f = 0; f < trace->frame_count; f++) put_frame_back(&trace->frames[f], before++);
        for (size_t m = 0; m < trace->mention_count; m++) trace->mentions[m].restored = (framemap_str){NULL, 0};
        clear_images(trace);
    }
}

/* --- observing the memory ceiling --- */

size_t fm_batch_hold(const framemap_session *session, uint64_t wanted, size_t usual)
{
    uint64_t hold = wanted ? wanted : usual;
    if (session->has_ceiling && hold > session->ceiling.most / 512) hold = session->ceiling.most / 512;
    if (hold < FM_STREAM_HOLD_LEAST) hold = FM_STREAM_HOLD_LEAST;
    return hold < SIZE_MAX / 8 ? (size_t)hold : SIZE_MAX / 8;
}

uint64_t fm_batch_refused(const framemap_session *session)
{
    return session->has_ceiling ? atomic_load(&session->ceiling.refused) : 0;
}

bool fm_batch_was_over(const framemap_session *session, framemap_status status, uint64_t refused)
{
    return status == FRAMEMAP_E_MEMORY && session->has_ceiling && fm_batch_refused(session) != refused &&
           atomic_load(&session->ceiling.over);
}

/* Counts a part that is not restored because of the memory ceiling. */
static void note_passed(struct fm_batch_job *job, uint64_t bytes, uint64_t line1)
{
    if (job->passed_count++ == 0) job->passed_line1 = line1;
    job->passed_bytes += bytes;
}

bool fm_batch_survives(struct fm_batch_job *job, uint64_t refused_before, uint64_t bytes, uint64_t line1)
{
    if (!fm_batch_was_over(job->session, FRAMEMAP_E_MEMORY, refused_before)) return false;
    note_passed(job, bytes, line1);
    fm_index_cache_drop_idle(&job->session->cache);
    return true;
}

/* Reports all parts that were not restored in a single warning, because a long text may have thousands of them. */
static void warn_of_passed(const struct fm_batch_job *job)
{
    framemap_error warning = {0};
    if (job->passed_count == 0) return;
    fm_error_line(&warning, FRAMEMAP_E_MEMORY, job->passed_line1,
                  "over-memory: %llu bytes of text from this line on, in %zu parts, are not restored, or not all: "
                  "that needs more than --max-memory (max_memory)",
                  (unsigned long long)job->passed_bytes, job->passed_count);
    fm_session_warn(job->session, &warning);
}

/* --- restoring one part --- */

struct part {
    framemap_str text;
    uint64_t offset;
    framemap_trace *traces;
    size_t count;
};

void fm_restore_summary_add(framemap_restore_summary *sum, const framemap_restore_summary *part)
{
    if (sum->malformed == 0 && part->malformed > 0) {
        sum->first_malformed = part->first_malformed;
        sum->first_malformed_line = part->first_malformed_line;
        sum->malformed_reason = part->malformed_reason;
    }
    sum->traces += part->traces;
    sum->frames += part->frames;
    sum->restored += part->restored;
    sum->unmapped += part->unmapped;
    sum->malformed += part->malformed;
    sum->unplaced += part->unplaced;
}

/* Adds results that do not come from symbols: lines of source files, and results of the caller's rules. */
static bool complete(struct fm_batch_job *job, const struct part *part)
{
    return fm_source_lines_add(&job->lines, &job->answers, part->traces, part->count) &&
           fm_mark_traces(&job->marker, &job->answers, part->traces, part->count);
}

/* Restores the traces of a part. If a symbol file was changed meanwhile, the results may be wrong, so the part is
 * restored again without that file. */
static framemap_status restore_part(struct fm_batch_job *job, const struct part *part, bool may_redo,
                                    framemap_restore_summary *summary, bool *redo, framemap_error *error)
{
    struct fm_heap *heap = job->heap;
    struct fm_redo why = {.changed = false};
    struct saved saved;
    framemap_status status;
    if (job->as_printed) {
        summary->traces = part->count;
        return FRAMEMAP_OK;
    }
    if (!save(heap, part->traces, part->count, &saved)) return fm_error_memory(error);
    do {
        fm_arena_reset(&job->answers);
        status = fm_restore_traces(&job->restore, part->traces, part->count, may_redo, summary, &why, error);
        *redo = status == FRAMEMAP_OK && why.crowded && may_redo;
        if (status != FRAMEMAP_OK || why.changed || *redo) put_back(part->traces, part->count, &saved);
    } while (status == FRAMEMAP_OK && why.changed && !*redo);
    if (status == FRAMEMAP_OK && !*redo && !complete(job, part)) {
        status = fm_error_memory(error);
        put_back(part->traces, part->count, &saved);
    }
    free_saved(heap, &saved);
    return status;
}

static framemap_status print_part(struct fm_batch_job *job, const struct part *part, bool restored,
                                  framemap_error *error)
{
    const uint64_t refused = fm_batch_refused(job->session);
    fm_form_offsets_apply(&job->offsets, part->text, part->traces, restored ? part->count : 0);
    if (restored && part->count && job->visit) job->visit(job->visit_context, part->traces, part->count);
    const framemap_status status =
        fm_printer_batch(&job->printer, part->text, part->offset, part->traces, restored ? part->count : 0, error);
    if (!restored || !fm_batch_was_over(job->session, status, refused)) return status;
    note_passed(job, part->text.size, part->traces[0].line);
    return FRAMEMAP_OK;
}

/* Restores and writes a part. can_cut: the part can be divided. *again: set if nothing was written, and the part has to
 * be divided and restored again. */
static framemap_status do_part(struct fm_batch_job *job, const struct part *part, bool can_cut, bool *again,
                               framemap_error *error)
{
    framemap_restore_summary summary = {0};
    const uint64_t refused = fm_batch_refused(job->session);
    bool redo = false;
    framemap_status status = restore_part(job, part, can_cut && job->crowded < CROWDED_MOST, &summary, &redo, error);
    const bool over = fm_batch_was_over(job->session, status, refused);
    *again = redo || (can_cut && over);
    if (redo) job->crowded++;
    if (*again) return FRAMEMAP_OK;
    if (over) {
        fm_arena_reset(&job->answers);
        note_passed(job, part->text.size, part->traces[0].line);
        return print_part(job, part, false, error);
    }
    if (status != FRAMEMAP_OK) return status;
    fm_restore_summary_add(&job->summary, &summary);
    return print_part(job, part, true, error);
}

/* --- restoring a batch --- */

static uint64_t begin_of(const framemap_trace *trace)
{
    const bool mentions = trace->mention_count > 0 && trace->mentions[0].raw_offset < trace->offset;
    return mentions ? trace->mentions[0].raw_offset : trace->offset;
}

/* Chooses about `most` traces from the start of a batch. A line must begin between the last chosen trace and the next
 * one. *most: set to the number of chosen traces; 0: the batch cannot be divided there. Returns the offset where the
 * text of the chosen traces ends. */
static uint64_t end_of_part(const struct part *batch, size_t *most)
{
    uint64_t end = 0;
    for (size_t i = 0; i + 1 < batch->count; i++) {
        const framemap_trace *next = &batch->traces[i + 1];
        if (batch->traces[i].offset + batch->traces[i].size > end)
            end = batch->traces[i].offset + batch->traces[i].size;
        if (i + 1 < *most) continue;
        const uint64_t begin = begin_of(next);
        if (begin < batch->offset || begin < end) continue;
        /* Only a line end between the two traces can divide the batch, so earlier text is not searched. */
        const uint64_t from = end > batch->offset ? end - 1 : batch->offset;
        const framemap_str above =
            fm_str_slice(batch->text, (size_t)(from - batch->offset), (size_t)(begin - batch->offset));
        const size_t line_end = fm_str_find_last_byte(above, '\n');
        if (line_end == FM_NOT_FOUND) continue;
        *most = i + 1;
        return from + line_end + 1;
    }
    *most = batch->count;
    return batch->offset + batch->text.size;
}

framemap_status fm_batch_take(void *context, framemap_str text, uint64_t offset, framemap_trace *traces, size_t count,
                              framemap_error *error)
{
    struct fm_batch_job *job = context;
    struct part rest = {text, offset, traces, count};
    size_t most = count;
    if (count == 0) return print_part(job, &rest, false, error);
    framemap_status status = FRAMEMAP_OK;
    bool retried = false; /* a part that cannot be divided is tried once more, after the idle indexes were dropped */
    while (rest.count > 0 && status == FRAMEMAP_OK) {
        size_t taken = most;
        const uint64_t end = end_of_part(&rest, &taken);
        const struct part part = {fm_str_slice(rest.text, 0, (size_t)(end - rest.offset)), rest.offset, rest.traces,
                                  taken};
        size_t half = taken > 1 ? taken / 2 : 0;
        if (half) (void)end_of_part(&part, &half);
        bool again;
        const bool can_cut = half > 0 && half < taken;
        status = do_part(job, &part, job->session->has_ceiling && (can_cut || !retried), &again, error);
        if (again) {
            fm_index_cache_drop_idle(&job->session->cache);
            retried = !can_cut;
            if (can_cut) most = half;
            continue;
        }
        retried = false;
        rest = (struct part){fm_str_from(rest.text, part.text.size), end, rest.traces + taken, rest.count - taken};
    }
    fm_arena_reset(&job->answers);
    return status;
}

/* --- opening and closing a job --- */

static framemap_status take_scope(struct fm_batch_job *job, const framemap_scope *given, framemap_error *error)
{
    framemap_scope scope;
    const framemap_status status = fm_text_scope_read(given, false, &scope, error);
    if (status != FRAMEMAP_OK) return status;
    return fm_text_scope_copy(&job->scope, &scope, &job->restore.scope) ? FRAMEMAP_OK : fm_error_memory(error);
}

framemap_status fm_batch_rescope(struct fm_batch_job *job, const framemap_scope *given, framemap_error *error)
{
    fm_restore_job_close(&job->restore); /* the job is closed here so that it can be used again */
    job->restore.dart = NULL;
    job->restore.scope = NULL;
    fm_arena_reset(&job->scope);
    return take_scope(job, given, error);
}

framemap_status fm_batch_open(struct fm_batch_job *job, framemap_session *session, struct fm_heap *heap,
                              const framemap_restore_options *options, framemap_write write, void *context,
                              framemap_error *error)
{
    *job = (struct fm_batch_job){.session = session,
                                 .heap = heap,
                                 .as_printed = options->as_printed,
                                 .visit = options->visit,
                                 .visit_context = options->visit_context};
    fm_arena_init(&job->answers, heap);
    fm_arena_init(&job->scope, heap);
    fm_missing_init(&job->missing, heap);
    fm_marker_open(&job->marker, options->rules, heap);
    fm_source_lines_open(&job->lines, &session->sources, options->context, heap);
    fm_restore_job_open(&job->restore, session, &job->answers, options, &job->missing);
    framemap_status status = take_scope(job, options->scope, error);
    if (status != FRAMEMAP_OK) return status;
    status = fm_printer_open(&job->printer, options->output, heap, write, context, error);
    job->restore.no_symbols = status == FRAMEMAP_OK && options->visit == NULL && fm_printer_is_text(&job->printer);
    return status;
}

framemap_status fm_batch_begin(struct fm_batch_job *job, framemap_error *error)
{
    return fm_printer_begin(&job->printer, error);
}

struct missing_rows {
    struct fm_print_missing *rows;
    size_t count;
};

static void list_missing(void *context, const framemap_missing *row)
{
    struct missing_rows *list = context;
    list->rows[list->count++] = (struct fm_print_missing){.name = row->name,
                                                          .id = row->id,
                                                          .arch = row->arch,
                                                          .kind = row->kind,
                                                          .frames = row->frames,
                                                          .why = row->why,
                                                          .reason = row->reason};
}

framemap_status fm_batch_end(struct fm_batch_job *job, uint64_t bytes, uint64_t lines, framemap_error *error)
{
    const framemap_restore_summary *sum = &job->summary;
    const uint64_t refused = fm_batch_refused(job->session);
    struct fm_print_totals totals = {.bytes = bytes,
                                     .lines = lines,
                                     .traces = sum->traces,
                                     .frames = sum->frames,
                                     .restored = sum->restored,
                                     .truncated = job->passed_count > 0};
    struct fm_arena arena;
    fm_arena_init(&arena, job->heap);
    struct missing_rows missing = {FM_ARENA_ARRAY(&arena, struct fm_print_missing, job->missing.count + 1), 0};
    framemap_status status = FRAMEMAP_OK;
    if (missing.rows)
        fm_missing_each(&job->missing, list_missing, &missing);
    else if (fm_batch_was_over(job->session, FRAMEMAP_E_MEMORY, refused))
        totals.truncated = true; /* the text was written, but there is no memory for the list of missing symbols */
    else
        status = fm_error_memory(error);
    totals.missing = missing.rows;
    totals.missing_count = missing.count;
    if (status == FRAMEMAP_OK) status = fm_printer_close(&job->printer, &totals, error);
    fm_arena_free(&arena);
    return status;
}

void fm_batch_close(struct fm_batch_job *job)
{
    fm_printer_close(&job->printer, NULL, NULL);
    fm_restore_job_close(&job->restore);
    fm_missing_free(&job->missing);
    fm_marker_close(&job->marker);
    fm_source_lines_close(&job->lines);
    fm_arena_free(&job->answers);
    fm_arena_free(&job->scope);
    warn_of_passed(job);
}
