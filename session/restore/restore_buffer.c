/* Implements framemap_session_restore_buffer and framemap_session_restore_many, which return one block of memory for
 * each text. They call fm_session_restore for each text. */
#include "api/option_structs.h"
#include "core/error.h"
#include "core/text/buffer.h"
#include "core/thread_team.h"
#include "session/catalog/text_scope.h"
#include "session/session_state.h"

/* --- restoring one text --- */

/* Returns the caller's allocator. An answer may be used longer than the session, so it is not allocated under the
 * session's ceiling. */
static framemap_allocator caller_allocator(const framemap_session *session)
{
    return session->has_ceiling ? session->ceiling.inner : session->allocator;
}

static bool add_piece(void *context, const char *data, size_t size) { return fm_buf_add(context, data, size); }

/* Reserves the memory that most restored texts need, so that the answer does not have to be moved while it grows. */
static void reserve(struct fm_buf *buf, size_t text_size, bool is_text)
{
    enum { LEAST = 256 };
    if (text_size > SIZE_MAX / 8) return;
    (void)FM_GROW(buf->heap, buf->data, buf->capacity, (is_text ? text_size + text_size / 4 : text_size * 4) + LEAST);
}

/* Passes the contents to the caller, in a block of exactly their size. Returns false if out of memory. */
static bool give_away(struct fm_buf *buf, const framemap_allocator *allocator, framemap_bytes *out)
{
    char *data = buf->size ? fm_heap_resize(buf->heap, buf->data, buf->capacity, buf->size) : NULL;
    if (buf->size > 0 && data == NULL) return false;
    if (buf->size == 0) fm_buf_free(buf);
    *out = (framemap_bytes){.data = (unsigned char *)data, .size = buf->size, .allocator = *allocator};
    return true;
}

static bool is_damage(framemap_status status) { return status == FRAMEMAP_E_CORRUPT || status == FRAMEMAP_E_TRUNCATED; }

static framemap_status restore_text(framemap_session *session, framemap_str text, bool may_start,
                                    const framemap_restore_options *options, framemap_bytes *out,
                                    framemap_restore_summary *summary, framemap_error *error)
{
    const framemap_allocator allocator = caller_allocator(session);
    struct fm_heap heap;
    struct fm_buf buf;
    fm_heap_init(&heap, &allocator, 0);
    fm_buf_init(&buf, &heap);
    buf.limit = SIZE_MAX;
    reserve(&buf, text.size, fm_session_writes_text(options));
    framemap_status status = fm_session_restore(session, text, may_start, options, add_piece, &buf, summary, error);
    if (status == FRAMEMAP_E_IO && buf.failed) status = fm_error_memory(error);
    const bool has_answer = status == FRAMEMAP_OK || is_damage(status);
    if (has_answer && give_away(&buf, &allocator, out)) return status;
    fm_buf_free(&buf);
    return has_answer ? fm_error_memory(error) : status;
}

static framemap_status check_out(const framemap_bytes *out, framemap_error *error)
{
    if (out->data == NULL && out->size == 0) return FRAMEMAP_OK;
    return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "the struct for the answer is not zeroed");
}

framemap_status framemap_session_restore_buffer(framemap_session *session, framemap_str text,
                                                const framemap_restore_options *options, framemap_bytes *out,
                                                framemap_restore_summary *summary, framemap_error *error)
{
    framemap_restore_options given;
    framemap_status status = fm_options_read(options, &given, sizeof given, error);
    if (status != FRAMEMAP_OK) return status;
    if (session == NULL || out == NULL) return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a required argument is NULL");
    status = check_out(out, error);
    return status == FRAMEMAP_OK ? restore_text(session, text, true, &given, out, summary, error) : status;
}

/* --- restoring many texts --- */

struct many_job {
    framemap_session *session;
    framemap_text *texts;
    bool may_start; /* whether a text may be parsed on a thread of its own */
    framemap_restore_options options;
    fm_mutex lock;
    size_t failed; /* number of the first text that failed; SIZE_MAX: no text failed */
    framemap_error error;
};

static void note_failure(struct many_job *job, size_t number, const framemap_error *error)
{
    fm_mutex_lock(&job->lock);
    if (number < job->failed) {
        job->failed = number;
        job->error = *error;
    }
    fm_mutex_unlock(&job->lock);
}

static bool restore_item(void *context, unsigned worker, size_t number)
{
    (void)worker;
    struct many_job *job = context;
    framemap_text *item = &job->texts[number];
    framemap_restore_options options = job->options;
    framemap_error error = {0};
    if (item->scope) options.scope = item->scope;
    item->status = restore_text(job->session, item->text, job->may_start, &options, &item->out, &item->summary, &error);
    if (item->status != FRAMEMAP_OK) note_failure(job, number, &error);
    return true;
}

/* Returns how many threads are useful for the given texts: one for each BYTES_EACH bytes, since starting a thread costs
 * about as much as restoring that many bytes. */
static unsigned threads_for(const framemap_session *session, const framemap_text *texts, size_t count)
{
    enum { BYTES_EACH = 64 << 10 };
    size_t bytes = 0;
    for (size_t i = 0; i < count && bytes < SIZE_MAX / 2; i++) bytes += texts[i].text.size;
    const size_t useful = bytes / BYTES_EACH + 1, most = session->cache.build.threads;
    return (unsigned)(useful < most ? useful : most);
}

static framemap_status check_many(const framemap_session *session, const framemap_text *texts, size_t count,
                                  framemap_error *error)
{
    framemap_status status = FRAMEMAP_OK;
    if (session == NULL || (texts == NULL && count > 0))
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a required argument is NULL");
    for (size_t i = 0; i < count && status == FRAMEMAP_OK; i++) status = check_out(&texts[i].out, error);
    return status;
}

framemap_status framemap_session_restore_many(framemap_session *session, framemap_text *texts, size_t count,
                                              const framemap_restore_options *options, framemap_error *error)
{
    struct many_job job = {.session = session, .texts = texts, .may_start = count == 1, .failed = SIZE_MAX};
    framemap_status status = fm_options_read(options, &job.options, sizeof job.options, error);
    if (status == FRAMEMAP_OK) status = check_many(session, texts, count, error);
    if (status == FRAMEMAP_OK) status = fm_session_check_restore(&job.options, error);
    framemap_scope scope;
    if (status == FRAMEMAP_OK) status = fm_text_scope_read(job.options.scope, false, &scope, error);
    if (status != FRAMEMAP_OK) return status;
    fm_mutex_init(&job.lock);
    fm_thread_team_run(threads_for(session, texts, count), count, restore_item, &job);
    fm_mutex_destroy(&job.lock);
    if (job.failed == SIZE_MAX) return FRAMEMAP_OK;
    if (error) *error = job.error;
    return texts[job.failed].status;
}
