/* Implements chrome_threads.h: finds a thread of a Chrome trace by the ids of its process and thread, and sets the
 * names from metadata events. */
#include "formats/profiles/chrome_threads.h"

void fm_chrome_threads_init(struct fm_chrome_threads *threads, framemap_sample_set *set, const struct fm_json *json)
{
    *threads = (struct fm_chrome_threads){.set = set, .json = json, .key = fm_hash_key(threads)};
    fm_table_init(&threads->table, &set->heap);
}

void fm_chrome_threads_free(struct fm_chrome_threads *threads)
{
    fm_heap_free(&threads->set->heap, threads->rows, threads->capacity * sizeof *threads->rows);
    fm_table_free(&threads->table);
}

static bool thread_key_equal(const void *context, uint32_t id, const void *key)
{
    return ((const struct fm_chrome_threads *)context)->rows[id].key == *(const uint64_t *)key;
}

/* Returns the row for a thread, or the row for a process if tid is -1. NULL: out of memory. */
static struct fm_chrome_thread_row *row_at(struct fm_chrome_threads *threads, int32_t pid, int32_t tid)
{
    const framemap_str process = fm_json_raw(threads->json, pid), thread = fm_json_raw(threads->json, tid);
    const uint64_t key = fm_hash_text(thread, fm_hash_text(process, threads->key ^ (tid < 0)));
    const uint32_t found = fm_table_find(&threads->table, key, thread_key_equal, threads, &key);
    if (found != FM_NO_ID) return &threads->rows[found];
    if (!FM_GROW(&threads->set->heap, threads->rows, threads->capacity, threads->count + 1) ||
        !fm_table_add(&threads->table, key, (uint32_t)threads->count)) {
        fm_samples_fault(threads->set, FRAMEMAP_E_MEMORY);
        return NULL;
    }
    threads->rows[threads->count] = (struct fm_chrome_thread_row){key, process, thread, 0, FM_NO_ID};
    return &threads->rows[threads->count++];
}

/* Reads an id of a process or thread. If the id is a number, sets *number; otherwise returns the id as a name. */
static uint32_t read_id(framemap_str text, uint64_t *number)
{
    struct fm_scan s = fm_scan_of(text);
    return text.size > 0 && fm_scan_dec(&s, number, NULL) && fm_scan_done(&s);
}

static struct fm_sample_thread describe(const struct fm_chrome_threads *threads, const struct fm_chrome_thread_row *row,
                                        uint32_t process)
{
    struct fm_sample_thread thread = {.name = row->name, .process = process};
    thread.has_process = read_id(row->pid, &thread.process_id);
    thread.has_thread = read_id(row->tid, &thread.thread_id);
    if (!thread.has_thread && !thread.name) thread.name = fm_samples_string(threads->set, row->tid);
    return thread;
}

uint32_t fm_chrome_thread(struct fm_chrome_threads *threads, int32_t pid, int32_t tid, uint32_t *number)
{
    *number = 0;
    if (pid < 0 && tid < 0) return FM_NO_ID;
    const struct fm_chrome_thread_row *process = row_at(threads, pid, -1);
    const uint32_t process_name = process ? process->name : 0;
    struct fm_chrome_thread_row *row = row_at(threads, pid, tid);
    if (row == NULL) return FM_NO_ID;
    *number = (uint32_t)(row - threads->rows) + 1;
    if (row->thread == FM_NO_ID) {
        const struct fm_sample_thread thread = describe(threads, row, process_name);
        row->thread = fm_samples_thread(threads->set, &thread);
    }
    return row->thread;
}

void fm_chrome_thread_name(struct fm_chrome_threads *threads, int32_t pid, int32_t tid, int32_t name, int32_t args)
{
    const framemap_str kind = fm_json_raw(threads->json, name);
    const bool of_process = fm_str_equal(kind, FM_STR("process_name"));
    if (!of_process && !fm_str_equal(kind, FM_STR("thread_name"))) return;
    struct fm_chrome_thread_row *row = row_at(threads, pid, of_process ? -1 : tid);
    if (row) row->name = fm_profile_json_string(threads->set, threads->json, fm_json_get(threads->json, args, "name"));
}
