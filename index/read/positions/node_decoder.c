/* Walks inline chains by record numbers: each row of NODES and FUNCTIONS on the way is read once. */
#include "index/read/positions/function_range_decoder.h"
#include "index/read/positions/lookup.h"
#include "index/read/positions/record_decoder.h"
#include "index/read/table/string_decoder.h"
#include "index/read/table/tables.h"

static framemap_status find_parent(const struct fm_view *view, struct fm_table_row row, struct fm_view_link *link)
{
    const uint64_t up = fm_table_row_field(row, NODE_UP);
    uint64_t parent = link->node - up;
    if (up == row.table->mask[NODE_UP]) {
        if (!fm_wide_row(view, link->node, &link->wide)) return FRAMEMAP_E_CORRUPT;
        parent = fm_field(&view->tables[FMX_WIDES], link->wide, WIDE_PARENT);
    }
    if (parent >= link->node) return FRAMEMAP_E_CORRUPT; /* a parent's number is less than its child's: chains end */
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
    if (link->function >= view->tables[FMX_FUNCTIONS].count || !fm_function_details(view, link->function, &row)) return;
    link->decl_line1 = (uint32_t)fm_table_row_field(row, from + DETAIL_LINE);
    link->home = fm_table_row_field(row, from + DETAIL_HOME) - 1; /* 0 means none and wraps to FM_VIEW_NO_ROW */
    link->declared = (fm_table_row_field(row, from + DETAIL_FLAGS) & FMX_FUNCTION_DECLARED) != 0;
}

/* Reads a step, except its location. */
static framemap_status read_node(const struct fm_view *view, uint64_t node, struct fm_view_link *link)
{
    const struct fm_node_kind kind = fm_node_kind(view, node);
    struct fm_function_range root;
    if (!kind.known || (kind.is_root && !fm_function_range_open(view, &kind, &root))) return FRAMEMAP_E_CORRUPT;
    link->node = (uint32_t)node;
    link->parent = FM_VIEW_NONE;
    link->wide = FM_VIEW_NO_ROW;
    if (kind.is_root) {
        link->function = root.function - 1;
        link->flags = root.flags & FMX_ROOT_ARTIFICIAL ? FM_NODE_ARTIFICIAL : 0u;
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

/* --- the innermost step --- */

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
    *name_code = fm_table_row_field(row, PLACE_NAME);
    if (fm_table_row_field(row, PLACE_FLAGS) & FM_PLACE_LINE_FOLLOWS) {
        const uint64_t distance =
            hit->entry.has_line
                ? (uint64_t)hit->entry.line
                : 0; /* distance to the start of the entry, if the bucket repeats one that started before it */
        out->line1 = fm_line_follow(fm_line_follow(out->line1, distance), hit->position - hit->start);
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
    out->line1 = entry->follows ? fm_line_follow((uint32_t)line, hit->position - hit->start) : (uint32_t)line;
    out->col1 = entry->col1;
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

/* --- the calling function --- */

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

/* --- names and machine code --- */

framemap_status fm_view_link_names(const struct fm_view *view, const struct fm_view_link *link, framemap_str *function,
                                   framemap_str *class_name)
{
    const struct fm_packed *functions = &view->tables[FMX_FUNCTIONS];
    struct fm_table_row details;
    *function = *class_name = (framemap_str){NULL, 0};
    if (link->function >= functions->count) return FRAMEMAP_OK;
    const framemap_status status =
        fm_record_text(view, fm_table_row_at(functions, link->function), FUNCTION_NAME, function);
    if (status != FRAMEMAP_OK || !fm_function_details(view, link->function, &details)) return status;
    const uint64_t code = fm_table_row_field(details, view->details_from + DETAIL_CLASS);
    return code == 0 ? FRAMEMAP_OK : fm_text_code(view, code, class_name);
}

framemap_status fm_view_link_root(const struct fm_view *view, const struct fm_view_link *link, struct fm_view_root *out)
{
    struct fm_view_node node;
    if (link->parent != FM_VIEW_NONE || link->node == FM_VIEW_NONE) return FRAMEMAP_E_CORRUPT;
    *out = (struct fm_view_root){
        .start = link->root_begin, .size = link->root_size, .has_start = (link->root_flags & FMX_ROOT_HAS_START) != 0};
    if ((link->root_flags & FMX_ROOT_EXTRAS) == 0) return FRAMEMAP_OK;
    const framemap_status status = fm_view_node(view, link->node, &node);
    if (status != FRAMEMAP_OK) return status;
    out->symbol = node.symbol;
    out->alias_count = node.alias_count;
    return FRAMEMAP_OK;
}
