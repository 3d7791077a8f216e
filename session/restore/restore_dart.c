/* Restores Dart frames as Dart's own decoder does; defines the row `fm_restorer_dart` of restore.c's table. Frames that
 * the compiler generated are dropped, and the others are renumbered. */
#include "api/value_keys.h"
#include "core/error.h"
#include "core/hash/hash.h"
#include "core/limits.h"
#include "core/text/text.h"
#include "formats/dart/dart_error.h"
#include "formats/dart/dart_line.h"
#include "index/format/value_page.h"
#include "resolve/answer_limits.h"
#include "resolve/dart/dart_address.h"
#include "resolve/dart/dart_deobfuscate.h"
#include "session/catalog/scoped_find.h"
#include "session/restore/restorer.h"

static const char no_dart[] = "no symbols of this Dart program were given: they are in the file that "
                              "--split-debug-info or --save-debugging-info wrote";
static const char not_labeled[] =
    "no symbols of this Dart program were given: those given have labels that the scope of "
    "the text does not match";
static const char other_build[] = "the Dart symbols given are of another build than the one that the stack names";
static const char several_builds[] =
    "the stack does not say which build it is of, and symbols of several Dart programs were given";
static const char not_dart[] = "the file given for this build is not a Dart snapshot";
static const char compiler_made[] = "only compiler-generated code is there; Dart's tools hide it";
static const char damaged[] = "the index for this program is damaged";

/* A build that frames of this call need. Each build is looked up once. */
struct dart_program {
    framemap_str id, arch, unit;
    struct fm_held_index held;
    const char *reason; /* the reason why there is no index; the string lives as long as the traces */
    struct fm_dart_texts texts;
    framemap_match matched_by;
    uint64_t frames; /* number of frames without symbols because of this program */
};

struct fm_dart_job {
    struct dart_program *programs;
    size_t program_count, program_capacity;
    struct fm_table table;
    uint64_t next;              /* number of the next frame that is printed */
    struct fm_held_index names; /* the obfuscation map */
};

/* --- finding the programs of traces --- */

static bool program_equal(const void *context, uint32_t number, const void *key)
{
    const struct fm_dart_job *dart = context;
    const struct dart_program *a = &dart->programs[number], *b = key;
    return fm_str_equal(a->id, b->id) && fm_str_equal(a->arch, b->arch) && fm_str_equal(a->unit, b->unit);
}

/* Finds the program for a text. If the text has no id, it is the only Dart program that was given; if the text has an
 * id, it is the program with that id. Otherwise sets the reason why the given programs do not match. */
static framemap_status find_program(struct fm_restore_job *job, struct dart_program *program, framemap_error *error)
{
    framemap_session *session = job->session;
    const struct fm_entry *entry = NULL;
    fm_mutex_lock(&session->lock);
    const enum fm_found found =
        fm_scoped_find_dart(&session->labels, job->scope, program->id, program->arch, &entry, &program->matched_by);
    const bool is_other = program->id.size == 0 && fm_scoped_is_other(&session->labels, job->scope);
    fm_mutex_unlock(&session->lock);
    switch (found) {
    case FM_FOUND_NO_MEMORY: return fm_error_memory(error);
    case FM_FOUND: return fm_session_hold_entry(session, entry, &program->held, error);
    case FM_FOUND_OTHER_ID: program->held = (struct fm_held_index){.reason = other_build, .other = entry}; break;
    case FM_FOUND_SEVERAL: program->held.reason = several_builds; break;
    default: program->held.reason = is_other ? not_labeled : no_dart; break;
    }
    return FRAMEMAP_OK;
}

static framemap_status add_program(struct fm_restore_job *job, const struct dart_program *want, uint64_t hash,
                                   struct dart_program **out, framemap_error *error)
{
    struct fm_dart_job *dart = job->dart;
    if (!FM_GROW(job->heap, dart->programs, dart->program_capacity, dart->program_count + 1))
        return fm_error_memory(error);
    struct dart_program *row = &dart->programs[dart->program_count];
    *row = *want;
    framemap_status status = find_program(job, row, error);
    if (status == FRAMEMAP_OK && row->held.index == NULL)
        status = fm_restore_hold_remote(job, FM_KEY_NATIVE, row->id, &row->held, error);
    if (status != FRAMEMAP_OK) return status;
    if (row->held.remote) row->matched_by = FRAMEMAP_MATCH_ID;
    *out = row;
    const uint32_t number = (uint32_t)dart->program_count++; /* the job releases the index from here on */
    if (row->held.index && !fm_dart_texts_of(row->held.index->view, &row->texts)) {
        framemap_session_release(job->session, row->held.index);
        row->held = (struct fm_held_index){.reason = not_dart};
    }
    if (!fm_restore_keep_reason(job, &row->held, row->id, &row->reason)) return fm_error_memory(error);
    return fm_table_add(&dart->table, hash, number) ? FRAMEMAP_OK : fm_error_memory(error);
}

static framemap_status program_of(struct fm_restore_job *job, const framemap_trace *trace, const framemap_frame *frame,
                                  struct dart_program **out, framemap_error *error)
{
    struct fm_dart_job *dart = job->dart;
    const struct dart_program want = {
        .id = frame->id, .arch = frame->arch.size ? frame->arch : trace->arch, .unit = frame->module};
    const uint64_t hash = fm_hash_text(want.arch, fm_hash_text(want.unit, fm_hash_text(want.id, fm_hash_key(job))));
    const uint32_t found = fm_table_find(&dart->table, hash, program_equal, dart, &want);
    if (found == UINT32_MAX) return add_program(job, &want, hash, out, error);
    *out = &dart->programs[found];
    return FRAMEMAP_OK;
}

/* --- restoring names that were obfuscated --- */

static const char several_maps[] =
    "several obfuscation maps of Dart were given, and traces do not say which one they need; give one";

static framemap_status hold_names(struct fm_restore_job *job, framemap_error *error)
{
    struct fm_dart_job *dart = job->dart;
    const struct fm_entry *entry;
    fm_mutex_lock(&job->session->lock);
    const enum fm_found found = fm_scoped_find_names(&job->session->labels, job->scope, &entry);
    fm_mutex_unlock(&job->session->lock);
    if (found == FM_FOUND) return fm_session_hold_entry(job->session, entry, &dart->names, error);
    framemap_error warning = {0};
    if (found == FM_FOUND_SEVERAL) {
        fm_error_set(&warning, FRAMEMAP_E_MISMATCH, several_maps);
        fm_session_warn(job->session, &warning);
    }
    return FRAMEMAP_OK;
}

static const struct fm_view *names_of(const struct fm_dart_job *dart)
{
    return dart->names.index ? dart->names.index->view : NULL;
}

/* Restores the obfuscated names of a frame that needs no symbols. */
static framemap_status rename_row(struct fm_restore_job *job, framemap_frame *frame, framemap_error *error)
{
    framemap_str function;
    if (!fm_dart_rename(names_of(job->dart), fm_dart_identifier, frame->function, job->arena, &function))
        return fm_error_memory(error);
    if (fm_str_equal(function, frame->function)) return FRAMEMAP_OK;
    framemap_frame *row = FM_ARENA_NEW(job->arena, framemap_frame);
    if (row == NULL) return fm_error_memory(error);
    *row = (framemap_frame){.kind = FRAMEMAP_KIND_DART,
                            .status = FRAMEMAP_FRAME_OK,
                            .index = frame->index,
                            .function = function,
                            .file = frame->file,
                            .line = frame->line,
                            .column = frame->column};
    frame->status = FRAMEMAP_FRAME_OK;
    frame->matched_by = FRAMEMAP_MATCH_ONLY_MAP;
    frame->restored = (framemap_frame_list){row, 1};
    return FRAMEMAP_OK;
}

static bool has_names(const framemap_frame *frame)
{
    return frame->kind == FRAMEMAP_KIND_DART && frame->status == FRAMEMAP_FRAME_NOT_NEEDED;
}

/* Whether the names in the frames are obfuscated. In traces that were deobfuscated before, a few original names may by
 * chance be equal to obfuscated names. */
static bool is_obfuscated(const struct fm_view *names, const framemap_trace *trace)
{
    struct fm_dart_tally tally = {0, 0};
    for (size_t i = 0; i < trace->frame_count; i++)
        if (has_names(&trace->frames[i])) fm_dart_count(names, fm_dart_identifier, trace->frames[i].function, &tally);
    return tally.renamed > 0 && 2 * tally.renamed >= tally.identifiers;
}

static framemap_status rename_trace(struct fm_restore_job *job, framemap_trace *trace, framemap_error *error)
{
    const struct fm_view *names = names_of(job->dart);
    framemap_status status = FRAMEMAP_OK;
    for (size_t i = 0; i < trace->mention_count; i++) {
        framemap_mention *mention = &trace->mentions[i];
        framemap_str original;
        if (!fm_dart_original(names, mention->raw, &original)) continue;
        if (!fm_arena_str(job->arena, original, &mention->restored)) return fm_error_memory(error);
    }
    if (!is_obfuscated(names, trace)) return FRAMEMAP_OK;
    for (size_t i = 0; i < trace->frame_count && status == FRAMEMAP_OK; i++)
        if (has_names(&trace->frames[i])) status = rename_row(job, &trace->frames[i], error);
    return status;
}

/* --- frames --- */

/* Numbers the restored frames as Dart's tools do. These tools neither count nor print stubs and functions that the
 * compiler generated. */
static framemap_status number_rows(struct fm_restore_job *job, framemap_frame *answer, framemap_error *error)
{
    framemap_frame *rows = fm_arena_alloc(&job->scratch, answer->restored.count * sizeof *rows);
    bool any = false, fits = true;
    uint64_t text = 0;
    if (rows == NULL) return fm_error_memory(error);
    for (size_t i = 0; i < answer->restored.count; i++) {
        rows[i] = answer->restored.frames[i];
        if (fm_dart_is_stub(&rows[i])) rows[i].artificial = true;
        const struct fm_view *names = names_of(job->dart);
        if (names && fits &&
            !fm_dart_rename_symbol(names, fm_dart_identifier, rows[i].function, &job->scratch, &rows[i].function))
            return fm_error_memory(error);
        /* If the names become too long, this name and later names of the chain are written as they are in the
         * symbols. */
        if (fits && !fm_dart_names_fit(&text, rows[i].function)) {
            rows[i].function = answer->restored.frames[i].function;
            fits = false;
        }
        if (!rows[i].artificial) rows[i].index = (int64_t)job->dart->next++;
        any = any || !rows[i].artificial;
    }
    answer->restored.frames = rows;
    if (!fits) {
        answer->over_limit = true;
        answer->reason = fm_over_limit;
    }
    answer->status = answer->over_limit ? FRAMEMAP_FRAME_SYMBOL : FRAMEMAP_FRAME_OK;
    if (!any && !answer->over_limit) answer->reason = compiler_made;
    return FRAMEMAP_OK;
}

/* Returns the index that has the answer for a position: the program's index, or the value of a store that has the page
 * of the position. If *view is NULL, *reason states why there is no such index; *reason NULL: the program has no code
 * at that position. */
static framemap_status view_of(struct fm_restore_job *job, const struct dart_program *program,
                               const struct fm_dart_place *place, const struct fm_view **view, const char **reason,
                               framemap_error *error)
{
    const struct fm_view *whole = program->held.index->view;
    const uint64_t base = fm_view_identity(whole)->base;
    uint64_t linked;
    *view = whole;
    *reason = NULL;
    if (program->held.remote == 0 || !fm_dart_address(&program->texts, place, &linked)) return FRAMEMAP_OK;
    *view = NULL;
    if (linked < base + place->return_address) return FRAMEMAP_OK;
    return fm_remote_page(job->remote, program->held.remote, fm_page_of_position(linked - base - place->return_address),
                          view, reason, error);
}

static framemap_status resolve_program(struct fm_restore_job *job, const struct dart_program *program,
                                       framemap_frame *frame, framemap_error *error)
{
    const struct fm_dart_place place = {.linked = !frame->has_function_offset,
                                        .in_vm = fm_str_equal(frame->symbol, FM_STR("_kDartVmSnapshotInstructions")),
                                        .return_address = frame->return_address,
                                        .offset = frame->has_function_offset ? frame->function_offset : frame->address};
    framemap_frame answer;
    const struct fm_view *view;
    const char *reason;
    framemap_status status = view_of(job, program, &place, &view, &reason, error);
    if (status != FRAMEMAP_OK) return status;
    if (view == NULL) {
        answer = fm_restore_without_view(reason);
        frame->status = answer.status;
        frame->reason = answer.reason;
        return FRAMEMAP_OK;
    }
    fm_arena_reset(&job->scratch);
    status = fm_resolve_dart(view, &program->texts, &place, &job->scratch, &answer, error);
    if (status == FRAMEMAP_E_CORRUPT) {
        frame->status = FRAMEMAP_FRAME_NO_MATCH;
        frame->reason = damaged;
        return FRAMEMAP_OK;
    }
    if (status == FRAMEMAP_OK && answer.restored.count) status = number_rows(job, &answer, error);
    if (status == FRAMEMAP_OK && !fm_restore_keep(job, &answer)) status = fm_error_memory(error);
    if (status == FRAMEMAP_OK) fm_restore_give(frame, &answer);
    return status;
}

static framemap_status dart_frame(struct fm_restore_job *job, framemap_trace *trace, size_t number,
                                  framemap_error *error)
{
    framemap_frame *frame = &trace->frames[number];
    struct dart_program *program = NULL;
    if (frame->status != FRAMEMAP_FRAME_RAW) return FRAMEMAP_OK;
    framemap_status status = program_of(job, trace, frame, &program, error);
    if (status != FRAMEMAP_OK) return status;
    if (program->held.index) {
        frame->matched_by = program->matched_by;
        status = resolve_program(job, program, frame, error);
        if (status != FRAMEMAP_OK || frame->status != FRAMEMAP_FRAME_MISSING_SYMBOLS) return status;
        program->reason = frame->reason; /* a store has the program, but not the value that the frame needs */
        program->frames++;
        return FRAMEMAP_OK;
    }
    program->frames++;
    frame->status = FRAMEMAP_FRAME_MISSING_SYMBOLS;
    frame->reason = program->reason;
    return FRAMEMAP_OK;
}

/* --- numbers of a stack that is written in parts --- */

static uint64_t process_of(const framemap_trace *trace)
{
    return fm_hash_text(trace->thread_id, fm_hash_word(trace->has_process_id ? trace->process_id : 0, 0));
}

/* Returns the stack that a trace with this first frame continues; NULL: none. */
static struct fm_dart_rest *rest_before(struct fm_restore_job *job, uint64_t process, int64_t index)
{
    const size_t count = job->dart_rest_count < FM_DART_RESTS ? job->dart_rest_count : FM_DART_RESTS;
    for (size_t i = 0; i < count; i++) {
        struct fm_dart_rest *rest = &job->dart_rests[i];
        if (rest->process == process && rest->index == index - 1) return rest;
    }
    return NULL;
}

/* Returns the number of the first restored frame of a trace. */
static uint64_t first_number(struct fm_restore_job *job, const framemap_trace *trace)
{
    size_t i = 0;
    while (i < trace->frame_count && trace->frames[i].index < 0) i++;
    if (i == trace->frame_count || trace->frames[i].index == 0) return 0;
    const struct fm_dart_rest *rest = rest_before(job, process_of(trace), trace->frames[i].index);
    return rest ? rest->next : 0;
}

/* Remembers a stack that is written in part. A batch may be restored twice, so what was remembered is not removed when
 * it is used. */
static framemap_status dart_trace_end(struct fm_restore_job *job, framemap_trace *trace, framemap_error *error)
{
    (void)error;
    const bool goes_on = trace->closed_by != FRAMEMAP_CLOSED_BY_END || trace->frame_count >= FM_LIMIT_FRAMES;
    size_t i = trace->frame_count;
    if (!goes_on || job->dart == NULL || !fm_str_starts(trace->format, FM_STR("dart"))) return FRAMEMAP_OK;
    while (i > 0 && trace->frames[i - 1].index < 0) i--;
    if (i == 0) return FRAMEMAP_OK;
    const struct fm_dart_rest now = {process_of(trace), trace->frames[i - 1].index, job->dart->next};
    struct fm_dart_rest *rest = rest_before(job, now.process, now.index + 1);
    if (rest == NULL) rest = &job->dart_rests[job->dart_rest_count++ % FM_DART_RESTS];
    *rest = now;
    return FRAMEMAP_OK;
}

/* --- running a whole restore call --- */

static framemap_status open_job(struct fm_restore_job *job, framemap_error *error)
{
    job->dart = FM_ARENA_NEW(job->arena, struct fm_dart_job);
    if (job->dart == NULL) return fm_error_memory(error);
    fm_table_init(&job->dart->table, job->heap);
    return hold_names(job, error);
}

/* Restores the obfuscated names in the exception of the trace and in frames that need no symbols. Traces of other
 * formats are not changed. */
static framemap_status dart_trace_begin(struct fm_restore_job *job, framemap_trace *trace, size_t number,
                                        framemap_error *error)
{
    (void)number;
    framemap_status status = FRAMEMAP_OK;
    if (!fm_str_starts(trace->format, FM_STR("dart"))) return FRAMEMAP_OK;
    if (job->dart == NULL) status = open_job(job, error);
    if (status != FRAMEMAP_OK) return status;
    job->dart->next = first_number(job, trace);
    return names_of(job->dart) ? rename_trace(job, trace, error) : FRAMEMAP_OK;
}

static bool dart_missing(struct fm_restore_job *job)
{
    bool ok = true;
    for (size_t i = 0; job->dart && i < job->dart->program_count && ok; i++) {
        const struct dart_program *program = &job->dart->programs[i];
        const framemap_str name = program->unit.size ? program->unit : FM_STR("app.so");
        const framemap_missing row = {.name = name,
                                      .id = program->id,
                                      .arch = program->arch,
                                      .frames = program->frames,
                                      .reason = program->reason,
                                      .kind = FRAMEMAP_KIND_DART};
        if (program->frames) ok = fm_restore_miss(job, &row);
    }
    return ok;
}

static void dart_end(struct fm_restore_job *job)
{
    struct fm_dart_job *dart = job->dart;
    if (dart == NULL) return;
    for (size_t i = 0; i < dart->program_count; i++)
        framemap_session_release(job->session, dart->programs[i].held.index);
    framemap_session_release(job->session, dart->names.index);
    fm_heap_free(job->heap, dart->programs, dart->program_capacity * sizeof *dart->programs);
    fm_table_free(&dart->table);
}

const struct fm_restorer fm_restorer_dart = {.kind = FRAMEMAP_KIND_DART,
                                             .trace_begin = dart_trace_begin,
                                             .frame = dart_frame,
                                             .trace_end = dart_trace_end,
                                             .missing = dart_missing,
                                             .end = dart_end};
