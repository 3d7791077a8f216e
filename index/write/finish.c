/* fm_builder_finish: selects the form; for the address form it makes the plan and calls the encoders. */
#include "core/error.h"
#include "core/thread_team.h"
#include "index/write/model/builder_model.h"

/* Releases unused capacity of the node array. */
static bool trim_nodes(struct fm_builder *b)
{
    if (b->node_count == 0 || b->node_count == b->node_capacity) return true;
    struct fm_chain_node *nodes =
        fm_heap_resize(b->heap, b->nodes, b->node_capacity * sizeof *nodes, b->node_count * sizeof *nodes);
    if (nodes == NULL) return false;
    b->nodes = nodes;
    b->node_capacity = b->node_count;
    return true;
}

/* Frees the hash tables: no records are added or looked up from now on. */
static void forget_tables(struct fm_builder *b)
{
    fm_table_free(&b->strings.table);
    fm_table_free(&b->file_table);
    fm_table_free(&b->function_table);
    fm_table_free(&b->node_table);
    fm_table_free(&b->group_table);
}

/* Frees what only the block encoder needed. */
static void forget_rows(struct fm_plan *plan)
{
    fm_rows_free(&plan->builder->rows);
    fm_heap_free(plan->heap, plan->pieces, plan->piece_capacity * sizeof *plan->pieces);
    plan->pieces = NULL;
    plan->piece_count = plan->piece_capacity = 0;
}

static bool plan_start(struct fm_plan *plan, struct fm_builder *b)
{
    *plan = (struct fm_plan){.builder = b, .heap = b->heap, .strings = {.heap = b->heap}};
    for (unsigned i = 0; i < FMX_SECTION_END; i++) plan->outputs[i].bits.heap = b->heap;
    plan->string_at = fm_heap_zalloc(b->heap, b->strings.count, sizeof *plan->string_at);
    plan->key_at = fm_heap_zalloc(b->heap, b->scope_keys.count, sizeof *plan->key_at);
    forget_tables(b);
    /* section STRINGS begins with a NUL, because offset 0 means that there is no string */
    fm_bit_buffer_put_bytes(&plan->strings, "", 1);
    return plan->string_at && plan->key_at && !plan->strings.failed && trim_nodes(b);
}

static void numbering_free(struct fm_heap *heap, struct fm_numbering *n)
{
    fm_heap_free(heap, n->to_new, n->old_count * sizeof *n->to_new);
    fm_heap_free(heap, n->to_old, n->old_count * sizeof *n->to_old);
}

static void plan_free(struct fm_plan *plan)
{
    struct fm_heap *heap = plan->heap;
    const struct fm_builder *b = plan->builder;
    fm_heap_free(heap, plan->pieces, plan->piece_capacity * sizeof *plan->pieces);
    fm_blocks_free(plan);
    fm_heap_free(heap, plan->settled, b->node_count * sizeof *plan->settled);
    fm_heap_free(heap, plan->scopes, plan->scope_capacity * sizeof *plan->scopes);
    numbering_free(heap, &plan->nodes);
    numbering_free(heap, &plan->functions);
    numbering_free(heap, &plan->files);
    numbering_free(heap, &plan->texts);
    numbering_free(heap, &plan->groups);
    fm_heap_free(heap, plan->roots, b->root_count * sizeof *plan->roots);
    fm_heap_free(heap, plan->homes, b->function_count * sizeof *plan->homes);
    fm_heap_free(heap, plan->extras, plan->extra_capacity * sizeof *plan->extras);
    fm_heap_free(heap, plan->ranges, plan->range_capacity * sizeof *plan->ranges);
    fm_heap_free(heap, plan->string_at, b->strings.count * sizeof *plan->string_at);
    fm_heap_free(heap, plan->string_codes, b->strings.count * sizeof *plan->string_codes);
    fm_heap_free(heap, plan->key_at, b->scope_keys.count * sizeof *plan->key_at);
    fm_bit_buffer_free(&plan->strings);
    for (unsigned i = 0; i < FMX_SECTION_END; i++) fm_bit_buffer_free(&plan->outputs[i].bits);
}

static framemap_status check_keys(const struct fm_builder *b, framemap_error *error)
{
    if (b->keys == FM_SCOPE_NUMBERED ? b->scope_keys.count > 0 : b->number_count > 0)
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT,
                            "the scopes are not of the kind that was declared for the index");
    return FRAMEMAP_OK;
}

/* Encodes everything except blocks. Runs on one thread while the other threads encode blocks. */
static framemap_status encode_beside(struct fm_plan *plan, framemap_error *error)
{
    framemap_status status = fm_encode_strings(plan, error);
    if (status == FRAMEMAP_OK) status = fm_encode_nodes(plan, error);
    if (status == FRAMEMAP_OK) status = fm_encode_function_ranges(plan, error);
    return status == FRAMEMAP_OK ? fm_encode_records(plan, error) : status;
}

/* Encodes all sections. The strings of attributes and scopes come first, and the sorted strings follow
 * (docs/index-format.md). */
static framemap_status encode_all(struct fm_plan *plan, framemap_error *error)
{
    framemap_status status = fm_encode_attributes(plan, error);
    if (status == FRAMEMAP_OK) status = fm_encode_scopes(plan, error);
    if (status == FRAMEMAP_OK) status = fm_encode_blocks(plan, encode_beside, error);
    forget_rows(plan);
    if (status != FRAMEMAP_OK) return status;
    if (plan->strings.failed) return fm_error_memory(error);
    plan->outputs[FMX_STRINGS] =
        (struct fm_output_section){.bits = plan->strings, .count = fm_bit_buffer_bytes(&plan->strings)};
    plan->strings = (struct fm_bit_buffer){.heap = plan->heap};
    return FRAMEMAP_OK;
}

static struct fm_header header_of(const struct fm_plan *plan)
{
    const struct fm_builder *b = plan->builder;
    return (struct fm_header){.base = b->base,
                              .positions = plan->row_count,
                              .shift = (uint8_t)plan->shift,
                              .address_bits = b->address_bits,
                              .flags = (uint8_t)((b->big_endian ? FMX_FLAG_BIG_ENDIAN : 0u) |
                                                 (b->keys == FM_SCOPE_NUMBERED ? FMX_FLAG_NUMBERED : 0u) |
                                                 (plan->has_lines ? FMX_FLAG_LINES : 0u))};
}

struct numbering_job {
    struct fm_plan *plan;
    framemap_status status;
    framemap_error *error;
};

static bool number_or_measure(void *context, unsigned worker, size_t item)
{
    struct numbering_job *job = context;
    (void)worker;
    if (item > 0) {
        fm_plan_measure(job->plan);
        return true;
    }
    job->status = fm_plan_numbers(job->plan, job->error);
    if (job->status == FRAMEMAP_OK) job->status = fm_plan_functions(job->plan, job->error);
    return job->status == FRAMEMAP_OK;
}

/* Numbers the records and measures the distances between positions, in parallel, because both read every row. */
static framemap_status plan_numbers(struct fm_plan *plan, framemap_error *error)
{
    struct numbering_job job = {.plan = plan, .error = error};
    fm_thread_team_run(plan->builder->threads, 2, number_or_measure, &job);
    return job.status;
}

framemap_status fm_builder_finish(struct fm_builder *b, struct fm_built *out, framemap_error *error)
{
    struct fm_plan plan;
    if (b->segments.is_wanted) return fm_finish_segments(b, out, error);
    if (fm_class_form_used(&b->classes)) return fm_finish_classes(b, out, error);
    framemap_status status = plan_start(&plan, b) ? check_keys(b, error) : fm_error_memory(error);
    if (status == FRAMEMAP_OK) status = fm_plan_order(&plan, error);
    if (status == FRAMEMAP_OK) status = plan_numbers(&plan, error);
    if (status == FRAMEMAP_OK) status = fm_plan_axis(&plan, error);
    if (status == FRAMEMAP_OK) status = encode_all(&plan, error);
    const struct fm_header header = header_of(&plan);
    if (status == FRAMEMAP_OK &&
        !fm_output_sections_join(plan.heap, plan.outputs, &header, b->threads, &out->data, &out->size))
        status = fm_error_memory(error);
    plan_free(&plan);
    return status;
}
