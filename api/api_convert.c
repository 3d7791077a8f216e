/* Public calls that report what a conversion may lose, and the calls on a printer, which writes traces one after the
 * other. */
#include <framemap/convert.h>

#include "api/option_structs.h"
#include "core/error.h"
#include "formats/format_registry.h"
#include "formats/output/trace_parts.h"
#include "formats/profiles/profile_format.h"

const char *framemap_part_name(uint32_t part)
{
    static const struct {
        uint32_t part;
        const char *name;
    } names[] = {{FRAMEMAP_PART_IDS, "ids of images"},
                 {FRAMEMAP_PART_IMAGES, "lists of images"},
                 {FRAMEMAP_PART_OFFSETS, "offsets in functions"},
                 {FRAMEMAP_PART_REGISTERS, "registers"},
                 {FRAMEMAP_PART_EXCEPTIONS, "exceptions"},
                 {FRAMEMAP_PART_CAUSES, "causes"},
                 {FRAMEMAP_PART_PROCESSES, "processes"},
                 {FRAMEMAP_PART_LOGS, "log prefixes"},
                 {FRAMEMAP_PART_MARKERS, "rows that are not frames"},
                 {FRAMEMAP_PART_ALTERNATIVES, "alternative results"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].part == part) return names[i].name;
    return framemap_sample_part_name(part);
}

/* Returns the row of a format of samples that framemap can write; NULL if it cannot write the format. */
static const struct fm_profile_format *written_samples(const char *format)
{
    const struct fm_profile_format *row = format ? fm_profile_named(format) : NULL;
    return row && row->info.writes ? row : NULL;
}

static const struct fm_format *written_stacks(const char *format)
{
    const struct fm_format *row = format ? fm_format_named(format) : NULL;
    return row && row->info.writes ? row : NULL;
}

bool framemap_convert_writes(const char *format) { return written_stacks(format) || written_samples(format); }

uint32_t framemap_trace_parts(const framemap_trace *trace) { return trace ? fm_trace_parts(trace, FM_PARTS_ALL) : 0; }

uint32_t framemap_trace_lost(const framemap_trace *trace, const char *format)
{
    const struct fm_format *stacks = written_stacks(format);
    const struct fm_profile_format *samples = written_samples(format);
    if (trace == NULL || (!stacks && !samples)) return 0;
    if (!stacks) return fm_trace_parts(trace, FM_PARTS_ALL) & ~samples->info.holds;
    const struct fm_output *output = stacks->output;
    const unsigned rules =
        (output->keeps_rows ? FM_PARTS_RESTORED : 0u) | (output->path_or_module ? FM_PARTS_MODULE_WITH_FILE : 0u);
    const bool no_address = (output->put_row && fm_trace_lacks_addresses(trace, output->addresses_in_image)) ||
                            (output->places_by_id && fm_trace_lacks_ids(trace));
    return (fm_trace_parts(trace, rules) & ~output->holds) | (no_address ? FRAMEMAP_PART_ADDRESSES : 0u);
}

/* --- printing traces in a format --- */

struct framemap_printer {
    struct fm_heap heap;
    struct fm_printer stacks;
    const struct fm_format *row;
    struct fm_print_totals totals;
    framemap_sample_set *samples; /* set of samples to write; NULL: stacks are printed */
    const char *format;           /* name of the format, borrowed from its row, if samples are written */
    framemap_write write;
    void *context;
    uint32_t lost;
    framemap_status failed; /* error of an earlier call, which all later calls return */
};

static framemap_status open_samples(struct framemap_printer *printer, const struct fm_profile_format *row,
                                    const framemap_printer_options *options, framemap_error *error)
{
    const framemap_sample_options given = {
        .size = sizeof given, .allocator = options->allocator, .max_memory = options->max_memory};
    printer->format = row->info.name;
    return framemap_sample_set_open(&given, &printer->samples, error);
}

static void free_printer(struct framemap_printer *printer)
{
    struct fm_heap heap;
    fm_heap_init(&heap, &printer->heap.hook, 0);
    (void)fm_printer_close(&printer->stacks, NULL, NULL);
    framemap_sample_set_close(printer->samples);
    fm_heap_free(&heap, printer, sizeof *printer);
}

framemap_status framemap_printer_open(const char *format, const framemap_printer_options *options, framemap_write write,
                                      void *context, framemap_printer **out, framemap_error *error)
{
    framemap_printer_options given;
    struct fm_heap heap;
    framemap_status status = fm_options_read(options, &given, sizeof given, error);
    if (status != FRAMEMAP_OK) return status;
    if (write == NULL || out == NULL) return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a required argument is NULL");
    fm_heap_init(&heap, given.allocator, 0);
    struct framemap_printer *printer = fm_heap_zalloc(&heap, 1, sizeof *printer);
    if (printer == NULL) return fm_error_memory(error);
    fm_heap_init(&printer->heap, given.allocator, given.max_memory);
    printer->write = write;
    printer->context = context;
    const struct fm_profile_format *samples = written_stacks(format) ? NULL : written_samples(format);
    status = samples ? open_samples(printer, samples, &given, error)
                     : fm_printer_open(&printer->stacks, format, &printer->heap, write, context, error);
    if (status == FRAMEMAP_OK && !samples) status = fm_printer_begin(&printer->stacks, error);
    printer->row = printer->stacks.format;
    if (status == FRAMEMAP_OK)
        *out = printer;
    else
        free_printer(printer);
    return status;
}

static framemap_status earlier_failure(const struct framemap_printer *printer, framemap_error *error)
{
    return fm_error_set(error, printer->failed, "an earlier call on this printer failed");
}

framemap_status framemap_printer_trace(framemap_printer *printer, framemap_str text, const framemap_trace *traces,
                                       size_t count, framemap_error *error)
{
    if (printer == NULL || (traces == NULL && count) || (text.data == NULL && text.size))
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a required argument is NULL");
    if (printer->failed) return earlier_failure(printer, error);
    const char *format = printer->samples ? printer->format : printer->row->info.name;
    for (size_t i = 0; i < count; i++) printer->lost |= framemap_trace_lost(&traces[i], format);
    if (printer->samples) {
        for (size_t i = 0; i < count; i++) fm_samples_add_trace(printer->samples, &traces[i]);
        return printer->failed = fm_samples_status(printer->samples, error);
    }
    fm_print_totals_add(&printer->totals, text, traces, count);
    return printer->failed =
               fm_heap_fault(&printer->heap, fm_printer_batch(&printer->stacks, text, 0, traces, count, error), error);
}

static framemap_status write_rest(struct framemap_printer *printer, framemap_error *error)
{
    if (printer->failed) return earlier_failure(printer, error);
    if (printer->samples)
        return framemap_sample_set_write(printer->samples, printer->format, printer->write, printer->context, NULL,
                                         error);
    return fm_heap_fault(&printer->heap, fm_printer_close(&printer->stacks, &printer->totals, error), error);
}

framemap_status framemap_printer_close(framemap_printer *printer, uint32_t *lost, framemap_error *error)
{
    if (printer == NULL) return FRAMEMAP_OK;
    const framemap_status status = error ? write_rest(printer, error) : FRAMEMAP_OK;
    if (lost) *lost = printer->lost;
    free_printer(printer);
    return status;
}
