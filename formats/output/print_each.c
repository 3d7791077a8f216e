#include "formats/output/print_each.h"
#include "core/error.h"

framemap_status fm_print_each(const struct fm_print_job *job,
                              void (*print_trace)(struct fm_buf *out, const framemap_trace *trace),
                              framemap_error *error)
{
    struct fm_buf out;
    bool refused = false, lacked = false;
    fm_buf_init(&out, job->heap);
    for (size_t i = 0; i < job->count && !refused; i++) {
        fm_buf_clear(&out);
        print_trace(&out, &job->traces[i]);
        if (out.failed)
            lacked = true; /* the others may be shorter */
        else
            refused = !job->write(job->context, out.data, out.size);
    }
    fm_buf_free(&out);
    if (refused) return fm_error_set(error, FRAMEMAP_E_IO, "the output can't be written");
    return lacked ? fm_error_memory(error) : FRAMEMAP_OK;
}
