/* Decodes nodes and functions, and walks inline chains by record numbers: each row of NODES and FUNCTIONS on the way is
 * read once. Implements the inline chains of view.h. */
#include "index/read/positions/node_decoder.h"
#include "index/read/positions/function_range_decoder.h"
#include "index/read/positions/lookup.h"
#include "index/read/table/rank_bits.h"
#include "index/read/table/string_decoder.h"

/* --- decoding records of nodes --- */

/* What a node is: an out-of-line function, with its number, or inlined, with its row of NODES. In format version 1 both
 * kinds have a row of NODES. */
struct node_kind {
    bool known, is_root;
    uint64_t root;
    struct fm_table_row row;
};

/* Returns the first row of a sorted table whose field is at least `wanted`. */
static uint64_t lower_bound(const struct fm_packed *table, unsigned field, uint64_t wanted)
{
    uint64_t low = 0, high = table->count;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (fm_field(table, middle, field) < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Returns the number of the row in ROOTS of an out-of-line function's node. Format version 1 stores this number in the
 * fields of line and column. */
static uint64_t plain_root(const struct fm_table_row row)
{
    return fm_table_row_field(row, NODE_LINE) | fm_table_row_field(row, NODE_COL) << row.table->width[NODE_LINE];
}

static struct node_kind node_kind(const struct fm_view *view, uint64_t node)
{
    const struct fm_packed *nodes = &view->tables[FMX_NODES], *ranks = &view->tables[FMX_NODE_RANKS];
    struct node_kind kind = {.is_root = true, .root = node};
    if (node >= view->node_count) return kind;
    if (view->version == FMX_VERSION_PLAIN) {
        kind.row = fm_table_row_at(nodes, node);
        kind.is_root = fm_table_row_field(kind.row, NODE_UP) == 0;
        if (kind.is_root) kind.root = plain_root(kind.row);
    } else if (ranks->count > 0) {
        const struct fm_rank rank = fm_rank_of(ranks, node);
        kind.is_root = rank.set;
        kind.root = rank.before;
        if (!rank.set) {
            if (node - rank.before >= nodes->count)
                /* if the count of roots before the node is damaged, the difference may wrap to a great number, which
                 * this test refuses */
                return kind;
            kind.row = fm_table_row_at(nodes, node - rank.before);
        }
    }
    kind.known = !kind.is_root || kind.root < view->root_count;
    return kind;
}

bool fm_node_root(const struct fm_view *view, uint64_t node, uint64_t *root)
{
    const struct node_kind kind = node_kind(view, node);
    *root = kind.root;
    return kind.known && kind.is_root;
}

bool fm_node_row(const struct fm_view *view, uint64_t node, struct fm_table_row *out)
{
    const struct node_kind kind = node_kind(view, node);
    *out = kind.row;
    return kind.known && !kind.is_root;
}

uint64_t fm_node_function(const struct fm_view *view, uint64_t node)
{
    const struct node_kind kind = node_kind(view, node);
    if (!kind.known) return UINT64_MAX;
    if (kind.is_root && view->version != FMX_VERSION_PLAIN) return fm_function_range_function(view, kind.root) - 1;
    return fm_table_row_field(kind.row, NODE_FUNCTION) - 1;
}

bool fm_function_details(const struct fm_view *view, uint64_t function, struct fm_table_row *out)
{
    const struct fm_packed *details = &view->tables[view->version == FMX_VERSION_PLAIN ? FMX_FUNCTIONS : FMX_DETAILS];
    *out = fm_table_row_at(details, function);
    return function < details->count;
}

static bool open_function_range(const struct fm_view *view, const struct node_kind *kind, struct fm_function_range *out)
{
    const struct fm_packed *roots = &view->tables[FMX_ROOTS];
    if (view->version != FMX_VERSION_PLAIN) return fm_function_range_read(view, kind->root, out);
    const struct fm_table_row row = fm_table_row_at(roots, kind->root);
    *out = (struct fm_function_range){.begin = fm_field_wide(roots, kind->root, ROOT_START),
                                      .size = fm_field_wide(roots, kind->root, ROOT_SIZE),
                                      .function = fm_table_row_field(kind->row, NODE_FUNCTION),
                                      .flags = (unsigned)fm_table_row_field(row, ROOT_FLAGS)};
    if (fm_table_row_field(kind->row, NODE_FLAGS) & FM_NODE_ARTIFICIAL) out->flags |= FMX_ROOT_ARTIFICIAL;
    return true;
}

/* Finds the row of a node in WIDES, the table of nodes whose values do not fit in NODES. false: damaged. */
static bool find_wide(const struct fm_view *view, uint64_t node, uint64_t *out)
{
    const struct fm_packed *wides = &view->tables[FMX_WIDES];
    *out = lower_bound(wides, WIDE_NODE, node);
    return *out < wides->count && fm_field(wides, *out, WIDE_NODE) == node;
}

/* --- making the steps of a chain --- */

static framemap_status find_parent(const struct fm_view *view, struct fm_table_row row, struct fm_view_link *link)
{
    const uint64_t up = fm_table_row_field(row, NODE_UP);
    uint64_t parent = link->node - up;
    if (up == row.table->mask[NODE_UP]) {
        if (!find_wide(view, link->node, &link->wide)) return FRAMEMAP_E_CORRUPT;
        parent = fm_field(&view->tables[FMX_WIDES], link->wide, WIDE_PARENT);
    }
    if (parent >= link->node)
        /* the index is damaged: a parent's number must be less than its child's, so that chains end */
        return FRAMEMAP_E_CORRUPT;
    link->parent = (uint32_t)parent;
    return FRAMEMAP_OK;
}

static void read_details(const struct fm_view *view, struct fm_view_link *link)
{
    const unsigned from = view->details_from;
    struct fm_table_row row;
    link->decl_line1 = 0;
    link->home = FM_VIEW_NO_ROW;
    link->declared = false;
    link->class_code = 0;
    if (link->function >= view->tables[FMX_FUNCTIONS].count || !fm_function_details(view, link->function, &row)) return;
    link->decl_line1 = (uint32_t)fm_table_row_field(row, from + DETAIL_LINE);
    /* the stored code 0 means that there is no file; subtracting 1 makes it FM_VIEW_NO_ROW */
    link->home = fm_table_row_field(row, from + DETAIL_HOME) - 1;
    link->declared = (fm_table_row_field(row, from + DETAIL_FLAGS) & FMX_FUNCTION_DECLARED) != 0;
    link->class_code = fm_table_row_field(row, from + DETAIL_CLASS);
}

/* Reads a step, except its location. */
static framemap_status read_node(const struct fm_view *view, uint64_t node, struct fm_view_link *link)
{
    const struct node_kind kind = node_kind(view, node);
    struct fm_function_range root;
    if (!kind.known || (kind.is_root && !open_function_range(view, &kind, &root))) return FRAMEMAP_E_CORRUPT;
    link->node = (uint32_t)node;
    link->parent = FM_VIEW_NONE;
    link->wide = FM_VIEW_NO_ROW;
    if (kind.is_root) {
        link->function = root.function - 1;
        link->flags = root.flags & FMX_ROOT_ARTIFICIAL ? FM_NODE_ARTIFICIAL : 0u;
        link->root = kind.root;
        link->root_begin = root.begin;
        link->root_size = root.size;
        link->root_flags = root.flags;
        read_details(view, link);
        return FRAMEMAP_OK;
    }
    link->function = fm_table_row_field(kind.row, NODE_FUNCTION) - 1;
    link->flags = (uint32_t)fm_table_row_field(kind.row, NODE_FLAGS);
    link->call_code = fm_table_row_field(kind.row, NODE_LINE);
    link->call_col = fm_table_row_field(kind.row, NODE_COL);
    read_details(view, link);
    return find_parent(view, kind.row, link);
}

static framemap_status read_alone(struct fm_view_link *link)
{
    *link = (struct fm_view_link){.node = FM_VIEW_NONE,
                                  .parent = FM_VIEW_NONE,
                                  .function = FM_VIEW_NO_ROW,
                                  .file = FM_VIEW_NO_ROW,
                                  .home = FM_VIEW_NO_ROW};
    return FRAMEMAP_OK;
}

framemap_status fm_view_link_node(const struct fm_view *view, uint64_t node, struct fm_view_link *out)
{
    *out = (struct fm_view_link){.file = FM_VIEW_NO_ROW};
    return node < view->node_count ? read_node(view, node, out) : FRAMEMAP_E_CORRUPT;
}

/* --- making the innermost step --- */

/* Returns a line that increases with the position, at most UINT32_MAX. An unknown line (0) stays unknown. */
static uint32_t line_follow(uint32_t line1, uint64_t more)
{
    return line1 == 0 ? 0 : more > UINT32_MAX - line1 ? UINT32_MAX : line1 + (uint32_t)more;
}

static framemap_status group_place(const struct fm_view *view, const struct fm_hit *hit, uint32_t which,
                                   struct fm_view_link *out, uint64_t *name_code)
{
    const struct fm_packed *places = &view->tables[FMX_PLACES];
    const uint64_t nodes = view->node_count;
    uint64_t first, end;
    if (!fm_group_places(view, hit->entry.node_code - nodes - 1, &first, &end) || which >= end - first)
        return FRAMEMAP_E_CORRUPT;
    const struct fm_table_row row = fm_table_row_at(places, first + which);
    const uint64_t node = fm_table_row_field(row, PLACE_NODE);
    const framemap_status status = node == 0 ? read_alone(out) : read_node(view, node - 1, out);
    out->file = fm_table_row_field(row, PLACE_FILE) - 1;
    out->line1 = (uint32_t)fm_table_row_field(row, PLACE_LINE);
    out->col1 = (uint32_t)fm_table_row_field(row, PLACE_COL);
    out->place_flags = (uint32_t)fm_table_row_field(row, PLACE_FLAGS);
    *name_code = fm_table_row_field(row, PLACE_NAME);
    if (out->place_flags & FM_PLACE_LINE_FOLLOWS) {
        const uint64_t distance = hit->entry.has_line ? (uint64_t)hit->entry.line
                                                      /* If the entry started in an earlier bucket, this is the distance
                                                       * from its start to the start of the bucket. */
                                                      : 0;
        out->line1 = line_follow(line_follow(out->line1, distance), hit->position - hit->start);
    }
    return status;
}

static framemap_status single_place(const struct fm_view *view, const struct fm_hit *hit, struct fm_view_link *out)
{
    const struct fm_hit_entry *entry = &hit->entry;
    const framemap_status status = entry->node_code == 0 ? read_alone(out) : read_node(view, entry->node_code - 1, out);
    if (status != FRAMEMAP_OK) return status;
    out->file = out->home;
    if (entry->file_code != FMX_FILE_HOME)
        out->file = entry->file_code == FMX_FILE_UNKNOWN ? FM_VIEW_NO_ROW : (uint64_t)entry->file_code - FMX_FILE_FIRST;
    const int64_t line = entry->has_line ? entry->line + (int64_t)out->decl_line1 : 0;
    if (line < 0 || line > UINT32_MAX) return FRAMEMAP_E_CORRUPT;
    out->line1 = entry->follows ? line_follow((uint32_t)line, hit->position - hit->start) : (uint32_t)line;
    out->col1 = entry->col1;
    out->place_flags = entry->follows ? FM_PLACE_LINE_FOLLOWS : 0u;
    return FRAMEMAP_OK;
}

framemap_status fm_view_link_first(const struct fm_view *view, const struct fm_hit *hit, uint32_t which,
                                   struct fm_view_link *out, framemap_str *name)
{
    uint64_t name_code = hit->entry.name_code;
    if (which >= hit->place_count) return FRAMEMAP_E_ARGUMENT;
    const framemap_status status = hit->entry.node_code > view->node_count
                                       ? group_place(view, hit, which, out, &name_code)
                                       : single_place(view, hit, out);
    *name = (framemap_str){NULL, 0};
    return status == FRAMEMAP_OK && name_code != 0 ? fm_text_code(view, name_code, name) : status;
}

/* --- moving to the calling function --- */

framemap_status fm_view_link_up(const struct fm_view *view, struct fm_view_link *link)
{
    const uint64_t wide = link->wide, code = link->call_code, col1 = link->call_col;
    const framemap_status status = read_node(view, link->parent, link);
    if (status != FRAMEMAP_OK) return status;
    if (wide != FM_VIEW_NO_ROW) {
        const struct fm_table_row row = fm_table_row_at(&view->tables[FMX_WIDES], wide);
        link->file = fm_table_row_field(row, WIDE_FILE) - 1;
        link->line1 = (uint32_t)fm_table_row_field(row, WIDE_LINE);
        link->col1 = (uint32_t)fm_table_row_field(row, WIDE_COL);
        return FRAMEMAP_OK;
    }
    const int64_t line = code == 0 ? 0 : (int64_t)((uint64_t)fm_unzigzag(code - 1) + link->decl_line1);
    if (line < 0 || line > UINT32_MAX) return FRAMEMAP_E_CORRUPT;
    link->file = link->home;
    link->line1 = (uint32_t)line;
    link->col1 = (uint32_t)col1;
    return FRAMEMAP_OK;
}

/* --- reading names and machine code ranges --- */

framemap_status fm_view_link_name(const struct fm_view *view, const struct fm_view_link *link, framemap_str *name)
{
    const struct fm_packed *functions = &view->tables[FMX_FUNCTIONS];
    *name = (framemap_str){NULL, 0};
    if (link->function >= functions->count) return FRAMEMAP_OK;
    return fm_record_text(view, fm_table_row_at(functions, link->function), FUNCTION_NAME, name);
}

framemap_status fm_view_link_class(const struct fm_view *view, const struct fm_view_link *link,
                                   framemap_str *class_name)
{
    *class_name = (framemap_str){NULL, 0};
    return link->class_code == 0 ? FRAMEMAP_OK : fm_text_code(view, link->class_code, class_name);
}

/* Returns the first extra string (symbol or alias) of an out-of-line function; UINT64_MAX: it has none. */
static uint64_t first_extra(const struct fm_view *view, uint64_t root, unsigned flags)
{
    if ((flags & FMX_ROOT_EXTRAS) == 0) return UINT64_MAX;
    return lower_bound(&view->tables[FMX_EXTRAS], EXTRA_ROOT, root);
}

static bool is_extra(const struct fm_view *view, uint64_t row, uint64_t root, unsigned kind)
{
    const struct fm_packed *extras = &view->tables[FMX_EXTRAS];
    return row < extras->count && fm_field(extras, row, EXTRA_ROOT) == root &&
           fm_field(extras, row, EXTRA_KIND) == kind;
}

/* Returns the end of a function's extra strings. It is found by galloping search: most functions have one or two
 * strings, but a function that the linker merged with equal functions may have thousands. */
static uint64_t extras_end(const struct fm_view *view, uint64_t from, uint64_t root)
{
    const struct fm_packed *extras = &view->tables[FMX_EXTRAS];
    uint64_t low = from + 1, high = low, step = 1;
    while (high < extras->count && fm_field(extras, high, EXTRA_ROOT) == root) {
        low = high + 1;
        high += step;
        step *= 2;
    }
    if (high > extras->count) high = extras->count;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (fm_field(extras, middle, EXTRA_ROOT) == root)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static framemap_status extra_text(const struct fm_view *view, uint64_t extra, framemap_str *out)
{
    return fm_record_text(view, fm_table_row_at(&view->tables[FMX_EXTRAS], extra), EXTRA_TEXT, out);
}

framemap_status fm_view_link_root(const struct fm_view *view, const struct fm_view_link *link, struct fm_view_root *out)
{
    if (link->parent != FM_VIEW_NONE || link->node == FM_VIEW_NONE) return FRAMEMAP_E_CORRUPT;
    *out = (struct fm_view_root){
        .start = link->root_begin, .size = link->root_size, .has_start = (link->root_flags & FMX_ROOT_HAS_START) != 0};
    framemap_status status = FRAMEMAP_OK;
    uint64_t extra = first_extra(view, link->root, link->root_flags);
    if (is_extra(view, extra, link->root, FMX_EXTRA_SYMBOL)) status = extra_text(view, extra++, &out->symbol);
    out->alias_row = extra;
    if (is_extra(view, extra, link->root, FMX_EXTRA_ALIAS))
        out->alias_count = (uint32_t)(extras_end(view, extra, link->root) - extra);
    return status;
}

static framemap_status alias_at(const struct fm_view *view, uint64_t row, uint64_t root, framemap_str *out)
{
    return is_extra(view, row, root, FMX_EXTRA_ALIAS) ? extra_text(view, row, out) : FRAMEMAP_E_ARGUMENT;
}

framemap_status fm_view_aliases(const struct fm_view *view, const struct fm_view_link *link,
                                const struct fm_view_root *root, framemap_str *out, uint32_t count)
{
    framemap_status status = FRAMEMAP_OK;
    for (uint32_t i = 0; i < count && status == FRAMEMAP_OK; i++)
        status = alias_at(view, root->alias_row + i, link->root, &out[i]);
    return status;
}

framemap_status fm_view_alias(const struct fm_view *view, uint32_t node, uint32_t which, framemap_str *out)
{
    const struct node_kind kind = node_kind(view, node);
    const uint64_t root = kind.root;
    struct fm_function_range found;
    if (!kind.known || !kind.is_root || !open_function_range(view, &kind, &found)) return FRAMEMAP_E_CORRUPT;
    uint64_t extra = first_extra(view, root, found.flags);
    if (is_extra(view, extra, root, FMX_EXTRA_SYMBOL)) extra++;
    return extra == UINT64_MAX ? FRAMEMAP_E_ARGUMENT : alias_at(view, extra + which, root, out);
}
