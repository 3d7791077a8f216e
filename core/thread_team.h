/* Runs the items of one job on several threads. */
#ifndef FM_CORE_THREAD_TEAM_H
#define FM_CORE_THREAD_TEAM_H

#include <stdbool.h>
#include <stddef.h>

#define FM_THREAD_TEAM_MOST 64u /* maximum number of threads of one job; a greater number is reduced to this */

/* Callback that processes one item. worker: 0 to threads - 1, different for calls that run at the same time, so it can
 * index per-thread data. Returns false to end the job with a failure: no further item is started. The context has to
 * record the reason. */
typedef bool (*fm_thread_team_item)(void *context, unsigned worker, size_t item);

/* Calls `item` for 0 to count - 1, each once, started in ascending order, on up to `threads` threads (0 means 1); the
 * calling thread is worker 0. Returns when all started items have ended; false if an item returned false. When an item
 * runs, all items before it have been started, so it may wait for them. If threads cannot be created, fewer are used.
 * In the threads signals are blocked as fm_thread_start blocks them. Writes before the call are visible to the items,
 * and their writes to the caller. */
bool fm_thread_team_run(unsigned threads, size_t count, fm_thread_team_item item, void *context);

#endif
