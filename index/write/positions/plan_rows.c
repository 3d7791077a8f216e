/* Sorts the rows: scopes by key, rows by position. Drops rows that are overridden or repeat the row before. */
#include "core/error.h"
#include "core/thread_team.h"
#include "index/write/model/builder_model.h"

static int compare_scope_keys(const void *context, uint32_t a, uint32_t b)
{
    const struct fm_builder *builder = context;
    return fm_str_compare(fm_string_pool_text(&builder->scope_keys, a), fm_string_pool_text(&builder->scope_keys, b));
}

/* Sorts scopes by key. The caller frees *items; the ids are the builder's numbers. */
static bool sort_scopes(const struct fm_builder *b, struct fm_heap *heap, size_t count, struct fm_sort_item *items)
{
    const bool numbered = b->keys == FM_SCOPE_NUMBERED;
    for (size_t i = 0; i < count; i++)
        items[i] = (struct fm_sort_item){
            numbered ? b->scope_numbers[i] : fm_sort_prefix(fm_string_pool_text(&b->scope_keys, i)), 0, (uint32_t)i};
    return fm_sort(heap, items, count, numbered ? NULL : compare_scope_keys, b);
}

/* Numbers the scopes in the order of their keys, and replaces the builder's scope numbers in all runs of rows by these
 * numbers. */
static framemap_status rank_scopes(struct fm_plan *plan, framemap_error *error)
{
    struct fm_builder *b = plan->builder;
    const size_t count = fm_builder_scopes(b);
    struct fm_sort_item *items = fm_heap_zalloc(plan->heap, count, sizeof *items);
    uint32_t *rank = fm_heap_zalloc(plan->heap, count, sizeof *rank);
    plan->scopes = fm_heap_zalloc(plan->heap, count, sizeof *plan->scopes);
    if (plan->scopes) plan->scope_capacity = count;
    framemap_status status = FRAMEMAP_OK;
    if (items == NULL || rank == NULL || plan->scopes == NULL || !sort_scopes(b, plan->heap, count, items)) {
        status = fm_error_memory(error);
        goto done;
    }
    for (size_t i = 0; i < count; i++) {
        rank[items[i].id] = (uint32_t)i;
        plan->scopes[i].old = items[i].id;
    }
    plan->scope_count = count;
    for (size_t i = 0; i < b->rows.run_count; i++) b->rows.runs[i].scope = rank[b->rows.runs[i].scope];
done:
    fm_heap_free(plan->heap, items, count * sizeof *items);
    fm_heap_free(plan->heap, rank, count * sizeof *rank);
    return status;
}

/* --- sorting runs, and merging those that overlap --- */

/* Sorts runs by scope, then by first position; runs that agree in both keep the order of adding. */
static bool sort_runs(struct fm_heap *heap, struct fm_rows *rows)
{
    const size_t count = rows->run_count;
    struct fm_sort_item *items = fm_heap_zalloc(heap, count, sizeof *items);
    struct fm_run *sorted = fm_heap_zalloc(heap, rows->run_capacity, sizeof *sorted);
    for (size_t i = 0; items && i < count; i++)
        items[i] = (struct fm_sort_item){rows->runs[i].first, rows->runs[i].scope, (uint32_t)i};
    const bool ok = items && sorted && fm_sort(heap, items, count, NULL, NULL);
    for (size_t i = 0; ok && i < count; i++) sorted[i] = rows->runs[items[i].id];
    fm_heap_free(heap, items, count * sizeof *items);
    if (!ok) {
        fm_heap_free(heap, sorted, rows->run_capacity * sizeof *sorted);
        return false;
    }
    fm_heap_free(heap, rows->runs, rows->run_capacity * sizeof *rows->runs);
    rows->runs = sorted;
    return true;
}

/* A chain is a sequence of runs, each of which starts at or before the end of an earlier one, so that their rows must
 * be sorted one by one. */
struct chain {
    struct fm_rows *rows;
    struct fm_run *runs;
    size_t count;
    size_t row_count;
    struct fm_sort_item *order; /* sort items: first one for each run, then one for each row, in the order of adding */
    struct fm_row *copies;
};

/* Copies the chain's rows in the order in which they were added, with items to sort them. */
static bool gather_chain(struct chain *chain, struct fm_heap *heap)
{
    struct fm_sort_item *runs = fm_heap_zalloc(heap, chain->count, sizeof *runs);
    for (size_t i = 0; runs && i < chain->count; i++)
        runs[i] = (struct fm_sort_item){chain->runs[i].row, 0, (uint32_t)i};
    const bool ok = runs && fm_sort(heap, runs, chain->count, NULL, NULL);
    for (size_t i = 0, at = 0; ok && i < chain->count; i++) {
        const struct fm_run *run = &chain->runs[runs[i].id];
        memcpy(chain->copies + at, fm_rows_at(chain->rows, run->row), run->count * sizeof *chain->copies);
        for (size_t j = 0; j < run->count; j++, at++)
            chain->order[at] = (struct fm_sort_item){chain->copies[at].position, 0, (uint32_t)at};
    }
    fm_heap_free(heap, runs, chain->count * sizeof *runs);
    return ok;
}

/* Writes the sorted rows to the memory of the chain's runs. If several rows are at one position, that of the last call
 * is kept, but an end mark never takes the place of a position. */
static void scatter(struct chain *chain)
{
    size_t run = 0, used = 0;
    for (size_t i = 0, next; i < chain->row_count; i = next) {
        struct fm_row row = chain->copies[chain->order[i].id];
        for (next = i + 1; next < chain->row_count && chain->order[next].key == row.position; next++)
            if (chain->copies[chain->order[next].id].file != FM_ROW_GAP) row = chain->copies[chain->order[next].id];
        if (used == chain->runs[run].count) {
            run++;
            used = 0;
        }
        fm_rows_at(chain->rows, chain->runs[run].row)[used++] = row;
    }
    chain->runs[run].count = (uint32_t)used;
    for (size_t i = run + 1; i < chain->count; i++) chain->runs[i].count = 0;
}

static bool merge_chain(struct fm_heap *heap, struct chain *chain)
{
    for (size_t i = 0; i < chain->count; i++) chain->row_count += chain->runs[i].count;
    chain->copies = fm_heap_zalloc(heap, chain->row_count, sizeof *chain->copies);
    chain->order = fm_heap_zalloc(heap, chain->row_count, sizeof *chain->order);
    const bool ok = chain->copies && chain->order && gather_chain(chain, heap) &&
                    fm_sort(heap, chain->order, chain->row_count, NULL, NULL);
    if (ok) scatter(chain);
    fm_heap_free(heap, chain->copies, chain->row_count * sizeof *chain->copies);
    fm_heap_free(heap, chain->order, chain->row_count * sizeof *chain->order);
    return ok;
}

/* Drops one of two rows at one position, where the first run ends and the second starts. Returns whether it was the row
 * of the first run. */
static bool settle_touch(const struct fm_rows *rows, struct fm_run *first, struct fm_run *second)
{
    const size_t end = first->row + first->count - 1, begin = second->row;
    const bool end_is_gap = fm_rows_at(rows, end)->file == FM_ROW_GAP,
               begin_is_gap = fm_rows_at(rows, begin)->file == FM_ROW_GAP;
    const bool second_wins = end_is_gap == begin_is_gap ? begin > end : end_is_gap;
    if (second_wins) {
        first->count--;
    } else {
        second->row++;
        second->count--;
    }
    return second_wins;
}

/* Handles runs that share only one position. A run that loses its only row remains as an empty run. */
static void settle_touches(struct chain *chain)
{
    struct fm_run *before = &chain->runs[0];
    for (size_t i = 1; i < chain->count; i++) {
        struct fm_run *run = &chain->runs[i];
        if (before->count == 0 || fm_rows_at(chain->rows, before->row + before->count - 1)->position != run->first) {
            before = run;
            continue;
        }
        settle_touch(chain->rows, before, run);
        if (run->count > 0) before = run;
    }
}

/* Returns how many runs belong to the chain of the first run. A chain has runs of one scope; each begins at or before
 * the last position of all runs before it in the chain. *crosses: whether some run begins before that position. */
static size_t chain_at(const struct fm_run *runs, size_t count, bool *crosses)
{
    uint64_t last = runs[0].last;
    size_t at = 1;
    *crosses = false;
    for (; at < count && runs[at].scope == runs[0].scope && runs[at].first <= last; at++) {
        *crosses |= runs[at].first < last;
        if (runs[at].last > last) last = runs[at].last;
    }
    return at;
}

static bool part_runs(struct fm_heap *heap, struct fm_rows *rows)
{
    for (size_t at = 0, count; at < rows->run_count; at += count) {
        bool crosses;
        count = chain_at(rows->runs + at, rows->run_count - at, &crosses);
        struct chain chain = {.rows = rows, .runs = rows->runs + at, .count = count};
        if (crosses && !merge_chain(heap, &chain)) return false;
        if (!crosses && count > 1) settle_touches(&chain);
    }
    return true;
}

static bool make_pieces(struct fm_plan *plan, struct fm_rows *rows)
{
    plan->pieces = fm_heap_zalloc(plan->heap, rows->run_count, sizeof *plan->pieces);
    if (plan->pieces == NULL) return false;
    plan->piece_capacity = rows->run_count;
    for (size_t i = 0; i < rows->run_count; i++) {
        const struct fm_run *run = &rows->runs[i];
        if (run->count == 0) continue;
        plan->pieces[plan->piece_count++] = (struct fm_piece){.rows = fm_rows_at(rows, run->row),
                                                              .count = run->count,
                                                              .scope = run->scope,
                                                              .chunk = run->row / FM_ROWS_CHUNK};
    }
    fm_heap_free(plan->heap, rows->runs, rows->run_capacity * sizeof *rows->runs);
    rows->runs = NULL;
    rows->run_count = rows->run_capacity = 0;
    return true;
}

/* --- dropping rows that repeat the row before --- */

static bool group_follows(const struct fm_builder *b, uint32_t group)
{
    for (size_t i = 0; i < b->groups[group].count; i++)
        if (b->places[b->groups[group].first + i].flags & FM_PLACE_LINE_FOLLOWS) return true;
    return false;
}

static bool answer_goes_on(const struct fm_builder *b, const struct fm_row *first, const struct fm_row *second)
{
    if (first->file == FM_ROW_GAP || second->file == FM_ROW_GAP) return false;
    const struct fm_answer x = fm_row_answer(b, first), y = fm_row_answer(b, second);
    if (x.node != y.node || x.file != y.file || x.col1 != y.col1 || x.name != y.name || x.flags != y.flags)
        return false;
    if (x.flags & MODEL_GROUP) return !group_follows(b, x.node);
    if ((x.flags & FM_PLACE_LINE_FOLLOWS) == 0 || x.line1 == 0) return x.line1 == y.line1;
    return y.line1 > x.line1 && y.line1 - x.line1 == second->position - first->position;
}

/* Whether the second row has the same location as the first row has when it is extended to the second row's
 * position. */
static inline bool repeats_row(const struct fm_builder *b, const struct fm_row *first, const struct fm_row *second)
{
    if (first->file == FM_ROW_OTHER || second->file == FM_ROW_OTHER) return answer_goes_on(b, first, second);
    return first->node == second->node && first->file == second->file && first->line1 == second->line1 &&
           first->col1 == second->col1;
}

/* Removes, in place, the rows that repeat the location of the row before them. before: the row before the piece; NULL
 * at the start of a scope. */
static void drop_rows(const struct fm_builder *b, struct fm_piece *piece, const struct fm_row *before)
{
    struct fm_row *rows = piece->rows;
    const size_t count = piece->count;
    /* copies, so that they stay in registers: in memory, each row would wait for the store of the previous row */
    uint64_t steps = piece->steps, widest = piece->widest;
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        const struct fm_row row = rows[i];
        if (before ? repeats_row(b, before, &row) : row.file == FM_ROW_GAP) continue;
        if (kept > 0) {
            const uint64_t step = row.position - rows[kept - 1].position;
            steps |= step;
            if (step > widest) widest = step;
        }
        rows[kept] = row;
        before = &rows[kept++];
    }
    piece->steps = steps;
    piece->widest = widest;
    piece->count = (uint32_t)kept;
    if (kept == 0) return;
    piece->first = rows[0].position;
    piece->last = rows[kept - 1].position;
}

/* Pieces that one thread processes. */
struct drop {
    size_t first, end;
    struct fm_row before; /* a copy of the row before the first one, since another thread may move that row */
    bool has_before;
};
struct drops {
    struct fm_plan *plan;
    struct drop *items;
    size_t count, capacity;
};

static bool drop_some(void *context, unsigned worker, size_t item)
{
    const struct drops *drops = context;
    const struct drop *drop = &drops->items[item];
    struct fm_piece *pieces = drops->plan->pieces;
    struct fm_row before = drop->before;
    bool has_before = drop->has_before;
    (void)worker;
    for (size_t i = drop->first; i < drop->end; i++) {
        if (i > drop->first) has_before = pieces[i].scope == pieces[i - 1].scope;
        const struct fm_row last = pieces[i].rows[pieces[i].count - 1];
        drop_rows(drops->plan->builder, &pieces[i], has_before ? &before : NULL);
        before = last;
    }
    return true;
}

#define DROP_ROWS ((size_t)32 << 10) /* about how many rows a thread processes at a time */

static bool share_drops(struct drops *drops)
{
    const struct fm_plan *plan = drops->plan;
    for (size_t at = 0; at < plan->piece_count;) {
        if (!FM_GROW(plan->heap, drops->items, drops->capacity, drops->count + 1)) return false;
        struct drop *drop = &drops->items[drops->count++];
        *drop = (struct drop){.first = at};
        for (size_t rows = 0; at < plan->piece_count && rows < DROP_ROWS; at++) rows += plan->pieces[at].count;
        drop->end = at;
        if (drop->first == 0) continue;
        const struct fm_piece *before = &plan->pieces[drop->first - 1];
        drop->has_before = before->scope == plan->pieces[drop->first].scope;
        drop->before = before->rows[before->count - 1];
    }
    return true;
}

static bool drop_all(struct fm_plan *plan)
{
    struct drops drops = {.plan = plan};
    const bool ok = share_drops(&drops) && fm_thread_team_run(plan->builder->threads, drops.count, drop_some, &drops);
    fm_heap_free(plan->heap, drops.items, drops.capacity * sizeof *drops.items);
    size_t kept = 0;
    for (size_t i = 0; ok && i < plan->piece_count; i++) {
        if (plan->pieces[i].count == 0) continue;
        plan->row_count += plan->pieces[i].count;
        plan->pieces[kept++] = plan->pieces[i];
    }
    plan->piece_count = kept;
    return ok;
}

static void find_first_pieces(struct fm_plan *plan)
{
    for (size_t scope = 0, piece = 0; scope < plan->scope_count; scope++) {
        plan->scopes[scope].first_piece = piece;
        while (piece < plan->piece_count && plan->pieces[piece].scope == scope) piece++;
    }
}

framemap_status fm_plan_order(struct fm_plan *plan, framemap_error *error)
{
    struct fm_rows *rows = &plan->builder->rows;
    framemap_status status = rank_scopes(plan, error);
    if (status != FRAMEMAP_OK) return status;
    if (!sort_runs(plan->heap, rows) || !part_runs(plan->heap, rows) || !make_pieces(plan, rows) || !drop_all(plan))
        return fm_error_memory(error);
    find_first_pieces(plan);
    if (plan->row_count == 0) return fm_error_set(error, FRAMEMAP_E_EMPTY, "the file has nothing to look up");
    return FRAMEMAP_OK;
}
