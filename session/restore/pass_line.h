/* Lines that are restored one by one, under a ceiling: one that goes over it passes through. */
#ifndef FM_SESSION_RESTORE_PASS_LINE_H
#define FM_SESSION_RESTORE_PASS_LINE_H

#include "core/text/buffer.h"
#include <framemap/index.h>

/* Whether a line's failure is the ceiling's alone, so that the lines behind it may be restored; the heap then forgets
 * of it. */
bool fm_line_over(framemap_status status, struct fm_heap *heap);

/* Writes what is buffered before the line, takes back what was buffered of it from `mark` on, and writes the line as
 * it is, with LF. No memory is taken. Errors: IO. */
framemap_status fm_pass_line(struct fm_buf *out, size_t mark, framemap_str line, framemap_write write, void *context,
                             framemap_error *error);

/* Tells of it. line1: its number; warning NULL: nobody is told. */
void fm_warn_of_passed_line(uint64_t line1, framemap_warning warning, void *context);

#endif
