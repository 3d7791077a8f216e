/* Receives the batches of a native or Dart mapper and keeps their records. Equal functions and equal nodes of several
 * batches are kept once, as builder.h requires; rows are kept in the order of the calls. */
#include "api/proof/proof_positions.h"

#include "core/error.h"

struct fm_proof_positions *fm_proof_positions_new(struct fm_proof *proof)
{
    struct fm_proof_positions *positions = fm_heap_zalloc(proof->heap, 1, sizeof *positions);
    if (positions == NULL) return NULL;
    positions->proof = proof;
    fm_record_set_init(&positions->functions, proof->heap, sizeof(struct fm_function));
    fm_record_set_init(&positions->nodes, proof->heap, sizeof(struct fm_proof_node));
    fm_text_set_init(&positions->scopes, proof->heap);
    return positions;
}

void fm_proof_positions_free(struct fm_proof_positions *p)
{
    if (p == NULL) return;
    struct fm_heap *heap = p->proof->heap;
    fm_text_set_free(&p->scopes);
    fm_heap_free(heap, p->order, p->order_capacity * sizeof *p->order);
    fm_heap_free(heap, p->rows, p->row_capacity * sizeof *p->rows);
    fm_heap_free(heap, p->aliases, p->alias_capacity * sizeof *p->aliases);
    fm_heap_free(heap, p->alias_order, p->alias_count * sizeof *p->alias_order);
    fm_heap_free(heap, p->numbers, p->number_capacity * sizeof *p->numbers);
    fm_heap_free(heap, p->frames, p->frame_capacity * sizeof *p->frames);
    fm_heap_free(heap, p->names, p->name_capacity * sizeof *p->names);
    fm_heap_free(heap, p->known_nodes, p->nodes.count * sizeof *p->known_nodes);
    fm_record_set_free(&p->functions);
    fm_record_set_free(&p->nodes);
    fm_heap_free(heap, p, sizeof *p);
}

framemap_status fm_proof_positions_scope(struct fm_proof_positions *positions, framemap_str key, uint32_t *out,
                                         framemap_error *error)
{
    return fm_text_set_add(&positions->scopes, key, out) ? FRAMEMAP_OK : fm_error_memory(error);
}

/* --- keeping single records --- */

/* Keeps a copy of a function whose padding is zero, because records are compared as bytes. */
static bool keep_function(struct fm_proof_positions *p, const struct fm_function *given, uint32_t *out)
{
    struct fm_function function;
    memset(&function, 0, sizeof function);
    function.name = given->name;
    function.class_name = given->class_name;
    function.decl_file = given->decl_file;
    function.decl_line1 = given->decl_line1;
    function.language = given->language;
    return fm_record_set_add(&p->functions, &function, out);
}

framemap_status fm_proof_positions_function(struct fm_proof_positions *p, const struct fm_function *function,
                                            uint32_t *out, framemap_error *error)
{
    return keep_function(p, function, out) ? FRAMEMAP_OK : fm_error_memory(error);
}

framemap_status fm_proof_positions_node(struct fm_proof_positions *p, const struct fm_node *given, uint32_t *out,
                                        framemap_error *error)
{
    const struct fm_proof_node node = {.start = given->start,
                                       .size = given->size,
                                       .parent = given->parent,
                                       .function = given->function,
                                       .call_file = given->call_file,
                                       .call_line1 = given->call_line1,
                                       .call_col1 = given->call_col1,
                                       .flags = given->flags,
                                       .symbol = given->symbol};
    return fm_record_set_add(&p->nodes, &node, out) ? FRAMEMAP_OK : fm_error_memory(error);
}

framemap_status fm_proof_positions_alias(struct fm_proof_positions *p, uint32_t root, uint32_t name,
                                         framemap_error *error)
{
    if (!FM_GROW_SOME(p->proof->heap, p->aliases, p->alias_capacity, p->alias_count + 1)) return fm_error_memory(error);
    p->aliases[p->alias_count++] = (struct fm_proof_alias){root, name};
    return FRAMEMAP_OK;
}

/* Makes room for more rows. */
static bool expect_rows(struct fm_proof_positions *p, size_t more)
{
    const size_t count = p->row_count + more;
    return count < UINT32_MAX && FM_GROW_SOME(p->proof->heap, p->rows, p->row_capacity, count) &&
           FM_GROW_SOME(p->proof->heap, p->order, p->order_capacity, count);
}

static void push_row(struct fm_proof_positions *p, uint32_t scope, uint64_t position, struct fm_proof_row row)
{
    p->order[p->row_count] = (struct fm_sort_item){position, scope, (uint32_t)p->row_count};
    p->rows[p->row_count++] = row;
}

framemap_status fm_proof_positions_place(struct fm_proof_positions *p, uint32_t scope, uint64_t position,
                                         const struct fm_place *place, framemap_error *error)
{
    if (!expect_rows(p, 1)) return fm_error_memory(error);
    push_row(p, scope, position, (struct fm_proof_row){place->node, place->file, place->line1, place->col1});
    return FRAMEMAP_OK;
}

/* --- keeping the records of one batch --- */

struct batch_numbers {
    struct fm_proof_positions *positions;
    const struct fm_batch *batch;
    uint32_t *strings, *files, *functions, *nodes;
};

static uint32_t number_of(const uint32_t *numbers, uint32_t number)
{
    return number == FM_NONE ? FM_NONE : numbers[number];
}

static bool keep_texts(struct fm_proof_positions *positions, const framemap_str *texts, size_t count, uint32_t *out)
{
    bool kept = true;
    for (size_t i = 0; i < count && kept; i++) kept = fm_text_set_add(&positions->proof->texts, texts[i], &out[i]);
    return kept;
}

static bool keep_functions(const struct batch_numbers *to)
{
    bool kept = true;
    for (size_t i = 0; i < to->batch->function_count && kept; i++) {
        struct fm_function function = to->batch->functions[i];
        function.name = number_of(to->strings, function.name);
        function.class_name = number_of(to->strings, function.class_name);
        function.decl_file = number_of(to->files, function.decl_file);
        kept = keep_function(to->positions, &function, &to->functions[i]);
    }
    return kept;
}

static struct fm_proof_node root_of(const struct batch_numbers *to, const struct fm_batch_node *given)
{
    const struct fm_batch_root *root = &to->batch->roots[given->call_file];
    const uint32_t flags = given->flags & (FM_NODE_ARTIFICIAL | FM_NODE_HAS_START);
    return (struct fm_proof_node){.start = flags & FM_NODE_HAS_START ? root->start : 0,
                                  .size = root->size,
                                  .parent = FM_NONE,
                                  .call_file = FM_NONE,
                                  .flags = flags,
                                  .symbol = number_of(to->strings, root->symbol)};
}

static struct fm_proof_node call_of(const struct batch_numbers *to, const struct fm_batch_node *given)
{
    return (struct fm_proof_node){.parent = to->nodes[given->parent],
                                  .call_file = number_of(to->files, given->call_file),
                                  .call_line1 = given->call_line1,
                                  .call_col1 = given->call_col1,
                                  .flags = given->flags & FM_NODE_ARTIFICIAL,
                                  .symbol = FM_NONE};
}

static bool keep_nodes(const struct batch_numbers *to)
{
    bool kept = true;
    for (size_t i = 0; i < to->batch->node_count && kept; i++) {
        const struct fm_batch_node *given = &to->batch->nodes[i];
        struct fm_proof_node node = given->parent == FM_NONE ? root_of(to, given) : call_of(to, given);
        node.function = number_of(to->functions, given->function);
        kept = fm_record_set_add(&to->positions->nodes, &node, &to->nodes[i]);
    }
    return kept;
}

static bool keep_aliases(const struct batch_numbers *to)
{
    struct fm_proof_positions *p = to->positions;
    const struct fm_batch *batch = to->batch;
    if (!FM_GROW_SOME(p->proof->heap, p->aliases, p->alias_capacity, p->alias_count + batch->alias_count)) return false;
    for (size_t i = 0; i < batch->alias_count; i++)
        p->aliases[p->alias_count++] =
            (struct fm_proof_alias){to->nodes[batch->aliases[i].root], to->strings[batch->aliases[i].name]};
    return true;
}

static bool keep_run(const struct batch_numbers *to, const struct fm_batch_run *run)
{
    if (!expect_rows(to->positions, run->count)) return false;
    for (size_t i = run->first; i < run->first + run->count; i++) {
        const struct fm_batch_row *row = &to->batch->rows[i];
        push_row(to->positions, run->scope, row->position,
                 (struct fm_proof_row){number_of(to->nodes, row->node), number_of(to->files, row->file), row->line1,
                                       row->col1});
    }
    return true;
}

framemap_status fm_proof_positions_batch(struct fm_proof_positions *positions, const struct fm_batch *batch,
                                         framemap_error *error)
{
    const size_t count = batch->string_count + batch->file_count + batch->function_count + batch->node_count + 1;
    if (!FM_GROW(positions->proof->heap, positions->numbers, positions->number_capacity, count))
        return fm_error_memory(error);
    struct batch_numbers to = {.positions = positions, .batch = batch, .strings = positions->numbers};
    to.files = to.strings + batch->string_count;
    to.functions = to.files + batch->file_count;
    to.nodes = to.functions + batch->function_count;
    bool kept = keep_texts(positions, batch->strings, batch->string_count, to.strings) &&
                keep_texts(positions, batch->files, batch->file_count, to.files) && keep_functions(&to) &&
                keep_nodes(&to) && keep_aliases(&to);
    for (size_t i = 0; i < batch->run_count && kept; i++) kept = keep_run(&to, &batch->runs[i]);
    return kept ? FRAMEMAP_OK : fm_error_memory(error);
}
