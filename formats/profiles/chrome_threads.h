/* Threads of Chrome's traces: events have their ids, events of metadata their names. Called by chrome_samples.c. */
#ifndef FM_FORMATS_PROFILES_CHROME_THREADS_H
#define FM_FORMATS_PROFILES_CHROME_THREADS_H

#include "core/json/json.h"
#include "formats/profiles/profile_format.h"

/* A thread of the trace, or with an empty `tid` a process. */
struct fm_chrome_thread_row {
    uint64_t key;
    framemap_str pid, tid;
    uint32_t name;   /* number of a string in the sample set */
    uint32_t thread; /* thread of the set, once that is known */
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
/* Returns the thread of an event, in the set, by the values of its ids; FM_NO_ID: it has none. *number: its number in
 * the trace, from 1; 0: none. */
uint32_t fm_chrome_thread(struct fm_chrome_threads *threads, int32_t pid, int32_t tid, uint32_t *number);
/* Takes the name of a thread or process from an event of metadata; all of them come first. */
void fm_chrome_thread_name(struct fm_chrome_threads *threads, int32_t pid, int32_t tid, int32_t name, int32_t args);

#endif
