/* Implements format_registry.h: lists all formats in the order in which their parsers are tried, finds a format by
 * name, parses a text in memory, and prints parsed stacks in an output format. */
#include "formats/format_registry.h"
#include "core/error.h"
#include "formats/parsers.h"
#include "formats/scan/dispatch.h"
#include <stdlib.h>

/* The list of all formats, in the order in which a line is offered to their parsers. Formats whose lines cannot be
 * mistaken for those of another format come first. Each entry points at `info`, the first member of struct fm_format,
 * so the public API returns this same table as its list. */
/* clang-format off */
static const framemap_format_info *const table[] = {
    &fm_json_output.info,
    &fm_android_protobuf.info,
    &fm_android_pbtxt.info,
    &fm_apple_ips.info,
    &fm_instruments.info,
    &fm_metrickit.info,
    &fm_speedscope.info,
    &fm_cpuprofile.info,
    &fm_chrome_trace.info,
    &fm_firefox.info,
    &fm_android_anr.info,
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
    &fm_js_dump.info,
    &fm_js_opera.info,
    &fm_js_console.info,
    &fm_android_tombstone.info,
    &fm_android_short.info,
    &fm_apple_one_line.info,
    &fm_apple_crash.info,
    &fm_apple_sample.info,
    &fm_apple_spindump.info,
    &fm_apple_panic.info,
    &fm_apple_short.info,
    &fm_apple_symbols.info,
    &fm_kernel_fault.info,
    &fm_bsd_kernel.info,
    &fm_kernel.info,
    &fm_sos.info,
    &fm_windbg.info,
    &fm_visual_studio.info,
    &fm_perf_script.info,
    &fm_gdb.info,
    &fm_lldb.info,
    &fm_coredump.info,
    &fm_glog.info,
    &fm_boost.info,
    &fm_backward.info,
    &fm_mozilla.info,
    &fm_tizen.info,
    &fm_wine.info,
    &fm_xorg.info,
    &fm_zig.info,
    &fm_clickhouse.info,
    &fm_execinfo.info,
    &fm_chromium.info,
    &fm_valgrind.info,
    &fm_drmemory.info,
    &fm_hotspot.info,
    &fm_microdump.info,
    &fm_minidump.info,
    &fm_minidump_machine.info,
    &fm_samples.info,
    &fm_sanitizer.info,
    &fm_glibc.info,
    &fm_symbolizer_markup.info,
    &fm_js_spidermonkey.info,
    &fm_js_jsc.info,
    &fm_mongodb.info,
    &fm_sentry_event.info,
    &fm_bugsnag_event.info,
    &fm_measure_event.info,
    &fm_crashlytics_export.info,
    &fm_cdp_call_frames.info,
    &fm_react_native_frames.info,
    &fm_minidump_json.info,
    &fm_error_event.info,
    &fm_go.info,
    &fm_rust.info,
    &fm_python.info,
    &fm_pytest.info,
    &fm_ipython.info,
    &fm_dotnet.info,
    &fm_aspnet.info,
    &fm_swift.info,
    &fm_ruby.info,
    &fm_php.info,
    &fm_perl.info,
    &fm_beam.info,
    &fm_lua.info,
    &fm_gamemaker.info,
    &fm_actionscript.info,
    &fm_haxe.info,
    &fm_roku.info,
    &fm_garmin.info,
    &fm_haskell.info,
    &fm_ocaml.info,
    &fm_julia.info,
    &fm_clojure.info,
    &fm_native_image.info,
    &fm_r.info,
    &fm_unreal.info,
    &fm_unity.info,
    &fm_godot.info,
    &fm_leak_trace.info,
    &fm_dtrace.info,
    &fm_async_profiler.info,
    &fm_pprof_traces.info,
    &fm_simpleperf.info,
    &fm_folded.info,
    &fm_json_document_output.info,
    &fm_markdown_output.info,
    &fm_native_output.info,
    &fm_otlp_output.info,
    &fm_plain_output.info,
    &fm_sentry_output.info,
    &fm_text_output.info,
};
/* clang-format on */
#define FORMATS (sizeof table / sizeof table[0])
_Static_assert(offsetof(struct fm_format, info) == 0, "the table points at rows");
_Static_assert(FORMATS < FM_PARSERS_MOST, "each format may have a parser; none has the highest number");

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
    if (format && !row)
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "there is no format \"%.60s\": framemap_format_list names them",
                            format);
    if (row && !row->info.reads)
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "the format \"%s\" can be written but not read", format);
    return FRAMEMAP_OK;
}

static framemap_status check_written(const char *format, framemap_error *error)
{
    const struct fm_format *row = fm_format_named(format ? format : "text");
    if (!row)
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "there is no format \"%.60s\": framemap_format_list names them",
                            format);
    if (!row->info.writes)
        return fm_error_set(error, FRAMEMAP_E_UNSUPPORTED, "the format \"%s\" can be read but not written", format);
    return FRAMEMAP_OK;
}

framemap_status fm_formats_check(const char *format, const char *output, framemap_error *error)
{
    const framemap_status status = check_read(format, error);
    return status == FRAMEMAP_OK ? check_written(output, error) : status;
}

/* Lists the formats to parse a text with. only: the one format to use; NULL: all formats that can be read. Returns the
 * number of formats. */
static size_t rows_in_use(const struct fm_format *only, const struct fm_format *rows[FM_PARSERS_MOST])
{
    size_t count = 0;
    for (size_t i = 0; i < FORMATS; i++) {
        const struct fm_format *row = fm_format_at(i);
        if (only ? row == only : row->info.reads && !row->parsed_by_earlier) rows[count++] = row;
    }
    return count;
}

framemap_status fm_formats_open(const char *format, struct fm_heap *heap, struct fm_parser_table **parsers,
                                framemap_error *error)
{
    const framemap_status status = check_read(format, error);
    const struct fm_format *rows[FM_PARSERS_MOST];
    if (status != FRAMEMAP_OK) return status;
    *parsers = fm_heap_resize(heap, NULL, 0, sizeof **parsers);
    if (*parsers == NULL) return fm_error_memory(error);
    fm_parser_table_init(*parsers, rows, rows_in_use(format ? fm_format_named(format) : NULL, rows));
    return FRAMEMAP_OK;
}

void fm_formats_close(struct fm_heap *heap, struct fm_parser_table *parsers)
{
    fm_heap_free(heap, parsers, sizeof *parsers);
}

static int by_place(const void *left, const void *right)
{
    const framemap_trace *a = left, *b = right;
    if (a->offset != b->offset) return a->offset < b->offset ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

void fm_traces_sort(framemap_trace *traces, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        if (by_place(&traces[i - 1], &traces[i]) <= 0) continue;
        qsort(traces, count, sizeof *traces, by_place);
        return;
    }
}

/* Copies the traces of a whole text into the arena, sorted by their offsets in the text. */
static framemap_trace *take_traces(struct fm_dispatch *dispatch, struct fm_arena *arena)
{
    const struct fm_trace_sink *sink = &dispatch->sink;
    framemap_trace *traces = fm_arena_alloc(arena, sink->count * sizeof *traces);
    if (traces == NULL) return NULL;
    if (sink->count) memcpy(traces, sink->traces, sink->count * sizeof *traces);
    fm_traces_sort(traces, sink->count);
    return traces;
}

/* Parses whole lines, in steps of about `piece` bytes. */
static void parse_pieces(struct fm_dispatch *dispatch, framemap_str text, size_t piece)
{
    size_t at = 0;
    fm_dispatch_window(dispatch, text, 0);
    while (at < text.size && text.size - at > piece) {
        /* Without a line end in the text, this offset is FM_NOT_FOUND + 1, which is 0: the start of the text. */
        const size_t end = fm_str_find_last_byte(fm_str(text.data, at + piece), '\n') + 1;
        if (end > at) {
            fm_dispatch_parse(dispatch, end);
            (void)fm_dispatch_floor(dispatch);
        }
        at += piece;
    }
    fm_dispatch_parse(dispatch, text.size);
    fm_dispatch_end_all(dispatch, FRAMEMAP_CLOSED_BY_END, text.size);
}

framemap_status fm_formats_parse_pieces(framemap_str text, const char *format, enum fm_prefilter_use use, size_t piece,
                                        struct fm_arena *arena, framemap_trace **traces, size_t *count,
                                        framemap_error *error)
{
    struct fm_heap *heap = arena->heap;
    struct fm_parser_table *parsers = NULL;
    const framemap_status status = fm_formats_open(format, heap, &parsers, error);
    if (status != FRAMEMAP_OK) return status;
    struct fm_dispatch *dispatch = fm_heap_resize(heap, NULL, 0, sizeof *dispatch);
    bool good = dispatch && fm_dispatch_open(dispatch, heap, arena, parsers, use, UINT64_MAX, UINT64_MAX);
    if (good) {
        parse_pieces(dispatch, text, piece);
        *count = dispatch->sink.count;
        *traces = take_traces(dispatch, arena);
        good = !dispatch->failed && *traces;
    }
    if (dispatch) fm_dispatch_close(dispatch);
    fm_heap_free(heap, dispatch, sizeof *dispatch);
    fm_formats_close(heap, parsers);
    return good ? FRAMEMAP_OK : fm_error_memory(error);
}

framemap_status fm_formats_parse_prefiltered(framemap_str text, const char *format, enum fm_prefilter_use use,
                                             struct fm_arena *arena, framemap_trace **traces, size_t *count,
                                             framemap_error *error)
{
    return fm_formats_parse_pieces(text, format, use, text.size, arena, traces, count, error);
}

framemap_status fm_formats_parse(framemap_str text, const char *format, struct fm_arena *arena, framemap_trace **traces,
                                 size_t *count, framemap_error *error)
{
    return fm_formats_parse_prefiltered(text, format, FM_PREFILTER_ALWAYS, arena, traces, count, error);
}

framemap_status fm_printer_open(struct fm_printer *printer, const char *format, struct fm_heap *heap,
                                framemap_write write, void *context, framemap_error *error)
{
    *printer = (struct fm_printer){.format = NULL};
    const framemap_status status = check_written(format, error);
    if (status != FRAMEMAP_OK) return status;
    const struct fm_format *row = fm_format_named(format ? format : "text");
    printer->job = (struct fm_print_job){
        .format_named = format_named, .format = row, .heap = heap, .write = write, .context = context};
    fm_buf_init(&printer->out, heap);
    printer->job.state = row->output->state_size ? fm_heap_zalloc(heap, 1, row->output->state_size) : NULL;
    if (row->output->state_size && !printer->job.state) return fm_error_memory(error);
    printer->format = row;
    return FRAMEMAP_OK;
}

framemap_status fm_printer_begin(struct fm_printer *printer, framemap_error *error)
{
    return printer->format->output->print_begin ? printer->format->output->print_begin(&printer->job, error)
                                                : FRAMEMAP_OK;
}

framemap_status fm_printer_batch(struct fm_printer *printer, framemap_str text, uint64_t offset,
                                 const framemap_trace *traces, size_t count, framemap_error *error)
{
    printer->job.text = text;
    printer->job.offset = offset;
    printer->job.traces = traces;
    printer->job.count = count;
    printer->job.out = &printer->out;
    return printer->format->output->print(&printer->job, error);
}

bool fm_printer_is_text(const struct fm_printer *printer) { return printer->format == &fm_text_output; }

framemap_status fm_printer_close(struct fm_printer *printer, const struct fm_print_totals *totals,
                                 framemap_error *error)
{
    const struct fm_format *row = printer->format;
    framemap_status status = FRAMEMAP_OK;
    if (!row) return status;
    printer->job.totals = totals;
    printer->job.text = (framemap_str){NULL, 0};
    printer->job.count = 0;
    if (totals && row->output->print_end) status = row->output->print_end(&printer->job, error);
    if (row->output->state_size) fm_heap_free(printer->job.heap, printer->job.state, row->output->state_size);
    fm_buf_free(&printer->out);
    *printer = (struct fm_printer){.format = NULL};
    return status;
}

void fm_print_totals_add(struct fm_print_totals *totals, framemap_str text, const framemap_trace *traces, size_t count)
{
    totals->bytes += text.size;
    totals->traces += count;
    for (size_t t = 0; t < count; t++) {
        for (size_t f = 0; f < traces[t].frame_count; f++) {
            const framemap_frame_status status = traces[t].frames[f].status;
            totals->frames += status != FRAMEMAP_FRAME_NOT_NEEDED && status != FRAMEMAP_FRAME_RAW;
            totals->restored += status == FRAMEMAP_FRAME_OK || status == FRAMEMAP_FRAME_SYMBOL;
        }
    }
    for (size_t at = 0; at < text.size; at++) {
        const size_t end = fm_str_find_byte(fm_str_from(text, at), '\n');
        totals->lines++;
        if (end == FM_NOT_FOUND) break;
        at += end;
    }
}

framemap_status fm_formats_print(framemap_str text, const framemap_trace *traces, size_t count, const char *format,
                                 struct fm_heap *heap, framemap_write write, void *context, framemap_error *error)
{
    struct fm_printer printer;
    framemap_status status = fm_printer_open(&printer, format, heap, write, context, error);
    if (status == FRAMEMAP_OK) status = fm_printer_begin(&printer, error);
    if (status == FRAMEMAP_OK) status = fm_printer_batch(&printer, text, 0, traces, count, error);
    struct fm_print_totals totals = {.bytes = 0};
    fm_print_totals_add(&totals, text, traces, status == FRAMEMAP_OK ? count : 0);
    const framemap_status closed = fm_printer_close(&printer, status == FRAMEMAP_OK ? &totals : NULL, error);
    return status == FRAMEMAP_OK ? closed : status;
}
