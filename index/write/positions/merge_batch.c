/* fm_builder_add_batch: adds the records of a batch to a builder. The lookups for the records of a list are made
 * together, since cache misses take most of their time. */
#include "core/cpu.h"
#include "core/error.h"
#include "index/write/model/builder_model.h"

/* Maps numbers of the batch to numbers of the builder. Each list has one more entry at its end, which maps FM_NONE to
 * FM_NONE. */
struct renumbering {
    const struct fm_batch *pack;
    uint32_t *strings, *files, *functions, *nodes;
};

static framemap_status no_such(framemap_error *error, const char *what)
{
    return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "this batch has no such %s", what);
}

/* Converts a number of the batch to the number of the builder. Sets *bad if the batch has no such record among its
 * first `count`. none: index of the entry of `numbers` that is FM_NONE. */
static inline uint32_t renumber(const uint32_t *numbers, uint32_t number, size_t count, size_t none, bool *bad)
{
    if (number < count) return numbers[number];
    *bad |= number != FM_NONE;
    return numbers[none];
}
static inline uint32_t batch_string(const struct renumbering *to, uint32_t string, bool *bad)
{
    return renumber(to->strings, string, to->pack->string_count, to->pack->string_count, bad);
}
static inline uint32_t file_of(const struct renumbering *to, uint32_t file, bool *bad)
{
    return renumber(to->files, file, to->pack->file_count, to->pack->file_count, bad);
}

/* --- adding the functions of a batch --- */

static struct fm_function function_of(const struct renumbering *to, size_t number, bool *bad)
{
    struct fm_function function = to->pack->functions[number];
    function.name = batch_string(to, function.name, bad);
    function.class_name = batch_string(to, function.class_name, bad);
    function.decl_file = file_of(to, function.decl_file, bad);
    return function;
}

#define AT_ONCE 16 /* number of lookups whose memory accesses overlap */

static framemap_status pack_some_functions(struct fm_builder *b, struct renumbering *to, size_t first, size_t count,
                                           framemap_error *error)
{
    struct fm_function functions[AT_ONCE];
    uint64_t hashes[AT_ONCE];
    framemap_status status = FRAMEMAP_OK;
    bool bad = false;
    for (size_t i = 0; i < count; i++) {
        functions[i] = function_of(to, first + i, &bad);
        hashes[i] = fm_model_function_hash(b, &functions[i]);
        fm_table_hint(&b->function_table, hashes[i]);
    }
    if (bad) return no_such(error, "string or file");
    for (size_t i = 0; i < count; i++) {
        const uint32_t guess = fm_table_guess(&b->function_table, hashes[i]);
        if (guess != UINT32_MAX) fm_prefetch(&b->functions[guess]);
    }
    for (size_t i = 0; i < count && status == FRAMEMAP_OK; i++)
        status = fm_model_function(b, &functions[i], hashes[i], &to->functions[first + i], error);
    return status;
}

static framemap_status pack_functions(struct fm_builder *b, struct renumbering *to, framemap_error *error)
{
    const size_t count = to->pack->function_count;
    framemap_status status = FRAMEMAP_OK;
    for (size_t at = 0; at < count && status == FRAMEMAP_OK; at += AT_ONCE)
        status = pack_some_functions(b, to, at, count - at < AT_ONCE ? count - at : AT_ONCE, error);
    return status;
}

/* --- adding the nodes of a batch --- */

/* Converts the numbers in a node to numbers of the builder, except the number of the parent. */
static void fill_node(const struct renumbering *to, size_t number, struct fm_node *node, bool *bad)
{
    const struct fm_batch *pack = to->pack;
    const struct fm_batch_node *given = &pack->nodes[number];
    node->parent = given->parent;
    node->function = renumber(to->functions, given->function, pack->function_count, pack->function_count, bad);
    node->call_line1 = given->call_line1;
    node->call_col1 = given->call_col1;
    node->flags = given->flags;
    if (given->parent != FM_NONE) {
        *bad |= given->parent >= number;
        node->call_file = file_of(to, given->call_file, bad);
    } else if (given->call_file < pack->root_count) {
        const struct fm_batch_root *root = &pack->roots[given->call_file];
        node->start = root->start;
        node->size = root->size;
        node->symbol = batch_string(to, root->symbol, bad);
    } else {
        *bad = true;
    }
    fm_model_node_clean(node);
}

#define NODES_AT_ONCE 64

/* A node as fill_node makes it; for a root also its hash. */
struct new_node {
    struct fm_node node;
    uint64_t hash;
};

/* Adds a node. If its parent is new in this batch, the node is new itself and is not looked up. */
static framemap_status pack_node(struct fm_builder *b, const struct renumbering *to, struct new_node *fresh,
                                 uint32_t first_new, uint32_t *out, framemap_error *error)
{
    struct fm_node *node = &fresh->node;
    if (node->parent == FM_NONE) return fm_model_node(b, node, fresh->hash, out, error);
    node->parent = to->nodes[node->parent];
    if (node->parent >= first_new) return fm_model_node_push(b, node, out, error);
    return fm_model_node(b, node, fm_model_node_hash(b, node), out, error);
}

/* Adds some nodes. Roots may already exist from another batch, so they are looked up, after their slots were
 * prefetched. */
static framemap_status pack_some_nodes(struct fm_builder *b, struct renumbering *to, size_t first, size_t count,
                                       uint32_t first_new, framemap_error *error)
{
    struct new_node nodes[NODES_AT_ONCE];
    framemap_status status = FRAMEMAP_OK;
    bool bad = false;
    for (size_t i = 0; i < count; i++) {
        fill_node(to, first + i, &nodes[i].node, &bad);
        if (nodes[i].node.parent != FM_NONE) continue;
        nodes[i].hash = fm_model_node_hash(b, &nodes[i].node);
        fm_table_hint(&b->node_table, nodes[i].hash);
    }
    if (bad) return no_such(error, "node, root, function, file or string");
    for (size_t i = 0; i < count && status == FRAMEMAP_OK; i++)
        status = pack_node(b, to, &nodes[i], first_new, &to->nodes[first + i], error);
    return status;
}

static framemap_status pack_nodes(struct fm_builder *b, struct renumbering *to, framemap_error *error)
{
    const size_t count = to->pack->node_count;
    const uint32_t first = (uint32_t)b->node_count;
    if (count == 0) return FRAMEMAP_OK;
    if (!FM_GROW(b->heap, b->packs, b->pack_capacity, b->pack_count + 1)) return fm_error_memory(error);
    framemap_status status = FRAMEMAP_OK;
    for (size_t at = 0; at < count && status == FRAMEMAP_OK; at += NODES_AT_ONCE)
        status = pack_some_nodes(b, to, at, count - at < NODES_AT_ONCE ? count - at : NODES_AT_ONCE, first, error);
    if (status == FRAMEMAP_OK && b->node_count > first)
        b->packs[b->pack_count++] = (struct fm_batch_nodes){first, (uint32_t)b->node_count, false};
    return status;
}

static framemap_status pack_aliases(struct fm_builder *b, const struct renumbering *to, framemap_error *error)
{
    const struct fm_batch *pack = to->pack;
    framemap_status status = FRAMEMAP_OK;
    for (size_t i = 0; i < pack->alias_count && status == FRAMEMAP_OK; i++) {
        bool bad = false;
        const uint32_t root = renumber(to->nodes, pack->aliases[i].root, pack->node_count, pack->node_count, &bad);
        const uint32_t name = batch_string(to, pack->aliases[i].name, &bad);
        status = bad ? no_such(error, "root or string") : fm_builder_alias(b, root, name, error);
    }
    return status;
}

/* --- adding the rows of a batch --- */

static inline void fill_row(const struct renumbering *to, const struct fm_batch_row *given, struct fm_row *row,
                            bool *bad)
{
    const uint32_t node = renumber(to->nodes, given->node, to->pack->node_count, to->pack->node_count, bad);
    const uint32_t file = file_of(to, given->file, bad);
    const bool gap = node == FM_NONE && file == FM_NONE;
    row->position = given->position;
    row->node = node;
    row->file = gap ? FM_ROW_GAP : file;
    row->line1 = gap ? 0 : given->line1;
    row->col1 = gap ? 0 : given->col1;
}

/* Appends rows as long as they ascend, up to an end mark, and returns their number. */
static size_t copy_rows(const struct renumbering *to, const struct fm_batch_row *from, size_t count, struct fm_row *out,
                        bool *bad)
{
    uint64_t last = out[-1].position;
    bool ends = out[-1].file == FM_ROW_GAP;
    size_t at = 0;
    for (; at < count && from[at].position > last && !ends; at++) {
        fill_row(to, &from[at], &out[at], bad);
        last = from[at].position;
        ends = out[at].file == FM_ROW_GAP;
    }
    return at;
}

static framemap_status pack_run(struct fm_builder *b, const struct renumbering *to, const struct fm_batch_run *run,
                                framemap_error *error)
{
    const struct fm_batch *pack = to->pack;
    bool bad = run->first > pack->row_count || run->count > pack->row_count - run->first;
    if (bad) return no_such(error, "row");
    if (run->scope >= (b->number_count ? b->number_count : b->scope_keys.count))
        return no_such(error, "scope in the builder of");
    if (run->count >= UINT32_MAX - 2 - b->position_count)
        return fm_error_set(error, FRAMEMAP_E_LIMIT, "more than 4 billion positions");
    b->position_count += run->count;
    for (size_t at = run->first, end = run->first + run->count; at < end && !bad;) {
        struct fm_row row;
        fill_row(to, &pack->rows[at++], &row, &bad);
        if (!fm_rows_add(&b->rows, run->scope, &row)) return fm_error_memory(error);
        const size_t room = fm_rows_room(&b->rows), most = end - at < room ? end - at : room;
        const size_t count = copy_rows(to, &pack->rows[at], most, fm_rows_at(&b->rows, b->rows.count - 1) + 1, &bad);
        if (count > 0) fm_rows_push(&b->rows, count, pack->rows[at + count - 1].position);
        at += count;
    }
    return bad ? no_such(error, "node or file") : FRAMEMAP_OK;
}

/* --- adding the whole batch --- */

static framemap_status pack_all(struct fm_builder *b, struct renumbering *to, framemap_error *error)
{
    const struct fm_batch *pack = to->pack;
    framemap_status status =
        fm_string_pool_add_all(&b->strings, pack->strings, pack->hashes, pack->string_count, to->strings, error);
    for (size_t i = 0; i < pack->file_count && status == FRAMEMAP_OK; i++)
        status = fm_builder_file(b, pack->files[i], &to->files[i], error);
    if (status == FRAMEMAP_OK) status = pack_functions(b, to, error);
    if (status == FRAMEMAP_OK) status = pack_nodes(b, to, error);
    if (status == FRAMEMAP_OK) status = pack_aliases(b, to, error);
    for (size_t i = 0; i < pack->run_count && status == FRAMEMAP_OK; i++)
        status = pack_run(b, to, &pack->runs[i], error);
    return status;
}

static framemap_status pass_batch(struct fm_builder *b, const struct fm_batch *pack, framemap_error *error)
{
    for (size_t i = 0; i < pack->run_count; i++) b->position_count += pack->runs[i].count;
    return b->sink->batch(b->sink_context, pack, error);
}

framemap_status fm_builder_add_batch(struct fm_builder *b, const struct fm_batch *pack, framemap_error *error)
{
    struct renumbering to = {.pack = pack};
    if (b->sink != NULL) return pass_batch(b, pack, error);
    const size_t count = pack->string_count + pack->file_count + pack->function_count + pack->node_count + 4;
    if (!FM_GROW(b->heap, b->pack_numbers, b->pack_number_capacity, count)) return fm_error_memory(error);
    to.strings = b->pack_numbers;
    to.files = to.strings + pack->string_count + 1;
    to.functions = to.files + pack->file_count + 1;
    to.nodes = to.functions + pack->function_count + 1;
    to.strings[pack->string_count] = to.files[pack->file_count] = to.functions[pack->function_count] =
        to.nodes[pack->node_count] = FM_NONE;
    return pack_all(b, &to, error);
}
