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

/* A root keeps its number in the bits of line and column. All ones in `up` mark a wide node. */
static struct node_widths choose_widths(const struct fm_plan *plan)
{
    struct histogram up = {{0}}, line = {{0}}, col = {{0}};
    for (uint64_t i = 0; i < plan->nodes.count; i++) {
        if (plan->root_of[i] != FM_NONE) continue;
        const struct inlined in = inlined_of(plan, i);
        if (!in.fits) continue;
        up.count[fm_bits_for(in.up + 1)]++;
        line.count[fm_bits_for(in.line)]++;
        col.count[fm_bits_for(in.col)]++;
    }
    struct node_widths widths = {best_width(&up, plan->nodes.count), best_width(&line, plan->nodes.count),
                                 best_width(&col, plan->nodes.count)};
    if (widths.up == 0 && plan->root_count < plan->nodes.count) widths.up = 1;
    const unsigned root = plan->root_count ? fm_bits_for(plan->root_count - 1) : 0;
    if (widths.line + widths.col < root) widths.col = root - widths.line;
    return widths;
}

static bool is_wide(const struct node_widths *widths, const struct inlined *in)
{
    return !in->fits || fm_bits_for(in->up + 1) > widths->up || fm_bits_for(in->line) > widths->line || fm_bits_for(in->col) > widths->col;
}

static void node_row(void *context, uint64_t i, uint64_t fields[FMX_FIELDS])
{
    const struct node_rows *rows = context;
    const struct fm_plan *plan = rows->plan;
    const struct fm_node *node = node_at(plan, i);
    fields[NODE_FUNCTION] = node->function == FM_NONE ? 0 : (uint64_t)plan->functions.to_new[node->function] + 1;
    fields[NODE_FLAGS] = node->flags & FM_NODE_ARTIFICIAL;
    fields[NODE_UP] = fields[NODE_LINE] = fields[NODE_COL] = 0;
    if (plan->root_of[i] != FM_NONE) {
        fields[NODE_LINE] = plan->root_of[i] & fm_bits_mask(rows->widths.line);
        fields[NODE_COL] = (uint64_t)plan->root_of[i] >> rows->widths.line;
        return;
    }
    const struct inlined in = inlined_of(plan, i);
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

struct root_rows {
    const struct fm_plan *plan;
    size_t extra; /* first of the root that is asked for, or of one before it */
};

static void root_row(void *context, uint64_t i, uint64_t fields[FMX_FIELDS])
{
    struct root_rows *rows = context;
    const struct fm_plan *plan = rows->plan;
    const struct fm_node *node = node_at(plan, plan->roots[i]);
    if (i == 0) rows->extra = 0;
    while (rows->extra < plan->extra_count && plan->extras[rows->extra].root < i) rows->extra++;
    const bool has_extras = rows->extra < plan->extra_count && plan->extras[rows->extra].root == i;
    fields[ROOT_START] = node->start;
    fields[ROOT_SIZE] = node->size;
    fields[ROOT_FLAGS] = (node->flags & FM_NODE_HAS_START ? FMX_ROOT_HAS_START : 0u) | (has_extras ? FMX_ROOT_EXTRAS : 0u);
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
    struct node_rows rows = {.plan = plan, .widths = choose_widths(plan)};
    struct root_rows roots = {plan, 0};
    struct fm_sheet *nodes = &plan->sheets[FMX_NODES];
    /* Fixed beforehand: the mark of wide nodes and the place of root numbers hang on them. */
    nodes->widths[NODE_UP] = (uint8_t)rows.widths.up;
    nodes->widths[NODE_LINE] = (uint8_t)rows.widths.line;
    nodes->widths[NODE_COL] = (uint8_t)rows.widths.col;
    const bool ok = collect_wides(&rows) && fm_sheet_write(nodes, plan->nodes.count, node_row, &rows) &&
                    fm_sheet_write(&plan->sheets[FMX_WIDES], rows.wide_count, wide_row, &rows) &&
                    fm_sheet_write(&plan->sheets[FMX_ROOTS], plan->root_count, root_row, &roots) &&
                    fm_sheet_write(&plan->sheets[FMX_EXTRAS], plan->extra_count, extra_row, plan);
    fm_heap_free(plan->heap, rows.wides, rows.wide_capacity * sizeof *rows.wides);
    return ok ? FRAMEMAP_OK : fm_fault_memory(error);
}
