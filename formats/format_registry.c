#include "formats/format_registry.h"
#include "core/error.h"
#include "formats/parsers.h"
#include "formats/scan/dispatch.h"

/* The one list of formats. Parsers are offered a line in this order: those whose lines look like no other's come first.
 * Entries point at the first member of the rows, so that the public list is the table itself. */
/* clang-format off */
static const framemap_format_info *const table[] = {
    &fm_apple_ips.info,
    &fm_instruments.info,
    &fm_metrickit.info,
    &fm_java.info,
    &fm_dart.info,
    &fm_dart_crash.info,
    &fm_dart_symbolic.info,
    &fm_dart_terse.info,
    &fm_js_one_line.info,
    &fm_js_v8.info,
    &fm_hermes.info,
    &fm_js_other.info,
    &fm_js_devtools.info,
    &fm_js_opera.info,
    &fm_js_console.info,
    &fm_android_tombstone.info,
    &fm_android_short.info,
    &fm_apple_crash.info,
    &fm_apple_sample.info,
    &fm_apple_spindump.info,
    &fm_apple_short.info,
    &fm_apple_symbols.info,
    &fm_minidump.info,
    &fm_minidump_machine.info,
    &fm_samples.info,
    &fm_sanitizer.info,
    &fm_glibc.info,
    &fm_js_spidermonkey.info,
    &fm_js_jsc.info,
    &fm_go.info,
    &fm_rust.info,
    &fm_python.info,
    &fm_dotnet.info,
    &fm_swift.info,
    &fm_ruby.info,
    &fm_php.info,
    &fm_perl.info,
    &fm_beam.info,
    &fm_lua.info,
    &fm_haskell.info,
    &fm_unreal.info,
    &fm_unity.info,
    &fm_godot.info,
    &fm_dtrace.info,
    &fm_pprof_traces.info,
    &fm_json_output.info,
    &fm_markdown_output.info,
    &fm_native_output.info,
    &fm_otlp_output.info,
    &fm_sentry_output.info,
    &fm_text_output.info,
};
/* clang-format on */
#define FORMATS (sizeof table / sizeof table[0])
_Static_assert(FORMATS <= FM_PARSERS_MOST, "a set of parsers is a bit mask");
_Static_assert(offsetof(struct fm_format, info) == 0, "the table points at rows");

const framemap_format_info *const *fm_format_infos(size_t *count)
{
    *count = FORMATS;
    return table;
}

const struct fm_format *fm_format_at(size_t number)
{
    return number < FORMATS ? (const struct fm_format *)table[number] : NULL;
}

static const struct fm_format *format_named(framemap_str name)
{
    for (size_t i = 0; i < FORMATS; i++)
        if (fm_str_equal(name, framemap_str_of(table[i]->name))) return fm_format_at(i);
    return NULL;
}

const struct fm_format *fm_format_named(const char *name) { return format_named(framemap_str_of(name)); }

static framemap_status check_read(const char *format, framemap_error *error)
{
    const struct fm_format *row = format ? fm_format_named(format) : NULL;
    if (format && !row) return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "there is no format \"%s\"", format);
    if (row && !row->info.reads)
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "the format \"%s\" can be written but not read", format);
    return FRAMEMAP_OK;
}

static framemap_status check_written(const char *format, framemap_error *error)
{
    const struct fm_format *row = fm_format_named(format ? format : "text");
    if (!row) return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "there is no format \"%s\"", format);
    if (!row->info.writes)
        return fm_error_set(error, FRAMEMAP_E_UNSUPPORTED, "the format \"%s\" can be read but not written", format);
    return FRAMEMAP_OK;
}

framemap_status fm_formats_check(const char *format, const char *output, framemap_error *error)
{
    const framemap_status status = check_read(format, error);
    return status == FRAMEMAP_OK ? check_written(output, error) : status;
}

/* The parsers in use: all, or the one of the named format. */
static framemap_status make_parsers(const char *format, struct fm_arena *arena, struct fm_parser parsers[FORMATS],
                                    size_t *count, framemap_error *error)
{
    const framemap_status status = check_read(format, error);
    if (status != FRAMEMAP_OK) return status;
    const struct fm_format *only = format ? fm_format_named(format) : NULL;
    for (size_t i = 0; i < FORMATS; i++) {
        const struct fm_format *row = fm_format_at(i);
        if (!row->info.reads || (only ? only != row : row->parsed_by_earlier)) continue;
        void *state = fm_arena_zalloc(arena, 1, row->state_size);
        if (!state) return fm_error_memory(error);
        parsers[(*count)++] = (struct fm_parser){row, state};
    }
    return FRAMEMAP_OK;
}

static framemap_status parse(framemap_str text, const char *format, const struct fm_parse_plan *plan,
                             struct fm_arena *arena, framemap_trace **traces, size_t *count, framemap_error *error)
{
    struct fm_parser parsers[FORMATS];
    size_t parser_count = 0;
    struct fm_document doc = {.arena = arena};
    framemap_status status = make_parsers(format, arena, parsers, &parser_count, error);
    if (status != FRAMEMAP_OK) return status;
    fm_dispatch_text(parsers, parser_count, text, plan, &doc);
    for (size_t i = 0; i < parser_count && !doc.failed; i++)
        if (parsers[i].format->finish) parsers[i].format->finish(parsers[i].state, &doc);
    if (!doc.failed) fm_document_report_end(&doc);
    if (doc.failed) return fm_error_memory(error);
    *traces = doc.traces;
    *count = doc.trace_count;
    return FRAMEMAP_OK;
}

framemap_status fm_formats_parse(framemap_str text, const char *format, unsigned threads, struct fm_arena *arena,
                                 framemap_trace **traces, size_t *count, framemap_error *error)
{
    const struct fm_parse_plan plan = {FM_PREFILTER_AUTO, threads, threads > 1 ? FM_CHUNK_SIZE : FM_ONE_CHUNK};
    return parse(text, format, &plan, arena, traces, count, error);
}

framemap_status fm_formats_parse_prefiltered(framemap_str text, const char *format, enum fm_prefilter_use use,
                                             struct fm_arena *arena, framemap_trace **traces, size_t *count,
                                             framemap_error *error)
{
    const struct fm_parse_plan plan = {use, 1, FM_ONE_CHUNK};
    return parse(text, format, &plan, arena, traces, count, error);
}

framemap_status fm_formats_parse_chunks(framemap_str text, const char *format, unsigned threads, size_t chunk_size,
                                        struct fm_arena *arena, framemap_trace **traces, size_t *count,
                                        framemap_error *error)
{
    const struct fm_parse_plan plan = {FM_PREFILTER_ALWAYS, threads, chunk_size};
    return parse(text, format, &plan, arena, traces, count, error);
}

framemap_status fm_printer_open(struct fm_printer *printer, const char *format, struct fm_heap *heap,
                                framemap_write write, void *context, framemap_error *error)
{
    *printer = (struct fm_printer){.format = NULL};
    const framemap_status status = check_written(format, error);
    if (status != FRAMEMAP_OK) return status;
    const struct fm_format *row = fm_format_named(format ? format : "text");
    printer->job =
        (struct fm_print_job){.format_named = format_named, .heap = heap, .write = write, .context = context};
    printer->job.state = row->print_state_size ? fm_heap_zalloc(heap, 1, row->print_state_size) : NULL;
    if (row->print_state_size && !printer->job.state) return fm_error_memory(error);
    printer->format = row;
    return row->print_begin ? row->print_begin(&printer->job, error) : FRAMEMAP_OK;
}

framemap_status fm_printer_batch(struct fm_printer *printer, framemap_str text, uint64_t offset,
                                 const framemap_trace *traces, size_t count, framemap_error *error)
{
    printer->job.text = text;
    printer->job.offset = offset;
    printer->job.traces = traces;
    printer->job.count = count;
    return printer->format->print(&printer->job, error);
}

framemap_status fm_printer_close(struct fm_printer *printer, const struct fm_print_totals *totals,
                                 framemap_error *error)
{
    const struct fm_format *row = printer->format;
    framemap_status status = FRAMEMAP_OK;
    if (!row) return status;
    printer->job.totals = totals;
    printer->job.text = (framemap_str){NULL, 0};
    printer->job.count = 0;
    if (totals && row->print_end) status = row->print_end(&printer->job, error);
    if (row->print_state_size) fm_heap_free(printer->job.heap, printer->job.state, row->print_state_size);
    *printer = (struct fm_printer){.format = NULL};
    return status;
}

/* Counts what the traces say; callers that restore have better counts. */
static struct fm_print_totals totals_of(framemap_str text, const framemap_trace *traces, size_t count)
{
    struct fm_print_totals totals = {.bytes = text.size, .traces = count};
    for (size_t t = 0; t < count; t++) {
        for (size_t f = 0; f < traces[t].frame_count; f++) {
            const framemap_frame_status status = traces[t].frames[f].status;
            totals.frames += status != FRAMEMAP_FRAME_NOT_NEEDED && status != FRAMEMAP_FRAME_RAW;
            totals.restored += status == FRAMEMAP_FRAME_OK || status == FRAMEMAP_FRAME_SYMBOL;
        }
    }
    for (size_t at = 0; at < text.size; at++) {
        const size_t end = fm_str_find_byte(fm_str_from(text, at), '\n');
        totals.lines++;
        if (end == FM_NOT_FOUND) break;
        at += end;
    }
    return totals;
}

framemap_status fm_formats_print(framemap_str text, const framemap_trace *traces, size_t count, const char *format,
                                 struct fm_heap *heap, framemap_write write, void *context, framemap_error *error)
{
    struct fm_printer printer;
    framemap_status status = fm_printer_open(&printer, format, heap, write, context, error);
    if (status == FRAMEMAP_OK) status = fm_printer_batch(&printer, text, 0, traces, count, error);
    const struct fm_print_totals totals = totals_of(text, traces, status == FRAMEMAP_OK ? count : 0);
    const framemap_status closed = fm_printer_close(&printer, status == FRAMEMAP_OK ? &totals : NULL, error);
    return status == FRAMEMAP_OK ? closed : status;
}
