/* Implements framemap_session_prepare: opens indexes, and requests heads (indexes without entries) from the session's
 * store, before a text needs them. */
#include "api/value_keys.h"
#include "core/error.h"
#include "session/catalog/scoped_find.h"
#include "session/catalog/text_scope.h"
#include "session/remote/remote.h"

/* The families of symbols. An id does not show to which family it belongs, so the store is queried for each family. */
static const char *const families[] = {FM_KEY_NATIVE, FM_KEY_JAVASCRIPT, FM_KEY_JAVA};
enum { FAMILIES = sizeof families / sizeof *families };

struct preparation {
    framemap_session *session;
    framemap_scope scope;
    const framemap_image_query *wants;
    size_t count;
    size_t found;
    struct fm_remote *remote; /* symbols in the session's store; NULL: the session has no store */
    /* for each query: the numbers of its builds in the store; 0: the symbol paths have the image, or the query has no
     * id */
    uint32_t (*builds)[FAMILIES];
};

/* Holds the only source map that fits the query. If no map or several maps fit, out->index remains NULL. */
static framemap_status hold_map(struct preparation *prepare, const framemap_image_query *want,
                                struct fm_held_index *out, framemap_error *error)
{
    framemap_session *session = prepare->session;
    const struct fm_js_map_query query = {.file = want->name, .id = want->id};
    struct fm_js_map_choice choice = {.count = 0};
    fm_mutex_lock(&session->lock);
    const bool ok = fm_scoped_map(&session->labels, &prepare->scope, &query, &choice);
    fm_mutex_unlock(&session->lock);
    if (!ok) return fm_error_memory(error);
    return choice.count == 1 ? fm_session_hold_entry(session, choice.entries[0], out, error) : FRAMEMAP_OK;
}

/* Opens an index that the symbol paths have. The index remains in the session's cache, as after a restore call. */
static framemap_status prepare_files(struct preparation *prepare, const framemap_image_query *want, bool *found,
                                     framemap_error *error)
{
    framemap_match ignored;
    struct fm_held_index held = {.index = NULL};
    framemap_status status = fm_session_hold(prepare->session, &prepare->scope, want, &held, &ignored, error);
    if (status == FRAMEMAP_OK && held.index == NULL) status = hold_map(prepare, want, &held, error);
    if (status != FRAMEMAP_OK) return status;
    *found = held.index != NULL;
    framemap_session_release(prepare->session, held.index);
    return FRAMEMAP_OK;
}

/* Adds the heads of a query's builds to the next fetch. */
static framemap_status want_heads(struct preparation *prepare, size_t number, framemap_error *error)
{
    const framemap_str id = prepare->wants[number].id;
    framemap_status status = FRAMEMAP_OK;
    if (prepare->remote == NULL || id.size == 0) return FRAMEMAP_OK;
    for (size_t i = 0; i < FAMILIES && status == FRAMEMAP_OK; i++)
        status = fm_remote_build(prepare->remote, prepare->scope.tenant, families[i], id, &prepare->builds[number][i],
                                 error);
    return status;
}

static framemap_status count_heads(struct preparation *prepare, size_t number, framemap_error *error)
{
    framemap_status status = FRAMEMAP_OK;
    framemap_index *head = NULL;
    const char *ignored;
    for (size_t i = 0; i < FAMILIES && head == NULL && status == FRAMEMAP_OK; i++)
        if (prepare->builds[number][i] != 0)
            status = fm_remote_head(prepare->remote, prepare->builds[number][i], &head, &ignored, error);
    if (status == FRAMEMAP_OK && head != NULL) prepare->found++;
    return status;
}

static framemap_status prepare_all(struct preparation *prepare, framemap_error *error)
{
    framemap_status status = FRAMEMAP_OK;
    for (size_t i = 0; i < prepare->count && status == FRAMEMAP_OK; i++) {
        bool found = false;
        status = prepare_files(prepare, &prepare->wants[i], &found, error);
        if (found)
            prepare->found++;
        else if (status == FRAMEMAP_OK)
            status = want_heads(prepare, i, error);
    }
    if (prepare->remote == NULL) return status;
    if (status == FRAMEMAP_OK) status = fm_remote_fetch(prepare->remote, error);
    for (size_t i = 0; i < prepare->count && status == FRAMEMAP_OK; i++) status = count_heads(prepare, i, error);
    return status;
}

framemap_status framemap_session_prepare(framemap_session *session, const framemap_scope *scope,
                                         const framemap_image_query *wants, size_t count, size_t *found,
                                         framemap_error *error)
{
    struct preparation prepare = {.session = session, .wants = wants, .count = count};
    if (session == NULL || (wants == NULL && count > 0))
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a required argument is NULL");
    framemap_status status = FRAMEMAP_OK;
    for (size_t i = 0; status == FRAMEMAP_OK && i < count; i++)
        status = wants[i].path.size > 0 || wants[i].positions != NULL
                     ? fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a query has a path or positions")
                     : fm_image_query_check(&wants[i], error);
    if (status != FRAMEMAP_OK) return status;
    status = fm_text_scope_read(scope, false, &prepare.scope, error);
    if (status != FRAMEMAP_OK) return status;
    if (session->fetch != NULL && count > 0) {
        prepare.builds = fm_heap_zalloc(&session->heap, count, sizeof *prepare.builds);
        status =
            prepare.builds ? fm_remote_open(session, &session->heap, &prepare.remote, error) : fm_error_memory(error);
    }
    if (status == FRAMEMAP_OK) status = prepare_all(&prepare, error);
    fm_remote_close(prepare.remote);
    fm_heap_free(&session->heap, prepare.builds, prepare.builds ? count * sizeof *prepare.builds : 0);
    if (status == FRAMEMAP_OK && found) *found = prepare.found;
    return fm_session_memory_fault(session, status, error);
}
