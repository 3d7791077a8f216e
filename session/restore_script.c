/* Frames of JavaScript to their source. Which map a file's rows are read with is settled for the whole text before the first of them is looked up: a map that no
 * name leads to is taken only where no other was found. */
#include "session/restore_script.h"

#include "core/fault.h"
#include "core/text.h"
#include "resolve/resolve.h"
#include "resolve/script_place.h"

static const char no_column[] = "the row has no column: a line of generated text holds code of many sources";
static const char several_files[] = "the rows are of several scripts, and the one source map given is named as none of them";
static const char not_bytecode[] =
    "the source map is of the script before it was compiled to bytecode: give the one that was composed with the compiler's";
static const char index_damaged[] = "the index of this source map is damaged";

/* --- files --- */

static bool file_equal(const void *context, uint32_t number, const void *key)
{
    const struct fm_script_job *script = context;
    const struct fm_script_want *a = &script->files[number].want, *b = key;
    return a->bytecode == b->bytecode && fm_str_equal(a->file, b->file) && fm_str_equal(a->id, b->id);
}

/* Rows of code whose file is not known to the engine. */
static framemap_str told_file(const framemap_frame *frame)
{
    return fm_str_equal(frame->file, FM_STR("unknown")) ? (framemap_str){NULL, 0} : frame->file;
}

static framemap_status find_file(struct fm_restore_job *job, const framemap_frame *frame, uint32_t *out, framemap_error *error)
{
    struct fm_script_job *script = job->script;
    const struct fm_script_want want = {
        .file = told_file(frame), .id = frame->id, .bytecode = frame->address_kind == FRAMEMAP_ADDRESS_BYTECODE};
    const uint64_t hash = fm_hash_text(want.file, fm_hash_text(want.id, fm_hash_key(script) + want.bytecode));
    *out = fm_table_find(&script->file_table, hash, file_equal, script, &want);
    if (*out != UINT32_MAX) return FRAMEMAP_OK;
    if (!FM_GROW(job->heap, script->files, script->file_capacity, script->file_count + 1)) return fm_fault_memory(error);
    struct fm_printed_file *file = &script->files[script->file_count];
    *file = (struct fm_printed_file){.want = want};
    framemap_status status = fm_script_maps_find(script->maps, &want, &file->held, error);
    if (status != FRAMEMAP_OK) return status;
    file->found = file->held.index != NULL;
    *out = (uint32_t)script->file_count;
    if (!fm_table_add(&script->file_table, hash, *out)) return fm_fault_memory(error);
    script->file_count++;
    return FRAMEMAP_OK;
}

/* --- sources --- */

static bool sources_equal(const void *context, uint32_t number, const void *key)
{
    const struct fm_script_job *script = context;
    return script->sources[number].index == key;
}

static framemap_status open_sources(struct fm_restore_job *job, const framemap_index *index, uint32_t *out, framemap_error *error)
{
    struct fm_script_job *script = job->script;
    const uint64_t hash = fm_hash64(&index, sizeof index, 0);
    *out = fm_table_find(&script->source_table, hash, sources_equal, script, index);
    if (*out != UINT32_MAX) return FRAMEMAP_OK;
    if (!FM_GROW(job->heap, script->sources, script->source_capacity, script->source_count + 1)) return fm_fault_memory(error);
    *out = (uint32_t)script->source_count++;
    struct fm_script_sources *sources = &script->sources[*out];
    sources->index = index;
    fm_source_texts_open(&sources->texts, index->view, job->heap);
    return fm_table_add(&script->source_table, hash, *out) ? FRAMEMAP_OK : fm_fault_memory(error);
}

/* --- the only map --- */

/* A script's name without what differs from one load to the next; the whole where that leaves nothing. */
static framemap_str stem_of(framemap_str file)
{
    const size_t safe = fm_str_find(file, FM_STR("//&")); /* a query as JavaScriptCore leaves it in place */
    size_t cut = 0;
    while (cut < file.size && cut != safe && file.data[cut] != '?' && file.data[cut] != '#') cut++;
    const framemap_str stem = fm_str_basename(fm_str_slice(file, 0, cut));
    return stem.size ? stem : file;
}

/* Files whose name says nothing of the bundle that they are of. */
static bool is_nameless(const struct fm_printed_file *file) { return file->want.file.size == 0 || fm_script_is_part(file->want.file); }

/* Modules of WebAssembly, whose maps are none of scripts. */
static bool is_wasm(framemap_str file) { return fm_str_starts(file, FM_STR("wasm:")) || fm_str_ends(stem_of(file), FM_STR(".wasm")); }

struct unsettled {
    bool any_found;
    bool several;          /* scripts with a name of their own are without a map */
    framemap_str stem;     /* of the last of these */
    framemap_index *parts; /* a map that was found, of a bundle that comes in parts */
};

static struct unsettled look_over(const struct fm_script_job *script)
{
    struct unsettled left = {.any_found = false};
    for (size_t i = 0; i < script->file_count; i++) {
        const struct fm_printed_file *file = &script->files[i];
        if (file->is_source || is_wasm(file->want.file)) continue;
        if (file->found) {
            left.any_found = true;
            if (left.parts == NULL && fm_script_has_parts(file->held.index->view)) left.parts = file->held.index;
        } else if (!is_nameless(file)) {
            const framemap_str stem = stem_of(file->want.file);
            if (left.stem.size && !fm_str_equal(left.stem, stem)) left.several = true;
            left.stem = stem;
        }
    }
    return left;
}

/* One map for all: it is taken for the one script that the text is of, never for several of which it can be but one's. */
static framemap_status settle(struct fm_restore_job *job, struct fm_printed_file *file, const struct unsettled *left, framemap_error *error)
{
    struct fm_held only;
    if (file->found || file->is_source) return FRAMEMAP_OK;
    if (left->parts && fm_script_is_part(file->want.file)) {
        file->held.index = left->parts;
        return FRAMEMAP_OK;
    }
    if (is_wasm(file->want.file)) return FRAMEMAP_OK;
    if (!is_nameless(file) && (left->any_found || fm_script_maps_refuses(file->held.reason))) return FRAMEMAP_OK;
    framemap_status status = fm_script_maps_only(job->script->maps, file->want.bytecode, &only, error);
    if (status != FRAMEMAP_OK || only.index == NULL) return status;
    if (is_nameless(file) || !left->several)
        file->held = only;
    else
        file->held.reason = several_files;
    return FRAMEMAP_OK;
}

/* --- rows of sources --- */

/* Written by people, whatever map there may be: but a server of a developer makes scripts of such files, and calls them as it calls their sources. */
static bool is_written(framemap_str file)
{
    static const char *const endings[] = {".ts", ".tsx", ".mts", ".cts", ".vue", ".svelte"};
    if (fm_str_starts(file, FM_STR("http:")) || fm_str_starts(file, FM_STR("https:"))) return false;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (fm_str_ends(file, framemap_str_of(endings[i]))) return true;
    return false;
}

/* Rows that were restored before, or by the engine itself, name a source: of the map that was found for them, or of the only one. A bare name may be the
 * script's own as well, and so may that of an address in bytecode. */
static framemap_status tell_source(struct fm_restore_job *job, struct fm_printed_file *file, framemap_error *error)
{
    const framemap_str name = file->want.file;
    struct fm_held map = file->held;
    uint32_t number;
    bool has = false;
    framemap_status status = FRAMEMAP_OK;
    if (file->want.bytecode || is_nameless(file) || (file->found && fm_str_find_byte(name, '/') == FM_NOT_FOUND)) return FRAMEMAP_OK;
    if (!file->found) status = fm_script_maps_only(job->script->maps, false, &map, error);
    if (status == FRAMEMAP_OK && map.index) status = open_sources(job, map.index, &number, error);
    if (status != FRAMEMAP_OK) return status;
    if (map.index && !fm_source_texts_has(&job->script->sources[number].texts, name, &has)) return fm_fault_memory(error);
    file->is_source = has || (!file->found && is_written(name));
    return FRAMEMAP_OK;
}

/* The packager's map beside the compiler's has the same name. */
static void refuse_text_map(struct fm_printed_file *file)
{
    if (!file->want.bytecode || file->held.index == NULL || fm_script_may_be_bytecode(file->held.index->view)) return;
    file->held = (struct fm_held){NULL, not_bytecode};
}

/* Which map each file's rows are read with. */
static framemap_status settle_all(struct fm_restore_job *job, framemap_error *error)
{
    struct fm_script_job *script = job->script;
    framemap_status status = FRAMEMAP_OK;
    for (size_t i = 0; i < script->file_count && status == FRAMEMAP_OK; i++) status = tell_source(job, &script->files[i], error);
    if (status != FRAMEMAP_OK) return status;
    const struct unsettled left = look_over(script);
    for (size_t i = 0; i < script->file_count && status == FRAMEMAP_OK; i++) status = settle(job, &script->files[i], &left, error);
    for (size_t i = 0; i < script->file_count; i++) refuse_text_map(&script->files[i]);
    return status;
}

/* --- places --- */

static struct fm_printed_place printed_place(const framemap_frame *frame)
{
    return (struct fm_printed_place){.file = frame->file,
                                     .line1 = frame->line,
                                     .column1 = frame->column,
                                     .bytecode = frame->address_kind == FRAMEMAP_ADDRESS_BYTECODE,
                                     .address = frame->address};
}

static bool asked_equal(const void *context, uint32_t number, const void *key)
{
    const struct fm_script_job *script = context;
    const struct fm_script_asked *a = &script->asked[number], *b = key;
    return a->index == b->index && a->line0 == b->line0 && a->col0 == b->col0;
}

static framemap_status add_context(struct fm_restore_job *job, const framemap_index *index, const framemap_frame_list *chain,
                                   framemap_error *error)
{
    uint32_t number;
    framemap_status status = job->context && chain->count ? open_sources(job, index, &number, error) : FRAMEMAP_OK;
    for (size_t i = 0; i < chain->count && job->context && status == FRAMEMAP_OK; i++) {
        framemap_frame *frame = (framemap_frame *)(uintptr_t)&chain->frames[i]; /* in the job's own arena */
        if (!fm_source_texts_context(&job->script->sources[number].texts, frame, job->context)) status = fm_fault_memory(error);
    }
    return status;
}

static framemap_status resolve(struct fm_restore_job *job, struct fm_script_asked *question, framemap_error *error)
{
    framemap_query query = FRAMEMAP_QUERY_INIT;
    framemap_frame answer;
    query.scope_number = question->line0;
    query.position = question->col0;
    fm_arena_reset(&job->scratch);
    framemap_status status = fm_resolve(question->index->view, &query, &job->scratch, &answer, error);
    if (status == FRAMEMAP_OK) status = add_context(job, question->index, &answer.restored, error);
    if (status == FRAMEMAP_E_CORRUPT) {
        answer = (framemap_frame){.status = FRAMEMAP_FRAME_NO_MATCH, .reason = index_damaged};
        status = FRAMEMAP_OK;
    }
    if (status == FRAMEMAP_OK && !fm_restore_keep(job, &answer)) return fm_fault_memory(error);
    question->status = answer.status;
    question->reason = answer.reason;
    question->restored = answer.restored;
    return status;
}

static framemap_status ask(struct fm_restore_job *job, struct fm_script_asked *question, uint32_t *out, framemap_error *error)
{
    struct fm_script_job *script = job->script;
    const uint64_t key[2] = {(uint64_t)(uintptr_t)question->index, (uint64_t)question->line0 << 32 | question->col0};
    const uint64_t hash = fm_hash_text(fm_str((const char *)key, sizeof key), fm_hash_key(script));
    *out = fm_table_find(&script->asked_table, hash, asked_equal, script, question);
    if (*out != UINT32_MAX) return FRAMEMAP_OK;
    framemap_status status = resolve(job, question, error);
    if (status != FRAMEMAP_OK) return status;
    if (!FM_GROW(job->heap, script->asked, script->asked_capacity, script->asked_count + 1)) return fm_fault_memory(error);
    *out = (uint32_t)script->asked_count;
    script->asked[script->asked_count++] = *question;
    return fm_table_add(&script->asked_table, hash, *out) ? FRAMEMAP_OK : fm_fault_memory(error);
}

/* --- frames --- */

static bool has_place(const framemap_frame *frame) { return frame->column || frame->address_kind == FRAMEMAP_ADDRESS_BYTECODE; }

static bool is_asked(const framemap_frame *frame)
{
    return frame->kind == FRAMEMAP_KIND_JS && frame->status == FRAMEMAP_FRAME_RAW && has_place(frame);
}

static framemap_status not_found(framemap_frame *frame, framemap_frame_status status, const char *reason)
{
    frame->status = status;
    frame->reason = reason;
    return FRAMEMAP_OK;
}

/* Looks a frame up in its file's map. *place: FM_SCRIPT_NO_PLACE where it could not be asked. */
static framemap_status look_up(struct fm_restore_job *job, framemap_frame *frame, struct fm_printed_file *file, uint32_t *place,
                               framemap_error *error)
{
    const struct fm_printed_place printed = printed_place(frame);
    struct fm_generated_place generated;
    const char *reason = fm_script_place(file->held.index->view, &printed, &generated);
    if (reason) return not_found(frame, FRAMEMAP_FRAME_NO_MATCH, reason);
    struct fm_script_asked question = {.index = file->held.index, .line0 = generated.line0, .col0 = generated.col0};
    framemap_status status = ask(job, &question, place, error);
    if (status != FRAMEMAP_OK) return status;
    const struct fm_script_asked *asked = &job->script->asked[*place];
    frame->status = asked->status;
    frame->reason = asked->reason;
    frame->restored = asked->restored;
    return FRAMEMAP_OK;
}

framemap_status fm_restore_script_frame(struct fm_restore_job *job, framemap_frame *frame, framemap_error *error)
{
    struct fm_script_job *script = job->script;
    uint32_t place = FM_SCRIPT_NO_PLACE;
    if (frame->status != FRAMEMAP_FRAME_RAW) return FRAMEMAP_OK;
    if (!is_asked(frame)) return not_found(frame, FRAMEMAP_FRAME_NO_MATCH, no_column);
    struct fm_printed_file *file = &script->files[script->file_of[script->frame_at++]];
    framemap_status status = FRAMEMAP_OK;
    fm_script_note_map(script, file->held.index);
    if (file->is_source) {
        not_found(frame, FRAMEMAP_FRAME_NOT_NEEDED, NULL);
    } else if (file->held.index == NULL) {
        file->frames++;
        not_found(frame, FRAMEMAP_FRAME_MISSING_SYMBOLS, file->held.reason);
    } else {
        status = look_up(job, frame, file, &place, error);
    }
    return status == FRAMEMAP_OK ? fm_script_name_above(job, frame, place, error) : status;
}

/* --- a whole call --- */

static framemap_status note_frame(struct fm_restore_job *job, const framemap_frame *frame, framemap_error *error)
{
    struct fm_script_job *script = job->script;
    if (!FM_GROW(job->heap, script->file_of, script->frame_capacity, script->frame_count + 1)) return fm_fault_memory(error);
    /* rows of one file stand together */
    if (script->frame_count) {
        const struct fm_script_want *last = &script->files[script->file_of[script->frame_count - 1]].want;
        if (fm_str_equal(last->file, frame->file) && fm_str_equal(last->id, frame->id) &&
            last->bytecode == (frame->address_kind == FRAMEMAP_ADDRESS_BYTECODE)) {
            script->file_of[script->frame_count] = script->file_of[script->frame_count - 1];
            script->frame_count++;
            return FRAMEMAP_OK;
        }
    }
    return find_file(job, frame, &script->file_of[script->frame_count++], error);
}

static framemap_status note_all(struct fm_restore_job *job, const framemap_trace_list *list, framemap_error *error)
{
    framemap_status status = FRAMEMAP_OK;
    for (size_t t = 0; t < list->count; t++)
        for (size_t f = 0; f < list->traces[t].frame_count && status == FRAMEMAP_OK; f++)
            if (is_asked(&list->traces[t].frames[f])) status = note_frame(job, &list->traces[t].frames[f], error);
    return status;
}

static bool has_scripts(const framemap_trace_list *list)
{
    for (size_t t = 0; t < list->count; t++)
        for (size_t f = 0; f < list->traces[t].frame_count; f++)
            if (is_asked(&list->traces[t].frames[f])) return true;
    return false;
}

framemap_status fm_restore_script_begin(struct fm_restore_job *job, const framemap_trace_list *list, framemap_error *error)
{
    if (!has_scripts(list)) return FRAMEMAP_OK;
    struct fm_script_job *script = fm_heap_zalloc(job->heap, 1, sizeof *script);
    if (script == NULL) return fm_fault_memory(error);
    job->script = script;
    fm_table_init(&script->file_table, job->heap);
    fm_table_init(&script->asked_table, job->heap);
    fm_table_init(&script->source_table, job->heap);
    framemap_status status = fm_script_maps_open(job->session, job->heap, &script->maps, error);
    if (status == FRAMEMAP_OK) status = note_all(job, list, error);
    return status == FRAMEMAP_OK ? settle_all(job, error) : status;
}

framemap_status fm_restore_script_trace_end(struct fm_restore_job *job, framemap_trace *trace, framemap_error *error)
{
    if (job->script == NULL) return FRAMEMAP_OK;
    framemap_status status = fm_script_name_above(job, NULL, FM_SCRIPT_NO_PLACE, error);
    return status == FRAMEMAP_OK ? fm_script_restore_mentions(job, trace, error) : status;
}

bool fm_restore_script_missing(struct fm_restore_job *job)
{
    bool ok = true;
    for (size_t i = 0; job->script && i < job->script->file_count && ok; i++) {
        const struct fm_printed_file *file = &job->script->files[i];
        const framemap_str name = file->want.file.size ? stem_of(file->want.file) : FM_STR("source map");
        const framemap_missing row = {
            .name = name, .id = file->want.id, .frames = file->frames, .reason = file->held.reason, .kind = FRAMEMAP_KIND_JS};
        if (file->frames) ok = fm_missing_add(&job->session->missing, &row);
    }
    return ok;
}

void fm_restore_script_end(struct fm_restore_job *job)
{
    struct fm_script_job *script = job->script;
    if (script == NULL) return;
    for (size_t i = 0; i < script->source_count; i++) fm_source_texts_close(&script->sources[i].texts);
    fm_script_maps_close(script->maps);
    fm_heap_free(job->heap, script->files, script->file_capacity * sizeof *script->files);
    fm_heap_free(job->heap, script->file_of, script->frame_capacity * sizeof *script->file_of);
    fm_heap_free(job->heap, script->asked, script->asked_capacity * sizeof *script->asked);
    fm_heap_free(job->heap, script->sources, script->source_capacity * sizeof *script->sources);
    fm_table_free(&script->file_table);
    fm_table_free(&script->asked_table);
    fm_table_free(&script->source_table);
    fm_heap_free(job->heap, script, sizeof *script);
    job->script = NULL;
}
