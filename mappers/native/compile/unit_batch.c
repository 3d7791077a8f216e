#include "mappers/native/compile/unit_batch.h"

void fm_unit_batch_init(struct fm_unit_batch *pack, struct fm_heap *heap, uint64_t key)
{
    *pack = (struct fm_unit_batch){.heap = heap, .key = key};
    fm_arena_init(&pack->paths, heap);
    fm_table_init(&pack->string_table, heap);
    fm_table_init(&pack->file_table, heap);
    fm_table_init(&pack->function_table, heap);
    fm_table_init(&pack->node_table, heap);
}

void fm_unit_batch_free(struct fm_unit_batch *pack)
{
    struct fm_heap *heap = pack->heap;

    fm_heap_free(heap, pack->strings, pack->string_capacity * sizeof *pack->strings);
    fm_heap_free(heap, pack->hashes, pack->hash_capacity * sizeof *pack->hashes);
    fm_heap_free(heap, pack->files, pack->file_capacity * sizeof *pack->files);
    fm_heap_free(heap, pack->functions, pack->function_capacity * sizeof *pack->functions);
    fm_heap_free(heap, pack->nodes, pack->node_capacity * sizeof *pack->nodes);
    fm_heap_free(heap, pack->roots, pack->root_capacity * sizeof *pack->roots);
    fm_heap_free(heap, pack->broods, pack->brood_capacity * sizeof *pack->broods);
    fm_heap_free(heap, pack->aliases, pack->alias_capacity * sizeof *pack->aliases);
    fm_heap_free(heap, pack->rows, pack->row_capacity * sizeof *pack->rows);
    fm_heap_free(heap, pack->runs, pack->run_capacity * sizeof *pack->runs);
    fm_heap_free(heap, pack->faults, pack->fault_capacity * sizeof *pack->faults);
    fm_table_free(&pack->string_table);
    fm_table_free(&pack->file_table);
    fm_table_free(&pack->function_table);
    fm_table_free(&pack->node_table);
    fm_arena_free(&pack->paths);
}

void fm_unit_batch_clear(struct fm_unit_batch *pack)
{
    pack->string_count = pack->file_count = pack->function_count = pack->node_count = pack->root_count = 0;
    pack->alias_count = pack->row_count = pack->run_count = pack->fault_count = 0;
    fm_table_clear(&pack->string_table);
    fm_table_clear(&pack->file_table);
    fm_table_clear(&pack->function_table);
    fm_table_clear(&pack->node_table);
    fm_arena_reset(&pack->paths);
    pack->producer = (framemap_str){NULL, 0};
    pack->status = FRAMEMAP_OK;
    pack->unit_lost = false;
}

bool fm_unit_batch_expect(struct fm_unit_batch *pack, size_t nodes, size_t rows)
{
    return FM_GROW(pack->heap, pack->nodes, pack->node_capacity, nodes) &&
           FM_GROW(pack->heap, pack->broods, pack->brood_capacity, nodes) &&
           FM_GROW(pack->heap, pack->rows, pack->row_capacity, rows);
}

void fm_unit_batch_end(struct fm_unit_batch *pack)
{
    fm_table_free(&pack->string_table);
    fm_table_free(&pack->file_table);
    fm_table_free(&pack->function_table);
    fm_table_free(&pack->node_table);
    fm_heap_free(pack->heap, pack->broods, pack->brood_capacity * sizeof *pack->broods);
    pack->broods = NULL;
    pack->brood_capacity = 0;
}

/* --- records, each once --- */

static bool text_equal(const void *context, uint32_t id, const void *key)
{
    const framemap_str *texts = context, *text = key;
    return fm_str_equal(texts[id], *text);
}

bool fm_unit_batch_string(struct fm_unit_batch *pack, framemap_str text, uint32_t *out)
{
    return fm_unit_batch_hashed_string(pack, text, fm_hash_text(text, pack->key), out);
}

bool fm_unit_batch_hashed_string(struct fm_unit_batch *pack, framemap_str text, uint64_t hash, uint32_t *out)
{
    *out = fm_table_find(&pack->string_table, hash, text_equal, pack->strings, &text);
    if (*out != FM_NONE) return true;
    if (!FM_GROW(pack->heap, pack->strings, pack->string_capacity, pack->string_count + 1)) return false;
    if (!FM_GROW(pack->heap, pack->hashes, pack->hash_capacity, pack->string_count + 1)) return false;
    *out = (uint32_t)pack->string_count;
    pack->hashes[pack->string_count] = hash;
    pack->strings[pack->string_count++] = text;
    return fm_table_add(&pack->string_table, hash, *out);
}

bool fm_unit_batch_file(struct fm_unit_batch *pack, framemap_str path, uint32_t *out)
{
    const uint64_t hash = fm_hash_text(path, pack->key);

    *out = fm_table_find(&pack->file_table, hash, text_equal, pack->files, &path);
    if (*out != FM_NONE) return true;
    if (!FM_GROW(pack->heap, pack->files, pack->file_capacity, pack->file_count + 1)) return false;
    if (!fm_arena_str(&pack->paths, path, &pack->files[pack->file_count])) return false;
    *out = (uint32_t)pack->file_count++;
    return fm_table_add(&pack->file_table, hash, *out);
}

static bool function_equal(const void *context, uint32_t id, const void *key)
{
    const struct fm_function *a = (const struct fm_function *)context + id, *b = key;
    return a->name == b->name && a->class_name == b->class_name && a->decl_file == b->decl_file &&
           a->decl_line1 == b->decl_line1 && a->language == b->language;
}

bool fm_unit_batch_function(struct fm_unit_batch *pack, const struct fm_function *function, uint32_t *out)
{
    const uint32_t key[5] = {function->name, function->class_name, function->decl_file, function->decl_line1,
                             function->language};
    const uint64_t hash = fm_hash_text(fm_str(key, sizeof key), pack->key);

    *out = fm_table_find(&pack->function_table, hash, function_equal, pack->functions, function);
    if (*out != FM_NONE) return true;
    if (!FM_GROW(pack->heap, pack->functions, pack->function_capacity, pack->function_count + 1)) return false;
    *out = (uint32_t)pack->function_count;
    pack->functions[pack->function_count++] = *function;
    return fm_table_add(&pack->function_table, hash, *out);
}

/* Of one whose parent is the same. */
static bool same_call(const struct fm_batch_node *a, const struct fm_node *b)
{
    return a->function == b->function && a->call_file == b->call_file && a->call_line1 == b->call_line1 &&
           a->call_col1 == b->call_col1 && a->flags == b->flags;
}

static bool node_equal(const void *context, uint32_t id, const void *key)
{
    const struct fm_unit_batch *pack = context;
    const struct fm_batch_node *a = &pack->nodes[id];
    const struct fm_node *b = key;
    if (a->parent != b->parent) return false;
    if (a->parent != FM_NONE) return same_call(a, b);
    const struct fm_batch_root *root = &pack->roots[a->call_file];
    return a->function == b->function && a->flags == b->flags && root->start == b->start && root->size == b->size &&
           root->symbol == b->symbol;
}

/* Children that are looked through one by one. Few nodes have more. */
#define LISTED 8

static uint64_t node_hash(const struct fm_unit_batch *pack, const struct fm_node *node)
{
    const uint64_t key[6] = {(uint64_t)node->parent << 32 | node->function,
                             (uint64_t)node->call_file << 32 | node->call_line1,
                             (uint64_t)node->call_col1 << 32 | node->flags,
                             node->start,
                             node->size,
                             node->symbol};
    return fm_hash_text(fm_str(key, sizeof key), pack->key);
}

/* A listed child of its parent that is equal to it; FM_NONE. *count: how many were looked at. */
static uint32_t find_listed(const struct fm_unit_batch *pack, const struct fm_node *node, unsigned *count)
{
    uint32_t child = pack->broods[node->parent].last;

    for (*count = 0; child != FM_NONE && !same_call(&pack->nodes[child], node); ++*count)
        child = pack->broods[child].before;
    return child;
}

static bool push_root(struct fm_unit_batch *pack, const struct fm_node *node, uint32_t *out)
{
    if (!FM_GROW(pack->heap, pack->roots, pack->root_capacity, pack->root_count + 1)) return false;
    *out = (uint32_t)pack->root_count;
    pack->roots[pack->root_count++] = (struct fm_batch_root){node->start, node->size, node->symbol};
    return true;
}

static inline bool push_node(struct fm_unit_batch *pack, const struct fm_node *node, uint32_t *out)
{
    uint32_t file = node->call_file;

    if (!FM_GROW(pack->heap, pack->nodes, pack->node_capacity, pack->node_count + 1)) return false;
    if (!FM_GROW(pack->heap, pack->broods, pack->brood_capacity, pack->node_count + 1)) return false;
    if (node->parent == FM_NONE && !push_root(pack, node, &file)) return false;
    *out = (uint32_t)pack->node_count;
    pack->broods[pack->node_count] = (struct fm_dw_brood){FM_NONE, FM_NONE};
    pack->nodes[pack->node_count++] =
        (struct fm_batch_node){node->parent, node->function, file, node->call_line1, node->call_col1, node->flags};
    return true;
}

static bool add_listed(struct fm_unit_batch *pack, const struct fm_node *node, uint32_t *out)
{
    if (!push_node(pack, node, out)) return false;
    struct fm_dw_brood *brood = &pack->broods[node->parent];
    pack->broods[*out].before = brood->last;
    brood->last = *out;
    return true;
}

bool fm_unit_batch_node(struct fm_unit_batch *pack, const struct fm_node *node, uint32_t *out)
{
    if (node->parent != FM_NONE) {
        unsigned listed;
        *out = find_listed(pack, node, &listed);
        if (*out != FM_NONE) return true;
        if (listed < LISTED) return add_listed(pack, node, out);
    }
    const uint64_t hash = node_hash(pack, node);
    *out = fm_table_find(&pack->node_table, hash, node_equal, pack, node);
    return *out != FM_NONE || (push_node(pack, node, out) && fm_table_add(&pack->node_table, hash, *out));
}

bool fm_unit_batch_alias(struct fm_unit_batch *pack, uint32_t root, uint32_t name)
{
    if (!FM_GROW(pack->heap, pack->aliases, pack->alias_capacity, pack->alias_count + 1)) return false;
    pack->aliases[pack->alias_count++] = (struct fm_batch_alias){root, name};
    return true;
}

bool fm_unit_batch_fault(struct fm_unit_batch *pack, const framemap_error *fault)
{
    if (!FM_GROW(pack->heap, pack->faults, pack->fault_capacity, pack->fault_count + 1)) return false;
    pack->faults[pack->fault_count++] = *fault;
    return true;
}

/* --- rows --- */

bool fm_unit_batch_aim(struct fm_unit_batch *pack, uint32_t scope, uint64_t position)
{
    const struct fm_batch_run *run = pack->run_count > 0 ? &pack->runs[pack->run_count - 1] : NULL;

    if (run != NULL && run->scope == scope && (run->count == 0 || pack->rows[pack->row_count - 1].position <= position))
        return true;
    if (!FM_GROW(pack->heap, pack->runs, pack->run_capacity, pack->run_count + 1)) return false;
    pack->runs[pack->run_count++] = (struct fm_batch_run){scope, pack->row_count, 0};
    return true;
}

bool fm_unit_batch_row(struct fm_unit_batch *pack, uint64_t position, uint32_t node, uint32_t file, uint32_t line1,
                       uint32_t col1)
{
    const struct fm_batch_run *run = &pack->runs[pack->run_count - 1];

    if (run->count > 0 && pack->rows[pack->row_count - 1].position == position) {
        if (node != FM_NONE || file != FM_NONE)
            pack->rows[pack->row_count - 1] = (struct fm_batch_row){position, node, file, line1, col1};
        return true;
    }
    return fm_unit_batch_next_row(pack, position, node, file, line1, col1);
}

size_t fm_unit_batch_bytes(const struct fm_unit_batch *pack)
{
    return pack->paths.total + pack->string_count * (sizeof *pack->strings + sizeof *pack->hashes) +
           pack->file_count * sizeof *pack->files + pack->function_count * sizeof *pack->functions +
           pack->node_count * (sizeof *pack->nodes + sizeof *pack->broods) + pack->root_count * sizeof *pack->roots +
           pack->alias_count * sizeof *pack->aliases + pack->row_count * sizeof *pack->rows +
           pack->run_count * sizeof *pack->runs + pack->fault_count * sizeof *pack->faults;
}
