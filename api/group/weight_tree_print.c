/* Implements framemap_sample_tree_print: writes functions by their weights, or the tree, as a table for people or as
 * JSON lines (docs/json.md). */
#include "api/group/top_writer.h"
#include "api/group/tree_state.h"
#include "api/option_structs.h"
#include "core/error.h"
#include "core/text/merge_sort.h"
#include "formats/output/json_members.h"

/* --- writing weights for people --- */

/* How weights of a unit are shown. Of the scales of the unit, the one with the largest `size` that does not exceed the
 * sum of all weights is used. */
struct scale {
    const char *unit, *shown;
    uint64_t size;
};
static const struct scale scales[] = {{"nanoseconds", "s", 1000000000},
                                      {"nanoseconds", "ms", 1000000},
                                      {"nanoseconds", "us", 1000},
                                      {"nanoseconds", "ns", 1},
                                      {"microseconds", "s", 1000000},
                                      {"microseconds", "ms", 1000},
                                      {"microseconds", "us", 1},
                                      {"milliseconds", "s", 1000},
                                      {"milliseconds", "ms", 1},
                                      {"bytes", "GiB", 1 << 30},
                                      {"bytes", "MiB", 1 << 20},
                                      {"bytes", "KiB", 1 << 10},
                                      {"bytes", "B", 1}};
static const struct scale plain = {"", "", 1};

static uint64_t size_of(int64_t value) { return value < 0 ? 0 - (uint64_t)value : (uint64_t)value; }

static const struct scale *scale_of(const framemap_sample_tree_totals *totals)
{
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++)
        if (fm_str_equal(totals->unit, framemap_str_of(scales[i].unit)) &&
            (size_of(totals->total) >= scales[i].size || scales[i].size == 1))
            return &scales[i];
    return &plain;
}

/* Aligns the text that was written since offset `at` to the right of a column of `width` characters. */
static void move_right(struct fm_buf *out, size_t at, size_t width)
{
    const size_t size = out->size - at;
    if (size >= width || out->failed) return;
    fm_put_blanks(out, width - size);
    if (out->failed) return;
    memmove(out->data + at + width - size, out->data + at, size);
    memset(out->data + at, ' ', width - size);
}

static void put_weight(struct fm_buf *out, const struct scale *scale, int64_t value, size_t width)
{
    const size_t at = out->size;
    uint64_t whole = size_of(value) / scale->size;
    const uint64_t rest = size_of(value) % scale->size;
    uint64_t hundredths = (rest * 100 + scale->size / 2) / scale->size;
    if (hundredths == 100) {
        whole++;
        hundredths = 0;
    }
    if (value < 0) fm_buf_byte(out, '-');
    fm_buf_dec(out, whole);
    if (scale->size > 1) fm_buf_printf(out, ".%02u", (unsigned)hundredths);
    fm_buf_str(out, framemap_str_of(scale->shown));
    move_right(out, at, width);
}

/* Writes what part of the sum a value is, in percent: "12.3%". */
static void put_part(struct fm_buf *out, int64_t value, int64_t sum, size_t width)
{
    const size_t at = out->size;
    uint64_t part = size_of(value), whole = size_of(sum);
    while (part > UINT64_MAX / 2000) part >>= 1, whole >>= 1;
    const uint64_t thousandths = whole ? (part * 1000 + whole / 2) / whole : 0;
    if (value < 0) fm_buf_byte(out, '-');
    fm_buf_printf(out, "%llu.%u%%", (unsigned long long)(thousandths / 10), (unsigned)(thousandths % 10));
    move_right(out, at, width);
}

/* --- writing the tables as text --- */

struct table {
    const framemap_sample_tree *tree;
    struct fm_buf *out;
    const struct scale *scale;
    size_t width;
};

enum { PART_WIDTH = 8 };

static void put_weights(const struct table *table, int64_t first, int64_t second)
{
    const int64_t sum = table->tree->totals.total;
    put_weight(table->out, table->scale, first, table->width);
    put_part(table->out, first, sum, PART_WIDTH);
    fm_put_blanks(table->out, 2);
    put_weight(table->out, table->scale, second, table->width);
    put_part(table->out, second, sum, PART_WIDTH);
    fm_put_blanks(table->out, 2);
}

static void put_heading(const struct table *table, const char *first, const char *second)
{
    struct fm_buf *out = table->out;
    const char *const words[] = {first, second};
    for (size_t i = 0; i < 2; i++) {
        size_t at = out->size;
        fm_buf_str(out, framemap_str_of(words[i]));
        move_right(out, at, table->width);
        at = out->size;
        fm_buf_byte(out, '%');
        move_right(out, at, PART_WIDTH);
        fm_put_blanks(out, 2);
    }
    fm_buf_str(out, FM_STR("function"));
    fm_buf_byte(out, '\n');
}

static void put_name(struct fm_buf *out, const framemap_sample_function *function)
{
    const framemap_str place = function->file.size ? function->file : fm_str_basename(function->module);
    const bool is_module = function->file.size == 0 && function->name.size && function->name.data[0] == '[';
    if (function->has_in_app) fm_buf_str(out, function->in_app ? FM_STR("* ") : FM_STR("  "));
    fm_buf_str(out, function->name);
    if (place.size && !is_module) {
        fm_buf_str(out, FM_STR(" ("));
        fm_buf_str(out, place);
        fm_buf_byte(out, ')');
    }
    if (function->owner.size) {
        fm_put_blanks(out, 2);
        fm_buf_str(out, function->owner);
    }
    fm_buf_byte(out, '\n');
}

static void put_text_end(const struct table *table, const char *what, uint32_t shown, uint32_t all)
{
    struct fm_buf *out = table->out;
    const framemap_sample_tree_totals *totals = &table->tree->totals;
    if (totals->type.size) {
        put_weight(out, table->scale, totals->total, 0);
        fm_buf_str(out, FM_STR(" of "));
        fm_buf_str(out, totals->type);
    }
    if (totals->unit.size && table->scale == &plain && !fm_str_equal(totals->unit, FM_STR("count"))) {
        fm_buf_str(out, FM_STR(" in "));
        fm_buf_str(out, totals->unit);
    }
    if (totals->type.size) fm_buf_str(out, FM_STR(", "));
    fm_buf_printf(out, "%u %s%s", (unsigned)all, what, all == 1 ? "" : "s");
    if (shown < all) fm_buf_printf(out, ", of which %u are shown", (unsigned)shown);
    if (totals->functions && table->tree->functions[0].has_in_app) fm_buf_str(out, FM_STR("; *: the app's own"));
    fm_buf_byte(out, '\n');
}

/* --- writing JSON --- */

static void put_json_name(struct fm_members *m, const framemap_sample_function *function)
{
    fm_member_text(m, FM_MEMBER("function"), function->name);
    fm_member_text(m, FM_MEMBER("file"), function->file);
    fm_member_text(m, FM_MEMBER("module"), function->module);
    fm_member_text(m, FM_MEMBER("owner"), function->owner);
    if (function->has_in_app) fm_member_bool(m, FM_MEMBER("in_app"), function->in_app);
}

static void put_json_weights(struct fm_members *m, int64_t self, int64_t total)
{
    fm_member_signed(m, FM_MEMBER("self"), self);
    fm_member_signed(m, FM_MEMBER("total"), total);
}

static void put_json_function(struct fm_buf *out, const framemap_sample_function *function, uint32_t number)
{
    struct fm_members m = fm_members_open_line(out, FM_STR("function"));
    fm_member_count(&m, FM_MEMBER("n"), number);
    put_json_name(&m, function);
    put_json_weights(&m, function->self, function->total);
    fm_members_close_line(&m);
}

static void put_json_node(struct fm_buf *out, const framemap_sample_tree *tree, uint32_t number)
{
    const framemap_sample_tree_node *node = &tree->nodes[number];
    struct fm_members m = fm_members_open_line(out, FM_STR("node"));
    fm_member_count(&m, FM_MEMBER("n"), number);
    if (node->parent != FRAMEMAP_NO_NODE) fm_member_count(&m, FM_MEMBER("parent"), node->parent);
    put_json_name(&m, &tree->functions[node->function]);
    put_json_weights(&m, node->self, node->total);
    fm_members_close_line(&m);
}

static void put_json_end(struct fm_buf *out, const framemap_sample_tree_totals *totals, uint32_t shown)
{
    struct fm_members m = fm_members_open_line(out, FM_STR("end"));
    fm_member_text(&m, FM_MEMBER("type"), totals->type);
    fm_member_text(&m, FM_MEMBER("unit"), totals->unit);
    fm_member_signed(&m, FM_MEMBER("total"), totals->total);
    fm_member_count(&m, FM_MEMBER("functions"), totals->functions);
    fm_member_count(&m, FM_MEMBER("nodes"), totals->nodes);
    fm_member_count(&m, FM_MEMBER("shown"), shown);
    fm_members_close_line(&m);
}

/* --- choosing text or JSON --- */

static void print_functions(struct fm_top_writer *writer, const struct table *table, bool json, uint32_t shown)
{
    if (!json) put_heading(table, "self", "total");
    for (uint32_t i = 0; i < shown; i++) {
        const framemap_sample_function *function = &table->tree->functions[i];
        if (json) {
            put_json_function(table->out, function, i);
        } else {
            put_weights(table, function->self, function->total);
            put_name(table->out, function);
        }
        fm_top_hand_on(writer);
    }
}

/* Chooses the nodes with the largest totals. A node is left out if its parent is not chosen; so if weights are
 * negative, there may be fewer than `most`. NULL: out of memory. */
static bool *choose_nodes(const framemap_sample_tree *tree, struct fm_arena *arena, uint32_t most, uint32_t *shown)
{
    const uint32_t count = tree->totals.nodes;
    bool *chosen = FM_ARENA_ARRAY(arena, bool, count);
    struct fm_sort_item *order = FM_ARENA_ARRAY(arena, struct fm_sort_item, count);
    if (chosen == NULL || order == NULL) return NULL;
    for (uint32_t i = 0; i < count; i++)
        order[i] = (struct fm_sort_item){~((uint64_t)tree->nodes[i].total ^ (uint64_t)1 << 63), 0, i};
    if (!fm_sort(arena->heap, order, count, NULL, NULL)) return NULL;
    for (uint32_t i = 0; i < most; i++) {
        const uint32_t parent = tree->nodes[order[i].id].parent;
        if (parent != FRAMEMAP_NO_NODE && !chosen[parent]) continue;
        chosen[order[i].id] = true;
        ++*shown;
    }
    return chosen;
}

static void print_node(struct fm_top_writer *writer, const struct table *table, bool json, uint32_t number)
{
    enum { INDENT_MOST = 200 }; /* maximum number of columns that a node is indented by */
    const framemap_sample_tree_node *node = &table->tree->nodes[number];
    if (json) {
        put_json_node(table->out, table->tree, number);
    } else {
        put_weights(table, node->total, node->self);
        fm_put_blanks(table->out, node->depth < INDENT_MOST / 2 ? node->depth * 2 : INDENT_MOST);
        put_name(table->out, &table->tree->functions[node->function]);
    }
    fm_top_hand_on(writer);
}

static void print_nodes(struct fm_top_writer *writer, const struct table *table, bool json, uint32_t most,
                        uint32_t *shown)
{
    struct fm_heap heap;
    struct fm_arena arena;
    fm_heap_init(&heap, &table->tree->heap.hook, 0);
    fm_arena_init(&arena, &heap);
    const bool *chosen = choose_nodes(table->tree, &arena, most, shown);
    if (chosen == NULL) table->out->failed = true;
    if (!json) put_heading(table, "total", "self");
    for (uint32_t i = 0; i < table->tree->totals.nodes && chosen; i++)
        if (chosen[i]) print_node(writer, table, json, i);
    fm_arena_free(&arena);
}

static void print_tree(struct fm_top_writer *writer, const framemap_sample_tree *tree, bool json, bool nodes,
                       uint32_t most)
{
    const uint32_t all = nodes ? tree->totals.nodes : tree->totals.functions;
    struct table table = {.tree = tree, .out = &writer->out, .scale = scale_of(&tree->totals)};
    uint32_t shown = 0;
    put_weight(&writer->out, table.scale, tree->totals.total, 0);
    table.width = writer->out.size > 5 ? writer->out.size + 1 : 6;
    writer->out.size = 0;
    if (most == 0 || most > all) most = all;
    if (json) fm_top_put_head(&writer->out);
    if (nodes)
        print_nodes(writer, &table, json, most, &shown);
    else
        print_functions(writer, &table, json, shown = most);
    if (json)
        put_json_end(&writer->out, &tree->totals, shown);
    else
        put_text_end(&table, nodes ? "node" : "function", shown, all);
    fm_top_hand_on(writer);
}

framemap_status framemap_sample_tree_print(const framemap_sample_tree *tree, const char *format,
                                           framemap_tree_part part, uint32_t most, framemap_write write, void *context,
                                           framemap_error *error)
{
    struct fm_heap heap;
    struct fm_top_writer writer = {.write = write, .context = context};
    bool json;
    if (tree == NULL || format == NULL || write == NULL)
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a required argument is NULL");
    framemap_status status = fm_enum_check((unsigned)part, FRAMEMAP_TREE_NODES, "framemap_tree_part", error);
    if (status != FRAMEMAP_OK) return status;
    fm_heap_init(&heap, &tree->heap.hook, 0);
    status = fm_top_writer_open(&writer, &heap, format, &json, error);
    if (status != FRAMEMAP_OK) return status;
    print_tree(&writer, tree, json, part == FRAMEMAP_TREE_NODES, most);
    return fm_top_writer_close(&writer, error);
}
