/* Numbers nodes, functions, files, strings and groups in the order of first use by a row. Neighbours in code become
 * neighbours in the file, and the order in which a mapper found them has no influence. Parents are numbered before
 * their children. */
#include "core/error.h"
#include "core/limits.h"
#include "index/write/model/builder_model.h"

static bool start(struct fm_heap *heap, struct fm_numbering *n, size_t old_count)
{
    n->old_count = old_count;
    n->to_new = fm_heap_zalloc(heap, old_count, sizeof *n->to_new);
    n->to_old = fm_heap_zalloc(heap, old_count, sizeof *n->to_old);
    if (n->to_new == NULL || n->to_old == NULL) return false;
    /* sets all elements to FM_NONE, whose bytes are all 0xFF: the records have no new number yet */
    memset(n->to_new, 0xFF, old_count * sizeof *n->to_new);
    return true;
}

/* Gives a record a number, unless it has one. Returns whether the number is new. */
static bool number_once(struct fm_numbering *n, uint32_t old)
{
    if (old == FM_NONE || n->to_new[old] != FM_NONE) return false;
    n->to_new[old] = (uint32_t)n->count;
    n->to_old[n->count++] = old;
    return true;
}

static void number_function(struct fm_plan *plan, uint32_t old)
{
    if (!number_once(&plan->functions, old)) return;
    const struct fm_function *function = &plan->builder->functions[old];
    number_once(&plan->texts, function->class_name);
    number_once(&plan->files, function->decl_file);
    plan->homes[plan->functions.to_new[old]] =
        function->decl_file == FM_NONE ? FM_NONE : plan->files.to_new[function->decl_file];
}

/* Sets the home file of a function without a declaration: the first file of its code. */
static void settle_home(struct fm_plan *plan, uint32_t node, uint32_t file)
{
    if (node == FM_NONE || file == FM_NONE) return;
    number_once(&plan->files, file);
    plan->settled[node] = true;
    const uint32_t function = plan->builder->nodes[node].function;
    if (function == FM_NONE) return;
    uint32_t *home = &plan->homes[plan->functions.to_new[function]];
    if (*home == FM_NONE) *home = plan->files.to_new[file];
}

static void number_one_node(struct fm_plan *plan, uint32_t old)
{
    const struct fm_chain_node *node = &plan->builder->nodes[old];
    number_function(plan, node->function);
    number_once(&plan->nodes, old);
    if (node->parent == FM_NONE)
        plan->roots[plan->root_count++] = plan->nodes.to_new[old];
    else
        settle_home(plan, node->parent, node->call_file);
}

static void number_node(struct fm_plan *plan, uint32_t old)
{
    uint32_t chain[FM_LIMIT_INLINE_DEPTH];
    size_t depth = 0;
    for (; old != FM_NONE && plan->nodes.to_new[old] == FM_NONE; old = plan->builder->nodes[old].parent)
        chain[depth++] = old;
    while (depth > 0) number_one_node(plan, chain[--depth]);
}

static void number_place(struct fm_plan *plan, uint32_t node, uint32_t file, uint32_t name, uint32_t line1)
{
    number_node(plan, node);
    number_once(&plan->files, file);
    settle_home(plan, node, file);
    number_once(&plan->texts, name);
    if (file != FM_NONE && line1 != 0) plan->has_lines = true;
}

/* Gives numbers to the records that a row refers to. Most rows refer to the node of an earlier row, which already has a
 * number, so that case has a fast path. */
static inline void number_row(struct fm_plan *plan, const struct fm_row *row)
{
    if (row->node != FM_NONE && !plan->settled[row->node]) {
        number_node(plan, row->node);
        number_once(&plan->files, row->file);
        settle_home(plan, row->node, row->file);
    }
    number_once(&plan->files, row->file);
    plan->has_lines |= row->file != FM_NONE && row->line1 != 0;
}

static void number_group(struct fm_plan *plan, uint32_t old)
{
    if (!number_once(&plan->groups, old)) return;
    const struct fm_group *group = &plan->builder->groups[old];
    for (size_t i = 0; i < group->count; i++) {
        const struct fm_place *place = &plan->builder->places[group->first + i];
        number_place(plan, place->node, place->file, place->name, place->line1);
    }
}

static int compare_alias_names(const void *context, uint32_t a, uint32_t b)
{
    const struct fm_builder *builder = context;
    return fm_str_compare(fm_string_pool_text(&builder->strings, a), fm_string_pool_text(&builder->strings, b));
}

static void add_extra(struct fm_plan *plan, uint32_t root, uint32_t text, uint8_t kind)
{
    plan->extras[plan->extra_count++] = (struct fm_extra){root, text, kind};
}

/* Merges the symbols of roots (functions that were not inlined) with the sorted aliases and drops duplicates. */
static void merge_extras(struct fm_plan *plan, const struct fm_sort_item *aliases, size_t count)
{
    size_t at = 0;
    for (uint32_t root = 0; root < plan->root_count; root++) {
        const uint32_t symbol = fm_root_part(plan->builder, fm_plan_node(plan, plan->roots[root]))->symbol;
        if (symbol != FM_NONE) add_extra(plan, root, symbol, FMX_EXTRA_SYMBOL);
        for (size_t first = at; at < count && aliases[at].group == root; at++)
            if (at == first || aliases[at].id != aliases[at - 1].id)
                add_extra(plan, root, aliases[at].id, FMX_EXTRA_ALIAS);
    }
}

/* Returns the number that a root node has among all root nodes. */
static uint32_t root_number(const struct fm_plan *plan, uint32_t node)
{
    size_t low = 0, high = plan->root_count;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (plan->roots[middle] <= node)
            low = middle;
        else
            high = middle;
    }
    return (uint32_t)low;
}

static framemap_status order_extras(struct fm_plan *plan, framemap_error *error)
{
    const struct fm_builder *b = plan->builder;
    struct fm_sort_item *items = fm_heap_zalloc(plan->heap, b->alias_count, sizeof *items);
    plan->extra_capacity = b->alias_count + plan->root_count;
    plan->extras = fm_heap_zalloc(plan->heap, plan->extra_capacity, sizeof *plan->extras);
    size_t count = 0;
    for (size_t i = 0; items && i < b->alias_count; i++) {
        const uint32_t node = plan->nodes.to_new[b->aliases[i].root];
        if (node != FM_NONE) items[count++] = (struct fm_sort_item){0, root_number(plan, node), b->aliases[i].name};
    }
    const bool ok = items && plan->extras && fm_sort(plan->heap, items, count, compare_alias_names, b);
    if (ok) merge_extras(plan, items, count);
    fm_heap_free(plan->heap, items, b->alias_count * sizeof *items);
    return ok ? FRAMEMAP_OK : fm_error_memory(error);
}

static void number_answer(struct fm_plan *plan, const struct fm_answer *answer)
{
    if (answer->flags & MODEL_GROUP)
        number_group(plan, answer->node);
    else
        number_place(plan, answer->node, answer->file, answer->name, answer->line1);
}

static void number_piece(struct fm_plan *plan, const struct fm_piece *piece)
{
    for (size_t i = 0; i < piece->count; i++) {
        const struct fm_row *row = &piece->rows[i];
        if (row->file == FM_ROW_GAP) continue;
        /* skips a row that has the node and the file of the previous row, as half of all rows have */
        if (i > 0 && row->node == row[-1].node && row->file == row[-1].file && (plan->has_lines || row->line1 == 0))
            continue;
        if (row->file == FM_ROW_OTHER)
            number_answer(plan, &plan->builder->answers[row->node]);
        else
            number_row(plan, row);
    }
}

framemap_status fm_plan_numbers(struct fm_plan *plan, framemap_error *error)
{
    const struct fm_builder *b = plan->builder;
    plan->homes = fm_heap_zalloc(plan->heap, b->function_count, sizeof *plan->homes);
    plan->roots = fm_heap_zalloc(plan->heap, b->root_count, sizeof *plan->roots);
    plan->settled = fm_heap_zalloc(plan->heap, b->node_count, sizeof *plan->settled);
    if (plan->settled == NULL || plan->homes == NULL || plan->roots == NULL ||
        !start(plan->heap, &plan->nodes, b->node_count) || !start(plan->heap, &plan->functions, b->function_count) ||
        !start(plan->heap, &plan->files, b->file_count) || !start(plan->heap, &plan->texts, b->strings.count) ||
        !start(plan->heap, &plan->groups, b->group_count))
        return fm_error_memory(error);
    for (size_t i = 0; i < plan->piece_count; i++) number_piece(plan, &plan->pieces[i]);
    if (plan->nodes.count + plan->groups.count >= UINT32_MAX - 2)
        return fm_error_set(error, FRAMEMAP_E_LIMIT, "more than 4 billion nodes");
    return order_extras(plan, error);
}
