/* Finds and holds the source map of each script, once for each query. js_map_choice.c has the rules for choosing a map;
 * this file opens the indexes. */
#include "session/restore/js_map_finder.h"

#include "core/error.h"
#include "session/catalog/scoped_find.h"
#include "session/restore/js_map_fit.h"

/* A query and its result. */
struct map_answer {
    struct fm_js_map_query want;
    struct fm_held_index held;
    framemap_match matched_by;
};

struct fm_js_maps {
    framemap_session *session;
    const framemap_scope *scope;
    struct fm_heap *heap;
    struct fm_arena arena; /* memory of the strings in the queries */
    struct map_answer *rows;
    size_t count, capacity;
    struct fm_table table;
    /* the only map in the session: for frames with positions, and for frames with bytecode addresses */
    struct fm_held_index only[2];
    framemap_match only_by[2];
    bool has_only[2];
};

static const char several[] = "several source maps fit this script, and the stack does not say which build it is of";
static const char not_only[] = "several source maps were given, and the stack does not say which one belongs to it";

framemap_status fm_js_maps_open(framemap_session *session, struct fm_heap *heap, struct fm_js_maps **out,
                                framemap_error *error)
{
    struct fm_js_maps *maps = fm_heap_zalloc(heap, 1, sizeof *maps);
    if (maps == NULL) return fm_error_memory(error);
    maps->session = session;
    maps->heap = heap;
    fm_arena_init(&maps->arena, heap);
    fm_table_init(&maps->table, heap);
    *out = maps;
    return FRAMEMAP_OK;
}

void fm_js_maps_set_scope(struct fm_js_maps *maps, const framemap_scope *scope) { maps->scope = scope; }

void fm_js_maps_close(struct fm_js_maps *maps)
{
    if (maps == NULL) return;
    for (size_t i = 0; i < maps->count; i++) framemap_session_release(maps->session, maps->rows[i].held.index);
    for (unsigned i = 0; i < 2; i++) framemap_session_release(maps->session, maps->only[i].index);
    fm_heap_free(maps->heap, maps->rows, maps->capacity * sizeof *maps->rows);
    fm_table_free(&maps->table);
    fm_arena_free(&maps->arena);
    fm_heap_free(maps->heap, maps, sizeof *maps);
}

/* --- comparing builds --- */

static bool is_packed(const struct fm_entry *entry)
{
    return entry->is_index || entry->is_script || fm_str_ends(framemap_str_of(entry->path), FM_STR(".gz"));
}

/* Whether the ids or sizes of two maps already show that the maps differ, so that the maps need not be read. */
static bool surely_differ(const struct fm_entry *a, const struct fm_entry *b)
{
    if (a->id.size > 0 && b->id.size > 0) return !fm_str_equal(a->id, b->id);
    return !is_packed(a) && !is_packed(b) && a->stamp.size != b->stamp.size;
}

static framemap_str id_of(const framemap_index *index)
{
    framemap_index_info info;
    framemap_index_describe(index, &info);
    return info.id;
}

/* Whether a map is of the same build as the map that is held; false for a map that cannot be read. */
static framemap_status compare_build(framemap_session *session, const framemap_index *held,
                                     const struct fm_entry *entry, bool *same, framemap_error *error)
{
    struct fm_held_index other;
    framemap_status status = fm_session_hold_entry(session, entry, &other, error);
    *same = false;
    if (status != FRAMEMAP_OK || other.index == NULL) return status;
    *same = fm_str_equal(id_of(held), id_of(other.index));
    framemap_session_release(session, other.index);
    return FRAMEMAP_OK;
}

/* Holds the index of the chosen map. If several maps fit equally well, all must belong to the same build. */
static framemap_status hold(framemap_session *session, const struct fm_js_map_choice *choice, const char *reason,
                            struct fm_held_index *out, framemap_error *error)
{
    bool same = true;
    *out = (struct fm_held_index){.reason = choice->reason, .other = choice->count == 0 ? choice->other : NULL};
    if (choice->count == 0) return FRAMEMAP_OK;
    for (size_t i = 1; i < choice->count && same; i++) same = !surely_differ(choice->entries[0], choice->entries[i]);
    framemap_status status = same ? fm_session_hold_entry(session, choice->entries[0], out, error) : FRAMEMAP_OK;
    for (size_t i = 1; i < choice->count && same && status == FRAMEMAP_OK && out->index != NULL; i++)
        status = compare_build(session, out->index, choice->entries[i], &same, error);
    if (same && status == FRAMEMAP_OK) return FRAMEMAP_OK;
    framemap_session_release(session, out->index);
    *out = (struct fm_held_index){.reason = reason};
    return status;
}

/* --- queries --- */

static bool want_equal(const void *context, uint32_t number, const void *key)
{
    const struct fm_js_maps *maps = context;
    const struct fm_js_map_query *a = &maps->rows[number].want, *b = key;
    return a->bytecode == b->bytecode && fm_str_equal(a->file, b->file) && fm_str_equal(a->id, b->id);
}

/* Chooses a map by the ids in the scope of the text, for a file whose own id is not in the text. The map must be one
 * that can belong to the file; a map with the file's name is preferred. */
static bool choose_by_scope(struct fm_js_maps *maps, const struct fm_js_map_query *want, struct fm_js_map_choice *out)
{
    const size_t count = maps->scope && want->id.size == 0 && want->file.size > 0 ? maps->scope->id_count : 0;
    struct fm_label_sets *sets = &maps->session->labels;
    bool agrees = false;
    out->count = 0;
    for (size_t i = 0; i < count && !agrees; i++) {
        struct fm_js_map_choice choice;
        struct fm_js_map_fit fit;
        if (!fm_scoped_map_of_id(sets, maps->scope, i, want->bytecode, &choice)) return false;
        if (choice.count == 0) continue;
        if (!fm_js_map_fit(choice.entries[0]->home, maps->heap, &choice, want, &fit)) return false;
        agrees = fit.reason == NULL && fit.agrees;
        if (fit.reason == NULL && (out->count == 0 || agrees)) *out = choice;
    }
    return true;
}

static bool choose(struct fm_js_maps *maps, const struct fm_js_map_query *want, struct fm_js_map_choice *out)
{
    if (!choose_by_scope(maps, want, out)) return false;
    return out->count > 0 || fm_scoped_map(&maps->session->labels, maps->scope, want, out);
}

/* Holds the map that was chosen for a query, and stores the result. */
static framemap_status add_answer(struct fm_js_maps *maps, const struct fm_js_map_query *want,
                                  const struct fm_js_map_choice *choice, uint64_t hash, uint32_t *number,
                                  framemap_error *error)
{
    struct map_answer row = {.want = {.bytecode = want->bytecode}};
    if (!FM_GROW(maps->heap, maps->rows, maps->capacity, maps->count + 1) ||
        !fm_arena_str(&maps->arena, want->file, &row.want.file) || !fm_arena_str(&maps->arena, want->id, &row.want.id))
        return fm_error_memory(error);
    framemap_status status = hold(maps->session, choice, several, &row.held, error);
    if (status != FRAMEMAP_OK) return status;
    row.matched_by = row.held.index ? choice->matched_by : FRAMEMAP_MATCH_NONE;
    *number = (uint32_t)maps->count;
    maps->rows[maps->count++] = row; /* the row releases the index from here on */
    return fm_table_add(&maps->table, hash, *number) ? FRAMEMAP_OK : fm_error_memory(error);
}

framemap_status fm_js_maps_find(struct fm_js_maps *maps, const struct fm_js_map_query *want, bool may_recall,
                                struct fm_held_index *out, framemap_match *matched_by, framemap_error *error)
{
    const uint64_t hash = fm_hash_text(want->id, fm_hash_text(want->file, fm_hash_key(maps) + want->bytecode));
    uint32_t number = fm_table_find(&maps->table, hash, want_equal, maps, want);
    if (number == UINT32_MAX) {
        struct fm_js_map_choice choice;
        fm_mutex_lock(&maps->session->lock);
        const bool ok = choose(maps, want, &choice);
        const bool is_closed = may_recall && ok && choice.count == 1 &&
                               fm_index_cache_may_recall(&maps->session->cache, choice.entries[0]);
        fm_mutex_unlock(&maps->session->lock);
        if (!ok) return fm_error_memory(error);
        if (is_closed) {
            *out = (struct fm_held_index){.closed = choice.entries[0]};
            if (matched_by) *matched_by = choice.matched_by;
            return FRAMEMAP_OK;
        }
        const framemap_status status = add_answer(maps, want, &choice, hash, &number, error);
        if (status != FRAMEMAP_OK) return status;
    }
    *out = maps->rows[number].held;
    if (matched_by) *matched_by = maps->rows[number].matched_by;
    return FRAMEMAP_OK;
}

bool fm_js_maps_refuses(const char *reason) { return fm_js_map_choice_refuses(reason) || reason == several; }

framemap_status fm_js_maps_only(struct fm_js_maps *maps, bool bytecode, struct fm_held_index *out,
                                framemap_match *matched_by, framemap_error *error)
{
    struct fm_js_map_choice choice;
    framemap_status status = FRAMEMAP_OK;
    if (!maps->has_only[bytecode]) {
        fm_mutex_lock(&maps->session->lock);
        const bool ok = fm_scoped_any_map(&maps->session->labels, maps->scope, bytecode, &choice);
        fm_mutex_unlock(&maps->session->lock);
        if (!ok) return fm_error_memory(error);
        maps->only_by[bytecode] = choice.matched_by;
        status = hold(maps->session, &choice, not_only, &maps->only[bytecode], error);
    }
    maps->has_only[bytecode] = maps->has_only[bytecode] || status == FRAMEMAP_OK;
    if (status == FRAMEMAP_OK) *out = maps->only[bytecode];
    if (matched_by) *matched_by = maps->only_by[bytecode];
    return status;
}

framemap_status fm_js_maps_fit(struct fm_js_maps *maps, const struct fm_js_map_query *want, struct fm_js_map_fit *out,
                               framemap_error *error)
{
    struct fm_js_map_choice choice;
    fm_mutex_lock(&maps->session->lock);
    bool ok = fm_scoped_any_map(&maps->session->labels, maps->scope, want->bytecode, &choice);
    struct fm_catalog *home = choice.count > 0 ? choice.entries[0]->home : &maps->session->catalog;
    ok = ok && fm_js_map_fit(home, maps->heap, &choice, want, out);
    fm_mutex_unlock(&maps->session->lock);
    return ok ? FRAMEMAP_OK : fm_error_memory(error);
}
