/* Writes a line unchanged if restoring it exceeds the memory ceiling; see pass_line.h. */
#include "session/restore/pass_line.h"

#include "core/error.h"

bool fm_line_over(framemap_status status, struct fm_heap *heap)
{
    return status == FRAMEMAP_E_MEMORY && atomic_exchange(&heap->over, false);
}

framemap_status fm_pass_line(struct fm_buf *out, size_t mark, framemap_str line, framemap_write write, void *context,
                             framemap_error *error)
{
    out->failed = false;
    if (out->size > mark) out->size = mark;
    bool good = out->size == 0 || write(context, out->data, out->size);
    fm_buf_clear(out);
    good = good && (line.size == 0 || write(context, line.data, line.size)) && write(context, "\n", 1);
    return good ? FRAMEMAP_OK : fm_error_set(error, FRAMEMAP_E_IO, "the output could not be written");
}

void fm_warn_of_passed_line(uint64_t line1, framemap_warning warning, void *context)
{
    framemap_error fault;
    if (warning == NULL) return;
    fm_error_line(&fault, FRAMEMAP_E_MEMORY, line1,
                  "over-memory: this line is not restored; it needs more than --max-memory (max_memory)");
    warning(context, &fault);
}
