/* Interns and stores the records of one unit. See unit_batch.h. */
#include "mappers/native/compile/unit_batch.h"

void fm_unit_batch_init(struct fm_unit_batch *batch, struct fm_heap *heap, uint64_t key)
{
    *batch = (struct fm_unit_batch){.heap = heap, .key = key};
    fm_arena_init(&batch->paths, heap);
    fm_table_init(&batch->string_table, heap);
    fm_table_init(&batch->file_table, heap);
    fm_table_init(&batch->function_table, heap);
    fm_table_init(&batch->node_table, heap);
}

void fm_unit_batch_free(struct fm_unit_batch *batch)
{
    struct fm_heap *heap = batch->heap;

    fm_heap_free(heap, batch->strings, batch->string_capacity * sizeof *batch->strings);
    fm_heap_free(heap, batch->hashes, batch->hash_capacity * sizeof *batch->hashes);
    fm_heap_free(heap, batch->files, batch->file_capacity * sizeof *batch->files);
    fm_heap_free(heap, batch->functions, batch->function_capacity * sizeof *batch->functions);
    fm_heap_free(heap, batch->nodes, batch->node_capacity * sizeof *batch->nodes);
    fm_heap_free(heap, batch->roots, batch->root_capacity * sizeof *batch->roots);
    fm_heap_free(heap, batch->broods, batch->brood_capacity * sizeof *batch->broods);
    fm_heap_free(heap, batch->aliases, batch->alias_capacity * sizeof *batch->aliases);
    fm_heap_free(heap, batch->rows, batch->row_capacity * sizeof *batch->rows);
    fm_heap_free(heap, batch->runs, batch->run_capacity * sizeof *batch->runs);
    fm_heap_free(heap, batch->faults, batch->fault_capacity * sizeof *batch->faults);
    fm_table_free(&batch->string_table);
    fm_table_free(&batch->file_table);
    fm_table_free(&batch->function_table);
    fm_table_free(&batch->node_table);
    fm_arena_free(&batch->paths);
}

void fm_unit_batch_clear(struct fm_unit_batch *batch)
{
    batch->string_count = batch->file_count = batch->function_count = batch->node_count = batch->root_count = 0;
    batch->alias_count = batch->row_count = batch->run_count = batch->fault_count = 0;
    fm_table_clear(&batch->string_table);
    fm_table_clear(&batch->file_table);
    fm_table_clear(&batch->function_table);
    fm_table_clear(&batch->node_table);
    fm_arena_reset(&batch->paths);
    batch->producer = (framemap_str){NULL, 0};
    batch->status = FRAMEMAP_OK;
    batch->unit_lost = false;
}

bool fm_unit_batch_reserve(struct fm_unit_batch *batch, size_t nodes, size_t rows)
{
    return FM_GROW(batch->heap, batch->nodes, batch->node_capacity, nodes) &&
           FM_GROW(batch->heap, batch->broods, batch->brood_capacity, nodes) &&
           FM_GROW(batch->heap, batch->rows, batch->row_capacity, rows);
}

void fm_unit_batch_seal(struct fm_unit_batch *batch)
{
    fm_table_free(&batch->string_table);
    fm_table_free(&batch->file_table);
    fm_table_free(&batch->function_table);
    fm_table_free(&batch->node_table);
    fm_heap_free(batch->heap, batch->broods, batch->brood_capacity * sizeof *batch->broods);
    batch->broods = NULL;
    batch->brood_capacity = 0;
}

/* --- adding records, each stored once --- */

static bool text_equal(const void *context, uint32_t id, const void *key)
{
    const framemap_str *texts = context, *text = key;
    return fm_str_equal(texts[id], *text);
}

bool fm_unit_batch_string(struct fm_unit_batch *batch, framemap_str text, uint32_t *out)
{
    return fm_unit_batch_hashed_string(batch, text, fm_hash_text(text, batch->key), out);
}

bool fm_unit_batch_hashed_string(struct fm_unit_batch *batch, framemap_str text, uint64_t hash, uint32_t *out)
{
    *out = fm_table_find(&batch->string_table, hash, text_equal, batch->strings, &text);
    if (*out != FM_NONE) return true;
    if (!FM_GROW(batch->heap, batch->strings, batch->string_capacity, batch->string_count + 1)) return false;
    if (!FM_GROW(batch->heap, batch->hashes, batch->hash_capacity, batch->string_count + 1)) return false;
    *out = (uint32_t)batch->string_count;
    batch->hashes[batch->string_count] = hash;
    batch->strings[batch->string_count++] = text;
    return fm_table_add(&batch->string_table, hash, *out);
}

bool fm_unit_batch_file(struct fm_unit_batch *batch, framemap_str path, uint32_t *out)
{
    const uint64_t hash = fm_hash_text(path, batch->key);

    *out = fm_table_find(&batch->file_table, hash, text_equal, batch->files, &path);
    if (*out != FM_NONE) return true;
    if (!FM_GROW(batch->heap, batch->files, batch->file_capacity, batch->file_count + 1)) return false;
    if (!fm_arena_str(&batch->paths, path, &batch->files[batch->file_count])) return false;
    *out = (uint32_t)batch->file_count++;
    return fm_table_add(&batch->file_table, hash, *out);
}

static bool function_equal(const void *context, uint32_t id, const void *key)
{
    const struct fm_function *a = (const struct fm_function *)context + id, *b = key;
    return a->name == b->name && a->class_name == b->class_name && a->decl_file == b->decl_file &&
           a->decl_line1 == b->decl_line1 && a->language == b->language;
}

bool fm_unit_batch_function(struct fm_unit_batch *batch, const struct fm_function *function, uint32_t *out)
{
    const uint32_t key[5] = {function->name, function->class_name, function->decl_file, function->decl_line1,
                             function->language};
    const uint64_t hash = fm_hash_text(fm_str(key, sizeof key), batch->key);

    *out = fm_table_find(&batch->function_table, hash, function_equal, batch->functions, function);
    if (*out != FM_NONE) return true;
    if (!FM_GROW(batch->heap, batch->functions, batch->function_capacity, batch->function_count + 1)) return false;
    *out = (uint32_t)batch->function_count;
    batch->functions[batch->function_count++] = *function;
    return fm_table_add(&batch->function_table, hash, *out);
}

/* Whether two nodes are equal, given that they have the same parent. */
static bool same_call(const struct fm_batch_node *a, const struct fm_node *b)
{
    return a->function == b->function && a->call_file == b->call_file && a->call_line1 == b->call_line1 &&
           a->call_col1 == b->call_col1 && a->flags == b->flags;
}

static bool node_equal(const void *context, uint32_t id, const void *key)
{
    const struct fm_unit_batch *batch = context;
    const struct fm_batch_node *a = &batch->nodes[id];
    const struct fm_node *b = key;
    if (a->parent != b->parent) return false;
    if (a->parent != FM_NONE) return same_call(a, b);
    const struct fm_batch_root *root = &batch->roots[a->call_file];
    return a->function == b->function && a->flags == b->flags && root->start == b->start && root->size == b->size &&
           root->symbol == b->symbol;
}

/* Most children of a node that are listed and compared one by one. Few nodes have more children. */
#define LISTED 8

static uint64_t node_hash(const struct fm_unit_batch *batch, const struct fm_node *node)
{
    const uint64_t key[6] = {(uint64_t)node->parent << 32 | node->function,
                             (uint64_t)node->call_file << 32 | node->call_line1,
                             (uint64_t)node->call_col1 << 32 | node->flags,
                             node->start,
                             node->size,
                             node->symbol};
    return fm_hash_text(fm_str(key, sizeof key), batch->key);
}

/* Returns a listed child of the node's parent that equals the node, or FM_NONE. *count: number of children that were
 * compared. */
static uint32_t find_listed(const struct fm_unit_batch *batch, const struct fm_node *node, unsigned *count)
{
    uint32_t child = batch->broods[node->parent].last;

    for (*count = 0; child != FM_NONE && !same_call(&batch->nodes[child], node); ++*count)
        child = batch->broods[child].before;
    return child;
}

static bool push_root(struct fm_unit_batch *batch, const struct fm_node *node, uint32_t *out)
{
    if (!FM_GROW(batch->heap, batch->roots, batch->root_capacity, batch->root_count + 1)) return false;
    *out = (uint32_t)batch->root_count;
    batch->roots[batch->root_count++] = (struct fm_batch_root){node->start, node->size, node->symbol};
    return true;
}

static inline bool push_node(struct fm_unit_batch *batch, const struct fm_node *node, uint32_t *out)
{
    uint32_t file = node->call_file;

    if (!FM_GROW(batch->heap, batch->nodes, batch->node_capacity, batch->node_count + 1)) return false;
    if (!FM_GROW(batch->heap, batch->broods, batch->brood_capacity, batch->node_count + 1)) return false;
    if (node->parent == FM_NONE && !push_root(batch, node, &file)) return false;
    *out = (uint32_t)batch->node_count;
    batch->broods[batch->node_count] = (struct fm_unit_batch_children){FM_NONE, FM_NONE};
    batch->nodes[batch->node_count++] =
        (struct fm_batch_node){node->parent, node->function, file, node->call_line1, node->call_col1, node->flags};
    return true;
}

static bool add_listed(struct fm_unit_batch *batch, const struct fm_node *node, uint32_t *out)
{
    if (!push_node(batch, node, out)) return false;
    struct fm_unit_batch_children *brood = &batch->broods[node->parent];
    batch->broods[*out].before = brood->last;
    brood->last = *out;
    return true;
}

bool fm_unit_batch_node(struct fm_unit_batch *batch, const struct fm_node *node, uint32_t *out)
{
    if (node->parent != FM_NONE) {
        unsigned listed;
        *out = find_listed(batch, node, &listed);
        if (*out != FM_NONE) return true;
        if (listed < LISTED) return add_listed(batch, node, out);
    }
    const uint64_t hash = node_hash(batch, node);
    *out = fm_table_find(&batch->node_table, hash, node_equal, batch, node);
    return *out != FM_NONE || (push_node(batch, node, out) && fm_table_add(&batch->node_table, hash, *out));
}

bool fm_unit_batch_alias(struct fm_unit_batch *batch, uint32_t root, uint32_t name)
{
    if (!FM_GROW(batch->heap, batch->aliases, batch->alias_capacity, batch->alias_count + 1)) return false;
    batch->aliases[batch->alias_count++] = (struct fm_batch_alias){root, name};
    return true;
}

bool fm_unit_batch_fault(struct fm_unit_batch *batch, const framemap_error *fault)
{
    if (!FM_GROW(batch->heap, batch->faults, batch->fault_capacity, batch->fault_count + 1)) return false;
    batch->faults[batch->fault_count++] = *fault;
    return true;
}

/* --- adding rows --- */

bool fm_unit_batch_start_run(struct fm_unit_batch *batch, uint32_t scope, uint64_t position)
{
    const struct fm_batch_run *run = batch->run_count > 0 ? &batch->runs[batch->run_count - 1] : NULL;

    if (run != NULL && run->scope == scope &&
        (run->count == 0 || batch->rows[batch->row_count - 1].position <= position))
        return true;
    if (!FM_GROW(batch->heap, batch->runs, batch->run_capacity, batch->run_count + 1)) return false;
    batch->runs[batch->run_count++] = (struct fm_batch_run){scope, batch->row_count, 0};
    return true;
}

bool fm_unit_batch_row(struct fm_unit_batch *batch, uint64_t position, uint32_t node, uint32_t file, uint32_t line1,
                       uint32_t col1)
{
    const struct fm_batch_run *run = &batch->runs[batch->run_count - 1];

    if (run->count > 0 && batch->rows[batch->row_count - 1].position == position) {
        if (node != FM_NONE || file != FM_NONE)
            batch->rows[batch->row_count - 1] = (struct fm_batch_row){position, node, file, line1, col1};
        return true;
    }
    return fm_unit_batch_next_row(batch, position, node, file, line1, col1);
}

size_t fm_unit_batch_bytes(const struct fm_unit_batch *batch)
{
    return batch->paths.total + batch->string_count * (sizeof *batch->strings + sizeof *batch->hashes) +
           batch->file_count * sizeof *batch->files + batch->function_count * sizeof *batch->functions +
           batch->node_count * (sizeof *batch->nodes + sizeof *batch->broods) +
           batch->root_count * sizeof *batch->roots + batch->alias_count * sizeof *batch->aliases +
           batch->row_count * sizeof *batch->rows + batch->run_count * sizeof *batch->runs +
           batch->fault_count * sizeof *batch->faults;
}

framemap_status fm_unit_batch_add_to(const struct fm_unit_batch *batch, struct fm_builder *builder,
                                     framemap_error *error)
{
    const struct fm_batch records = {.strings = batch->strings,
                                     .hashes = batch->hashes,
                                     .files = batch->files,
                                     .functions = batch->functions,
                                     .nodes = batch->nodes,
                                     .roots = batch->roots,
                                     .aliases = batch->aliases,
                                     .rows = batch->rows,
                                     .runs = batch->runs,
                                     .string_count = batch->string_count,
                                     .file_count = batch->file_count,
                                     .function_count = batch->function_count,
                                     .node_count = batch->node_count,
                                     .root_count = batch->root_count,
                                     .alias_count = batch->alias_count,
                                     .row_count = batch->row_count,
                                     .run_count = batch->run_count};
    return fm_builder_add_batch(builder, &records, error);
}
