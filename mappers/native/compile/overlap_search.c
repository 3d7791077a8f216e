/* Runs the threads that collect evidence for overlapping claims. See overlap_search.h. */
#include "mappers/native/compile/overlap_search.h"

#include "mappers/native/compile/page_release.h"

struct evidence_search {
    struct fm_compile_job *job;
    enum fm_unit_evidence_kind kind;
    const uint32_t *units;
    const struct fm_unit_overlaps *overlaps;
    struct fm_compile_outcome outcomes[FM_THREAD_TEAM_MOST]; /* outcome of each worker's thread */
    /* for each worker: bytes of the units that were read since pages were last released */
    uint64_t passed[FM_THREAD_TEAM_MOST];
};

static bool search_unit(void *context, unsigned worker, size_t item)
{
    struct evidence_search *search = context;
    struct fm_compile_job *job = search->job;
    struct fm_unit_worker *unit_worker = &job->workers[worker];
    struct fm_compile_outcome *outcome = &search->outcomes[worker];
    const uint32_t unit = search->units[item];

    outcome->status = fm_compile_open_worker(job, unit_worker, &outcome->error);
    if (outcome->status == FRAMEMAP_OK)
        outcome->status = fm_unit_evidence_add(&unit_worker->evidence, job->backend, unit_worker->worker, unit,
                                               search->kind, search->overlaps, &outcome->error);
    if (unit + 1 < job->owners.unit_count)
        search->passed[worker] += job->owners.offsets[unit + 1] - job->owners.offsets[unit];
    if (search->passed[worker] >= FM_COMPILE_RELEASE_BYTES) {
        search->passed[worker] = 0;
        fm_compile_release_pages(job);
    }
    return outcome->status == FRAMEMAP_OK;
}

bool fm_compile_collect_evidence(void *context, enum fm_unit_evidence_kind kind, const uint32_t *units, size_t count,
                                 struct fm_unit_overlaps *overlaps)
{
    struct fm_compile_job *job = context;
    struct evidence_search *search = fm_heap_zalloc(job->heap, 1, sizeof *search);

    if (search == NULL) return false;
    *search = (struct evidence_search){.job = job, .kind = kind, .units = units, .overlaps = overlaps};
    bool good = fm_thread_team_run(fm_compile_threads(job), count, search_unit, search);
    for (unsigned i = 0; i < FM_THREAD_TEAM_MOST; i++) {
        good = good && fm_unit_evidence_move(&job->workers[i].evidence, overlaps);
        if (search->outcomes[i].status != FRAMEMAP_OK)
            fm_compile_fail(job, search->outcomes[i].status, &search->outcomes[i].error);
    }
    fm_heap_free(job->heap, search, sizeof *search);
    return good;
}
