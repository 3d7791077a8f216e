/* Cuts a big mapping into shards (parts of whole classes), reads them with several threads, and joins them in order.
 * See r8_parallel.h. */
#include "mappers/java/r8_parallel.h"

#include "core/error.h"
#include "core/thread.h"
#include "core/thread_team.h"

#define SHARD_BYTES ((size_t)256 << 10)
#define SHARD_MEMORY (8 * SHARD_BYTES) /* maximum number of bytes that the reading of one shard may allocate */

struct shard_worker {
    struct fm_r8_reader reader;
    struct fm_mapper_host host;
    struct fm_class_shard *share;
};
struct shard_queue {
    struct fm_r8_reader *whole;
    struct shard_worker *workers;
    enum fm_r8_version version; /* version of the mapping, by whose rules the shards (its parts) are read */
    fm_mutex cut_lock;
    const char *cut; /* text before this position was assigned to shards */
    size_t given;    /* number of shards (parts of the mapping) that were assigned */
    fm_mutex lock;
    fm_condition turn_changed;
    size_t turn;
    const char *joined, *needed; /* text before `joined` is joined to the main builder; text before `needed` is no
                                    longer needed */
    framemap_status status;      /* result of the joins so far */
    framemap_error late_error;   /* first error of work that follows a join; code OK: none */
    fm_mutex report_lock;
};

bool fm_r8_parallel_pays(const struct fm_r8_reader *reader)
{
    const struct fm_mapper_host *host = reader->host;
    return host->threads > 1 && (size_t)(reader->end - reader->at) >= 2 * SHARD_BYTES &&
           host->heap->ceiling / 16 >= (uint64_t)host->threads * SHARD_MEMORY;
}

/* --- cutting the text into shards --- */

/* Whether the line at `at` is the start of a class, whatever the lines before it are. */
static bool begins_class(const char *at, const char *end)
{
    framemap_str original, residual;
    if ((fm_r8_classes[(unsigned char)*at] & FM_R8_NAME_CHAR) == 0) return false;
    const char *found = memchr(at, '\n', (size_t)(end - at));
    struct fm_r8_cursor cursor = {.at = at, .end = found ? found : end};
    if (cursor.end > at && cursor.end[-1] == '\r') cursor.end--;
    return fm_r8_class_line(&cursor, &original, &residual);
}

static const char *end_of_shard(const char *from, const char *end)
{
    if ((size_t)(end - from) <= SHARD_BYTES) return end;
    for (const char *at = from + SHARD_BYTES;;) {
        const char *found = memchr(at, '\n', (size_t)(end - at));
        if (found == NULL || found + 1 == end) return end;
        at = found + 1;
        if (begins_class(at, end)) return at;
    }
}

/* Assigns the next shard, a part of the mapping, to the calling thread. Returns false if all text has been assigned. */
static bool next_shard(struct shard_queue *s, const char **begin, const char **end, size_t *number)
{
    fm_mutex_lock(&s->cut_lock);
    *begin = s->cut;
    *end = s->cut = *begin < s->whole->end ? end_of_shard(*begin, s->whole->end) : *begin;
    *number = s->given;
    if (*begin < *end) s->given++;
    fm_mutex_unlock(&s->cut_lock);
    return *begin < *end;
}

/* --- reading shards --- */

static void give_up(void *context, const framemap_error *warning)
{
    (void)warning;
    ((struct fm_r8_reader *)context)->gives_up = true;
}

static bool start_worker(struct shard_worker *worker, struct fm_r8_reader *whole)
{
    if (worker->share != NULL) return true;
    if (fm_class_shard_create(whole->builder, &worker->share, NULL) != FRAMEMAP_OK) return false;
    worker->host = (struct fm_mapper_host){.heap = whole->host->heap,
                                           .warning = give_up,
                                           .context = &worker->reader,
                                           .threads = 1,
                                           .strict = whole->host->strict};
    fm_r8_reader_init(&worker->reader, &worker->host, fm_class_shard_builder(worker->share), NULL);
    worker->reader.signatures.borrows = true;
    return true;
}

static void free_worker(struct shard_worker *worker)
{
    if (worker->share == NULL) return;
    fm_r8_reader_free(&worker->reader);
    fm_class_shard_free(worker->share);
    worker->share = NULL;
}

static void start_shard(struct shard_worker *worker, enum fm_r8_version version, const char *begin, const char *end)
{
    struct fm_r8_reader *r = &worker->reader;
    fm_class_shard_clear(worker->share);
    fm_r8_signatures_reset(&r->signatures);
    fm_r8_infos_reset(&r->infos);
    r->block.open = false;
    r->fast_line = (struct fm_r8_fast_line){.known = 0};
    r->begin = r->at = r->hashed = r->class_line = begin;
    r->end = r->next_step = end;
    r->line1 = r->classes = r->faults = 0;
    r->version = version;
    r->in_class = r->has_version = r->gives_up = r->lost_class = r->lost_member = r->hashes = false;
    r->head_is_read = true;
}

/* Reads a shard, which is a part of the mapping. Returns false if the main reader must read the shard. */
static bool read_shard(struct shard_queue *s, struct shard_worker *worker, const char *begin, const char *end)
{
    struct fm_r8_reader *r = &worker->reader;
    if (!start_worker(worker, s->whole)) return false;
    start_shard(worker, s->version, begin, end);
    framemap_status status = fm_r8_reader_lines(r, end);
    if (status == FRAMEMAP_OK) status = fm_r8_reader_close(r);
    if (status == FRAMEMAP_OK) status = fm_class_shard_ready(worker->share, NULL);
    if (status == FRAMEMAP_OK && !r->gives_up && !r->has_version) return true;
    free_worker(worker); /* frees memory of this worker that the reader of the rest of the text may need */
    return false;
}

/* --- joining shards --- */

/* Closes the class that the main reader has open. As with one thread, warnings about this class have the number of the
 * line where the next class starts. */
static framemap_status close_before(struct fm_r8_reader *whole)
{
    if (!whole->in_class) return FRAMEMAP_OK;
    whole->line1++;
    const framemap_status status = fm_r8_reader_close(whole);
    whole->line1--;
    return status;
}

static framemap_status shards_join(struct shard_queue *s, struct shard_worker *worker, const char *end)
{
    struct fm_r8_reader *whole = s->whole;
    framemap_status status = close_before(whole);
    if (status == FRAMEMAP_OK) status = fm_class_shard_join(worker->share, whole->error);
    if (status == FRAMEMAP_OK) fm_r8_reader_estimate(whole, end);
    whole->line1 += worker->reader.line1;
    whole->classes += worker->reader.classes;
    whole->lost_class = whole->lost_member = false;
    whole->at = end;
    return status;
}

/* Whether some shard, which is a part of the mapping, failed. The caller holds the lock. */
static bool has_failed(const struct shard_queue *s)
{
    return s->status != FRAMEMAP_OK || s->late_error.code != FRAMEMAP_OK;
}

/* Waits for the turn of a shard (a part of the mapping), and joins it or has the main reader read it again. *clean: on
 * entry, whether the shard was read without faults and can be joined; on return, whether it was joined. false: some
 * shard failed. */
static bool take_turn(struct shard_queue *s, struct shard_worker *worker, size_t number, const char *end, bool *clean)
{
    fm_mutex_lock(&s->lock);
    while (s->turn != number && !has_failed(s)) fm_condition_wait(&s->turn_changed, &s->lock);
    const bool failed = has_failed(s);
    fm_mutex_unlock(&s->lock);
    if (failed) return false;
    *clean = *clean && s->whole->version == s->version;
    const framemap_status status = *clean ? shards_join(s, worker, end) : fm_r8_reader_lines(s->whole, end);
    fm_mutex_lock(&s->lock);
    s->status = status;
    s->joined = s->whole->at;
    s->needed = fm_r8_reader_needed(s->whole);
    s->turn++;
    fm_condition_wake_all(&s->turn_changed);
    fm_mutex_unlock(&s->lock);
    return status == FRAMEMAP_OK;
}

static bool shards_stop(struct shard_queue *s, const framemap_error *error)
{
    fm_mutex_lock(&s->lock);
    if (s->late_error.code == FRAMEMAP_OK) s->late_error = *error;
    fm_condition_wake_all(&s->turn_changed);
    fm_mutex_unlock(&s->lock);
    return false;
}

/* Reports progress up to the last joined shard (part of the mapping), unless another thread is reporting. Also hashes
 * the text, which need not happen in the order of the shards. */
static bool shards_report_progress(struct shard_queue *s)
{
    framemap_error error = {0};
    if (!fm_mutex_try(&s->report_lock)) return true;
    fm_mutex_lock(&s->lock);
    const char *joined = s->joined, *needed = s->needed;
    fm_mutex_unlock(&s->lock);
    const bool goes_on = fm_r8_reader_report_progress(s->whole, joined, needed, &error) == FRAMEMAP_OK;
    fm_mutex_unlock(&s->report_lock);
    return goes_on || shards_stop(s, &error);
}

static bool do_shard(void *context, unsigned number_of_worker, size_t item)
{
    struct shard_queue *s = context;
    struct shard_worker *worker = &s->workers[number_of_worker];
    const char *begin, *end;
    size_t number;
    framemap_error error = {0};
    (void)item;
    if (!next_shard(s, &begin, &end, &number)) return true;
    bool clean = read_shard(s, worker, begin, end);
    if (!take_turn(s, worker, number, end, &clean)) return false;
    if (clean && fm_class_shard_pack(worker->share, &error) != FRAMEMAP_OK) return shards_stop(s, &error);
    return shards_report_progress(s);
}

framemap_status fm_r8_parallel_read(struct fm_r8_reader *whole)
{
    struct fm_heap *heap = whole->host->heap;
    const unsigned threads = whole->host->threads < FM_THREAD_TEAM_MOST ? whole->host->threads : FM_THREAD_TEAM_MOST;
    struct shard_queue s = {
        .whole = whole, .version = whole->version, .cut = whole->at, .joined = whole->begin, .needed = whole->begin};
    s.workers = fm_heap_zalloc(heap, threads, sizeof *s.workers);
    if (s.workers == NULL) return fm_error_memory(whole->error);
    whole->reports_elsewhere = true;
    fm_mutex_init(&s.cut_lock);
    fm_mutex_init(&s.lock);
    fm_mutex_init(&s.report_lock);
    fm_condition_init(&s.turn_changed);
    fm_thread_team_run(threads, (size_t)(whole->end - whole->at) / SHARD_BYTES + 1, do_shard, &s);
    if (!has_failed(&s)) shards_report_progress(&s);
    whole->reports_elsewhere = false;
    fm_mutex_destroy(&s.report_lock);
    fm_condition_destroy(&s.turn_changed);
    fm_mutex_destroy(&s.lock);
    fm_mutex_destroy(&s.cut_lock);
    for (unsigned i = 0; i < threads; i++) free_worker(&s.workers[i]);
    fm_heap_free(heap, s.workers, threads * sizeof *s.workers);
    if (s.status != FRAMEMAP_OK || s.late_error.code == FRAMEMAP_OK) return s.status;
    if (whole->error) *whole->error = s.late_error;
    return s.late_error.code;
}
