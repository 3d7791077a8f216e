/* Implements breakpad_batch.h on the batches of compile/, which store equal records once. */
#include "mappers/native/breakpad/breakpad_batch.h"

/* A batch is passed on when it has this many rows or nodes. The tables of a batch of this size stay in the cache. */
enum { MOST_ROWS = 1 << 15, MOST_NODES = 1 << 14 };

void fm_breakpad_batch_init(struct fm_breakpad_batch *batch, struct fm_breakpad_records *records,
                            struct fm_builder *builder, uint32_t scope)
{
    *batch = (struct fm_breakpad_batch){.records = records, .builder = builder, .scope = scope};
    fm_unit_batch_init(&batch->unit, records->heap, fm_builder_key(builder));
}

void fm_breakpad_batch_free(struct fm_breakpad_batch *batch) { fm_unit_batch_free(&batch->unit); }

framemap_status fm_breakpad_batch_pass(struct fm_breakpad_batch *batch, bool all, framemap_error *error)
{
    struct fm_unit_batch *unit = &batch->unit;
    if (unit->row_count == 0 || (!all && unit->row_count < MOST_ROWS && unit->node_count < MOST_NODES))
        return FRAMEMAP_OK;
    const framemap_status status = fm_unit_batch_add_to(unit, batch->builder, error);
    fm_unit_batch_clear(unit);
    batch->number++;
    return status;
}

static bool add_name(struct fm_breakpad_batch *batch, framemap_str name, uint32_t *out)
{
    *out = FM_NONE;
    return name.size == 0 || fm_unit_batch_string(&batch->unit, name, out);
}

static bool add_function(struct fm_breakpad_batch *batch, framemap_str name, uint32_t *out)
{
    struct fm_function function = {.class_name = FM_NONE, .decl_file = FM_NONE};
    return add_name(batch, name, &function.name) && fm_unit_batch_function(&batch->unit, &function, out);
}

bool fm_breakpad_batch_root(struct fm_breakpad_batch *batch, const struct fm_breakpad_function *function, uint64_t size,
                            uint32_t *out)
{
    struct fm_node node = {.parent = FM_NONE,
                           .call_file = FM_NONE,
                           .flags = FM_NODE_HAS_START,
                           .start = function->address,
                           .size = size,
                           .symbol = FM_NONE};
    return add_function(batch, function->name, &node.function) && fm_unit_batch_node(&batch->unit, &node, out);
}

bool fm_breakpad_batch_alias(struct fm_breakpad_batch *batch, uint32_t root, framemap_str name)
{
    uint32_t string;
    if (name.size == 0) return true;
    return fm_unit_batch_string(&batch->unit, name, &string) && fm_unit_batch_alias(&batch->unit, root, string);
}

bool fm_breakpad_batch_file(struct fm_breakpad_batch *batch, uint32_t id, uint32_t *out)
{
    *out = FM_NONE;
    if (id == FM_NONE) return true;
    struct fm_breakpad_name *file = &batch->records->files.items[id];
    if (file->batch != batch->number) {
        file->batch = batch->number;
        file->record = FM_NONE;
        if (file->text.size > 0 && !fm_unit_batch_file(&batch->unit, file->text, &file->record)) return false;
    }
    *out = file->record;
    return true;
}

/* Adds the function of an inlined call. */
static bool add_origin(struct fm_breakpad_batch *batch, uint32_t id, uint32_t *out)
{
    struct fm_breakpad_name *origin = &batch->records->origins.items[id];
    if (origin->batch != batch->number) {
        origin->batch = batch->number;
        if (!add_function(batch, origin->text, &origin->record)) return false;
    }
    *out = origin->record;
    return true;
}

bool fm_breakpad_batch_call(struct fm_breakpad_batch *batch, uint32_t parent, const struct fm_breakpad_call *call,
                            uint32_t *out)
{
    struct fm_node node = {.parent = parent, .call_line1 = call->line, .symbol = FM_NONE};
    return add_origin(batch, call->origin, &node.function) &&
           fm_breakpad_batch_file(batch, call->file, &node.call_file) && fm_unit_batch_node(&batch->unit, &node, out);
}
