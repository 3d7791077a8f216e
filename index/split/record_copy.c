/* Copies records of an opened index into a builder. */
#include "index/split/record_copy.h"
#include "core/error.h"
#include "core/hash/hash.h"
#include "core/limits.h"
#include "core/text/buffer.h"
#include "index/format/value_page.h"
#include "index/read/positions/node_decoder.h"

/* Reports that `what` could not be read. status: the result of the call that reads it. */
static framemap_status unread(framemap_error *error, framemap_status status, const char *what)
{
    if (status == FRAMEMAP_E_MEMORY) return fm_error_memory(error);
    return fm_error_set(error, FRAMEMAP_E_CORRUPT, "the index is damaged: %s can't be read", what);
}

/* A node, and its number in the builder. */
struct copied {
    uint32_t from, to;
};

struct copier {
    const struct fm_view *view;
    struct fm_builder *builder;
    struct fm_buf path;
    struct copied *nodes; /* the nodes that were copied, so that a chain that several locations share is copied once */
    size_t node_count, node_capacity;
    struct fm_table node_table;
    uint64_t place_count;
    framemap_error *error;
};

static framemap_status copy_text(struct copier *c, framemap_str text, uint32_t *out)
{
    *out = FM_NONE;
    return text.data == NULL ? FRAMEMAP_OK : fm_builder_string(c->builder, text, out, c->error);
}

static framemap_status copy_file(struct copier *c, framemap_str folder, framemap_str name, uint32_t *out)
{
    *out = FM_NONE;
    if (folder.data == NULL && name.data == NULL) return FRAMEMAP_OK;
    fm_buf_clear(&c->path);
    fm_buf_str(&c->path, folder);
    fm_buf_str(&c->path, name);
    return c->path.failed ? fm_error_memory(c->error)
                          : fm_builder_file(c->builder, fm_buf_view(&c->path), out, c->error);
}

static framemap_status copy_function(struct copier *c, const struct fm_view_node *node, uint32_t *out)
{
    struct fm_function function = {.decl_line1 = node->decl_line1, .language = node->language};
    framemap_status status = copy_text(c, node->function, &function.name);
    if (status == FRAMEMAP_OK) status = copy_text(c, node->class_name, &function.class_name);
    if (status == FRAMEMAP_OK) status = copy_file(c, node->decl_folder, node->decl_base_name, &function.decl_file);
    return status == FRAMEMAP_OK ? fm_builder_function(c->builder, &function, out, c->error) : status;
}

/* Copies a node. parent: number of its parent in the builder; FM_NONE for an out-of-line function. */
static framemap_status copy_node(struct copier *c, uint32_t number, uint32_t parent, uint32_t *out)
{
    struct fm_view_node node;
    framemap_status status = fm_view_node(c->view, number, &node);
    if (status != FRAMEMAP_OK) return unread(c->error, status, "a node");
    struct fm_node copy = {.parent = parent,
                           .function = FM_NONE,
                           .call_line1 = node.call_line1,
                           .call_col1 = node.call_col1,
                           .flags = node.flags,
                           .start = node.start,
                           .size = node.size};
    if (fm_node_function(c->view, number) < c->view->tables[FMX_FUNCTIONS].count)
        status = copy_function(c, &node, &copy.function);
    if (status == FRAMEMAP_OK) status = copy_file(c, node.call_folder, node.call_base_name, &copy.call_file);
    if (status == FRAMEMAP_OK) status = copy_text(c, node.symbol, &copy.symbol);
    if (status == FRAMEMAP_OK) status = fm_builder_node(c->builder, &copy, out, c->error);
    for (uint32_t i = 0; i < node.alias_count && status == FRAMEMAP_OK; i++) {
        framemap_str alias;
        uint32_t text;
        status = fm_view_alias(c->view, number, i, &alias);
        if (status != FRAMEMAP_OK) return unread(c->error, status, "an alias");
        status = fm_builder_string(c->builder, alias, &text, c->error);
        if (status == FRAMEMAP_OK) status = fm_builder_alias(c->builder, *out, text, c->error);
    }
    return status;
}

static bool is_copy_of(const void *context, uint32_t number, const void *key)
{
    const struct copier *c = context;
    return c->nodes[number].from == *(const uint32_t *)key;
}

static uint64_t hash_of(uint32_t node) { return node * UINT64_C(0x9E3779B97F4A7C15); }

static bool find_copy(const struct copier *c, uint32_t node, uint32_t *out)
{
    const uint32_t found = fm_table_find(&c->node_table, hash_of(node), is_copy_of, c, &node);
    if (found != UINT32_MAX) *out = c->nodes[found].to;
    return found != UINT32_MAX;
}

static framemap_status note_copy(struct copier *c, uint32_t from, uint32_t to)
{
    if (!FM_GROW(c->path.heap, c->nodes, c->node_capacity, c->node_count + 1)) return fm_error_memory(c->error);
    c->nodes[c->node_count] = (struct copied){from, to};
    return fm_table_add(&c->node_table, hash_of(from), (uint32_t)c->node_count++) ? FRAMEMAP_OK
                                                                                  : fm_error_memory(c->error);
}

static framemap_status copy_chain(struct copier *c, uint32_t number, uint32_t *out)
{
    uint32_t chain[FM_LIMIT_INLINE_DEPTH];
    size_t depth = 0;
    *out = FM_NONE;
    framemap_status status = FRAMEMAP_OK;
    for (struct fm_view_node node; number != FM_VIEW_NONE && !find_copy(c, number, out); number = node.parent) {
        if (depth == FM_LIMIT_INLINE_DEPTH) return unread(c->error, FRAMEMAP_E_CORRUPT, "a chain of nodes");
        status = fm_view_node(c->view, number, &node);
        if (status != FRAMEMAP_OK) return unread(c->error, status, "a chain of nodes");
        chain[depth++] = number;
    }
    while (depth > 0 && status == FRAMEMAP_OK) {
        status = copy_node(c, chain[--depth], *out, out);
        if (status == FRAMEMAP_OK) status = note_copy(c, chain[depth], *out);
    }
    return status;
}

static framemap_status copy_place(struct copier *c, const struct fm_hit *hit, uint32_t which, struct fm_place *out)
{
    struct fm_view_place place;
    framemap_status status = fm_view_place(c->view, hit, which, &place);
    if (status != FRAMEMAP_OK) return unread(c->error, status, "an answer");
    *out = (struct fm_place){.line1 = place.line1, .col1 = place.col1, .flags = place.flags};
    status = copy_chain(c, place.node, &out->node);
    if (status == FRAMEMAP_OK) status = copy_file(c, place.folder, place.base_name, &out->file);
    if (status == FRAMEMAP_OK) status = copy_text(c, place.name, &out->name);
    return status;
}

/* Copies a lookup result; it starts at hit.position in the copy. */
static framemap_status copy_hit(struct copier *c, uint32_t scope, const struct fm_hit *hit)
{
    if (hit->place_count == 0) return fm_builder_end(c->builder, scope, hit->position, c->error);
    struct fm_heap *heap = c->path.heap;
    c->place_count += hit->place_count;
    if (hit->place_count > 1 && c->place_count > FM_LIMIT_VALUE_PLACES)
        return fm_error_set(c->error, FRAMEMAP_E_LIMIT, "over-limit: more than %u alternatives in one value",
                            FM_LIMIT_VALUE_PLACES);
    struct fm_place *places = fm_heap_zalloc(heap, hit->place_count, sizeof *places);
    framemap_status status = places ? FRAMEMAP_OK : fm_error_memory(c->error);
    for (uint32_t i = 0; i < hit->place_count && status == FRAMEMAP_OK; i++) status = copy_place(c, hit, i, &places[i]);
    if (status == FRAMEMAP_OK)
        status = fm_builder_position(c->builder, scope, hit->position, places, hit->place_count, c->error);
    fm_heap_free(heap, places, hit->place_count * sizeof *places);
    return status;
}

static framemap_status copy_scope_key(struct copier *c, uint64_t scope, uint32_t *out)
{
    const struct fm_packed *scopes = &c->view->tables[FMX_SCOPES];
    if (c->view->flags & FMX_FLAG_NUMBERED)
        return fm_builder_scope_number(c->builder, fm_field_wide(scopes, scope, SCOPE_KEY), out, c->error);
    return fm_builder_scope(c->builder, fm_text_field(c->view, scopes, scope, SCOPE_KEY), out, c->error);
}

/* Copies an entry into its scope, which is created when its first entry is copied. A gap before the first entry is not
 * copied. */
static framemap_status copy_entry(struct copier *c, uint64_t scope, const struct fm_hit *hit, uint32_t *number)
{
    framemap_status status = FRAMEMAP_OK;
    if (*number == FM_NONE && hit->place_count == 0) return FRAMEMAP_OK;
    if (*number == FM_NONE) status = copy_scope_key(c, scope, number);
    return status == FRAMEMAP_OK ? copy_hit(c, *number, hit) : status;
}

/* Copies the entries of a scope at positions [begin, end); end 0: up to the last position. *continues: set if the last
 * of these entries also covers `end`. */
static framemap_status copy_scope_part(struct copier *c, uint64_t scope, uint64_t begin, uint64_t end, bool *continues)
{
    uint32_t number = FM_NONE;
    struct fm_hit hit;
    if (fm_view_lookup(c->view, scope, begin, &hit) != FRAMEMAP_OK)
        return unread(c->error, FRAMEMAP_E_CORRUPT, "an entry");
    framemap_status status = copy_entry(c, scope, &hit, &number);
    for (uint64_t at = begin; status == FRAMEMAP_OK && at != UINT64_MAX; at = hit.start) {
        if (!fm_view_next(c->view, scope, at + 1, &hit) || (end != 0 && hit.start >= end)) break;
        if (hit.start <= at) return unread(c->error, FRAMEMAP_E_CORRUPT, "the order of entries");
        status = copy_entry(c, scope, &hit, &number);
    }
    if (status != FRAMEMAP_OK || end == 0) return status;
    if (fm_view_lookup(c->view, scope, end, &hit) != FRAMEMAP_OK)
        return unread(c->error, FRAMEMAP_E_CORRUPT, "an entry");
    *continues = *continues || hit.place_count > 0;
    return FRAMEMAP_OK;
}

static framemap_status copy_page(struct copier *c, uint64_t page, bool *continues)
{
    /* for the last page, the sum wraps, so `end` is 0 */
    const uint64_t begin = page << FM_PAGE_BITS, end = (page + 1) << FM_PAGE_BITS;
    framemap_status status = FRAMEMAP_OK;
    for (uint64_t scope = 0; scope < c->view->tables[FMX_SCOPES].count && status == FRAMEMAP_OK; scope++)
        status = copy_scope_part(c, scope, begin, end, continues);
    return status;
}

framemap_status fm_copy_about(const struct fm_view *view, struct fm_builder *builder, framemap_error *error)
{
    struct fm_view_about about;
    fm_view_about(view, &about);
    const struct fm_builder_about copy = {.kind = about.kind,
                                          .id = about.id,
                                          .arch = about.arch,
                                          .name = about.name,
                                          .base = about.base,
                                          .address_bits = about.address_bits,
                                          .big_endian = about.big_endian,
                                          .keys = about.numbered_scopes ? FM_SCOPE_NUMBERED : FM_SCOPE_NAMED};
    return fm_builder_about(builder, &copy, error);
}

/* Copies the attributes that answers depend on. */
static framemap_status copy_needed_attributes(const struct fm_view *view, struct fm_builder *builder,
                                              framemap_error *error)
{
    static const char *const keys[] = {FM_ATTRIBUTE_ALTERNATE, FM_ATTRIBUTE_ALTERNATE_ID, FM_ATTRIBUTE_CODE_OFFSETS,
                                       FM_ATTRIBUTE_UNRELOCATED};
    framemap_status status = FRAMEMAP_OK;
    for (size_t i = 0; i < sizeof keys / sizeof *keys && status == FRAMEMAP_OK; i++) {
        const framemap_str key = framemap_str_of(keys[i]);
        framemap_str value;
        if (fm_view_attribute(view, key, &value)) status = fm_builder_attribute(builder, key, value, error);
    }
    return status;
}

framemap_status fm_copy_page(const struct fm_view *view, uint64_t page, struct fm_builder *builder,
                             struct fm_heap *heap, bool *continues, framemap_error *error)
{
    struct copier c = {.view = view, .builder = builder, .error = error};
    fm_buf_init(&c.path, heap);
    fm_table_init(&c.node_table, heap);
    *continues = false;
    framemap_status status = fm_copy_about(view, builder, error);
    if (status == FRAMEMAP_OK) status = copy_needed_attributes(view, builder, error);
    if (status == FRAMEMAP_OK) status = copy_page(&c, page, continues);
    fm_table_free(&c.node_table);
    fm_heap_free(heap, c.nodes, c.node_capacity * sizeof *c.nodes);
    fm_buf_free(&c.path);
    return status;
}
