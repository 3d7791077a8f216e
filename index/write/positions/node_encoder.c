/* Encodes inline nodes: most take a few bits relative to their parent; the few that would make every row wider are in a
 * table of their own (WIDES). */
#include "core/error.h"
#include "index/format/bits.h"
#include "index/write/model/builder_model.h"

#define WIDE_COST_BITS 110 /* approximate size of a row of WIDES in bits */

/* The fields of a node, with the call site relative to the parent. */
struct inlined {
    uint64_t function, up, line, col;
    uint32_t flags;
    bool fits; /* the call is in the home file of the parent's function, so no file is stored */
};
struct node_widths {
    unsigned up, line, col;
};
struct node_rows {
    struct fm_plan *plan;
    struct node_widths widths;
    uint64_t node; /* the search for the node of the next row starts here */
    size_t root;   /* the next root to be encoded */
    uint32_t *wides;
    size_t wide_count, wide_capacity;
    bool failed;
};

/* Returns the fields of a node relative to its parent. They are read one by one, because a wide load after narrow
 * stores would stall (store forwarding). */
static inline struct inlined inlined_of(const struct fm_plan *plan, uint64_t at)
{
    const struct fm_chain_node *node = fm_plan_node(plan, (size_t)at);
    const uint32_t parent = plan->nodes.to_new[node->parent], function = plan->builder->nodes[node->parent].function;
    const uint32_t file = node->call_file == FM_NONE ? FM_NONE : plan->files.to_new[node->call_file];
    const uint32_t home = function == FM_NONE ? FM_NONE : plan->homes[plan->functions.to_new[function]];
    const uint32_t decl = function == FM_NONE ? 0 : plan->builder->functions[function].decl_line1;
    const uint64_t line = node->call_line1 == 0 ? 0 : fm_zigzag((int64_t)node->call_line1 - (int64_t)decl) + 1;
    return (struct inlined){.function =
                                node->function == FM_NONE ? 0 : (uint64_t)plan->functions.to_new[node->function] + 1,
                            .up = at - parent,
                            .line = line,
                            .col = node->call_col1,
                            .flags = node->flags & FM_NODE_ARTIFICIAL,
                            .fits = file == home};
}

/* Returns the first node at or after `node` that is not a root. root: the first root at or after `node`. */
static uint64_t next_inlined(const struct fm_plan *plan, uint64_t node, size_t *root)
{
    while (*root < plan->root_count && plan->roots[*root] == node) {
        node++;
        (*root)++;
    }
    return node;
}

/* Histogram of values by their width in bits. */
struct histogram {
    uint64_t count[65];
};

/* Returns the width with the lowest cost. Values that do not fit a width are stored in another table (WIDES), which
 * costs more bits for each. */
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

/* Chooses the widths of the fields. If a node's values do not fit, its field `up` is all ones, and the values are in
 * WIDES. in_row: receives the widths, initially zeros; each field is as wide as its greatest value, and a row has at
 * least one bit. */
static struct node_widths choose_widths(const struct fm_plan *plan, uint8_t in_row[FMX_FIELDS])
{
    const uint64_t inlined = plan->nodes.count - plan->root_count;
    struct histogram up = {{0}}, line = {{0}}, col = {{0}};
    uint64_t functions = 0, flags = 0;
    size_t root = 0;
    for (uint64_t i = next_inlined(plan, 0, &root); i < plan->nodes.count; i = next_inlined(plan, i + 1, &root)) {
        const struct inlined in = inlined_of(plan, i);
        functions |= in.function;
        flags |= in.flags;
        if (!in.fits) continue;
        up.count[fm_bits_for(in.up + 1)]++;
        line.count[fm_bits_for(in.line)]++;
        col.count[fm_bits_for(in.col)]++;
    }
    struct node_widths widths = {best_width(&up, inlined), best_width(&line, inlined), best_width(&col, inlined)};
    if (widths.up == 0) widths.up = 1;
    in_row[NODE_FUNCTION] = (uint8_t)fm_bits_for(functions);
    in_row[NODE_FLAGS] = (uint8_t)fm_bits_for(flags);
    in_row[NODE_UP] = (uint8_t)widths.up;
    in_row[NODE_LINE] = (uint8_t)widths.line;
    in_row[NODE_COL] = (uint8_t)widths.col;
    return widths;
}

static bool is_wide(const struct node_widths *widths, const struct inlined *in)
{
    return !in->fits || fm_bits_for(in->up + 1) > widths->up || fm_bits_for(in->line) > widths->line ||
           fm_bits_for(in->col) > widths->col;
}

static void add_wide(struct node_rows *rows, uint64_t node)
{
    if (rows->failed || !FM_GROW(rows->plan->heap, rows->wides, rows->wide_capacity, rows->wide_count + 1))
        rows->failed = true;
    else
        rows->wides[rows->wide_count++] = (uint32_t)node;
}

/* Fills the row of the next node that is not a root. `row` is not read, because each row is requested once, in
 * order. */
static void node_row(void *context, uint64_t row, uint64_t fields[FMX_FIELDS])
{
    struct node_rows *rows = context;
    const struct fm_plan *plan = rows->plan;
    (void)row;
    const uint64_t at = next_inlined(plan, rows->node, &rows->root);
    const struct inlined in = inlined_of(plan, at);
    rows->node = at + 1;
    fields[NODE_FUNCTION] = in.function;
    fields[NODE_FLAGS] = in.flags;
    fields[NODE_UP] = fields[NODE_LINE] = fields[NODE_COL] = 0;
    if (is_wide(&rows->widths, &in)) {
        fields[NODE_UP] = fm_bits_mask(rows->widths.up);
        add_wide(rows, at);
        return;
    }
    fields[NODE_UP] = in.up;
    fields[NODE_LINE] = in.line;
    fields[NODE_COL] = in.col;
}
FM_OUTPUT_ROWS(node)

static void wide_row(void *context, uint64_t i, uint64_t fields[FMX_FIELDS])
{
    const struct node_rows *rows = context;
    const struct fm_chain_node *node = fm_plan_node(rows->plan, rows->wides[i]);
    fields[WIDE_NODE] = rows->wides[i];
    fields[WIDE_PARENT] = rows->plan->nodes.to_new[node->parent];
    fields[WIDE_FILE] = node->call_file == FM_NONE ? 0 : (uint64_t)rows->plan->files.to_new[node->call_file] + 1;
    fields[WIDE_LINE] = node->call_line1;
    fields[WIDE_COL] = node->call_col1;
}
FM_OUTPUT_ROWS(wide)

struct rank_rows {
    const struct fm_plan *plan;
    size_t root; /* the next root to be encoded */
};

/* Returns the bit mask of the roots among 64 nodes. Rows are requested in order. */
static void rank_row(void *context, uint64_t row, uint64_t fields[FMX_FIELDS])
{
    struct rank_rows *rows = context;
    const struct fm_plan *plan = rows->plan;
    if (row == 0) rows->root = 0;
    fields[RANK_BEFORE] = rows->root;
    fields[RANK_BITS] = 0;
    for (; rows->root < plan->root_count && plan->roots[rows->root] / 64 == row; rows->root++)
        fields[RANK_BITS] |= UINT64_C(1) << plan->roots[rows->root] % 64;
}
FM_OUTPUT_ROWS(rank)

static void extra_row(void *context, uint64_t i, uint64_t fields[FMX_FIELDS])
{
    struct fm_plan *plan = context;
    fields[EXTRA_ROOT] = plan->extras[i].root;
    fields[EXTRA_TEXT] = fm_sorted_code(plan, plan->extras[i].text);
    fields[EXTRA_KIND] = plan->extras[i].kind;
}
FM_OUTPUT_ROWS(extra)

/* Writes the inlined nodes. If all nodes are roots, NODES and NODE_RANKS have no rows and are left out. */
static bool write_inlined(struct node_rows *rows)
{
    struct fm_plan *plan = rows->plan;
    const uint64_t inlined = plan->nodes.count - plan->root_count;
    struct rank_rows ranks = {plan, 0};
    struct fm_output_section *nodes = &plan->outputs[FMX_NODES];
    if (inlined == 0) return true;
    rows->widths = choose_widths(plan, nodes->widths);
    return fm_output_section_put(nodes, inlined, node_rows, rows) && !rows->failed &&
           fm_output_section_write(&plan->outputs[FMX_NODE_RANKS], (plan->nodes.count + 63) / 64, rank_rows, &ranks);
}

framemap_status fm_encode_nodes(struct fm_plan *plan, framemap_error *error)
{
    struct node_rows rows = {.plan = plan};
    const bool ok = write_inlined(&rows) &&
                    fm_output_section_write(&plan->outputs[FMX_WIDES], rows.wide_count, wide_rows, &rows) &&
                    fm_output_section_write(&plan->outputs[FMX_EXTRAS], plan->extra_count, extra_rows, plan);
    fm_heap_free(plan->heap, rows.wides, rows.wide_capacity * sizeof *rows.wides);
    return ok ? FRAMEMAP_OK : fm_error_memory(error);
}
