/* Reads all units in rounds, with several threads. See unit_rounds.h. */
#include "mappers/native/compile/unit_rounds.h"

#include "core/error.h"
#include "mappers/native/compile/batch_builder.h"
#include "mappers/native/compile/page_release.h"

/* --- consuming the batches --- */

static framemap_status note_producer(struct fm_compile_job *job, framemap_str producer)
{
    if (job->has_producer || producer.size == 0) return FRAMEMAP_OK;
    job->has_producer = true;
    return fm_builder_attribute(job->builder, FM_STR("producer"), producer, &job->error);
}

/* Passes a batch to the builder. Faults of a unit are reported only when the unit is read for the first time. */
static bool consume_batch(void *context, size_t item, const struct fm_unit_batch *batch)
{
    struct fm_compile_job *job = context;
    const uint32_t unit = job->units[item];
    const bool again = job->walked[unit];

    job->walked[unit] = true;
    if (batch->status != FRAMEMAP_OK) return fm_compile_fail(job, batch->status, &batch->error);
    if (batch->unit_lost) {
        fm_compile_warn(job, &batch->error);
        job->dropped[unit] = job->lost_some = true;
        return true;
    }
    for (size_t i = 0; i < batch->fault_count && !again; i++) fm_compile_warn(job, &batch->faults[i]);
    return fm_compile_note_status(job, note_producer(job, batch->producer)) &&
           fm_compile_note_status(job, fm_compile_build(job, batch));
}

/* --- walking a unit --- */

static bool walk_unit(struct fm_compile_job *job, struct fm_unit_worker *unit_worker, uint32_t unit,
                      struct fm_unit_batch *batch)
{
    size_t count;
    const struct fm_address_segment *gained = fm_address_owners_gained(&job->owners, unit, &count);

    batch->status = fm_compile_open_worker(job, unit_worker, &batch->error);
    if (batch->status != FRAMEMAP_OK) return false;
    unit_worker->only_intervals = job->addresses != NULL;
    fm_unit_worker_run(unit_worker, job->backend, unit_worker->worker, unit, gained, count, batch);
    return batch->status == FRAMEMAP_OK;
}

static bool read_unit(void *context, unsigned worker, size_t item)
{
    struct fm_compile_job *job = context;
    struct fm_unit_batch *batch = fm_batch_queue_empty_batch(&job->queue);

    if (batch == NULL) {
        fm_batch_queue_stop(&job->queue);
        return false;
    }
    const bool good = walk_unit(job, &job->workers[worker], job->units[item], batch);
    return fm_batch_queue_submit(&job->queue, item, batch) && good;
}

/* --- running the rounds --- */

#define ROUNDS_ONE_BY_ONE 8u

/* Chooses the units of a round. The first round reads all units, so that all faults are reported; later rounds read
 * those that gained addresses. If only some addresses are requested, only units that own one are read, except after
 * many rounds of damaged units: then all are read, and the next round is the last. */
static void choose_units(struct fm_compile_job *job)
{
    const bool all = job->addresses == NULL || job->rounds >= ROUNDS_ONE_BY_ONE;

    job->unit_count = 0;
    for (uint32_t i = 0; i < job->owners.unit_count; i++) {
        size_t count;
        if (job->dropped[i]) continue;
        if ((all && !job->walked[i]) || fm_address_owners_gained(&job->owners, i, &count) != NULL)
            job->units[job->unit_count++] = i;
    }
    job->rounds++;
}

static void release_pages_by_unit(struct fm_compile_job *job, uint32_t unit)
{
    const uint64_t done = job->owners.offsets[unit];

    if (done > 0 && done >= job->released_at && done - job->released_at < FM_COMPILE_RELEASE_BYTES) return;
    job->released_at = done;
    fm_compile_release_pages(job);
}

static bool report(struct fm_compile_job *job, uint64_t done, uint64_t total)
{
    const struct fm_mapper_host *host = job->host;

    if (host->progress == NULL || host->progress(host->context, done, total)) return true;
    return fm_compile_note_status(job, fm_error_set(&job->error, FRAMEMAP_E_LIMIT, "stopped by the caller"));
}

static bool report_and_consume(void *context, size_t item, const struct fm_unit_batch *batch)
{
    struct fm_compile_job *job = context;

    release_pages_by_unit(job, job->units[item]);
    return report(job, item, job->unit_count) && consume_batch(job, item, batch);
}

static framemap_status walk_round(struct fm_compile_job *job, framemap_error *error)
{
    choose_units(job);
    job->lost_some = false;
    fm_batch_queue_begin(&job->queue);
    if (fm_thread_team_run(fm_compile_threads(job), job->unit_count, read_unit, job)) return FRAMEMAP_OK;
    if (job->status == FRAMEMAP_OK) return fm_error_memory(error);
    if (error != NULL) *error = job->error;
    return job->status;
}

static framemap_status update_owners(struct fm_compile_job *job, framemap_error *error)
{
    if (fm_address_owners_update(&job->owners, job->dropped)) return FRAMEMAP_OK;
    if (job->status == FRAMEMAP_OK) return fm_error_memory(error);
    if (error != NULL) *error = job->error;
    return job->status;
}

/* Reads the units in rounds. The addresses of a damaged unit pass to other units, which are then read again for these
 * addresses. If all addresses are compiled, there are at most two rounds, because the first one finds all damaged
 * units. */
framemap_status fm_compile_walk_units(struct fm_compile_job *job, framemap_error *error)
{
    const size_t count = job->owners.unit_count;
    framemap_status status = FRAMEMAP_OK;

    job->queue.consume = report_and_consume;
    job->units = fm_heap_zalloc(job->heap, count, sizeof *job->units);
    job->walked = fm_heap_zalloc(job->heap, count, sizeof *job->walked);
    job->dropped = fm_heap_zalloc(job->heap, count, sizeof *job->dropped);
    if (job->units == NULL || job->walked == NULL || job->dropped == NULL) return fm_error_memory(error);
    do {
        status = update_owners(job, error);
        if (status == FRAMEMAP_OK) status = walk_round(job, error);
    } while (status == FRAMEMAP_OK && job->lost_some);
    return status;
}
