/* Implements print_each.h: calls the given function once for each stack, group of stacks or item, and passes the buffer
 * to the caller's write function each time, so that memory holds only one of them. */
#include "formats/output/print_each.h"
#include "core/error.h"

static framemap_status status_of(bool refused, bool lacked, framemap_error *error)
{
    if (refused) return fm_error_set(error, FRAMEMAP_E_IO, "the output can't be written");
    return lacked ? fm_error_memory(error) : FRAMEMAP_OK;
}

framemap_status fm_print_each(const struct fm_print_job *job,
                              void (*print_trace)(struct fm_buf *out, const framemap_trace *trace, void *state),
                              framemap_error *error)
{
    struct fm_buf out;
    bool refused = false, lacked = false;
    fm_buf_init(&out, job->heap);
    for (size_t i = 0; i < job->count && !refused; i++) {
        fm_buf_clear(&out);
        print_trace(&out, &job->traces[i], job->state);
        if (out.failed)
            lacked = true; /* the trace is not printed for lack of memory, but later traces may need less */
        else
            refused = !job->write(job->context, out.data, out.size);
    }
    fm_buf_free(&out);
    return status_of(refused, lacked, error);
}

framemap_status fm_print_groups(const struct fm_print_job *job,
                                size_t (*size)(const framemap_trace *traces, size_t count),
                                void (*print)(struct fm_buf *out, const struct fm_print_job *job,
                                              const framemap_trace *traces, size_t count),
                                framemap_error *error)
{
    struct fm_buf out;
    bool refused = false, lacked = false;
    fm_buf_init(&out, job->heap);
    for (size_t i = 0, count; i < job->count && !refused; i += count) {
        fm_buf_clear(&out);
        count = size(&job->traces[i], job->count - i);
        print(&out, job, &job->traces[i], count);
        if (out.failed)
            lacked = true;
        else
            refused = !job->write(job->context, out.data, out.size);
    }
    fm_buf_free(&out);
    return status_of(refused, lacked, error);
}

framemap_status fm_print_once(const struct fm_print_job *job,
                              void (*print)(struct fm_buf *out, const struct fm_print_job *job), framemap_error *error)
{
    struct fm_buf out;
    fm_buf_init(&out, job->heap);
    print(&out, job);
    const bool lacked = out.failed, refused = !lacked && !job->write(job->context, out.data, out.size);
    fm_buf_free(&out);
    return status_of(refused, lacked, error);
}

framemap_status fm_print_list(const struct fm_print_job *job, size_t count,
                              void (*print)(struct fm_buf *out, const struct fm_print_job *job, size_t row),
                              framemap_error *error)
{
    struct fm_buf out;
    bool refused = false, lacked = false;
    fm_buf_init(&out, job->heap);
    for (size_t i = 0; i < count && !refused && !lacked; i++) {
        fm_buf_clear(&out);
        print(&out, job, i);
        lacked = out.failed;
        refused = !lacked && !job->write(job->context, out.data, out.size);
    }
    fm_buf_free(&out);
    return status_of(refused, lacked, error);
}
