/* Decodes the locations of a hit, and the records of nodes and functions. */
#include "index/read/positions/record_decoder.h"
#include "core/limits.h"
#include "index/format/flags.h"
#include "index/read/positions/function_range_decoder.h"
#include "index/read/positions/lookup.h"
#include "index/read/table/rank_bits.h"
#include "index/read/table/string_decoder.h"
#include "index/read/table/tables.h"

/* Folder and name of a file; absent if there is no such file. */
static framemap_status read_file(const struct fm_view *view, uint64_t file, framemap_str *folder, framemap_str *name)
{
    const struct fm_packed *files = &view->tables[FMX_FILES];
    *folder = *name = (framemap_str){NULL, 0};
    if (file >= files->count) return FRAMEMAP_OK;
    const struct fm_table_row row = fm_table_row_at(files, file);
    const framemap_status status = fm_record_text(view, row, FILE_FOLDER, folder);
    return status == FRAMEMAP_OK ? fm_record_text(view, row, FILE_NAME, name) : status;
}

/* The home file of the node's function; UINT64_MAX: it has none. *decl_line: line of its declaration; 0: unknown. */
static uint64_t home_of(const struct fm_view *view, uint64_t node, uint32_t *decl_line)
{
    struct fm_table_row details;
    *decl_line = 0;
    if (!fm_function_details(view, fm_node_function(view, node), &details)) return UINT64_MAX;
    *decl_line = (uint32_t)fm_table_row_field(details, view->details_from + DETAIL_LINE);
    return fm_table_row_field(details, view->details_from + DETAIL_HOME) - 1; /* 0 means none and wraps to UINT64_MAX */
}

static framemap_status group_place(const struct fm_view *view, const struct fm_hit *hit, uint32_t which,
                                   struct fm_view_place *out)
{
    const struct fm_packed *places = &view->tables[FMX_PLACES];
    const uint64_t nodes = view->node_count;
    uint64_t first, end;
    if (!fm_group_places(view, hit->entry.node_code - nodes - 1, &first, &end) || which >= end - first)
        return FRAMEMAP_E_CORRUPT;
    const uint64_t row = first + which, node = fm_field(places, row, PLACE_NODE);
    if (node > nodes) return FRAMEMAP_E_CORRUPT;
    out->node = node == 0 ? FM_VIEW_NONE : (uint32_t)(node - 1);
    const framemap_status status =
        read_file(view, fm_field(places, row, PLACE_FILE) - 1, &out->folder, &out->base_name);
    if (status != FRAMEMAP_OK) return status;
    out->line1 = (uint32_t)fm_field(places, row, PLACE_LINE);
    out->col1 = (uint32_t)fm_field(places, row, PLACE_COL);
    out->flags = (uint32_t)fm_field(places, row, PLACE_FLAGS);
    if (out->flags & FM_PLACE_LINE_FOLLOWS) {
        const uint64_t distance =
            hit->entry.has_line
                ? (uint64_t)hit->entry.line
                : 0; /* distance to the start of the entry, if the bucket repeats one that started before it */
        out->line1 = fm_line_follow(fm_line_follow(out->line1, distance), hit->position - hit->start);
    }
    return fm_text_code(view, fm_field(places, row, PLACE_NAME), &out->name);
}

static framemap_status single_place(const struct fm_view *view, const struct fm_hit *hit, struct fm_view_place *out)
{
    const struct fm_hit_entry *entry = &hit->entry;
    uint32_t decl_line = 0;
    uint64_t file = UINT64_MAX;
    if (entry->node_code > 0) file = home_of(view, entry->node_code - 1, &decl_line);
    if (entry->file_code != FMX_FILE_HOME)
        file = entry->file_code == FMX_FILE_UNKNOWN ? UINT64_MAX : (uint64_t)entry->file_code - FMX_FILE_FIRST;
    const int64_t line = entry->has_line ? entry->line + (int64_t)decl_line : 0;
    if (line < 0 || line > UINT32_MAX) return FRAMEMAP_E_CORRUPT;
    out->node = entry->node_code == 0 ? FM_VIEW_NONE : entry->node_code - 1;
    const framemap_status status = read_file(view, file, &out->folder, &out->base_name);
    if (status != FRAMEMAP_OK) return status;
    out->line1 = entry->follows ? fm_line_follow((uint32_t)line, hit->position - hit->start) : (uint32_t)line;
    out->col1 = entry->col1;
    out->flags = entry->follows ? FM_PLACE_LINE_FOLLOWS : 0u;
    return fm_text_code(view, entry->name_code, &out->name);
}

framemap_status fm_view_place(const struct fm_view *view, const struct fm_hit *hit, uint32_t which,
                              struct fm_view_place *out)
{
    if (which >= hit->place_count) return FRAMEMAP_E_ARGUMENT;
    return hit->entry.node_code > view->node_count ? group_place(view, hit, which, out) : single_place(view, hit, out);
}

/* --- nodes --- */

/* The first row of a sorted table whose field is at least `wanted`. */
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

/* Format version 1: the number of an out-of-line function's row in ROOTS is in the adjacent fields of line and column.
 */
static uint64_t plain_root(const struct fm_table_row row)
{
    return fm_table_row_field(row, NODE_LINE) | fm_table_row_field(row, NODE_COL) << row.table->width[NODE_LINE];
}

struct fm_node_kind fm_node_kind(const struct fm_view *view, uint64_t node)
{
    const struct fm_packed *nodes = &view->tables[FMX_NODES], *ranks = &view->tables[FMX_NODE_RANKS];
    struct fm_node_kind kind = {.is_root = true, .root = node};
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
            if (node - rank.before >= nodes->count) return kind; /* wraps if the sum is too great */
            kind.row = fm_table_row_at(nodes, node - rank.before);
        }
    }
    kind.known = !kind.is_root || kind.root < view->root_count;
    return kind;
}

bool fm_node_root(const struct fm_view *view, uint64_t node, uint64_t *root)
{
    const struct fm_node_kind kind = fm_node_kind(view, node);
    *root = kind.root;
    return kind.known && kind.is_root;
}

bool fm_node_row(const struct fm_view *view, uint64_t node, struct fm_table_row *out)
{
    const struct fm_node_kind kind = fm_node_kind(view, node);
    *out = kind.row;
    return kind.known && !kind.is_root;
}

uint64_t fm_node_function(const struct fm_view *view, uint64_t node)
{
    const struct fm_node_kind kind = fm_node_kind(view, node);
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

bool fm_function_range_open(const struct fm_view *view, const struct fm_node_kind *kind, struct fm_function_range *out)
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

/* The first extra string (symbol or alias) of an out-of-line function; UINT64_MAX: it has none. */
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

/* The end of a function's extra strings, by galloping search: most have one or two, a folded function may have
 * thousands. */
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

/* Reads what an out-of-line function has in addition: range, symbol, number of aliases. */
static framemap_status read_root(const struct fm_view *view, uint64_t root, const struct fm_function_range *found,
                                 struct fm_view_node *out)
{
    out->start = found->begin;
    out->size = found->size;
    if (found->flags & FMX_ROOT_HAS_START) out->flags |= FM_NODE_HAS_START;
    if (found->flags & FMX_ROOT_ARTIFICIAL) out->flags |= FM_NODE_ARTIFICIAL;
    framemap_status status = FRAMEMAP_OK;
    uint64_t extra = first_extra(view, root, found->flags);
    if (is_extra(view, extra, root, FMX_EXTRA_SYMBOL)) status = extra_text(view, extra++, &out->symbol);
    if (is_extra(view, extra, root, FMX_EXTRA_ALIAS))
        out->alias_count = (uint32_t)(extras_end(view, extra, root) - extra);
    return status;
}

framemap_status fm_view_alias(const struct fm_view *view, uint32_t node, uint32_t which, framemap_str *out)
{
    const struct fm_node_kind kind = fm_node_kind(view, node);
    const uint64_t root = kind.root;
    struct fm_function_range found;
    if (!kind.known || !kind.is_root || !fm_function_range_open(view, &kind, &found)) return FRAMEMAP_E_CORRUPT;
    uint64_t extra = first_extra(view, root, found.flags);
    if (is_extra(view, extra, root, FMX_EXTRA_SYMBOL)) extra++;
    if (extra == UINT64_MAX || !is_extra(view, extra + which, root, FMX_EXTRA_ALIAS)) return FRAMEMAP_E_ARGUMENT;
    return extra_text(view, extra + which, out);
}

bool fm_wide_row(const struct fm_view *view, uint64_t node, uint64_t *out)
{
    const struct fm_packed *wides = &view->tables[FMX_WIDES];
    *out = lower_bound(wides, WIDE_NODE, node);
    return *out < wides->count && fm_field(wides, *out, WIDE_NODE) == node;
}

static framemap_status read_wide(const struct fm_view *view, uint64_t node, struct fm_view_node *out)
{
    const struct fm_packed *wides = &view->tables[FMX_WIDES];
    uint64_t row;
    if (!fm_wide_row(view, node, &row)) return FRAMEMAP_E_CORRUPT;
    const uint64_t parent = fm_field(wides, row, WIDE_PARENT);
    if (parent >= node) return FRAMEMAP_E_CORRUPT; /* a parent's number is less than its child's: chains end */
    out->parent = (uint32_t)parent;
    out->call_line1 = (uint32_t)fm_field(wides, row, WIDE_LINE);
    out->call_col1 = (uint32_t)fm_field(wides, row, WIDE_COL);
    return read_file(view, fm_field(wides, row, WIDE_FILE) - 1, &out->call_folder, &out->call_base_name);
}

static framemap_status read_inlined(const struct fm_view *view, struct fm_table_row row, uint64_t parent,
                                    struct fm_view_node *out)
{
    uint32_t decl_line;
    const uint64_t file = home_of(view, parent, &decl_line), code = fm_table_row_field(row, NODE_LINE);
    const int64_t line = code == 0 ? 0 : (int64_t)((uint64_t)fm_unzigzag(code - 1) + decl_line);
    if (line < 0 || line > UINT32_MAX) return FRAMEMAP_E_CORRUPT;
    out->parent = (uint32_t)parent;
    out->call_line1 = (uint32_t)line;
    out->call_col1 = (uint32_t)fm_table_row_field(row, NODE_COL);
    return read_file(view, file, &out->call_folder, &out->call_base_name);
}

static framemap_status read_function(const struct fm_view *view, uint64_t function, struct fm_view_node *out)
{
    const struct fm_packed *functions = &view->tables[FMX_FUNCTIONS];
    if (function >= functions->count) return FRAMEMAP_OK;
    struct fm_table_row details;
    framemap_status status = fm_record_text(view, fm_table_row_at(functions, function), FUNCTION_NAME, &out->function);
    if (status != FRAMEMAP_OK || !fm_function_details(view, function, &details)) return status;
    const unsigned from = view->details_from;
    out->decl_line1 = (uint32_t)fm_table_row_field(details, from + DETAIL_LINE);
    out->language = (uint8_t)(fm_table_row_field(details, from + DETAIL_LANGUAGE) - 1);
    status = fm_text_code(view, fm_table_row_field(details, from + DETAIL_CLASS), &out->class_name);
    if (status == FRAMEMAP_OK && (fm_table_row_field(details, from + DETAIL_FLAGS) & FMX_FUNCTION_DECLARED) != 0)
        status = read_file(view, fm_table_row_field(details, from + DETAIL_HOME) - 1, &out->decl_folder,
                           &out->decl_base_name);
    return status;
}

framemap_status fm_view_node(const struct fm_view *view, uint32_t node, struct fm_view_node *out)
{
    const struct fm_node_kind kind = fm_node_kind(view, node);
    struct fm_function_range root;
    *out = (struct fm_view_node){.parent = FM_VIEW_NONE};
    if (!kind.known || (kind.is_root && !fm_function_range_open(view, &kind, &root))) return FRAMEMAP_E_CORRUPT;
    const framemap_status status =
        read_function(view, (kind.is_root ? root.function : fm_table_row_field(kind.row, NODE_FUNCTION)) - 1, out);
    if (status != FRAMEMAP_OK) return status;
    if (kind.is_root) return read_root(view, kind.root, &root, out);
    const uint64_t up = fm_table_row_field(kind.row, NODE_UP);
    out->flags = (uint32_t)fm_table_row_field(kind.row, NODE_FLAGS);
    if (up == kind.row.table->mask[NODE_UP]) return read_wide(view, node, out);
    return up > node || up == 0 ? FRAMEMAP_E_CORRUPT : read_inlined(view, kind.row, node - up, out);
}
