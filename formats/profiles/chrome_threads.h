/* Threads of Chrome's traces. Events have the ids of their thread and process; metadata events have the names for these
 * ids. Called by chrome_samples.c. */
#ifndef FM_FORMATS_PROFILES_CHROME_THREADS_H
#define FM_FORMATS_PROFILES_CHROME_THREADS_H

#include "core/json/json.h"
#include "formats/profiles/profile_format.h"

/* A thread of the trace, or, if `tid` is empty, a process. */
struct fm_chrome_thread_row {
    uint64_t key;
    framemap_str pid, tid;
    uint32_t name;   /* number of a string in the sample set */
    uint32_t thread; /* number of the thread in the sample set, once it was added */
};

struct fm_chrome_threads {
    framemap_sample_set *set;
    const struct fm_json *json;
    uint64_t key;
    struct fm_chrome_thread_row *rows;
    size_t count, capacity;
    struct fm_table table;
};

void fm_chrome_threads_init(struct fm_chrome_threads *threads, framemap_sample_set *set, const struct fm_json *json);
void fm_chrome_threads_free(struct fm_chrome_threads *threads);
/* Returns the number in the sample set of an event's thread, given the JSON values of its ids; FM_NO_ID: the event has
 * no thread. *number: the number of the thread in the trace, counted from 1; 0: the event has no thread. */
uint32_t fm_chrome_thread(struct fm_chrome_threads *threads, int32_t pid, int32_t tid, uint32_t *number);
/* Reads the name of a thread or process from a metadata event. All metadata events are read before other events. */
void fm_chrome_thread_name(struct fm_chrome_threads *threads, int32_t pid, int32_t tid, int32_t name, int32_t args);

#endif
