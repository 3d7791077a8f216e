/* Chooses the source map for each file of a trace. The choice depends on the trace and on earlier traces, never on text
 * that follows. A map to which no name or id leads is used only for the one script to which it can belong. */
#include "session/restore/restore_javascript_job.h"

#include "api/value_keys.h"
#include "core/error.h"
#include "core/text/text.h"
#include "index/read/segments/segment_view.h"
#include "resolve/javascript/js_position.h"
#include "session/catalog/js_file_name.h"
#include "session/restore/js_map_fit.h"
#include "session/restore/js_recall.h"

static const char several_files[] =
    "the frames are in several scripts, and the name of the only source map given matches none of them";
static const char of_earlier[] = "the only source map given was used for another script earlier in this text";
static const char not_covered[] =
    "the frames are outside of the lines and columns that the only source map given covers";
static const char not_bytecode[] = "the source map is of the script before it was compiled to bytecode: give the one "
                                   "that was composed with the compiler's";

static const char several_unnamed[] =
    "the stack is of several WebAssembly modules without names, and symbols of only one were given";
static const char of_earlier_module[] =
    "the only WebAssembly module given, or its map, was used for another module earlier in this text";

/* --- files --- */

static bool file_equal(const void *context, uint32_t number, const void *key)
{
    const struct fm_js_job *script = context;
    const struct fm_js_map_query *a = &script->files[number].want, *b = key;
    return a->bytecode == b->bytecode && fm_str_equal(a->file, b->file) && fm_str_equal(a->id, b->id);
}

/* Whether the stack has no name for a file, so that only other frames can show which bundle it belongs to. */
static bool is_nameless(const struct fm_js_printed_file *file) { return file->want.file.size == 0; }
static bool is_part(const struct fm_js_printed_file *file) { return fm_script_is_part(file->want.file); }

/* Whether a file name belongs to a source file. A frame in such a file has a source position already, whatever maps the
 * session has. URLs are excluded, because a development server delivers the compiled script under the name of its
 * source. */
static bool is_written(framemap_str file)
{
    static const char *const endings[] = {".ts", ".tsx", ".mts", ".cts", ".vue", ".svelte"};
    if (fm_str_starts(file, FM_STR("http:")) || fm_str_starts(file, FM_STR("https:"))) return false;
    if (fm_js_evaluated_module(file).size > 0) return false;
    if (fm_js_is_bundler_source(file)) return true;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (fm_str_ends(file, framemap_str_of(endings[i]))) return true;
    return false;
}

static framemap_status has_source(struct fm_restore_job *job, const framemap_index *index, framemap_str name, bool *has,
                                  framemap_error *error)
{
    uint32_t number;
    const framemap_status status = fm_js_open_sources(job, index, &number, error);
    if (status != FRAMEMAP_OK) return status;
    return fm_source_texts_has(&job->js->sources[number].texts, name, has) ? FRAMEMAP_OK : fm_error_memory(error);
}

/* Sets file->is_source: whether the frames of this file have source positions already, because an earlier run or the
 * engine has restored them. This is so if the map that was found for the file, or else the only map, has a source with
 * the file's name. If a map was found, a name without a folder counts as the name of the script. The name before an
 * address in bytecode never counts as the name of a source. */
static framemap_status find_source(struct fm_restore_job *job, struct fm_js_printed_file *file, framemap_error *error)
{
    const framemap_str name = file->want.file;
    struct fm_held_index map;
    framemap_status status = FRAMEMAP_OK;
    if (file->want.bytecode || is_nameless(file) || is_part(file)) return FRAMEMAP_OK;
    if (fm_js_has_map(&file->found) && fm_str_find_byte(name, '/') == FM_NOT_FOUND) return FRAMEMAP_OK;
    if (file->found.closed) {
        if (fm_js_recall_source(job, file, &file->is_source)) return FRAMEMAP_OK;
        status = fm_js_open_closed(job, file, error);
    }
    map = file->found;
    if (status == FRAMEMAP_OK && map.index == NULL) status = fm_js_maps_only(job->js->maps, false, &map, NULL, error);
    if (status != FRAMEMAP_OK) return status;
    if (map.index) status = has_source(job, map.index, name, &file->is_source, error);
    if (status == FRAMEMAP_OK && file->found.index) fm_js_remember_source(job, file);
    if (file->found.index == NULL) file->is_source = file->is_source || is_written(name);
    return status;
}

/* Determines whether a map in the store may belong to a file without an id: the head of the map's values contains the
 * name of the map and its `file` member. */
static framemap_status fits_stored(struct fm_restore_job *job, const struct fm_held_index *held,
                                   const struct fm_js_printed_file *file, struct fm_js_map_fit *fit,
                                   framemap_error *error)
{
    const framemap_str name = fm_view_identity(held->index->view)->name, ending = FM_STR(".map");
    struct fm_entry entry = {.path = "", .is_source_map = true, .is_index = true, .name = name};
    const struct fm_js_map_choice choice = {.entries = {&entry}, .count = 1};
    entry.of_file = fm_str_ends(name, ending) ? fm_str_slice(name, 0, name.size - ending.size) : name;
    fm_view_attribute(held->index->view, FM_STR("file"), &entry.stated_file);
    fm_mutex_lock(&job->session->lock);
    const bool ok = fm_js_map_fit(&job->session->catalog, job->heap, &choice, &file->want, fit);
    fm_mutex_unlock(&job->session->lock);
    return ok ? FRAMEMAP_OK : fm_error_memory(error);
}

/* Searches the session's store for the maps with ids of the scope: a map that states that it belongs to the file, or
 * any of these maps if the text does not name the file. */
static framemap_status find_by_scope(struct fm_restore_job *job, struct fm_js_printed_file *file, framemap_error *error)
{
    const framemap_scope *scope = job->scope;
    framemap_status status = FRAMEMAP_OK;
    struct fm_js_map_fit fit = {.agrees = false};
    for (size_t i = 0; scope && i < scope->id_count && !fit.agrees && status == FRAMEMAP_OK; i++) {
        struct fm_held_index held = {.index = NULL};
        fit = (struct fm_js_map_fit){.agrees = false};
        status = fm_restore_hold_remote(job, FM_KEY_JAVASCRIPT, scope->ids[i], &held, error);
        if (status == FRAMEMAP_OK && held.index) status = fits_stored(job, &held, file, &fit, error);
        const bool may_be = held.index && fit.reason == NULL && is_nameless(file) && file->found.index == NULL;
        if (may_be || fit.agrees) file->found = held;
        if (held.index == NULL && held.reason && file->found.index == NULL) file->found = held;
    }
    return status;
}

static framemap_status find_in_store(struct fm_restore_job *job, struct fm_js_printed_file *file, framemap_error *error)
{
    const framemap_str id = file->want.id;
    const framemap_status status = id.size ? fm_restore_hold_remote(job, FM_KEY_JAVASCRIPT, id, &file->found, error)
                                           : find_by_scope(job, file, error);
    if (status == FRAMEMAP_OK && file->found.remote)
        file->found_by = id.size ? FRAMEMAP_MATCH_DEBUG_ID : FRAMEMAP_MATCH_SCOPE;
    return status;
}

static framemap_status add_file(struct fm_restore_job *job, const struct fm_js_map_query *want, uint64_t hash,
                                uint32_t *out, framemap_error *error)
{
    struct fm_js_job *script = job->js;
    if (!FM_GROW(job->heap, script->files, script->file_capacity, script->file_count + 1))
        return fm_error_memory(error);
    struct fm_js_printed_file *file = &script->files[script->file_count];
    *file = (struct fm_js_printed_file){.want = *want};
    if (!fm_arena_str(&script->names, want->file, &file->want.file) ||
        !fm_arena_str(&script->names, want->id, &file->want.id))
        return fm_error_memory(error);
    file->is_unnamed = want->id.size == 0 && fm_js_is_wasm(want) && fm_js_is_code_hash(fm_js_name_stem(want->file));
    framemap_status status = fm_js_find_map(job, file, error);
    if (status == FRAMEMAP_OK && !fm_js_has_map(&file->found)) status = fm_wasm_find_map(job, file, error);
    if (status == FRAMEMAP_OK && !fm_js_has_map(&file->found)) status = find_in_store(job, file, error);
    if (status == FRAMEMAP_OK) status = find_source(job, file, error);
    if (status != FRAMEMAP_OK) return status;
    *out = (uint32_t)script->file_count;
    if (!fm_table_add(&script->file_table, hash, *out)) return fm_error_memory(error);
    script->file_count++;
    return FRAMEMAP_OK;
}

/* Returns the file of a frame; absent for "unknown", which engines print for code without a file. */
static framemap_str printed_file(const framemap_frame *frame)
{
    return fm_str_equal(frame->file, FM_STR("unknown")) ? (framemap_str){NULL, 0} : frame->file;
}

static framemap_status find_file(struct fm_restore_job *job, const struct fm_js_map_query *want, uint32_t *out,
                                 framemap_error *error)
{
    struct fm_js_job *script = job->js;
    const uint64_t hash = fm_hash_text(want->file, fm_hash_text(want->id, fm_hash_key(script) + want->bytecode));
    *out = fm_table_find(&script->file_table, hash, file_equal, script, want);
    return *out == UINT32_MAX ? add_file(job, want, hash, out, error) : FRAMEMAP_OK;
}

/* --- listing the files of a trace's frames --- */

/* Adds a file to the list of the trace's files. */
static bool list_file(struct fm_restore_job *job, uint32_t number)
{
    struct fm_js_job *script = job->js;
    struct fm_js_printed_file *file = &script->files[number];
    if (file->trace == script->trace) return true;
    if (!FM_GROW(job->heap, script->present, script->present_capacity, script->present_count + 1)) return false;
    file->trace = script->trace;
    file->rows = file->covered = 0;
    file->is_candidate = file->agrees = false;
    file->held = file->found;
    file->matched_by = file->found_by;
    script->present[script->present_count++] = number;
    return true;
}

static framemap_status note_frame(struct fm_restore_job *job, const framemap_frame *frame, framemap_error *error)
{
    struct fm_js_job *script = job->js;
    const struct fm_js_map_query want = {
        .file = printed_file(frame), .id = frame->id, .bytecode = frame->address_kind == FRAMEMAP_ADDRESS_BYTECODE};
    uint32_t number = script->frame_count ? script->file_of[script->frame_count - 1] : UINT32_MAX;
    framemap_status status = FRAMEMAP_OK;
    if (!FM_GROW(job->heap, script->file_of, script->frame_capacity, script->frame_count + 1))
        return fm_error_memory(error);
    /* consecutive frames usually have the same file */
    if (number == UINT32_MAX || !file_equal(script, number, &want)) status = find_file(job, &want, &number, error);
    if (status != FRAMEMAP_OK) return status;
    script->file_of[script->frame_count++] = number;
    return list_file(job, number) ? FRAMEMAP_OK : fm_error_memory(error);
}

/* Records the maps that were found by name or id, in this trace or in earlier ones. */
static void note_found(struct fm_js_job *script)
{
    for (size_t i = 0; i < script->present_count; i++) {
        const struct fm_js_printed_file *file = &script->files[script->present[i]];
        if (file->is_source || !fm_js_has_map(&file->found)) continue;
        script->any_found = true;
        /* Only maps without parts are closed, so a closed map has no parts. */
        if (script->parts == NULL && file->found.index && fm_script_has_parts(file->found.index->view)) {
            script->parts = file->found.index;
            script->parts_by = file->found_by;
        }
    }
}

/* --- deciding whether the only map may be used --- */

static void use_map(struct fm_js_printed_file *file, framemap_index *index, framemap_match matched_by)
{
    file->held.index = index;
    file->matched_by = matched_by;
}

/* Whether a map covers a position. The last segment of a line covers only a short text after it, such as the end of the
 * script's wrapper or a comment. A line with a single segment is covered as a whole. */
static bool covers(const struct fm_view *view, const struct fm_printed_place *row)
{
    enum { TAIL = 1000 };
    struct fm_generated_place at;
    struct fm_view_segment segment, other;
    if (fm_js_map_position(view, row, &at) != NULL) return false;
    if (!fm_view_segment_at(view, at.line0, at.col0, &segment))
        return fm_view_range_at(view, at.line0, at.col0, &segment);
    if (at.col0 - segment.col0 <= TAIL) return true;
    if (fm_view_segment(view, segment.number + 1, &other) && other.line0 == at.line0) return true;
    return segment.number == 0 || !fm_view_segment(view, segment.number - 1, &other) || other.line0 != at.line0;
}

static void count_covered(struct fm_js_job *script, const framemap_trace *trace, uint32_t number,
                          const struct fm_view *view)
{
    /* this is how many frames are checked at most; the frames of a stack overflow repeat themselves */
    enum { ROWS = 256 };
    struct fm_js_printed_file *file = &script->files[number];
    for (size_t f = 0, k = 0; f < trace->frame_count && file->rows < ROWS; f++) {
        const framemap_frame *frame = &trace->frames[f];
        if (!fm_js_is_looked_up(frame)) continue;
        if (script->file_of[k++] != number) continue;
        const struct fm_printed_place row = fm_js_place_of_frame(frame);
        file->rows++;
        file->covered += covers(view, &row);
    }
}

/* Determines whether the only map may belong to a file with a name. If it may not, sets the file's reason. */
static framemap_status consider(struct fm_restore_job *job, const framemap_trace *trace, uint32_t number,
                                framemap_error *error)
{
    struct fm_js_job *script = job->js;
    struct fm_js_printed_file *file = &script->files[number];
    struct fm_held_index only;
    struct fm_js_map_fit fit;
    if (script->any_found || fm_js_is_wasm(&file->want) || fm_js_maps_refuses(file->held.reason)) return FRAMEMAP_OK;
    framemap_status status = fm_js_maps_only(script->maps, file->want.bytecode, &only, &file->only_by, error);
    if (status != FRAMEMAP_OK || only.index == NULL) return status;
    status = fm_js_maps_fit(script->maps, &file->want, &fit, error);
    if (status != FRAMEMAP_OK) return status;
    if (fit.reason) {
        file->held.reason = fit.reason;
        return FRAMEMAP_OK;
    }
    if (!file->want.bytecode || fm_script_may_be_bytecode(only.index->view)) {
        count_covered(script, trace, number, only.index->view);
        if (file->covered * 2 <= file->rows) {
            file->held.reason = not_covered;
            return FRAMEMAP_OK;
        }
    }
    file->is_candidate = true;
    file->agrees = fit.agrees;
    file->only = only.index;
    return FRAMEMAP_OK;
}

/* Uses the only map for bytecode, if the map of the script covers none of the script's positions. React Native prints
 * addresses in bytecode as lines and columns ("f@1:123"). Its build also writes the map of the script, in which the
 * first line of the bundle has no segments. */
static framemap_status prefer_bytecode(struct fm_restore_job *job, const framemap_trace *trace, uint32_t number,
                                       struct fm_held_index *only, framemap_error *error)
{
    struct fm_js_job *script = job->js;
    struct fm_js_printed_file *file = &script->files[number];
    if (file->want.bytecode || !is_nameless(file) || only->index == NULL) return FRAMEMAP_OK;
    count_covered(script, trace, number, only->index->view);
    return file->covered > 0 ? FRAMEMAP_OK : fm_js_maps_only(script->maps, true, only, &file->only_by, error);
}

/* Chooses the map of a file without a name, or of one file of a bundle that consists of several files. */
static framemap_status settle_nameless(struct fm_restore_job *job, const framemap_trace *trace, uint32_t number,
                                       bool *settled, framemap_error *error)
{
    struct fm_js_job *script = job->js;
    struct fm_js_printed_file *file = &script->files[number];
    struct fm_held_index only;
    *settled = true;
    if (is_part(file) && script->parts) {
        use_map(file, script->parts, script->parts_by);
        return FRAMEMAP_OK;
    }
    framemap_status status = fm_js_maps_only(script->maps, file->want.bytecode, &only, &file->only_by, error);
    if (status == FRAMEMAP_OK) status = prefer_bytecode(job, trace, number, &only, error);
    if (status != FRAMEMAP_OK) return status;
    *settled = is_nameless(file) || (only.index && fm_script_has_parts(only.index->view));
    if (!*settled) return FRAMEMAP_OK;
    file->held = only;
    if (only.index) file->matched_by = file->only_by;
    return FRAMEMAP_OK;
}

static framemap_status settle_file(struct fm_restore_job *job, const framemap_trace *trace, uint32_t number,
                                   framemap_error *error)
{
    struct fm_js_printed_file *file = &job->js->files[number];
    bool settled = false;
    framemap_status status = FRAMEMAP_OK;
    if (fm_js_has_map(&file->found) || file->is_source) return FRAMEMAP_OK;
    if (is_nameless(file) || is_part(file)) status = settle_nameless(job, trace, number, &settled, error);
    return status == FRAMEMAP_OK && !settled ? consider(job, trace, number, error) : status;
}

/* Returns the only script among the candidates, ignoring URL queries; absent if there are several candidates or none.
 * Candidates whose names are in the map are considered alone, if there are any. */
static framemap_str only_candidate(const struct fm_js_job *script, bool *several)
{
    framemap_str stem = {NULL, 0};
    bool agrees = false;
    *several = false;
    for (size_t i = 0; i < script->present_count; i++) {
        const struct fm_js_printed_file *file = &script->files[script->present[i]];
        if (!file->is_candidate || (agrees && !file->agrees)) continue;
        const framemap_str own = fm_js_name_stem(file->want.file);
        *several = (*several || (stem.size && !fm_str_equal(stem, own))) && agrees == file->agrees;
        agrees = file->agrees;
        stem = own;
    }
    return *several ? (framemap_str){NULL, 0} : stem;
}

/* Uses the only map for one script: the script for which it was used before, otherwise the only candidate. */
static void take_only(struct fm_js_job *script)
{
    bool several;
    const framemap_str stem = only_candidate(script, &several);
    const bool earlier = script->taken.size > 0;
    if (!earlier) script->taken = stem;
    for (size_t i = 0; i < script->present_count; i++) {
        struct fm_js_printed_file *file = &script->files[script->present[i]];
        if (!file->is_candidate) continue;
        if (script->taken.size && fm_str_equal(script->taken, fm_js_name_stem(file->want.file)))
            use_map(file, file->only, file->only_by);
        else
            file->held.reason = earlier ? of_earlier : several_files;
    }
}

static bool is_for_only_module(const struct fm_js_printed_file *file)
{
    return file->is_unnamed && (!fm_js_has_map(&file->found) || file->found_by == FRAMEMAP_MATCH_ONLY_MAP);
}

/* Chooses the map for modules whose names V8 replaced by hashes. The only module of the session is used for one hash:
 * the hash for which it was used before, otherwise the only hash in the trace. */
static void take_only_module(struct fm_js_job *script)
{
    framemap_str hash = script->module;
    bool several = false;
    for (size_t i = 0; i < script->present_count; i++) {
        const struct fm_js_printed_file *file = &script->files[script->present[i]];
        if (!is_for_only_module(file)) continue;
        const framemap_str own = fm_js_name_stem(file->want.file);
        several = several || (hash.size && !fm_str_equal(hash, own));
        hash = own;
    }
    const bool earlier = script->module.size > 0;
    if (!earlier && !several) script->module = hash;
    for (size_t i = 0; i < script->present_count; i++) {
        struct fm_js_printed_file *file = &script->files[script->present[i]];
        file->of_other = NULL;
        if (!is_for_only_module(file) || fm_str_equal(script->module, fm_js_name_stem(file->want.file))) continue;
        file->of_other = earlier ? of_earlier_module : several_unnamed;
        if (file->held.index == NULL) continue;
        file->held = (struct fm_held_index){.reason = file->of_other};
        file->matched_by = FRAMEMAP_MATCH_NONE;
    }
}

static bool has_addresses(const struct fm_js_printed_file *file, const struct fm_held_index *map)
{
    if (map->closed) return fm_js_recalls_bytecode(file);
    return fm_js_is_wasm(&file->want) ? fm_script_may_be_wasm(map->index->view)
                                      : fm_script_may_be_bytecode(map->index->view);
}

/* Refuses the map of the generated text for a position in bytecode. React Native's packager and its bytecode compiler
 * write maps with the same name, so the packager's map may have been found. */
static void refuse_text_map(struct fm_js_printed_file *file)
{
    const struct fm_held_index *map = &file->held;
    if (!file->want.bytecode || !fm_js_has_map(map) || has_addresses(file, map)) return;
    file->held = (struct fm_held_index){.reason = not_bytecode};
    file->matched_by = FRAMEMAP_MATCH_NONE;
}

framemap_status fm_js_choose_maps(struct fm_restore_job *job, const framemap_trace *trace, framemap_error *error)
{
    struct fm_js_job *script = job->js;
    framemap_status status = FRAMEMAP_OK;
    script->trace++;
    script->frame_count = script->frame_at = script->present_count = 0;
    for (size_t f = 0; f < trace->frame_count && status == FRAMEMAP_OK; f++)
        if (fm_js_is_looked_up(&trace->frames[f])) status = note_frame(job, &trace->frames[f], error);
    if (status == FRAMEMAP_OK) note_found(script);
    for (size_t i = 0; i < script->present_count && status == FRAMEMAP_OK; i++)
        status = settle_file(job, trace, script->present[i], error);
    if (status != FRAMEMAP_OK) return status;
    take_only(script);
    take_only_module(script);
    for (size_t i = 0; i < script->present_count; i++) refuse_text_map(&script->files[script->present[i]]);
    return FRAMEMAP_OK;
}
