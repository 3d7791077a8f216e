/* Writes stacks as rows of a format that framemap also reads, in the form in which the format's own programs print
 * them. Used to convert stacks to formats that have `put_row` (format_output.h). */
#ifndef FM_FORMATS_ROW_WRITER_H
#define FM_FORMATS_ROW_WRITER_H

#include "core/text/buffer.h"
#include "formats/format_output.h"

/* A row to be written. fm_buf_str escapes the strings as it writes them. */
struct fm_row_out {
    /* the row shows function, file, line and column of this frame; these are restored, or have the values of the
     * input */
    const framemap_frame *frame;
    framemap_str name; /* "Class.function"; "??" if the function is not known */
    bool has_name;
    size_t number;       /* number of the row in its stack, counted from 0 */
    size_t frame_number; /* number of the frame: all functions inlined into one frame have its number */
    bool has_absolute, has_relative;
    /* the address to print, in two forms: as an address in the process, and relative to the image */
    uint64_t absolute, relative;
};

/* Prints each stack: `put_head`, its rows, `put_tail`, a blank line. Used as `print` of formats with `put_row`. */
framemap_status fm_print_rows(const struct fm_print_job *job, framemap_error *error);

/* Writes the exception as a title, "a.Error: message" or "Caused by: …", on lines of its own. fallback: the title to
 * write if there is no exception. */
void fm_row_put_title(struct fm_buf *out, const framemap_trace *trace, framemap_str fallback);
/* fm_row_thread_number returns the number of a thread, fm_row_thread_name its name. The result is empty if the number
 * or name is not known. */
framemap_str fm_row_thread_number(const framemap_trace *trace);
framemap_str fm_row_thread_name(const framemap_trace *trace);
/* Returns the path of the image if it is known, else its name. */
framemap_str fm_row_module(const framemap_frame *frame);
/* Writes an address as 16 digits, "0x00007f12…": the absolute address, or the relative address if the absolute one is
 * not known; 0 if the row has no address. */
void fm_row_put_pc(struct fm_buf *out, const struct fm_row_out *row);

#endif
