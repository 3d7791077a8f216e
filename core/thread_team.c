/* Runs the items of a job on several threads; each takes the number of its next item from an atomic counter. See
 * thread_team.h. */
#include "core/thread_team.h"
#include "core/thread.h"
#include <stdatomic.h>

struct team_job {
    fm_thread_team_item item;
    void *context;
    size_t count;
    atomic_size_t next;
    atomic_bool failed;
};
struct worker {
    struct team_job *job;
    unsigned number;
    fm_thread thread;
};

static void *work(void *context)
{
    const struct worker *worker = context;
    struct team_job *job = worker->job;
    while (!atomic_load_explicit(&job->failed, memory_order_relaxed)) {
        const size_t item = atomic_fetch_add_explicit(&job->next, 1, memory_order_relaxed);
        if (item >= job->count) break;
        if (!job->item(job->context, worker->number, item))
            atomic_store_explicit(&job->failed, true, memory_order_relaxed);
    }
    return NULL;
}

/* Starts workers 1 …; returns the number of workers, including the caller. */
static unsigned start(struct worker *workers, unsigned wanted)
{
    unsigned count = 1;
    while (count < wanted && fm_thread_start(&workers[count].thread, work, &workers[count], 0)) count++;
    return count;
}

bool fm_thread_team_run(unsigned threads, size_t count, fm_thread_team_item item, void *context)
{
    struct team_job job = {.item = item, .context = context, .count = count};
    struct worker workers[FM_THREAD_TEAM_MOST];
    if (threads > FM_THREAD_TEAM_MOST) threads = FM_THREAD_TEAM_MOST;
    if (threads > count) threads = (unsigned)count;
    atomic_init(&job.next, 0);
    atomic_init(&job.failed, false);
    for (unsigned i = 0; i < threads || i == 0; i++) workers[i] = (struct worker){.job = &job, .number = i};
    const unsigned started = threads > 1 ? start(workers, threads) : 1;
    work(&workers[0]);
    for (unsigned i = 1; i < started; i++) fm_thread_join(workers[i].thread);
    return !atomic_load(&job.failed);
}
