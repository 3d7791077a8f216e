/* Reads whole records with their strings, for callers that need every field: verify, the values of a split index, and
 * api/proof. Implements fm_view_place and fm_view_node of view.h; lookups decode only what an answer needs. */
#include "index/read/positions/node_decoder.h"
#include "index/read/table/string_decoder.h"

/* Reads folder and name of a file; absent if there is no such file. */
static framemap_status read_file(const struct fm_view *view, uint64_t file, framemap_str *folder, framemap_str *name)
{
    const struct fm_packed *files = &view->tables[FMX_FILES];
    *folder = *name = (framemap_str){NULL, 0};
    if (file >= files->count) return FRAMEMAP_OK;
    const struct fm_table_row row = fm_table_row_at(files, file);
    const framemap_status status = fm_record_text(view, row, FILE_FOLDER, folder);
    return status == FRAMEMAP_OK ? fm_record_text(view, row, FILE_NAME, name) : status;
}

framemap_status fm_view_place(const struct fm_view *view, const struct fm_hit *hit, uint32_t which,
                              struct fm_view_place *out)
{
    struct fm_view_link link;
    const framemap_status status = fm_view_link_first(view, hit, which, &link, &out->name);
    if (status != FRAMEMAP_OK) return status;
    out->node = link.node;
    out->line1 = link.line1;
    out->col1 = link.col1;
    out->flags = link.place_flags;
    return read_file(view, link.file, &out->folder, &out->base_name);
}

static framemap_status read_function(const struct fm_view *view, const struct fm_view_link *link,
                                     struct fm_view_node *out)
{
    struct fm_table_row details;
    framemap_status status = fm_view_link_name(view, link, &out->function);
    if (status == FRAMEMAP_OK) status = fm_view_link_class(view, link, &out->class_name);
    if (status != FRAMEMAP_OK) return status;
    out->decl_line1 = link->decl_line1;
    if (link->function < view->tables[FMX_FUNCTIONS].count && fm_function_details(view, link->function, &details))
        out->language = (uint8_t)(fm_table_row_field(details, view->details_from + DETAIL_LANGUAGE) - 1);
    return link->declared ? read_file(view, link->home, &out->decl_folder, &out->decl_base_name) : FRAMEMAP_OK;
}

static framemap_status read_root(const struct fm_view *view, const struct fm_view_link *link, struct fm_view_node *out)
{
    struct fm_view_root root;
    const framemap_status status = fm_view_link_root(view, link, &root);
    if (status != FRAMEMAP_OK) return status;
    out->start = root.start;
    out->size = root.size;
    out->symbol = root.symbol;
    out->alias_count = root.alias_count;
    if (root.has_start) out->flags |= FM_NODE_HAS_START;
    return FRAMEMAP_OK;
}

static framemap_status read_call(const struct fm_view *view, struct fm_view_link link, struct fm_view_node *out)
{
    const framemap_status status = fm_view_link_up(view, &link);
    if (status != FRAMEMAP_OK) return status;
    out->call_line1 = link.line1;
    out->call_col1 = link.col1;
    return read_file(view, link.file, &out->call_folder, &out->call_base_name);
}

framemap_status fm_view_node(const struct fm_view *view, uint32_t node, struct fm_view_node *out)
{
    struct fm_view_link link;
    *out = (struct fm_view_node){.parent = FM_VIEW_NONE};
    framemap_status status = fm_view_link_node(view, node, &link);
    if (status != FRAMEMAP_OK) return status;
    out->parent = link.parent;
    out->flags = link.flags;
    status = read_function(view, &link, out);
    if (status != FRAMEMAP_OK) return status;
    return link.parent == FM_VIEW_NONE ? read_root(view, &link, out) : read_call(view, link, out);
}
