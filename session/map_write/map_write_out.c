/* Output of the source map writer: passes the buffer to the caller's callback, and makes the error for a damaged index.
 * Called by all files of this folder. */
#include "core/error.h"
#include "session/map_write/map_write_inner.h"

framemap_status fm_convert_flush(struct fm_convert *convert, size_t least)
{
    struct fm_buf *out = &convert->out;
    if (out->failed) return fm_error_memory(convert->error);
    if (out->size < least || out->size == 0) return FRAMEMAP_OK;
    if (!convert->write(convert->context, out->data, out->size))
        return fm_error_set(convert->error, FRAMEMAP_E_IO, "the output was refused");
    fm_buf_clear(out);
    return FRAMEMAP_OK;
}

framemap_status fm_convert_damaged(const struct fm_convert *convert, const char *what)
{
    return fm_error_set(convert->error, FRAMEMAP_E_CORRUPT, "the index is damaged: %s can't be read", what);
}
