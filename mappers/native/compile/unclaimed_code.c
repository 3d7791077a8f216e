/* Writes addresses that no unit owns, from symbols. Called by dwarf_compile.c. */
#include "mappers/native/compile/unclaimed_code.h"

#include "core/error.h"
#include "mappers/native/compile/batch_builder.h"

#define SEGMENTS_AT_ONCE ((size_t)4096) /* number of code or data segments in one batch */

/* The segments of code symbols, then those of data symbols, split into parts. Threads write the parts into batches, as
 * they do with units. */
struct unclaimed_symbols {
    struct fm_compile_job *job;
    /* the code segments that have requested addresses, if only such addresses are compiled */
    struct fm_address_segments some;
    const struct fm_address_segments *code, *data;
    size_t code_parts, data_parts;
};

static size_t parts_of(size_t count) { return count / SEGMENTS_AT_ONCE + (count % SEGMENTS_AT_ONCE != 0 ? 1 : 0); }

static struct fm_address_segments part_of(const struct fm_address_segments *segments, size_t part)
{
    const size_t first = part * SEGMENTS_AT_ONCE, count = segments->count - first;
    return (struct fm_address_segments){.items = segments->items + first,
                                        .count = count < SEGMENTS_AT_ONCE ? count : SEGMENTS_AT_ONCE};
}

static framemap_status write_unowned(const struct fm_compile_job *job, struct fm_unit_output *output,
                                     const struct fm_address_segment *code, size_t *owner, framemap_error *error)
{
    const struct fm_address_segments *owners = &job->owners.by_address;
    framemap_status status = FRAMEMAP_OK;
    uint64_t low = code->low;

    while (*owner < owners->count && owners->items[*owner].high <= low) ++*owner;
    for (size_t i = *owner; i < owners->count && owners->items[i].low < code->high && status == FRAMEMAP_OK; i++) {
        status = fm_unit_output_interval(output, NULL, low, owners->items[i].low, error);
        low = owners->items[i].high;
    }
    return status == FRAMEMAP_OK ? fm_unit_output_interval(output, NULL, low, code->high, error) : status;
}

static framemap_status write_code(const struct fm_compile_job *job, struct fm_unit_output *output,
                                  struct fm_address_segments part, framemap_error *error)
{
    size_t owner = fm_address_segments_from(&job->owners.by_address, part.items[0].low);
    framemap_status status = FRAMEMAP_OK;

    for (size_t i = 0; i < part.count && status == FRAMEMAP_OK; i++)
        status = write_unowned(job, output, &part.items[i], &owner, error);
    return status;
}

/* Whether the segment contains a requested address. */
static bool is_requested(const struct fm_compile_job *job, const struct fm_address_segment *segment)
{
    size_t low = 0;
    size_t high = job->address_count;

    if (job->addresses == NULL) return true;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (job->addresses[middle] < segment->low)
            low = middle + 1;
        else
            high = middle;
    }
    return low < job->address_count && job->addresses[low] < segment->high;
}

static framemap_status write_data(const struct fm_compile_job *job, struct fm_unit_output *output,
                                  struct fm_address_segments part, framemap_error *error)
{
    for (size_t i = 0; i < part.count; i++) {
        if (is_requested(job, &part.items[i]) && !fm_unit_output_data(output, &part.items[i]))
            return fm_error_memory(error);
    }
    return FRAMEMAP_OK;
}

static bool write_part(void *context, unsigned worker, size_t item)
{
    const struct unclaimed_symbols *unclaimed = context;
    struct fm_compile_job *job = unclaimed->job;
    struct fm_unit_output *output = &job->workers[worker].output;
    struct fm_unit_batch *batch = fm_batch_queue_empty_batch(&job->queue);

    if (batch == NULL) {
        fm_batch_queue_stop(&job->queue);
        return false;
    }
    fm_unit_output_begin(output, batch);
    if (item < unclaimed->code_parts)
        batch->status = write_code(job, output, part_of(unclaimed->code, item), &batch->error);
    else
        batch->status = write_data(job, output, part_of(unclaimed->data, item - unclaimed->code_parts), &batch->error);
    const bool good = batch->status == FRAMEMAP_OK;
    return fm_batch_queue_submit(&job->queue, item, batch) && good;
}

static bool consume_part(void *context, size_t item, const struct fm_unit_batch *batch)
{
    struct fm_compile_job *job = context;

    (void)item;
    if (batch->status != FRAMEMAP_OK) return fm_compile_fail(job, batch->status, &batch->error);
    return batch->run_count == 0 || fm_compile_note_status(job, fm_compile_build(job, batch));
}

static framemap_status write_parts(struct unclaimed_symbols *unclaimed, framemap_error *error)
{
    struct fm_compile_job *job = unclaimed->job;

    unclaimed->code_parts = parts_of(unclaimed->code->count);
    unclaimed->data_parts = parts_of(unclaimed->data->count);
    job->queue.consume = consume_part;
    fm_batch_queue_begin(&job->queue);
    if (fm_thread_team_run(job->host->threads, unclaimed->code_parts + unclaimed->data_parts, write_part, unclaimed))
        return FRAMEMAP_OK;
    if (job->status == FRAMEMAP_OK) return fm_error_memory(error);
    if (error != NULL) *error = job->error;
    return job->status;
}

framemap_status fm_compile_write_symbols(struct fm_compile_job *job, framemap_error *error)
{
    struct unclaimed_symbols unclaimed = {
        .job = job, .some = {.heap = job->heap}, .code = &job->symbols.code, .data = &job->symbols.data};
    framemap_status status = FRAMEMAP_OK;

    if (job->addresses != NULL) {
        unclaimed.code = &unclaimed.some;
        if (!fm_address_segments_select(&job->symbols.code, job->addresses, job->address_count, &unclaimed.some))
            status = fm_error_memory(error);
    }
    if (status == FRAMEMAP_OK) status = write_parts(&unclaimed, error);
    fm_address_segments_free(&unclaimed.some);
    return status;
}
