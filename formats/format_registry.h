/* The table of formats, and the calls that work on all of them: text to traces, traces to an output. Called by api/ and
 * session/. */
#ifndef FM_FORMATS_FORMAT_REGISTRY_H
#define FM_FORMATS_FORMAT_REGISTRY_H

#include "formats/format_output.h"
#include "formats/scan/lanes.h"
#include "formats/scan/prefilter_use.h"

/* Returns the public part of each row, in the order of the table. The array is static. */
const framemap_format_info *const *fm_format_infos(size_t *count);
/* Returns row `number` of the table; NULL after the last row. */
const struct fm_format *fm_format_at(size_t number);
/* Returns the row with the given name, or NULL. */
const struct fm_format *fm_format_named(const char *name);

/* Checks that the format named `format` can be read, and the one named `output` can be written. NULL means the
 * default. Errors: ARGUMENT, UNSUPPORTED. */
framemap_status fm_formats_check(const char *format, const char *output, framemap_error *error);

/* Makes the table of the parsers to parse a text with: all formats that can be read, or the one named `format`. Errors:
 * ARGUMENT, MEMORY. */
framemap_status fm_formats_open(const char *format, struct fm_heap *heap, struct fm_parser_table **parsers,
                                framemap_error *error);
/* Frees a table; does nothing if it is NULL. */
void fm_formats_close(struct fm_heap *heap, struct fm_parser_table *parsers);
/* Sorts traces by their offsets in the text. */
void fm_traces_sort(framemap_trace *traces, size_t count);

/* Finds every stack of a text. format: NULL for all. Results are allocated in the arena or borrowed from the text.
 * Errors: ARGUMENT (unknown format, or one that cannot be read), MEMORY. */
framemap_status fm_formats_parse(framemap_str text, const char *format, struct fm_arena *arena, framemap_trace **traces,
                                 size_t *count, framemap_error *error);
/* For tests: does what fm_formats_parse does, with the same result. The caller chooses whether the prefilter is
 * used. */
framemap_status fm_formats_parse_prefiltered(framemap_str text, const char *format, enum fm_prefilter_use use,
                                             struct fm_arena *arena, framemap_trace **traces, size_t *count,
                                             framemap_error *error);
/* For tests: parses a text in pieces of about `piece` bytes, with the same result as fm_formats_parse. */
framemap_status fm_formats_parse_pieces(framemap_str text, const char *format, enum fm_prefilter_use use, size_t piece,
                                        struct fm_arena *arena, framemap_trace **traces, size_t *count,
                                        framemap_error *error);
/* Prints a text in parts. The calls are fm_printer_open and fm_printer_begin, then fm_printer_batch for each part, and
 * fm_printer_close at the end. */
struct fm_printer {
    const struct fm_format *format;
    struct fm_print_job job;
    struct fm_buf out;
};
/* Opens a printer. format: NULL means "text". The printer has to be closed even after an error of this call. Errors:
 * ARGUMENT, UNSUPPORTED (a format that cannot be written), MEMORY. */
framemap_status fm_printer_open(struct fm_printer *printer, const char *format, struct fm_heap *heap,
                                framemap_write write, void *context, framemap_error *error);
/* Writes what comes before the first part. Errors: IO, MEMORY. */
framemap_status fm_printer_begin(struct fm_printer *printer, framemap_error *error);
/* Prints the traces of the next part of the text. offset: offset of the part in the whole text. Errors: IO, MEMORY. */
framemap_status fm_printer_batch(struct fm_printer *printer, framemap_str text, uint64_t offset,
                                 const framemap_trace *traces, size_t count, framemap_error *error);
/* Whether the output is the format "text", which prints each frame in the row style of the format it was read in.
 * Such a row has room for a function, but not for the symbol of that function as well. */
bool fm_printer_is_text(const struct fm_printer *printer);
/* Writes what comes after the last part, unless totals is NULL, and releases the printer. Errors: IO, MEMORY. */
framemap_status fm_printer_close(struct fm_printer *printer, const struct fm_print_totals *totals,
                                 framemap_error *error);
/* Adds a text and the frames of its traces to the totals, for callers that restore nothing themselves. */
void fm_print_totals_add(struct fm_print_totals *totals, framemap_str text, const framemap_trace *traces, size_t count);
/* Prints a whole text in one part, for framemap_trace_print. */
framemap_status fm_formats_print(framemap_str text, const framemap_trace *traces, size_t count, const char *format,
                                 struct fm_heap *heap, framemap_write write, void *context, framemap_error *error);

#endif
