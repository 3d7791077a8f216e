/* Implements remote.h. Builds and their values are numbered rows; a value is first searched in the session's cache, and
 * then requested from the store. */
#include "session/remote/remote.h"

#include "api/value_keys.h"
#include "core/error.h"
#include "core/hash/hash.h"
#include "core/text/text.h"
#include "index/read/head_view.h"
#include <inttypes.h>
#include <stdio.h>

static const char not_asked[] = "the store of symbols could not be asked";
static const char lost_value[] = "the store has only a part of the symbols of this build: push them again";
static const char damaged_value[] = "the symbols of this build in the store are damaged: push them again";
static const char other_version[] =
    "the symbols of this build in the store are of a version that is not supported: push them again";

#define NONE UINT32_MAX

enum value_state { WANTED, FOUND, ABSENT, FAILED };

struct remote_value {
    uint32_t build;
    framemap_str field;
    framemap_str class_name; /* the class in `field`; absent: the value is not for a class */
    uint64_t page;
    bool has_page;
    enum value_state state;
    const char *reason; /* why the value cannot be used; NULL: the value has not failed */
    struct fm_value *value;
    uint32_t next; /* next value of the same build; NONE: this is the last one */
};

struct remote_build {
    framemap_str key;
    uint32_t head, last; /* first and last value of the build; the first value is the head */
};

struct fm_remote {
    framemap_session *session;
    struct fm_heap *heap;
    struct fm_arena arena; /* memory of keys */
    struct remote_build *builds;
    size_t build_count, build_capacity;
    struct fm_table build_table;
    struct remote_value *values;
    size_t value_count, value_capacity;
    struct fm_table value_table;
    size_t wanted; /* number of values whose state is WANTED */
    bool warned;   /* a warning was given that the store is not available */
};

framemap_status fm_remote_open(framemap_session *session, struct fm_heap *heap, struct fm_remote **out,
                               framemap_error *error)
{
    *out = NULL;
    if (session->fetch == NULL) return FRAMEMAP_OK;
    struct fm_remote *remote = fm_heap_zalloc(heap, 1, sizeof *remote);
    if (remote == NULL) return fm_error_memory(error);
    remote->session = session;
    remote->heap = heap;
    fm_arena_init(&remote->arena, heap);
    fm_table_init(&remote->build_table, heap);
    fm_table_init(&remote->value_table, heap);
    *out = remote;
    return FRAMEMAP_OK;
}

void fm_remote_forget(struct fm_remote *remote)
{
    if (remote == NULL) return;
    for (size_t i = 0; i < remote->value_count; i++)
        if (remote->values[i].value) fm_value_release(&remote->session->values, remote->values[i].value);
    remote->value_count = remote->build_count = remote->wanted = 0;
    fm_table_clear(&remote->build_table);
    fm_table_clear(&remote->value_table);
    fm_arena_reset(&remote->arena);
}

void fm_remote_close(struct fm_remote *remote)
{
    if (remote == NULL) return;
    fm_remote_forget(remote);
    fm_heap_free(remote->heap, remote->builds, remote->build_capacity * sizeof *remote->builds);
    fm_heap_free(remote->heap, remote->values, remote->value_capacity * sizeof *remote->values);
    fm_table_free(&remote->build_table);
    fm_table_free(&remote->value_table);
    fm_arena_free(&remote->arena);
    fm_heap_free(remote->heap, remote, sizeof *remote);
}

/* --- listing the values of builds --- */

static bool value_equal(const void *context, uint32_t number, const void *key)
{
    const struct remote_value *a = &((const struct fm_remote *)context)->values[number], *b = key;
    return a->build == b->build && fm_str_equal(a->field, b->field);
}

/* Returns the row of a value; the state of a new row is WANTED. */
static framemap_status value_of(struct fm_remote *remote, uint32_t build, framemap_str field, uint32_t *out,
                                framemap_error *error)
{
    struct remote_value row = {.build = build, .field = field, .next = NONE};
    const uint64_t hash = fm_hash_text(field, fm_hash_key(remote) + build);
    *out = fm_table_find(&remote->value_table, hash, value_equal, remote, &row);
    if (*out != UINT32_MAX) return FRAMEMAP_OK;
    if (!FM_GROW(remote->heap, remote->values, remote->value_capacity, remote->value_count + 1) ||
        !fm_arena_str(&remote->arena, field, &row.field) ||
        !fm_table_add(&remote->value_table, hash, (uint32_t)remote->value_count))
        return fm_error_memory(error);
    *out = (uint32_t)remote->value_count++;
    remote->values[*out] = row;
    remote->wanted++;
    struct remote_build *owner = &remote->builds[build];
    if (owner->last == NONE)
        owner->head = *out;
    else
        remote->values[owner->last].next = *out;
    owner->last = *out;
    return FRAMEMAP_OK;
}

static void settle(struct fm_remote *remote, uint32_t number, enum value_state state, const char *reason)
{
    struct remote_value *row = &remote->values[number];
    if (row->state == WANTED) remote->wanted--;
    row->state = state;
    row->reason = reason;
}

static framemap_status page_row(struct fm_remote *remote, uint32_t build, uint64_t page, uint32_t *out,
                                framemap_error *error)
{
    char field[32];
    snprintf(field, sizeof field, "page:%" PRIx64, page);
    const framemap_status status = value_of(remote, build - 1, framemap_str_of(field), out, error);
    if (status != FRAMEMAP_OK) return status;
    remote->values[*out].page = page;
    remote->values[*out].has_page = true;
    return FRAMEMAP_OK;
}

static framemap_status class_row(struct fm_remote *remote, uint32_t build, framemap_str name, uint32_t *out,
                                 framemap_error *error)
{
    struct fm_buf field;
    fm_buf_init(&field, remote->heap);
    fm_buf_str(&field, FM_STR("class:"));
    fm_buf_str(&field, name);
    const framemap_status status =
        field.failed ? fm_error_memory(error) : value_of(remote, build - 1, fm_buf_view(&field), out, error);
    fm_buf_free(&field);
    if (status != FRAMEMAP_OK) return status;
    remote->values[*out].class_name = fm_str_from(remote->values[*out].field, sizeof "class:" - 1);
    return FRAMEMAP_OK;
}

framemap_status fm_remote_want_page(struct fm_remote *remote, uint32_t build, uint64_t page, framemap_error *error)
{
    uint32_t ignored;
    return page_row(remote, build, page, &ignored, error);
}

framemap_status fm_remote_want_class(struct fm_remote *remote, uint32_t build, framemap_str name, framemap_error *error)
{
    uint32_t ignored;
    return class_row(remote, build, name, &ignored, error);
}

/* --- builds --- */

static bool build_equal(const void *context, uint32_t number, const void *key)
{
    return fm_str_equal(((const struct fm_remote *)context)->builds[number].key, *(const framemap_str *)key);
}

static framemap_status add_build(struct fm_remote *remote, framemap_str key, uint64_t hash, uint32_t *out,
                                 framemap_error *error)
{
    struct remote_build row = {.head = NONE, .last = NONE};
    uint32_t ignored;
    if (!FM_GROW(remote->heap, remote->builds, remote->build_capacity, remote->build_count + 1) ||
        !fm_arena_str(&remote->arena, key, &row.key) ||
        !fm_table_add(&remote->build_table, hash, (uint32_t)remote->build_count))
        return fm_error_memory(error);
    *out = (uint32_t)remote->build_count++;
    remote->builds[*out] = row;
    return value_of(remote, *out, FM_STR("head"), &ignored, error);
}

framemap_status fm_remote_build(struct fm_remote *remote, framemap_str tenant, const char *family, framemap_str id,
                                uint32_t *out, framemap_error *error)
{
    struct fm_buf key;
    framemap_status status = FRAMEMAP_OK;
    fm_buf_init(&key, remote->heap);
    fm_build_key(&key, tenant, family, id);
    if (key.failed) {
        fm_buf_free(&key);
        return fm_error_memory(error);
    }
    const framemap_str text = fm_buf_view(&key);
    const uint64_t hash = fm_hash_text(text, fm_hash_key(remote));
    *out = fm_table_find(&remote->build_table, hash, build_equal, remote, &text);
    if (*out == UINT32_MAX) status = add_build(remote, text, hash, out, error);
    fm_buf_free(&key);
    ++*out;
    return status;
}

/* --- requesting values from the store --- */

/* The values of one request. */
struct framemap_fetched {
    struct fm_remote *remote;
    framemap_value_key *keys;
    uint32_t *rows; /* row of each key */
    size_t count, capacity, row_capacity;
    bool no_memory;
    framemap_error fault; /* the first fault of a single value */
};

static bool is_head(const struct remote_value *row)
{
    return row->state == FOUND && fm_view_is_head(row->value->index.view);
}

static const struct fm_view *head_of(const struct fm_remote *remote, uint32_t build)
{
    const struct remote_value *row = &remote->values[remote->builds[build].head];
    return is_head(row) ? row->value->index.view : NULL;
}

/* Whether the head of the build is known and states that the store does not have the value. */
static bool is_not_listed(const struct fm_remote *remote, const struct remote_value *row)
{
    const struct fm_view *head = head_of(remote, row->build);
    uint64_t listed;
    if (head == NULL) return false;
    if (row->class_name.size > 0) return !fm_head_has_class(head, row->class_name);
    return row->has_page && (!fm_head_page(head, row->page, &listed) || listed != row->page);
}

static bool list_key(struct fm_remote *remote, struct framemap_fetched *request, uint32_t number)
{
    const struct remote_value *row = &remote->values[number];
    if (!FM_GROW(remote->heap, request->keys, request->capacity, request->count + 1) ||
        !FM_GROW(remote->heap, request->rows, request->row_capacity, request->count + 1))
        return false;
    request->keys[request->count] = (framemap_value_key){remote->builds[row->build].key, row->field};
    request->rows[request->count++] = number;
    return true;
}

/* Adds the values that the cache lacks to a request, one build after the other; the head of each build comes first. */
static bool list_keys(struct fm_remote *remote, struct framemap_fetched *request)
{
    bool ok = true;
    for (size_t b = 0; b < remote->build_count; b++) {
        const bool is_absent = fm_value_cache_is_absent(&remote->session->values, remote->builds[b].key);
        for (uint32_t i = remote->builds[b].head; ok && i != NONE; i = remote->values[i].next) {
            struct remote_value *row = &remote->values[i];
            if (row->state != WANTED) continue;
            row->value = fm_value_cache_find(&remote->session->values, remote->builds[b].key, row->field);
            if (row->value)
                settle(remote, i, FOUND, NULL);
            else if (is_absent || is_not_listed(remote, row))
                settle(remote, i, ABSENT, NULL);
            else
                ok = list_key(remote, request, i);
        }
    }
    return ok;
}

static const char *reason_of(framemap_status status)
{
    return status == FRAMEMAP_OK ? NULL : status == FRAMEMAP_E_VERSION ? other_version : damaged_value;
}

void framemap_fetched_put(framemap_fetched *out, size_t key, framemap_str bytes)
{
    if (out == NULL) return;
    if (bytes.data == NULL) bytes.size = 0; /* a value without bytes counts as damaged */
    struct fm_remote *remote = out->remote;
    framemap_error error = {0};
    if (key >= out->count || remote->values[out->rows[key]].state != WANTED) return;
    struct remote_value *row = &remote->values[out->rows[key]];
    const framemap_value_key *name = &out->keys[key];
    const framemap_status status =
        fm_value_cache_add(&remote->session->values, name->build, name->field, bytes, &row->value, &error);
    if (status == FRAMEMAP_E_MEMORY)
        out->no_memory = true;
    else
        settle(remote, out->rows[key], status == FRAMEMAP_OK ? FOUND : FAILED, reason_of(status));
}

void framemap_fetched_fail(framemap_fetched *out, size_t key, const framemap_error *why)
{
    if (out == NULL || key >= out->count || out->remote->values[out->rows[key]].state != WANTED) return;
    settle(out->remote, out->rows[key], FAILED, not_asked);
    if (out->fault.code != FRAMEMAP_OK) return;
    out->fault = why ? *why : (framemap_error){0};
    if (out->fault.code == FRAMEMAP_OK) out->fault.code = FRAMEMAP_E_IO;
}

/* Reports, once in a restore call, why the store is not available. */
static void warn(struct fm_remote *remote, const framemap_error *fault)
{
    framemap_error warning = *fault;
    if (remote->warned) return;
    remote->warned = true;
    if (warning.message[0] == 0) fm_error_set(&warning, FRAMEMAP_E_IO, not_asked);
    fm_session_warn(remote->session, &warning);
}

static framemap_status ask(struct fm_remote *remote, struct framemap_fetched *request, framemap_error *error)
{
    framemap_error fault = {0};
    framemap_session *session = remote->session;
    const framemap_status status =
        session->fetch(session->fetch_context, request->keys, request->count, request, &fault);
    if (request->no_memory) return fm_error_memory(error);
    for (size_t i = 0; i < request->count; i++) {
        const struct remote_value *row = &remote->values[request->rows[i]];
        const bool is_head = remote->builds[row->build].head == request->rows[i];
        if (row->state != WANTED) continue;
        if (is_head && status == FRAMEMAP_OK)
            fm_value_cache_note_absent(&session->values, remote->builds[row->build].key);
        settle(remote, request->rows[i], status == FRAMEMAP_OK ? ABSENT : FAILED,
               status == FRAMEMAP_OK ? NULL : not_asked);
    }
    if (status != FRAMEMAP_OK || request->fault.code != FRAMEMAP_OK)
        warn(remote, status != FRAMEMAP_OK ? &fault : &request->fault);
    return FRAMEMAP_OK;
}

framemap_status fm_remote_fetch(struct fm_remote *remote, framemap_error *error)
{
    struct framemap_fetched request = {.remote = remote};
    if (remote->wanted == 0) return FRAMEMAP_OK;
    framemap_status status = list_keys(remote, &request) ? FRAMEMAP_OK : fm_error_memory(error);
    if (status == FRAMEMAP_OK && request.count > 0) status = ask(remote, &request, error);
    fm_heap_free(remote->heap, request.keys, request.capacity * sizeof *request.keys);
    fm_heap_free(remote->heap, request.rows, request.row_capacity * sizeof *request.rows);
    return status;
}

/* --- answers --- */

static framemap_status settled(struct fm_remote *remote, uint32_t number, framemap_error *error)
{
    return remote->values[number].state == WANTED ? fm_remote_fetch(remote, error) : FRAMEMAP_OK;
}

framemap_status fm_remote_head(struct fm_remote *remote, uint32_t build, framemap_index **out, const char **reason,
                               framemap_error *error)
{
    const uint32_t number = remote->builds[build - 1].head;
    const framemap_status status = settled(remote, number, error);
    const struct remote_value *row = &remote->values[number];
    *out = NULL;
    if (status != FRAMEMAP_OK) return status;
    if (is_head(row)) *out = &row->value->index;
    *reason = row->state == FOUND && *out == NULL ? damaged_value : row->reason;
    return FRAMEMAP_OK;
}

/* Returns the view of a value, or the reason why the value cannot be used. listed: whether the head states that the
 * store has the value. */
static framemap_status answer(struct fm_remote *remote, uint32_t number, bool listed, const struct fm_view **out,
                              const char **reason, framemap_error *error)
{
    const framemap_status status = settled(remote, number, error);
    const struct remote_value *row = &remote->values[number];
    *out = status == FRAMEMAP_OK && row->state == FOUND ? row->value->index.view : NULL;
    *reason = row->state == ABSENT && listed ? lost_value : row->reason;
    return status;
}

framemap_status fm_remote_page(struct fm_remote *remote, uint32_t build, uint64_t page, const struct fm_view **out,
                               const char **reason, framemap_error *error)
{
    uint64_t listed;
    uint32_t number;
    const struct fm_view *head = head_of(remote, build - 1);
    *out = NULL;
    *reason = NULL;
    if (head == NULL || !fm_head_page(head, page, &listed)) return FRAMEMAP_OK;
    const framemap_status status = page_row(remote, build, listed, &number, error);
    return status == FRAMEMAP_OK ? answer(remote, number, true, out, reason, error) : status;
}

framemap_status fm_remote_class(struct fm_remote *remote, uint32_t build, framemap_str name, const struct fm_view **out,
                                const char **reason, framemap_error *error)
{
    uint32_t number;
    const struct fm_view *head = head_of(remote, build - 1);
    *out = NULL;
    *reason = NULL;
    if (head == NULL || !fm_head_has_class(head, name)) return FRAMEMAP_OK;
    const framemap_status status = class_row(remote, build, name, &number, error);
    return status == FRAMEMAP_OK ? answer(remote, number, true, out, reason, error) : status;
}
