/* How a format writes stacks. A format that writes has such a structure in its own file, and refers to it in its row
 * (fm_format.output). format_registry.c calls its functions; api_convert.c reads from it which parts of a stack the
 * format cannot write. */
#ifndef FM_FORMATS_FORMAT_OUTPUT_H
#define FM_FORMATS_FORMAT_OUTPUT_H

#include "formats/format.h"

struct fm_print_job;
struct fm_row_out;

struct fm_output {
    /* Writes the traces of one part of a text, and for some outputs the text between them. Errors: IO, MEMORY. */
    framemap_status (*print)(const struct fm_print_job *job, framemap_error *error);
    /* print_begin writes what precedes the first part of a text; print_end writes what follows the last part, with
     * the numbers in job->totals. NULL: nothing is written. Errors: IO, MEMORY. */
    framemap_status (*print_begin)(const struct fm_print_job *job, framemap_error *error);
    framemap_status (*print_end)(const struct fm_print_job *job, framemap_error *error);
    size_t state_size; /* size of job->state in bytes; that memory is zeroed before print_begin */

    /* --- writing the rows of a stack (row_writer.h), for formats whose `print` is fm_print_rows --- */
    void (*put_row)(struct fm_buf *out, const struct fm_row_out *row); /* writes one row, without a line end */
    /* put_head writes the lines before the rows of a stack, put_tail the lines after the rows, with line ends. NULL:
     * the format has no such lines. */
    void (*put_head)(struct fm_buf *out, const framemap_trace *trace);
    void (*put_tail)(struct fm_buf *out, const framemap_trace *trace);
    bool rows_outermost_first;
    /* addresses count from the start of an image; otherwise they are addresses in the process */
    bool addresses_in_image;

    /* --- stating what is lost when stacks are written in the format --- */
    uint32_t holds;    /* FRAMEMAP_PART_ bits of what the output can contain */
    bool keeps_rows;   /* a frame that was not restored is written as the row that it has in the input */
    bool places_by_id; /* addresses that count from an image are written only if the image has an id */
    /* a row contains the image only if there is no source file; `holds` then has no FRAMEMAP_PART_MODULES */
    bool path_or_module;

    /* Stacks that belong together, such as a stack with its causes or the threads of one dump, are written differently
     * from single stacks. All of them are passed to `print` together, as one event (event_group.h) in one part of the
     * text. */
    bool joins_stacks;
};

/* The value of `holds` for an output that contains everything. */
#define FM_HOLDS_ALL UINT32_MAX
/* The parts that fm_put_stack_rows (output/trace_words.h) writes. */
#define FM_HOLDS_ROWS                                                                               \
    (FRAMEMAP_PART_FILES | FRAMEMAP_PART_LINES | FRAMEMAP_PART_COLUMNS | FRAMEMAP_PART_EXCEPTIONS | \
     FRAMEMAP_PART_CAUSES | FRAMEMAP_PART_MARKERS)

#endif
