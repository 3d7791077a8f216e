/* Writes stacks in the rows of a format that is read: what its own programs would print of them, as the target of a
 * conversion. Formats have `put_row` and FM_WRITES_ROWS for that (format.h). */
#ifndef FM_FORMATS_ROW_WRITER_H
#define FM_FORMATS_ROW_WRITER_H

#include "core/text/buffer.h"
#include "formats/format.h"

/* A row to be written. Strings are escaped by fm_buf_str. */
struct fm_row_out {
    const framemap_frame *frame; /* function, file, line and column of this frame are those of the row, restored or
                                    printed */
    framemap_str name;           /* "Class.function"; "??" if it is not known */
    bool has_name;
    size_t number;       /* number of the row in its stack, from 0 */
    size_t frame_number; /* number of the frame: the same for all functions inlined into one */
    bool has_absolute, has_relative;
    uint64_t absolute, relative; /* the address as it is printed: in the process, and in the image */
};

/* Prints each stack: `put_head`, its rows, `put_tail`, a blank line. This is the `print` of formats with `put_row`. */
framemap_status fm_print_rows(const struct fm_print_job *job, framemap_error *error);

/* Writes the exception as a title, "a.Error: message" or "Caused by: …", in lines of its own. fallback: the title if
 * there is none. */
void fm_row_put_title(struct fm_buf *out, const framemap_trace *trace, framemap_str fallback);
/* Returns the number of a thread, and its name; empty if they are not known. */
framemap_str fm_row_thread_number(const framemap_trace *trace);
framemap_str fm_row_thread_name(const framemap_trace *trace);
/* Returns the path of the image if it is known, else its name. */
framemap_str fm_row_module(const framemap_frame *frame);
/* Writes an address as 16 digits, "0x00007f12…": the absolute one, or else the relative one; 0 if there is neither. */
void fm_row_put_pc(struct fm_buf *out, const struct fm_row_out *row);

#endif
