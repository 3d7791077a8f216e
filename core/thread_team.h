/* Several threads at one job. */
#ifndef FM_CORE_THREAD_TEAM_H
#define FM_CORE_THREAD_TEAM_H

#include <stdbool.h>
#include <stddef.h>

#define FM_THREAD_TEAM_MOST 64u /* threads of one job: more is taken as this many */

/* One item of a job. worker: 0 … threads - 1, never the same for two calls that run at once: what a thread keeps for
 * itself can be kept by it. false: the job has failed, and no item is begun any more; what failed is the context's to
 * remember. */
typedef bool (*fm_thread_team_item)(void *context, unsigned worker, size_t item);

/* Calls `item` for 0 … count - 1, each once, begun in rising order, on up to `threads` threads (0 is 1), of which the
 * caller's own is worker 0. Returns when all have ended; false: an item said so. Every item that stands before one that
 * was begun has been begun too, so an item may wait for those before it. Threads that can't be had are done without.
 * Signals are for the caller's threads only. What happened before the call is seen by the items, and what they did by
 * whoever called. */
bool fm_thread_team_run(unsigned threads, size_t count, fm_thread_team_item item, void *context);

#endif
