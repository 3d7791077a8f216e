/* For outputs that write one trace after the other, each in one call of `write`. */
#ifndef FM_FORMATS_OUTPUT_PRINT_EACH_H
#define FM_FORMATS_OUTPUT_PRINT_EACH_H

#include "formats/format.h"

/* Calls print_trace for each trace of a job. A trace for which memory is short is left out; the others are written.
 * Errors: IO, MEMORY. */
framemap_status fm_print_each(const struct fm_print_job *job,
                              void (*print_trace)(struct fm_buf *out, const framemap_trace *trace),
                              framemap_error *error);

#endif
