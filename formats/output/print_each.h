/* Prints traces one at a time through a buffer, for outputs that need no text between them. Called by outputs. */
#ifndef FM_FORMATS_OUTPUT_PRINT_EACH_H
#define FM_FORMATS_OUTPUT_PRINT_EACH_H

#include "core/text/buffer.h"
#include "formats/format.h"

/* Prints each trace of a job by itself. state: that of the job. Errors: IO (write refused), MEMORY (some traces are not
 * printed, the others are). */
framemap_status fm_print_each(const struct fm_print_job *job,
                              void (*print_trace)(struct fm_buf *out, const framemap_trace *trace, void *state),
                              framemap_error *error);
/* Prints traces in groups: `size` says how many of the traces from the first on are one group, at least 1. Errors: IO,
 * MEMORY (some groups are not printed, the others are). */
framemap_status fm_print_groups(const struct fm_print_job *job,
                                size_t (*size)(const framemap_trace *traces, size_t count),
                                void (*print)(struct fm_buf *out, const struct fm_print_job *job,
                                              const framemap_trace *traces, size_t count),
                                framemap_error *error);
/* Prints what comes before the first trace or after the last one. Errors: IO, MEMORY. */
framemap_status fm_print_once(const struct fm_print_job *job,
                              void (*print)(struct fm_buf *out, const struct fm_print_job *job), framemap_error *error);
/* Prints `count` rows, each by itself. Errors: IO, MEMORY. */
framemap_status fm_print_list(const struct fm_print_job *job, size_t count,
                              void (*print)(struct fm_buf *out, const struct fm_print_job *job, size_t row),
                              framemap_error *error);

#endif
