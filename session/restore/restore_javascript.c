/* Restores JavaScript frames; defines the row `fm_restorer_js` of restore.c's table. restore_javascript_files.c chooses
 * the map for each file, restore_javascript_names.c determines the names of functions. */
#include "session/restore/restore_javascript_job.h"

#include "core/error.h"
#include "core/text/text.h"
#include "index/format/value_page.h"
#include "resolve/javascript/js_position.h"
#include "resolve/resolve.h"
#include "session/restore/js_recall.h"

static const char no_column[] = "the frame has no column, and a line of generated text contains code of many sources";
/* a name in `taken` of this many bytes or more is forgotten when the job is opened again */
#define JS_TAKEN_MOST 4096

static const char index_damaged[] = "the index of this source map is damaged";

/* --- looking up positions, each once --- */

static bool asked_equal(const void *context, uint32_t number, const void *key)
{
    const struct fm_js_job *script = context;
    const struct fm_js_answer *a = &script->asked[number], *b = key;
    return a->map == b->map && a->line0 == b->line0 && a->col0 == b->col0;
}

static framemap_status add_context(struct fm_restore_job *job, const framemap_index *index, framemap_frame *answer,
                                   framemap_error *error)
{
    const framemap_frame_list *chain = &answer->restored;
    uint32_t number;
    uint64_t text = 0;
    framemap_status status =
        job->context && chain->count ? fm_js_open_sources(job, index, &number, error) : FRAMEMAP_OK;
    for (size_t i = 0; i < chain->count && job->context && status == FRAMEMAP_OK; i++) {
        /* The frame is in the job's own arena, so it may be changed. */
        framemap_frame *frame = (framemap_frame *)(uintptr_t)&chain->frames[i];
        if (!fm_source_texts_context(&job->js->sources[number].texts, frame, job->context))
            status = fm_error_memory(error);
        fm_source_context_fits(frame, &text, answer);
    }
    return status;
}

/* Sets the index that has the answer for a position. The head of a map in a store shows whether the map has any
 * segments on the position's page. *reason: why there is no index. */
static framemap_status choose_view(struct fm_restore_job *job, const struct fm_held_index *map,
                                   struct fm_js_answer *question, const char **reason, framemap_error *error)
{
    const uint64_t page = fm_page_of_segment(question->line0, question->col0);
    framemap_status status = FRAMEMAP_OK;
    *reason = NULL;
    question->view = NULL;
    if (map->remote) status = fm_remote_page(job->remote, map->remote, page, &question->view, reason, error);
    if (question->view == NULL) question->view = map->index->view;
    return status;
}

static framemap_status ask_index(struct fm_restore_job *job, const struct fm_js_printed_file *file,
                                 struct fm_js_answer *question, framemap_error *error)
{
    framemap_query query = FRAMEMAP_QUERY_INIT;
    framemap_frame answer;
    const char *reason;
    query.scope_number = question->line0;
    query.position = question->col0;
    fm_arena_reset(&job->scratch);
    framemap_status status = choose_view(job, &file->held, question, &reason, error);
    if (status == FRAMEMAP_OK && reason == NULL)
        status = fm_resolve(question->view, &query, &job->scratch, &answer, error);
    else
        answer = (framemap_frame){.status = FRAMEMAP_FRAME_MISSING_SYMBOLS, .reason = reason};
    if (status == FRAMEMAP_OK) status = add_context(job, file->held.index, &answer, error);
    const bool is_damaged = status == FRAMEMAP_E_CORRUPT;
    if (is_damaged) {
        answer = (framemap_frame){.status = FRAMEMAP_FRAME_NO_MATCH, .reason = index_damaged};
        status = FRAMEMAP_OK;
    }
    if (status != FRAMEMAP_OK) return status; /* no answer is stored after an error */
    if (!fm_restore_keep(job, &answer)) return fm_error_memory(error);
    question->status = answer.status;
    question->reason = answer.reason;
    question->restored = answer.restored;
    question->over_limit = answer.over_limit;
    if (!is_damaged) fm_js_remember(job, file, question);
    return FRAMEMAP_OK;
}

/* Sets the answer: from the cache if the map's index file is closed, otherwise from the index. If *found is false, the
 * index could not be opened after all; file->held.reason states why. */
static framemap_status resolve_js(struct fm_restore_job *job, struct fm_js_printed_file *file,
                                  struct fm_js_answer *question, bool *found, framemap_error *error)
{
    framemap_status status = FRAMEMAP_OK;
    *found = true;
    if (file->held.closed) {
        if (fm_js_recall(job, file, question)) return FRAMEMAP_OK;
        status = fm_js_open_closed(job, file, error);
    }
    *found = file->held.index != NULL;
    return status == FRAMEMAP_OK && *found ? ask_index(job, file, question, error) : status;
}

/* Resolves a position, unless it was resolved before. *out: index of the answer in `asked`; FM_JS_NO_ANSWER: the index
 * could not be opened after all. */
static framemap_status resolve_js_once(struct fm_restore_job *job, struct fm_js_printed_file *file,
                                       struct fm_js_answer *question, uint32_t *out, framemap_error *error)
{
    struct fm_js_job *script = job->js;
    bool is_found;
    const uint64_t key[2] = {(uint64_t)(uintptr_t)question->map, (uint64_t)question->line0 << 32 | question->col0};
    const uint64_t hash = fm_hash_text(fm_str((const char *)key, sizeof key), fm_hash_key(script));
    *out = fm_table_find(&script->asked_table, hash, asked_equal, script, question);
    if (*out != UINT32_MAX) return FRAMEMAP_OK;
    framemap_status status = resolve_js(job, file, question, &is_found, error);
    if (status != FRAMEMAP_OK || !is_found) return status;
    if (!FM_GROW(job->heap, script->asked, script->asked_capacity, script->asked_count + 1))
        return fm_error_memory(error);
    *out = (uint32_t)script->asked_count;
    script->asked[script->asked_count++] = *question;
    return fm_table_add(&script->asked_table, hash, *out) ? FRAMEMAP_OK : fm_error_memory(error);
}

/* --- frames --- */

static framemap_status not_found(framemap_frame *frame, framemap_frame_status status, const char *reason)
{
    frame->status = status;
    frame->reason = reason;
    return FRAMEMAP_OK;
}

/* Looks up a frame in the map of its file. *place: index of its position in `asked`; FM_JS_NO_ANSWER if the lookup was
 * not possible. */
static framemap_status look_up_js(struct fm_restore_job *job, framemap_frame *frame, struct fm_js_printed_file *file,
                                  uint32_t *place, framemap_error *error)
{
    const struct fm_printed_place printed = fm_js_place_of_frame(frame);
    struct fm_generated_place generated;
    const framemap_index *index = file->held.index;
    frame->matched_by = file->matched_by;
    /* Only maps without parts are closed, so a closed map has no parts. */
    const char *reason = fm_js_map_position(index ? index->view : NULL, &printed, &generated);
    if (reason) return not_found(frame, FRAMEMAP_FRAME_NO_MATCH, reason);
    struct fm_js_answer question = {
        .map = index ? (const void *)index : file->held.closed, .line0 = generated.line0, .col0 = generated.col0};
    framemap_status status = resolve_js_once(job, file, &question, place, error);
    if (status != FRAMEMAP_OK || *place == FM_JS_NO_ANSWER) return status;
    const struct fm_js_answer *asked = &job->js->asked[*place];
    frame->status = asked->status;
    frame->reason = asked->reason;
    frame->restored = asked->restored;
    frame->over_limit = asked->over_limit;
    return FRAMEMAP_OK;
}

/* Returns the reason why a file has no map. It includes the name of a map of another build that was refused. The text
 * is made once for each file. */
static framemap_status missing_reason(struct fm_restore_job *job, struct fm_js_printed_file *file, const char **out,
                                      framemap_error *error)
{
    const bool refused = file->held.other && file->held.reason == file->found.reason;
    *out = file->held.reason;
    if (!refused) return FRAMEMAP_OK;
    if (file->refused == NULL && !fm_restore_keep_reason(job, &file->held, file->want.id, &file->refused))
        return fm_error_memory(error);
    *out = file->refused;
    return FRAMEMAP_OK;
}

/* Looks up a frame whose file has no map. For a WebAssembly file, the session may have the module itself. */
static framemap_status look_up_without_map(struct fm_restore_job *job, framemap_frame *frame,
                                           struct fm_js_printed_file *file, framemap_error *error)
{
    bool settled = false;
    framemap_status status = FRAMEMAP_OK;
    if (frame->has_address && fm_js_is_wasm(&file->want)) status = fm_wasm_frame(job, frame, file, &settled, error);
    if (status != FRAMEMAP_OK || settled) return status;
    status = missing_reason(job, file, &frame->reason, error);
    if (file->no_module) frame->reason = file->no_module;
    frame->status = FRAMEMAP_FRAME_MISSING_SYMBOLS;
    if (file->frames++ == 0) file->missing = frame->reason;
    return status;
}

/* Looks up a WebAssembly frame at whose position the map has no segment, for example in code that the compiler
 * generated. The session may have the module, and the module may have the function's name. */
static framemap_status ask_the_module(struct fm_restore_job *job, framemap_frame *frame,
                                      struct fm_js_printed_file *file, uint32_t *place, framemap_error *error)
{
    bool settled = false;
    framemap_frame answer = *frame;
    if (frame->status != FRAMEMAP_FRAME_NO_MATCH || !frame->has_address || !fm_js_is_wasm(&file->want))
        return FRAMEMAP_OK;
    const framemap_status status = fm_wasm_frame(job, &answer, file, &settled, error);
    if (status != FRAMEMAP_OK || !settled || answer.restored.count == 0) return status;
    *frame = answer;
    *place = FM_JS_NO_ANSWER;
    return FRAMEMAP_OK;
}

static framemap_status js_frame(struct fm_restore_job *job, framemap_trace *trace, size_t number, framemap_error *error)
{
    framemap_frame *frame = &trace->frames[number];
    struct fm_js_job *script = job->js;
    uint32_t place = FM_JS_NO_ANSWER;
    if (frame->status != FRAMEMAP_FRAME_RAW) return FRAMEMAP_OK;
    if (!fm_js_is_looked_up(frame)) return not_found(frame, FRAMEMAP_FRAME_NO_MATCH, no_column);
    struct fm_js_printed_file *file = &script->files[script->file_of[script->frame_at++]];
    framemap_status status = FRAMEMAP_OK;
    fm_js_note_map(script, file->held.index);
    if (file->is_source) {
        not_found(frame, FRAMEMAP_FRAME_NOT_NEEDED, NULL);
    } else {
        if (fm_js_has_map(&file->held)) status = look_up_js(job, frame, file, &place, error);
        if (status == FRAMEMAP_OK)
            status = fm_js_has_map(&file->held) ? ask_the_module(job, frame, file, &place, error)
                                                : look_up_without_map(job, frame, file, error);
        /* MISSING_SYMBOLS means here that a store has the map, but does not have the value that the frame needs. */
        if (status == FRAMEMAP_OK && fm_js_has_map(&file->held) && frame->status == FRAMEMAP_FRAME_MISSING_SYMBOLS &&
            file->frames++ == 0)
            file->missing = frame->reason;
    }
    return status == FRAMEMAP_OK ? fm_js_name_above(job, frame, place, error) : status;
}

/* --- running a whole restore call --- */

static framemap_status open_job(struct fm_restore_job *job, framemap_error *error)
{
    struct fm_js_job *script = fm_heap_zalloc(job->heap, 1, sizeof *script);
    if (script == NULL) return fm_error_memory(error);
    job->js = script;
    fm_arena_init(&script->names, job->heap);
    fm_table_init(&script->file_table, job->heap);
    fm_table_init(&script->asked_table, job->heap);
    fm_table_init(&script->source_table, job->heap);
    const framemap_status status = fm_js_maps_open(job->session, job->heap, &script->maps, error);
    if (status == FRAMEMAP_OK) fm_js_maps_set_scope(script->maps, job->scope);
    return status;
}

static bool has_scripts(const framemap_trace *trace)
{
    for (size_t f = 0; f < trace->frame_count; f++)
        if (fm_js_is_looked_up(&trace->frames[f])) return true;
    return false;
}

/* Determines which map is used for each file of the trace. */
static framemap_status js_trace_begin(struct fm_restore_job *job, framemap_trace *trace, size_t number,
                                      framemap_error *error)
{
    (void)number;
    if (!has_scripts(trace)) return FRAMEMAP_OK;
    framemap_status status = job->js ? FRAMEMAP_OK : open_job(job, error);
    return status == FRAMEMAP_OK ? fm_js_choose_maps(job, trace, error) : status;
}

static framemap_status js_trace_end(struct fm_restore_job *job, framemap_trace *trace, framemap_error *error)
{
    if (job->js == NULL) return FRAMEMAP_OK;
    framemap_status status = fm_js_name_above(job, NULL, FM_JS_NO_ANSWER, error);
    return status == FRAMEMAP_OK ? fm_js_restore_mentions(job, trace, error) : status;
}

static bool js_missing(struct fm_restore_job *job)
{
    bool ok = true;
    for (size_t i = 0; job->js && i < job->js->file_count && ok; i++) {
        const struct fm_js_printed_file *file = &job->js->files[i];
        const framemap_str name = file->want.file.size ? fm_js_name_stem(file->want.file) : FM_STR("source map");
        const framemap_missing row = {.name = name,
                                      .id = file->want.id,
                                      .frames = file->frames,
                                      .reason = file->missing,
                                      .kind = FRAMEMAP_KIND_JS};
        if (file->frames) ok = fm_restore_miss(job, &row);
    }
    return ok;
}

static void js_end(struct fm_restore_job *job)
{
    struct fm_js_job *script = job->js;
    if (script == NULL) return;
    for (size_t i = 0; i < script->source_count; i++) fm_source_texts_close(&script->sources[i].texts);
    fm_js_maps_close(script->maps);
    fm_heap_free(job->heap, script->files, script->file_capacity * sizeof *script->files);
    fm_heap_free(job->heap, script->file_of, script->frame_capacity * sizeof *script->file_of);
    fm_heap_free(job->heap, script->present, script->present_capacity * sizeof *script->present);
    fm_heap_free(job->heap, script->asked, script->asked_capacity * sizeof *script->asked);
    fm_heap_free(job->heap, script->sources, script->source_capacity * sizeof *script->sources);
    fm_arena_free(&script->names);
    fm_table_free(&script->file_table);
    fm_table_free(&script->asked_table);
    fm_table_free(&script->source_table);
    fm_heap_free(job->heap, script, sizeof *script);
    job->js = NULL;
}

/* Forgets the results of the traces so far. Keeps which map was found for each file, and for which script the only map
 * was used. */
static void js_forget(struct fm_restore_job *job)
{
    enum { FILES_MOST = 4096 };
    struct fm_js_job *script = job->js;
    if (script == NULL) return;
    for (size_t i = 0; i < script->file_count; i++) {
        script->files[i].frames = 0;
        script->files[i].missing = script->files[i].refused = NULL;
    }
    script->asked_count = 0;
    fm_table_clear(&script->asked_table);
    script->unnamed = NULL;
    script->last_index = script->minified = NULL;
    script->text_view = NULL;
    if (script->file_count <= FILES_MOST) return;
    const bool any_found = script->any_found;
    char taken[JS_TAKEN_MOST];
    const size_t size = script->taken.size < sizeof taken ? script->taken.size : 0;
    if (size) memcpy(taken, script->taken.data, size);
    js_end(job);
    framemap_error ignored;
    if (open_job(job, &ignored) != FRAMEMAP_OK) return;
    job->js->any_found = any_found;
    if (size) (void)fm_arena_str(&job->js->names, fm_str(taken, size), &job->js->taken);
}

const struct fm_restorer fm_restorer_js = {.kind = FRAMEMAP_KIND_JS,
                                           .trace_begin = js_trace_begin,
                                           .frame = js_frame,
                                           .trace_end = js_trace_end,
                                           .missing = js_missing,
                                           .forget = js_forget,
                                           .end = js_end};
