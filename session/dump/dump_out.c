/* Output functions that the dumps share: they pass the buffer to the caller's callback, and limit the size of the whole
 * dump. */
#include "session/dump/dump_out.h"

#include "core/error.h"
#include "core/limits.h"

framemap_status fm_dump_flush(struct fm_dump *dump, size_t least, framemap_error *error)
{
    if (dump->out.failed) return fm_error_memory(error);
    if (dump->out.size < least || dump->out.size == 0) return FRAMEMAP_OK;
    if (dump->out.size > dump->left)
        return fm_error_set(error, FRAMEMAP_E_LIMIT,
                            "over-limit: the dump is more than %d bytes for each byte of the index",
                            (int)FM_LIMIT_INDEX_DUMP);
    dump->left -= dump->out.size;
    if (!dump->write(dump->context, dump->out.data, dump->out.size))
        return fm_error_set(error, FRAMEMAP_E_IO, "the output was refused");
    fm_buf_clear(&dump->out);
    return FRAMEMAP_OK;
}

void fm_dump_end_line(struct fm_buf *out, framemap_str words)
{
    fm_buf_str(out, words);
    fm_buf_byte(out, '\n');
}
