/* The rows of an index in their order: scopes by key, positions within; what is overruled or says nothing new is dropped. */
#include "core/fault.h"
#include "index/model.h"

static int compare_keys(const void *context, uint32_t a, uint32_t b)
{
    const struct fm_builder *builder = context;
    return fm_str_compare(fm_pool_text(&builder->scope_keys, a), fm_pool_text(&builder->scope_keys, b));
}

/* Scopes by rising key. *items is freed by the caller; its ids are the builder's numbers. */
static bool sort_scopes(const struct fm_builder *b, struct fm_heap *heap, size_t count, struct fm_sort_item *items)
{
    const bool numbered = b->keys == FM_SCOPE_NUMBERED;
    for (size_t i = 0; i < count; i++)
        items[i] = (struct fm_sort_item){numbered ? b->scope_numbers[i] : fm_sort_prefix(fm_pool_text(&b->scope_keys, i)), 0, (uint32_t)i};
    return fm_sort(heap, items, count, numbered ? NULL : compare_keys, b);
}

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
        status = fm_fault_memory(error);
        goto done;
    }
    for (size_t i = 0; i < count; i++) {
        rank[items[i].id] = (uint32_t)i;
        plan->scopes[i].old = items[i].id;
    }
    plan->scope_count = count;
    for (size_t i = 0; i < b->position_count; i++) b->positions[i].group = rank[b->positions[i].group];
done:
    fm_heap_free(plan->heap, items, count * sizeof *items);
    fm_heap_free(plan->heap, rank, count * sizeof *rank);
    return status;
}

static bool group_follows(const struct fm_builder *b, uint32_t group)
{
    for (size_t i = 0; i < b->groups[group].count; i++)
        if (b->places[b->groups[group].first + i].flags & FM_PLACE_LINE_FOLLOWS) return true;
    return false;
}

/* The second row answers as the first one would if it went on. */
static bool goes_on(const struct fm_builder *b, const struct fm_sort_item *first, const struct fm_sort_item *second)
{
    if (first->id == FM_NONE || second->id == FM_NONE) return first->id == second->id;
    const struct fm_answer *x = &b->answers[first->id], *y = &b->answers[second->id];
    if (x->node != y->node || x->file != y->file || x->col1 != y->col1 || x->name != y->name || x->flags != y->flags) return false;
    if (x->flags & MODEL_GROUP) return !group_follows(b, x->node);
    if ((x->flags & FM_PLACE_LINE_FOLLOWS) == 0 || x->line1 == 0) return x->line1 == y->line1;
    return y->line1 > x->line1 && y->line1 - x->line1 == second->key - first->key;
}

/* Keeps what counts, in place. Of rows at one position the last call wins, and a position wins over an end mark. */
static void drop_rows(struct fm_plan *plan)
{
    struct fm_sort_item *rows = plan->rows;
    size_t kept = 0;
    for (size_t i = 0, next; i < plan->row_count; i = next) {
        struct fm_sort_item row = rows[i];
        for (next = i + 1; next < plan->row_count && rows[next].group == row.group && rows[next].key == row.key; next++)
            if (rows[next].id != FM_NONE) row.id = rows[next].id;
        const bool first = kept == 0 || rows[kept - 1].group != row.group;
        if (first ? row.id == FM_NONE : goes_on(plan->builder, &rows[kept - 1], &row)) continue;
        rows[kept++] = row;
    }
    plan->row_count = kept;
}

static void find_first_rows(struct fm_plan *plan)
{
    for (size_t scope = 0, row = 0; scope < plan->scope_count; scope++) {
        plan->scopes[scope].first_row = row;
        while (row < plan->row_count && plan->rows[row].group == scope) row++;
    }
}

framemap_status fm_plan_order(struct fm_plan *plan, framemap_error *error)
{
    struct fm_builder *b = plan->builder;
    framemap_status status = rank_scopes(plan, error);
    if (status != FRAMEMAP_OK) return status;
    plan->rows = b->positions;
    plan->row_count = b->position_count;
    if (!fm_sort(plan->heap, plan->rows, plan->row_count, NULL, NULL)) return fm_fault_memory(error);
    drop_rows(plan);
    b->position_count = plan->row_count;
    find_first_rows(plan);
    if (plan->row_count == 0) return fm_fault(error, FRAMEMAP_E_EMPTY, "nothing to look up in it");
    return FRAMEMAP_OK;
}
