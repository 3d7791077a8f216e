/* Nodes: most take a few bits relative to their parent; the few that would make every row wide stand in a table of their own. */
#include "core/fault.h"
#include "index/bits.h"
#include "index/model.h"

#define WIDE_COST_BITS 110 /* about what a row of the table of wide nodes takes */

/* A node's fields relative to its parent. */
struct inlined {
    uint64_t up, line, col;
    bool fits; /* the call is in the file that the parent's function is at home in */
};
struct node_widths {
    unsigned up, line, col;
};
struct node_rows {
    struct fm_plan *plan;
    struct node_widths widths;
    uint64_t inlined; /* how many */
    uint64_t node;    /* of the row that was asked for last */
    uint32_t *wides;
    size_t wide_count, wide_capacity;
    bool failed;
};

static const struct fm_node *node_at(const struct fm_plan *plan, uint64_t node) { return &plan->builder->nodes[plan->nodes.to_old[node]]; }

static struct inlined inlined_of(const struct fm_plan *plan, uint64_t at)
{
    const struct fm_node *node = node_at(plan, at);
    const uint32_t parent = plan->nodes.to_new[node->parent], function = plan->builder->nodes[node->parent].function;
    const uint32_t file = node->call_file == FM_NONE ? FM_NONE : plan->files.to_new[node->call_file];
    const uint32_t home = function == FM_NONE ? FM_NONE : plan->homes[plan->functions.to_new[function]];
    const uint32_t decl = function == FM_NONE ? 0 : plan->builder->functions[function].decl_line1;
    const uint64_t line = node->call_line1 == 0 ? 0 : fm_zigzag((int64_t)node->call_line1 - (int64_t)decl) + 1;
    return (struct inlined){at - parent, line, node->call_col1, file == home};
}

/* How many values need so many bits. */
struct histogram {
    uint64_t count[65];
};

/* The width that costs the fewest bits when the values that do not fit are kept elsewhere. */
static unsigned best_width(const struct histogram *h, uint64_t rows)
{
    unsigned best = 64;
    uint64_t beyond = 0, best_cost = UINT64_MAX;
    for (unsigned width = 64;; width--) {
        const uint64_t cost = rows * width + beyond * WIDE_COST_BITS;
        if (cost <= best_cost) {
            best_cost = cost;
            best = width;
        }
        if (width == 0) return best;
        beyond += h->count[width];
    }
}

/* All ones in `up` mark a wide node. */
static struct node_widths choose_widths(const struct fm_plan *plan)
{
    const uint64_t inlined = plan->nodes.count - plan->root_count;
    struct histogram up = {{0}}, line = {{0}}, col = {{0}};
    for (uint64_t i = 0; i < plan->nodes.count; i++) {
        if (plan->root_of[i] != FM_NONE) continue;
        const struct inlined in = inlined_of(plan, i);
        if (!in.fits) continue;
        up.count[fm_bits_for(in.up + 1)]++;
        line.count[fm_bits_for(in.line)]++;
        col.count[fm_bits_for(in.col)]++;
    }
    struct node_widths widths = {best_width(&up, inlined), best_width(&line, inlined), best_width(&col, inlined)};
    if (widths.up == 0 && inlined > 0) widths.up = 1;
    return widths;
}

static bool is_wide(const struct node_widths *widths, const struct inlined *in)
{
    return !in->fits || fm_bits_for(in->up + 1) > widths->up || fm_bits_for(in->line) > widths->line || fm_bits_for(in->col) > widths->col;
}

/* Rows are asked for in order, and have the nodes that are no roots. */
static void node_row(void *context, uint64_t row, uint64_t fields[FMX_FIELDS])
{
    struct node_rows *rows = context;
    const struct fm_plan *plan = rows->plan;
    rows->node = row == 0 ? 0 : rows->node + 1;
    while (plan->root_of[rows->node] != FM_NONE) rows->node++;
    const struct fm_node *node = node_at(plan, rows->node);
    fields[NODE_FUNCTION] = node->function == FM_NONE ? 0 : (uint64_t)plan->functions.to_new[node->function] + 1;
    fields[NODE_FLAGS] = node->flags & FM_NODE_ARTIFICIAL;
    fields[NODE_UP] = fields[NODE_LINE] = fields[NODE_COL] = 0;
    const struct inlined in = inlined_of(plan, rows->node);
    if (is_wide(&rows->widths, &in)) {
        fields[NODE_UP] = fm_bits_mask(rows->widths.up);
        return;
    }
    fields[NODE_UP] = in.up;
    fields[NODE_LINE] = in.line;
    fields[NODE_COL] = in.col;
}

static bool collect_wides(struct node_rows *rows)
{
    struct fm_plan *plan = rows->plan;
    for (uint64_t i = 0; i < plan->nodes.count; i++) {
        if (plan->root_of[i] != FM_NONE) continue;
        const struct inlined in = inlined_of(plan, i);
        if (!is_wide(&rows->widths, &in)) continue;
        if (!FM_GROW(plan->heap, rows->wides, rows->wide_capacity, rows->wide_count + 1)) return false;
        rows->wides[rows->wide_count++] = (uint32_t)i;
    }
    return true;
}

static void wide_row(void *context, uint64_t i, uint64_t fields[FMX_FIELDS])
{
    const struct node_rows *rows = context;
    const struct fm_node *node = node_at(rows->plan, rows->wides[i]);
    fields[WIDE_NODE] = rows->wides[i];
    fields[WIDE_PARENT] = rows->plan->nodes.to_new[node->parent];
    fields[WIDE_FILE] = node->call_file == FM_NONE ? 0 : (uint64_t)rows->plan->files.to_new[node->call_file] + 1;
    fields[WIDE_LINE] = node->call_line1;
    fields[WIDE_COL] = node->call_col1;
}

struct rank_rows {
    const struct fm_plan *plan;
    uint64_t before;
};

/* Which of 64 nodes are roots. */
static void rank_row(void *context, uint64_t row, uint64_t fields[FMX_FIELDS])
{
    struct rank_rows *rows = context;
    const uint64_t first = 64 * row, left = rows->plan->nodes.count - first;
    if (row == 0) rows->before = 0;
    fields[RANK_BEFORE] = rows->before;
    fields[RANK_BITS] = 0;
    for (uint64_t i = 0; i < 64 && i < left; i++)
        if (rows->plan->root_of[first + i] != FM_NONE) fields[RANK_BITS] |= UINT64_C(1) << i;
    rows->before += fm_count_bits(fields[RANK_BITS]);
}

static void extra_row(void *context, uint64_t i, uint64_t fields[FMX_FIELDS])
{
    struct fm_plan *plan = context;
    fields[EXTRA_ROOT] = plan->extras[i].root;
    fields[EXTRA_TEXT] = fm_sorted_code(plan, plan->extras[i].text);
    fields[EXTRA_KIND] = plan->extras[i].kind;
}

framemap_status fm_encode_nodes(struct fm_plan *plan, framemap_error *error)
{
    struct node_rows rows = {.plan = plan, .widths = choose_widths(plan), .inlined = plan->nodes.count - plan->root_count};
    struct rank_rows ranks = {plan, 0};
    struct fm_sheet *nodes = &plan->sheets[FMX_NODES];
    /* Fixed beforehand: the mark of wide nodes hangs on them. */
    nodes->widths[NODE_UP] = (uint8_t)rows.widths.up;
    nodes->widths[NODE_LINE] = (uint8_t)rows.widths.line;
    nodes->widths[NODE_COL] = (uint8_t)rows.widths.col;
    /* Where all nodes are roots, no row and no bit has to tell it. */
    const bool ok = collect_wides(&rows) && (rows.inlined == 0 || fm_sheet_write(nodes, rows.inlined, node_row, &rows)) &&
                    (rows.inlined == 0 || fm_sheet_write(&plan->sheets[FMX_NODE_RANKS], (plan->nodes.count + 63) / 64, rank_row, &ranks)) &&
                    fm_sheet_write(&plan->sheets[FMX_WIDES], rows.wide_count, wide_row, &rows) &&
                    fm_sheet_write(&plan->sheets[FMX_EXTRAS], plan->extra_count, extra_row, plan);
    fm_heap_free(plan->heap, rows.wides, rows.wide_capacity * sizeof *rows.wides);
    return ok ? FRAMEMAP_OK : fm_fault_memory(error);
}
