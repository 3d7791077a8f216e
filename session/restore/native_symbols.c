/* Finds the images and resolves the positions of native frames. Implements native_symbols.h. */
#include "session/restore/native_symbols.h"

#include "api/value_keys.h"
#include "core/error.h"
#include "core/hash/hash.h"
#include "core/text/text.h"
#include "index/format/value_page.h"
#include "resolve/native/address.h"
#include "resolve/native/companion_file.h"
#include "resolve/resolve.h"
#include "session/restore/native_recall.h"

/* --- images --- */

static bool image_equal(const void *context, uint32_t number, const void *key)
{
    const struct fm_native_job *native = context;
    const struct fm_native_image *a = &native->images[number], *b = key;
    return fm_str_equal(a->id, b->id) && fm_str_equal(a->name, b->name) && fm_str_equal(a->arch, b->arch) &&
           a->file_offset == b->file_offset;
}

/* Finds the symbols of an image; called when the current pass needs them for the first time. */
static framemap_status hold_image(struct fm_restore_job *job, struct fm_native_image *row, framemap_error *error)
{
    struct fm_native_job *native = job->native;
    const framemap_image_query question = {
        .name = row->name, .id = row->id, .arch = row->arch, .file_offset = row->file_offset};
    framemap_status status =
        fm_session_find_module(job->session, job->scope, &question, &row->held, &row->matched_by, error);
    if (status == FRAMEMAP_OK && row->held.closed) {
        if (fm_native_recall_image(job, row)) return FRAMEMAP_OK;
        status = fm_session_hold_module(job->session, job->scope, &question, &row->held, &row->matched_by, error);
    }
    if (status == FRAMEMAP_OK && row->held.index == NULL)
        status = fm_restore_hold_remote(job, FM_KEY_NATIVE, row->id, &row->held, error);
    if (status != FRAMEMAP_OK) return status;
    if (row->held.remote) row->matched_by = FRAMEMAP_MATCH_ID;
    row->pass = native->pass;
    row->later = row->held.over == FM_OVER_TOGETHER && native->images_held > 0;
    if (row->later) {
        native->waiting++;
        job->waited++;
    }
    if (row->held.index == NULL) return FRAMEMAP_OK;
    native->images_held++;
    fm_native_note_image(job, row);
    return FRAMEMAP_OK;
}

/* Opens the closed index file of an image, because the cached answers do not suffice. The file must be the file from
 * which the cached answers were taken. */
static framemap_status open_image(struct fm_restore_job *job, struct fm_native_image *image, framemap_error *error)
{
    framemap_status status = fm_session_hold_entry(job->session, image->held.closed, &image->held, error);
    if (status != FRAMEMAP_OK) return status;
    if (image->held.index == NULL)
        return fm_restore_keep_reason(job, &image->held, image->id, &image->reason) ? FRAMEMAP_OK
                                                                                    : fm_error_memory(error);
    job->native->images_held++;
    fm_native_note_image(job, image);
    return FRAMEMAP_OK;
}

framemap_status fm_native_image_find(struct fm_restore_job *job, const struct fm_native_image *want, size_t *out,
                                     framemap_error *error)
{
    struct fm_native_job *native = job->native;
    const uint64_t key = fm_hash_word(want->file_offset, fm_hash_key(native));
    const uint64_t hash = fm_hash_text(want->name, fm_hash_text(want->id, key));
    uint32_t found = fm_table_find(&native->image_table, hash, image_equal, native, want);
    *out = found;
    if (found != UINT32_MAX) {
        struct fm_native_image *known = &native->images[found];
        if (!known->later || known->pass == native->pass) return FRAMEMAP_OK;
        framemap_status status = hold_image(job, known, error);
        const bool kept = status != FRAMEMAP_OK || fm_restore_keep_reason(job, &known->held, known->id, &known->reason);
        return kept ? status : fm_error_memory(error);
    }
    if (!FM_GROW(job->heap, native->images, native->image_capacity, native->image_count + 1))
        return fm_error_memory(error);
    struct fm_native_image *row = &native->images[native->image_count];
    *row = *want;
    framemap_status status = hold_image(job, row, error);
    if (status != FRAMEMAP_OK) return status;
    *out = native->image_count++; /* the job releases the index from here on */
    if (!fm_restore_keep_reason(job, &row->held, row->id, &row->reason)) return fm_error_memory(error);
    return fm_table_add(&native->image_table, hash, (uint32_t)*out) ? FRAMEMAP_OK : fm_error_memory(error);
}

/* --- adding files with more debug info --- */

/* Reports that a part of an image's debug info is in a file that was not found, and counts the frame among the frames
 * that lack this file. */
static framemap_status want_companion(struct fm_restore_job *job, const framemap_query *query,
                                      const struct fm_view *view, const framemap_frame *answer, uint32_t *out,
                                      framemap_error *error)
{
    struct fm_native_job *native = job->native;
    struct fm_native_image row = {.held = {.reason = answer->reason}, .reason = answer->reason};
    if (answer->reason == NULL || answer->status != FRAMEMAP_FRAME_SYMBOL) return FRAMEMAP_OK;
    if (!fm_resolve_companion(view, query, answer->reason, job->arena, &row.name, &row.id)) return FRAMEMAP_OK;
    if (!fm_arena_str(job->arena, row.name, &row.name) || !fm_arena_str(job->arena, row.id, &row.id))
        return fm_error_memory(error);
    const uint64_t hash = fm_hash_text(row.name, fm_hash_text(row.id, fm_hash_word(0, fm_hash_key(native))));
    *out = fm_table_find(&native->image_table, hash, image_equal, native, &row);
    if (*out != UINT32_MAX) return FRAMEMAP_OK;
    if (!FM_GROW(job->heap, native->images, native->image_capacity, native->image_count + 1))
        return fm_error_memory(error);
    *out = (uint32_t)native->image_count;
    native->images[native->image_count++] = row;
    return fm_table_add(&native->image_table, hash, *out) ? FRAMEMAP_OK : fm_error_memory(error);
}

/* --- resolving one position --- */

static bool answer_equal(const void *context, uint32_t number, const void *key)
{
    const struct fm_native_job *native = context;
    const struct fm_native_answer *a = &native->answers[number], *b = key;
    return a->image == b->image && a->kind == b->kind && a->address == b->address &&
           a->return_address == b->return_address;
}

/* Resolves a query in an index, or in the value of a store that has the page of the query. *view: the index or value
 * that was queried; NULL: none was queried. */
static framemap_status resolve_image(struct fm_restore_job *job, const struct fm_held_index *held,
                                     const framemap_query *query, const struct fm_view **view, framemap_frame *out,
                                     framemap_error *error)
{
    const struct fm_address_conversion conversion = fm_address_conversion_of(held->index->view, query);
    const char *reason = NULL;
    uint64_t position;
    framemap_status status = FRAMEMAP_OK;
    *view = held->index->view;
    if (held->remote && fm_address_to_position(&conversion, query->position, &position) == FM_ADDRESS_IN_IMAGE) {
        const uint64_t page = fm_page_of_position(position - query->return_address);
        status = fm_remote_page(job->remote, held->remote, page, view, &reason, error);
    } else if (held->remote) {
        *view = NULL;
    }
    if (status != FRAMEMAP_OK) return status;
    if (*view) return fm_resolve(*view, query, &job->scratch, out, error);
    *out = fm_restore_without_view(reason);
    return FRAMEMAP_OK;
}

/* Sets question->answer and question->companion from the image's index. */
static framemap_status ask_index(struct fm_restore_job *job, struct fm_native_answer *question, framemap_error *error)
{
    const struct fm_native_image *image = &job->native->images[question->image];
    const struct fm_view *view;
    framemap_query query = FRAMEMAP_QUERY_INIT;
    query.position = question->address;
    query.address_kind = question->kind;
    query.return_address = question->return_address;
    query.demangle = job->demangle;
    fm_arena_reset(&job->scratch);
    framemap_status status = resolve_image(job, &image->held, &query, &view, &question->answer, error);
    const bool is_damaged = status == FRAMEMAP_E_CORRUPT;
    if (is_damaged) {
        question->answer =
            (framemap_frame){.status = FRAMEMAP_FRAME_NO_MATCH, .reason = "the index for this image is damaged"};
    } else if (status != FRAMEMAP_OK) {
        return status;
    }
    question->companion = UINT32_MAX;
    status = want_companion(job, &query, view, &question->answer, &question->companion, error);
    if (status != FRAMEMAP_OK) return status;
    if (!fm_restore_keep(job, &question->answer)) return fm_error_memory(error);
    if (!is_damaged) fm_native_remember(job, &job->native->images[question->image], question);
    return FRAMEMAP_OK;
}

/* Sets question->answer and question->companion, from the cache if the index file is closed, otherwise from the image's
 * index. *found false: the index could not be opened after all; image->reason states why. */
static framemap_status find_answer(struct fm_restore_job *job, struct fm_native_answer *question, bool *found,
                                   framemap_error *error)
{
    struct fm_native_image *image = &job->native->images[question->image];
    framemap_status status = FRAMEMAP_OK;
    *found = true;
    if (image->held.closed) {
        if (fm_native_recall(job, image, question)) return FRAMEMAP_OK;
        status = open_image(job, image, error);
    }
    *found = image->held.index != NULL;
    return status == FRAMEMAP_OK && *found ? ask_index(job, question, error) : status;
}

framemap_status fm_native_resolve(struct fm_restore_job *job, struct fm_native_answer *question,
                                  const framemap_frame **out, framemap_error *error)
{
    struct fm_native_job *native = job->native;
    const uint64_t key[4] = {question->image, question->kind, question->address, question->return_address};
    const uint64_t hash = fm_hash_text(fm_str((const char *)key, sizeof key), fm_hash_key(native));
    uint32_t found = fm_table_find(&native->answer_table, hash, answer_equal, native, question);
    if (found == UINT32_MAX) {
        bool is_answered;
        const framemap_status status = find_answer(job, question, &is_answered, error);
        *out = NULL;
        if (status != FRAMEMAP_OK || !is_answered) return status;
        if (!FM_GROW(job->heap, native->answers, native->answer_capacity, native->answer_count + 1))
            return fm_error_memory(error);
        found = (uint32_t)native->answer_count;
        native->answers[native->answer_count++] = *question;
        if (!fm_table_add(&native->answer_table, hash, found)) return fm_error_memory(error);
    }
    *out = &native->answers[found].answer;
    if (native->answers[found].companion != UINT32_MAX) native->images[native->answers[found].companion].frames++;
    return FRAMEMAP_OK;
}

/* --- beginning and ending a restore call --- */

framemap_status fm_native_symbols_begin(struct fm_restore_job *job, framemap_error *error)
{
    struct fm_native_job *native = fm_heap_zalloc(job->heap, 1, sizeof *native);
    if (native == NULL) return fm_error_memory(error);
    fm_table_init(&native->image_table, job->heap);
    fm_table_init(&native->answer_table, job->heap);
    job->native = native;
    return FRAMEMAP_OK;
}

void fm_native_images_release(struct fm_restore_job *job)
{
    struct fm_native_job *native = job->native;
    for (size_t i = 0; i < native->image_count; i++) {
        framemap_session_release(job->session, native->images[i].held.index);
        native->images[i].held.index = NULL;
    }
    native->images_held = native->waiting = 0;
    native->pass++;
}

bool fm_native_symbols_missing(struct fm_restore_job *job)
{
    bool ok = true;
    for (size_t i = 0; i < job->native->image_count && ok; i++) {
        const struct fm_native_image *image = &job->native->images[i];
        const framemap_missing row = {.name = image->name,
                                      .id = image->id,
                                      .arch = image->arch,
                                      .frames = image->frames,
                                      .reason = image->reason,
                                      .kind = FRAMEMAP_KIND_NATIVE};
        if (image->frames) ok = fm_restore_miss(job, &row);
    }
    return ok;
}

void fm_native_symbols_end(struct fm_restore_job *job)
{
    struct fm_native_job *native = job->native;
    if (native == NULL) return;
    for (size_t i = 0; i < native->image_count; i++)
        framemap_session_release(job->session, native->images[i].held.index);
    fm_heap_free(job->heap, native->images, native->image_capacity * sizeof *native->images);
    fm_heap_free(job->heap, native->answers, native->answer_capacity * sizeof *native->answers);
    fm_table_free(&native->image_table);
    fm_table_free(&native->answer_table);
    fm_heap_free(job->heap, native, sizeof *native);
    job->native = NULL;
}
