/* Output of the retrace call: buffers lines and passes them to the caller's callback. */
#include "core/error.h"
#include "session/retrace/retracer.h"

enum { FLUSH_AT = 1 << 16 };

framemap_status fm_retrace_flush(struct framemap_retracer *retracer, bool all, framemap_error *error)
{
    struct fm_buf *out = &retracer->out;
    if (out->failed) return fm_error_memory(error);
    if (out->size == 0 || (!all && out->size < FLUSH_AT)) return FRAMEMAP_OK;
    bool good = retracer->write(retracer->write_context, out->data, out->size);
    fm_buf_clear(out);
    retracer->line_at = 0;
    return good ? FRAMEMAP_OK : fm_error_set(error, FRAMEMAP_E_IO, "the output could not be written");
}

framemap_status fm_retrace_put_line(struct framemap_retracer *retracer, framemap_str text, framemap_error *error)
{
    /* a long text is passed on without a copy, since it may be a whole file that consists of one line */
    if (text.size >= FLUSH_AT) {
        const framemap_status status = fm_retrace_flush(retracer, true, error);
        if (status != FRAMEMAP_OK) return status;
        if (!retracer->write(retracer->write_context, text.data, text.size))
            return fm_error_set(error, FRAMEMAP_E_IO, "the output could not be written");
        text.size = 0;
    }
    fm_buf_str(&retracer->out, text);
    fm_buf_byte(&retracer->out, '\n');
    return fm_retrace_flush(retracer, false, error);
}
