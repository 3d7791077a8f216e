/* Functions for callers that restore line by line under a memory ceiling: a line that exceeds the ceiling is written
 * unchanged. Called by session/retrace and session/dart. */
#ifndef FM_SESSION_RESTORE_PASS_LINE_H
#define FM_SESSION_RESTORE_PASS_LINE_H

#include "core/text/buffer.h"
#include <framemap/index.h>

/* Whether a line failed only because of the memory ceiling, so that later lines may still be restored. If so, the
 * failure state of the heap is cleared. */
bool fm_line_over(framemap_status status, struct fm_heap *heap);

/* Writes the buffer up to `mark`, discards the bytes that the line added after `mark`, and writes the line unchanged,
 * with LF. Allocates nothing. Errors: IO. */
framemap_status fm_pass_line(struct fm_buf *out, size_t mark, framemap_str line, framemap_write write, void *context,
                             framemap_error *error);

/* Reports a line that was written unchanged. line1: number of the line. Does nothing if `warning` is NULL. */
void fm_warn_of_passed_line(uint64_t line1, framemap_warning warning, void *context);

#endif
