/* Prints traces one at a time through a buffer, for outputs that do not print the text between traces. Called by the
 * outputs. */
#ifndef FM_FORMATS_OUTPUT_PRINT_EACH_H
#define FM_FORMATS_OUTPUT_PRINT_EACH_H

#include "core/text/buffer.h"
#include "formats/format_output.h"

/* Calls a function for each trace of a job, and writes what the function printed. state: job->state. Errors: IO (write
 * refused), MEMORY (some traces were omitted, the others were printed). */
framemap_status fm_print_each(const struct fm_print_job *job,
                              void (*print_trace)(struct fm_buf *out, const framemap_trace *trace, void *state),
                              framemap_error *error);
/* Calls a function for each group of traces. `size` returns how many of the traces, counted from the first, form one
 * group; at least 1. Errors: IO, MEMORY (some groups were omitted, the others were printed). */
framemap_status fm_print_groups(const struct fm_print_job *job,
                                size_t (*size)(const framemap_trace *traces, size_t count),
                                void (*print)(struct fm_buf *out, const struct fm_print_job *job,
                                              const framemap_trace *traces, size_t count),
                                framemap_error *error);
/* Prints the text before the first trace or after the last one. Errors: IO, MEMORY. */
framemap_status fm_print_once(const struct fm_print_job *job,
                              void (*print)(struct fm_buf *out, const struct fm_print_job *job), framemap_error *error);
/* Calls a function for each number from 0 to count - 1, and writes the row that the function printed. Errors: IO,
 * MEMORY. */
framemap_status fm_print_list(const struct fm_print_job *job, size_t count,
                              void (*print)(struct fm_buf *out, const struct fm_print_job *job, size_t row),
                              framemap_error *error);

#endif
