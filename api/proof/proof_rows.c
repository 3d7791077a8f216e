/* Queries an index of addresses for every position of the source. Each row is queried from its first position to its
 * last, in the pieces in which the index stores it; the position before the first row is queried, too. Scopes that the
 * source does not have, and positions between rows, must have no answer. */
#include "api/proof/proof_positions.h"

#include "core/error.h"

/* The rows of one scope in their order. If several rows are at one position, only the last one applies. */
struct scope_rows {
    struct fm_proof_positions *positions;
    uint32_t scope;
    uint64_t view_scope;
    bool has_view_scope;
    framemap_query query;
    struct fm_proof_batch *batch;
};

static framemap_status ask_position(struct scope_rows *scope, const struct fm_proof_row *row, uint64_t position)
{
    struct fm_proof *proof = scope->positions->proof;
    framemap_frame_list said;
    const framemap_status status = fm_proof_chain(scope->positions, row, position, &said);
    if (status != FRAMEMAP_OK) return status;
    scope->query.position = position;
    return fm_proof_compare_chain(proof, "position", &scope->query, fm_proof_put_position, said);
}

/* Returns the end of that piece of a row which is in one bucket of the index; `end` for the last piece. An index cuts
 * rows at its buckets, so each piece is stored, and can be wrong, by itself. */
static uint64_t piece_end(const struct scope_rows *scope, uint64_t position, uint64_t end)
{
    struct fm_hit hit;
    if (!scope->has_view_scope ||
        fm_view_lookup(fm_proof_view(scope->positions->proof), scope->view_scope, position, &hit) != FRAMEMAP_OK)
        return end;
    return hit.end > position && hit.end < end ? hit.end : end;
}

/* the most pieces into which the index may divide one row of the source; only a damaged index has more */
#define PIECES_MOST 65536u

/* Queries the positions of a row: the start of each piece, and the last position. end: the first position after the
 * row; UINT64_MAX: it has no end. */
static framemap_status ask_row(struct scope_rows *scope, const struct fm_proof_row *row, uint64_t from, uint64_t end)
{
    framemap_status status = FRAMEMAP_OK;
    uint64_t at = from;
    for (unsigned i = 0; i < PIECES_MOST && at < end && status == FRAMEMAP_OK; i++) {
        status = ask_position(scope, row, at);
        at = piece_end(scope, at, end);
    }
    if (status == FRAMEMAP_OK) status = fm_proof_batch_add(scope->batch, row, from);
    if (status == FRAMEMAP_OK && scope->has_view_scope)
        status = fm_proof_compare_functions(scope->positions, row, scope->view_scope, from);
    if (status == FRAMEMAP_OK && end != UINT64_MAX && end - from > 1) status = ask_position(scope, row, end - 1);
    return status == FRAMEMAP_OK ? fm_proof_step(scope->positions->proof, 1) : status;
}

/* Returns the row that applies at a position: the last row that is not an end mark, or else an end mark. *at: on input,
 * the first row of the position; on return, the first row of the next position. */
static const struct fm_proof_row *row_of(const struct fm_proof_positions *p, size_t *at)
{
    const struct fm_sort_item *first = &p->order[*at];
    const struct fm_proof_row *chosen = NULL;
    for (; *at < p->row_count && p->order[*at].group == first->group && p->order[*at].key == first->key; ++*at) {
        const struct fm_proof_row *row = &p->rows[p->order[*at].id];
        if (chosen == NULL || !fm_proof_is_gap(row)) chosen = row;
    }
    return chosen;
}

static void open_scope(struct fm_proof_positions *p, uint32_t number, struct fm_proof_batch *batch,
                       struct scope_rows *scope)
{
    const framemap_query query = FRAMEMAP_QUERY_INIT;
    *scope = (struct scope_rows){.positions = p, .scope = number, .query = query, .batch = batch};
    scope->query.scope = fm_text_set_at(&p->scopes, number);
    scope->query.demangle = FRAMEMAP_DEMANGLE_NONE;
    batch->positions_of = p;
    batch->query = scope->query;
    batch->count = 0;
    scope->has_view_scope = fm_view_scope(fm_proof_view(p->proof), scope->query.scope, &scope->view_scope);
}

/* Checks that the index has no answer before the first row, and none in a scope without rows. first: position of the
 * first row; UINT64_MAX: none. */
static framemap_status ask_before(struct scope_rows *scope, uint64_t first)
{
    static const struct fm_proof_row nothing = {.node = FM_NONE, .file = FM_NONE};
    struct fm_hit hit;
    framemap_status status = FRAMEMAP_OK;
    if (first > 0) status = ask_position(scope, &nothing, first - 1);
    if (status != FRAMEMAP_OK || !scope->has_view_scope) return status;
    const bool earlier = fm_view_next(fm_proof_view(scope->positions->proof), scope->view_scope, 0, &hit);
    return earlier && hit.start < first ? ask_position(scope, &nothing, hit.start) : FRAMEMAP_OK;
}

/* Queries the index for the rows of a scope. They start at *at in the sorted rows, if the scope has any; *at is moved
 * after them. */
static framemap_status ask_scope(struct fm_proof_positions *p, uint32_t number, size_t *at)
{
    struct scope_rows scope;
    struct fm_proof_batch batch;
    const bool has_rows = *at < p->row_count && p->order[*at].group == number;
    open_scope(p, number, &batch, &scope);
    framemap_status status = ask_before(&scope, has_rows ? p->order[*at].key : UINT64_MAX);
    while (*at < p->row_count && p->order[*at].group == number && status == FRAMEMAP_OK) {
        const uint64_t from = p->order[*at].key;
        const struct fm_proof_row *row = row_of(p, at);
        const bool is_last = *at == p->row_count || p->order[*at].group != number;
        p->proof->counts.records++;
        status = ask_row(&scope, row, from, is_last ? UINT64_MAX : p->order[*at].key);
    }
    return status == FRAMEMAP_OK ? fm_proof_batch_ask(&batch) : status;
}

static bool make_room(struct fm_proof_positions *p)
{
    if (p->nodes.count == 0) return true;
    p->known_nodes = fm_heap_zalloc(p->proof->heap, p->nodes.count, sizeof *p->known_nodes);
    return p->known_nodes != NULL;
}

static framemap_status count_scopes(struct fm_proof_positions *p)
{
    struct fm_view_about about;
    fm_view_about(fm_proof_view(p->proof), &about);
    return fm_proof_compare_number(p->proof, "position", "number of scopes", FM_STR(""), p->scopes.count,
                                   about.scope_count);
}

framemap_status fm_proof_positions_ask(struct fm_proof_positions *p)
{
    struct fm_proof *proof = p->proof;
    framemap_status status = fm_proof_sort_aliases(p);
    if (status == FRAMEMAP_OK && (!make_room(p) || !fm_sort(proof->heap, p->order, p->row_count, NULL, NULL)))
        status = fm_error_memory(proof->error);
    if (status == FRAMEMAP_OK) status = count_scopes(p);
    proof->total = p->row_count;
    proof->counts.records += p->nodes.count + p->functions.count;
    size_t at = 0;
    for (uint32_t i = 0; i < p->scopes.count && status == FRAMEMAP_OK; i++) status = ask_scope(p, i, &at);
    return status;
}
