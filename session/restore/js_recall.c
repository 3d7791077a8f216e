/* Implements js_recall.h: makes the key of a JavaScript position for the cache of answers (recall.h). The map of a
 * script is searched first. If cached facts show that the map's answers are all that is needed, it is not opened. */
#include "session/restore/js_recall.h"

#include "resolve/javascript/dart2js_names.h"

/* --- maps --- */

/* Bits of the facts about a map that are cached besides its answers. */
enum { HAS_PARTS = 1, HAS_MINIFIED = 2, MAY_BE_BYTECODE = 4, KNOWS_TEXT = 8, MAY_BE_WASM = 16 };

static unsigned facts_of(const struct fm_view *view)
{
    return (fm_script_has_parts(view) ? HAS_PARTS : 0u) | (fm_has_minified(view) ? HAS_MINIFIED : 0u) |
           (fm_script_may_be_bytecode(view) ? MAY_BE_BYTECODE : 0u) | (fm_js_knows_text(view) ? KNOWS_TEXT : 0u) |
           (fm_script_may_be_wasm(view) ? MAY_BE_WASM : 0u);
}

static bool may_stay_closed(const struct fm_recalled_file *file)
{
    return (file->facts & (HAS_PARTS | HAS_MINIFIED)) == 0;
}

/* Records the index of the map that was found, if the index is open. */
static void note_found(struct fm_restore_job *job, struct fm_js_printed_file *file)
{
    const framemap_index *index = file->found.index;
    if (index == NULL || job->context > 0) return;
    if (fm_recall_note_open(job, index, &file->map_file))
        fm_remember_facts(job, facts_of(index->view), &file->map_file);
}

static framemap_status find(struct fm_restore_job *job, struct fm_js_printed_file *file, bool may_recall,
                            framemap_error *error)
{
    return fm_js_maps_find(job->js->maps, &file->want, may_recall, &file->found, &file->found_by, error);
}

static framemap_status hold(struct fm_restore_job *job, struct fm_js_printed_file *file, framemap_error *error)
{
    const framemap_status status = find(job, file, false, error);
    if (status == FRAMEMAP_OK) note_found(job, file);
    return status;
}

framemap_status fm_js_find_map(struct fm_restore_job *job, struct fm_js_printed_file *file, framemap_error *error)
{
    const framemap_status status = find(job, file, job->context == 0, error);
    const struct fm_entry *closed = file->found.closed;
    if (status != FRAMEMAP_OK) return status;
    if (closed && (!fm_recall_file(job, closed, &file->map_file) || !may_stay_closed(&file->map_file)))
        return hold(job, file, error);
    note_found(job, file);
    return FRAMEMAP_OK;
}

framemap_status fm_js_open_closed(struct fm_restore_job *job, struct fm_js_printed_file *file, framemap_error *error)
{
    const bool is_held = file->held.closed != NULL;
    const framemap_status status = hold(job, file, error);
    if (status != FRAMEMAP_OK || !is_held) return status;
    file->held = file->found;
    file->matched_by = file->found_by;
    return FRAMEMAP_OK;
}

bool fm_js_recalls_bytecode(const struct fm_js_printed_file *file)
{
    const unsigned fact = fm_js_is_wasm(&file->want) ? MAY_BE_WASM : MAY_BE_BYTECODE;
    return (file->map_file.facts & fact) != 0;
}

/* --- caching answers about sources, which consist of a status only --- */

static struct fm_recall_question question_of_source(const struct fm_js_printed_file *file)
{
    return (struct fm_recall_question){.tag = FM_RECALL_JS_SOURCE, .texts = {file->want.file}, .has_texts = true};
}

bool fm_js_recall_source(struct fm_restore_job *job, const struct fm_js_printed_file *file, bool *is_source)
{
    const struct fm_recall_question asked = question_of_source(file);
    framemap_frame answer;
    uint64_t none;
    if (!fm_recall(job, &file->map_file, &asked, &answer, &none)) return false;
    *is_source = answer.status == FRAMEMAP_FRAME_OK;
    return true;
}

void fm_js_remember_source(struct fm_restore_job *job, const struct fm_js_printed_file *file)
{
    if (!file->map_file.remembers) return;
    const struct fm_recall_question asked = question_of_source(file);
    const framemap_frame answer = {.status = file->is_source ? FRAMEMAP_FRAME_OK : FRAMEMAP_FRAME_NO_MATCH};
    fm_remember(job, &file->map_file, &asked, &answer, 0);
}

/* --- caching answers about positions --- */

static struct fm_recall_question question_of(const struct fm_js_answer *place)
{
    return (struct fm_recall_question){.tag = FM_RECALL_JS_PLACE, .number = (uint64_t)place->line0 << 32 | place->col0};
}

bool fm_js_recall(struct fm_restore_job *job, struct fm_js_printed_file *file, struct fm_js_answer *question)
{
    const struct fm_recall_question asked = question_of(question);
    framemap_frame answer;
    uint64_t none;
    if (!fm_recall_file(job, file->held.closed, &file->map_file)) return false;
    if (!fm_recall(job, &file->map_file, &asked, &answer, &none)) return false;
    question->view = NULL;
    question->knows_text = (file->map_file.facts & KNOWS_TEXT) != 0;
    question->status = answer.status;
    question->reason = answer.reason;
    question->restored = answer.restored;
    question->over_limit = answer.over_limit;
    return true;
}

void fm_js_remember(struct fm_restore_job *job, const struct fm_js_printed_file *file,
                    const struct fm_js_answer *question)
{
    if (!file->map_file.remembers) return;
    const struct fm_recall_question asked = question_of(question);
    const framemap_frame answer = {.status = question->status,
                                   .reason = question->reason,
                                   .restored = question->restored,
                                   .over_limit = question->over_limit};
    fm_remember(job, &file->map_file, &asked, &answer, 0);
}
