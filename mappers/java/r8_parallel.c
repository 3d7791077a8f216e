/* A mapping read by several threads: shares of whole classes, each read to a builder of its own and then joined to the
 * one that counts, in their order.
 *
 * A share is read without knowing what stands before it, but for the version that the head tells. So whatever hangs on
 * that (a fault, a warning with its line, another version) makes it give up, and it is read again when its turn comes,
 * by the reader of the whole: the same words in the same order as one thread would say them. */
#include "core/error.h"
#include "core/thread.h"
#include "core/thread_team.h"
#include "mappers/java/r8_reader_inner.h"

#define SHARE_BYTES ((size_t)256 << 10)
#define SHARE_MEMORY (8 * SHARE_BYTES) /* what reading one may take */

struct worker {
    struct fm_r8_reader reader;
    struct fm_mapper_host host;
    struct fm_class_shard *share;
};
struct shares {
    struct fm_r8_reader *whole;
    struct worker *workers;
    enum fm_r8_version version; /* that they are read by */
    fm_mutex cutting;
    const char *cut; /* what is before it has been given out, */
    size_t given;    /* in so many shares */
    fm_mutex lock;
    fm_condition moved;
    size_t turn;
    const char *joined, *needed; /* text that is done with, all before these */
    framemap_status status;      /* of the turns */
    framemap_error late_error;   /* the first one of what is done behind them; code OK: none */
    fm_mutex telling;
};

bool fm_r8_shares_pay(const struct fm_r8_reader *reader)
{
    const struct fm_mapper_host *host = reader->host;
    return host->threads > 1 && (size_t)(reader->end - reader->at) >= 2 * SHARE_BYTES &&
           host->heap->ceiling / 16 >= (uint64_t)host->threads * SHARE_MEMORY;
}

/* --- cutting --- */

/* Whether the line at `at` is one that begins a class whatever stands before it. */
static bool begins_class(const char *at, const char *end)
{
    framemap_str original, residual;
    if ((fm_r8_classes[(unsigned char)*at] & FM_R8_PART) == 0) return false;
    const char *found = memchr(at, '\n', (size_t)(end - at));
    struct fm_r8_cursor cursor = {.at = at, .end = found ? found : end};
    if (cursor.end > at && cursor.end[-1] == '\r') cursor.end--;
    return fm_r8_class_line(&cursor, &original, &residual);
}

static const char *end_of_share(const char *from, const char *end)
{
    if ((size_t)(end - from) <= SHARE_BYTES) return end;
    for (const char *at = from + SHARE_BYTES;;) {
        const char *found = memchr(at, '\n', (size_t)(end - at));
        if (found == NULL || found + 1 == end) return end;
        at = found + 1;
        if (begins_class(at, end)) return at;
    }
}

/* false: all has been given out. */
static bool next_share(struct shares *s, const char **begin, const char **end, size_t *number)
{
    fm_mutex_lock(&s->cutting);
    *begin = s->cut;
    *end = s->cut = *begin < s->whole->end ? end_of_share(*begin, s->whole->end) : *begin;
    *number = s->given;
    if (*begin < *end) s->given++;
    fm_mutex_unlock(&s->cutting);
    return *begin < *end;
}

/* --- reading --- */

static void give_up(void *context, const framemap_error *warning)
{
    (void)warning;
    ((struct fm_r8_reader *)context)->gives_up = true;
}

static bool make_worker(struct worker *worker, struct fm_r8_reader *whole)
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

static void free_worker(struct worker *worker)
{
    if (worker->share == NULL) return;
    fm_r8_reader_free(&worker->reader);
    fm_class_shard_free(worker->share);
    worker->share = NULL;
}

static void begin_share(struct worker *worker, enum fm_r8_version version, const char *begin, const char *end)
{
    struct fm_r8_reader *r = &worker->reader;
    fm_class_shard_clear(worker->share);
    fm_r8_signatures_forget(&r->signatures);
    fm_r8_infos_forget(&r->infos);
    r->block.open = false;
    r->usual = (struct fm_r8_usual){.known = 0};
    r->begin = r->at = r->hashed = r->class_line = begin;
    r->end = r->next_step = end;
    r->line1 = r->classes = r->faults = 0;
    r->version = version;
    r->in_class = r->tells_version = r->gives_up = r->lost_class = r->lost_member = r->hashes = false;
    r->head_is_read = true;
}

/* false: it is for the reader of the whole. */
static bool read_share(struct shares *s, struct worker *worker, const char *begin, const char *end)
{
    struct fm_r8_reader *r = &worker->reader;
    if (!make_worker(worker, s->whole)) return false;
    begin_share(worker, s->version, begin, end);
    framemap_status status = fm_r8_reader_lines(r, end);
    if (status == FRAMEMAP_OK) status = fm_r8_reader_close(r);
    if (status == FRAMEMAP_OK) status = fm_class_shard_ready(worker->share, NULL);
    if (status == FRAMEMAP_OK && !r->gives_up && !r->tells_version) return true;
    free_worker(worker); /* its memory may be what the whole needs */
    return false;
}

/* --- joining --- */

/* A class that the reader of the whole has begun ends where the next one begins, in whose line what it warns of is
 * told. */
static framemap_status close_before(struct fm_r8_reader *whole)
{
    if (!whole->in_class) return FRAMEMAP_OK;
    whole->line1++;
    const framemap_status status = fm_r8_reader_close(whole);
    whole->line1--;
    return status;
}

static framemap_status join(struct shares *s, struct worker *worker, const char *end)
{
    struct fm_r8_reader *whole = s->whole;
    framemap_status status = close_before(whole);
    if (status == FRAMEMAP_OK) status = fm_class_shard_join(worker->share, whole->error);
    if (status == FRAMEMAP_OK) fm_r8_reader_expect(whole, end);
    whole->line1 += worker->reader.line1;
    whole->classes += worker->reader.classes;
    whole->lost_class = whole->lost_member = false;
    whole->at = end;
    return status;
}

/* With the lock held. */
static bool has_failed(const struct shares *s) { return s->status != FRAMEMAP_OK || s->late_error.code != FRAMEMAP_OK; }

/* When its turn has come; *clean: it was read and joined, else the reader of the whole has read it. false: some share
 * failed. */
static bool take_turn(struct shares *s, struct worker *worker, size_t number, const char *end, bool *clean)
{
    fm_mutex_lock(&s->lock);
    while (s->turn != number && !has_failed(s)) fm_condition_wait(&s->moved, &s->lock);
    const bool failed = has_failed(s);
    fm_mutex_unlock(&s->lock);
    if (failed) return false;
    *clean = *clean && s->whole->version == s->version;
    const framemap_status status = *clean ? join(s, worker, end) : fm_r8_reader_lines(s->whole, end);
    fm_mutex_lock(&s->lock);
    s->status = status;
    s->joined = s->whole->at;
    s->needed = fm_r8_reader_needed(s->whole);
    s->turn++;
    fm_condition_wake_all(&s->moved);
    fm_mutex_unlock(&s->lock);
    return status == FRAMEMAP_OK;
}

static bool stop(struct shares *s, const framemap_error *error)
{
    fm_mutex_lock(&s->lock);
    if (s->late_error.code == FRAMEMAP_OK) s->late_error = *error;
    fm_condition_wake_all(&s->moved);
    fm_mutex_unlock(&s->lock);
    return false;
}

/* Of all that is joined by now, unless another thread is about it: hashing the text need not have the turn. */
static bool tell(struct shares *s)
{
    framemap_error error = {0};
    if (!fm_mutex_try(&s->telling)) return true;
    fm_mutex_lock(&s->lock);
    const char *joined = s->joined, *needed = s->needed;
    fm_mutex_unlock(&s->lock);
    const bool goes_on = fm_r8_reader_tell(s->whole, joined, needed, &error) == FRAMEMAP_OK;
    fm_mutex_unlock(&s->telling);
    return goes_on || stop(s, &error);
}

static bool do_share(void *context, unsigned number_of_worker, size_t item)
{
    struct shares *s = context;
    struct worker *worker = &s->workers[number_of_worker];
    const char *begin, *end;
    size_t number;
    framemap_error error = {0};
    (void)item;
    if (!next_share(s, &begin, &end, &number)) return true;
    bool clean = read_share(s, worker, begin, end);
    if (!take_turn(s, worker, number, end, &clean)) return false;
    if (clean && fm_class_shard_pack(worker->share, &error) != FRAMEMAP_OK) return stop(s, &error);
    return tell(s);
}

framemap_status fm_r8_read_shares(struct fm_r8_reader *whole)
{
    struct fm_heap *heap = whole->host->heap;
    const unsigned threads = whole->host->threads < FM_THREAD_TEAM_MOST ? whole->host->threads : FM_THREAD_TEAM_MOST;
    struct shares s = {
        .whole = whole, .version = whole->version, .cut = whole->at, .joined = whole->begin, .needed = whole->begin};
    s.workers = fm_heap_zalloc(heap, threads, sizeof *s.workers);
    if (s.workers == NULL) return fm_error_memory(whole->error);
    whole->is_told_apart = true;
    fm_mutex_init(&s.cutting);
    fm_mutex_init(&s.lock);
    fm_mutex_init(&s.telling);
    fm_condition_init(&s.moved);
    fm_thread_team_run(threads, (size_t)(whole->end - whole->at) / SHARE_BYTES + 1, do_share, &s);
    if (!has_failed(&s)) tell(&s);
    whole->is_told_apart = false;
    fm_mutex_destroy(&s.telling);
    fm_condition_destroy(&s.moved);
    fm_mutex_destroy(&s.lock);
    fm_mutex_destroy(&s.cutting);
    for (unsigned i = 0; i < threads; i++) free_worker(&s.workers[i]);
    fm_heap_free(heap, s.workers, threads * sizeof *s.workers);
    if (s.status != FRAMEMAP_OK || s.late_error.code == FRAMEMAP_OK) return s.status;
    if (whole->error) *whole->error = s.late_error;
    return s.late_error.code;
}
