/* Errors, warnings, threads and workers of one compilation, for the files that share compile_job.h. */
#include "mappers/native/compile/compile_job.h"

bool fm_compile_fail(struct fm_compile_job *job, framemap_status status, const framemap_error *error)
{
    if (job->status == FRAMEMAP_OK) {
        job->status = status;
        job->error = *error;
    }
    return false;
}

bool fm_compile_note_status(struct fm_compile_job *job, framemap_status status)
{
    if (status != FRAMEMAP_OK && job->status == FRAMEMAP_OK) job->status = status;
    return status == FRAMEMAP_OK;
}

void fm_compile_warn(const struct fm_compile_job *job, const framemap_error *fault)
{
    if (job->host->warning != NULL) job->host->warning(job->host->context, fault);
}

framemap_status fm_compile_outcome_status(const struct fm_compile_outcome *outcome, framemap_error *error)
{
    if (outcome->status != FRAMEMAP_OK && error != NULL) *error = outcome->error;
    return outcome->status;
}

unsigned fm_compile_threads(const struct fm_compile_job *job) { return job->backend->threads ? job->host->threads : 1; }

framemap_status fm_compile_open_worker(struct fm_compile_job *job, struct fm_unit_worker *unit_worker,
                                       framemap_error *error)
{
    return unit_worker->worker != NULL ? FRAMEMAP_OK : job->backend->worker(job->debug, &unit_worker->worker, error);
}
