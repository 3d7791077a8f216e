/* The table of formats, and what is done with it: text to traces, traces to output. */
#include "core/error.h"
#include "formats/output/output_text.h"
#include "formats/parsers.h"
#include "formats/scan/dispatch.h"

const struct fm_format fm_text_traces = {.name = "text"};

/* In the order in which they are asked: the ones that nothing else looks like first. */
static const struct fm_format *const table[] = {&fm_java,          &fm_dart,
                                                &fm_dart_crash,    &fm_js_v8,
                                                &fm_hermes,        &fm_android_tombstone,
                                                &fm_android_short, &fm_apple_crash,
                                                &fm_apple_short,   &fm_apple_symbols,
                                                &fm_samples,       &fm_sanitizer,
                                                &fm_glibc,         &fm_js_spidermonkey,
                                                &fm_js_jsc,        &fm_json_traces,
                                                &fm_native_traces, &fm_text_traces};
#define FORMATS (sizeof table / sizeof table[0])
_Static_assert(FORMATS <= FM_PARSERS_MOST, "any may be asked");

static const framemap_format_info infos[FORMATS] = {
    {"java", "Java and Kotlin stacks, whatever stands around them (at a.b.c(SourceFile:12))", true, false},
    {"dart", "Dart and Flutter traces without symbols (#00 abs … virt … _kDartSnapshotText+0x…)", true, false},
    {"dart-crash", "crash dumps of Dart's VM (pc 0x… fp 0x… _kDartSnapshotText+0x…)", true, false},
    {"js-v8", "JavaScript of Chrome, Node, Edge, Deno (at f (main.js:1:2))", true, false},
    {"hermes", "JavaScript of React Native on Hermes (at f (address at index.android.bundle:1:123))", true, false},
    {"android-tombstone", "Android native frames: tombstones, logcat, ANR traces (#00 pc …)", true, false},
    {"android-short", "Android native frames in short (pc 0x… libapp.so [arm64-v8a::ID])", true, false},
    {"apple-crash", "Apple crash reports as text (.crash, .ips up to iOS 14, KSCrash)", true, false},
    {"apple-short", "Apple frames without an index (App 0x… 0x… + 12 [UUID])", true, false},
    {"apple-symbols", "Apple call stack symbols (0   App   0x… App + 12), First throw call stack", true, false},
    {"samples", "program counters of samplers, one a line (0x…(App + 0x…), Frame(pc: 1, module: …))", true, false},
    {"sanitizer", "sanitizer reports (#0 0x… (lib.so+0x12))", true, false},
    {"glibc", "backtrace_symbols of glibc (app(+0x12) [0x…])", true, false},
    {"js-spidermonkey", "JavaScript of Firefox (f@main.js:1:2)", true, false},
    {"js-jsc", "JavaScript of Safari and React Native (f@main.jsbundle:1:2, f@[native code])", true, false},
    {"json", "one JSON object a trace and line", false, true},
    {"native", "rows of addresses (0   App   0x… 0x…+12), of frames that tell where their image begins", false, true},
    {"text", "the text itself, with its frames restored in place", false, true}};

const struct fm_format *const *fm_format_table(size_t *count)
{
    *count = FORMATS;
    return table;
}

const framemap_format_info *fm_format_infos(size_t *count)
{
    *count = FORMATS;
    return infos;
}

const struct fm_format *fm_format_named_str(framemap_str name)
{
    for (size_t i = 0; i < FORMATS; i++)
        if (fm_str_equal(name, fm_str(table[i]->name, strlen(table[i]->name)))) return table[i];
    return NULL;
}

const struct fm_format *fm_format_named(const char *name) { return fm_format_named_str(fm_str(name, strlen(name))); }

static framemap_status check_read(const char *format, framemap_error *error)
{
    const struct fm_format *row = format ? fm_format_named(format) : NULL;
    if (format && !row) return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "there is no format \"%s\"", format);
    if (row && !row->line)
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "the format \"%s\" can be written but not read", format);
    return FRAMEMAP_OK;
}

static framemap_status check_written(const char *format, framemap_error *error)
{
    const struct fm_format *row = fm_format_named(format ? format : "text");
    if (!row) return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "there is no format \"%s\"", format);
    if (row->line)
        return fm_error_set(error, FRAMEMAP_E_UNSUPPORTED, "the format \"%s\" can be read but not written", format);
    return FRAMEMAP_OK;
}

framemap_status fm_formats_check(const char *format, const char *output, framemap_error *error)
{
    const framemap_status status = check_read(format, error);
    return status == FRAMEMAP_OK ? check_written(output, error) : status;
}

/* The readers that are asked: all, or the one of a name. */
static framemap_status readers_make(const char *format, struct fm_arena *arena, struct fm_byte_reader readers[FORMATS],
                                    size_t *count, framemap_error *error)
{
    const framemap_status status = check_read(format, error);
    if (status != FRAMEMAP_OK) return status;
    const struct fm_format *only = format ? fm_format_named(format) : NULL;
    for (size_t i = 0; i < FORMATS; i++) {
        if (!table[i]->line || (only ? only != table[i] : table[i]->read_by_another)) continue;
        void *state = fm_arena_zalloc(arena, 1, table[i]->state_size);
        if (!state) return fm_error_memory(error);
        readers[(*count)++] = (struct fm_byte_reader){table[i], state};
    }
    return FRAMEMAP_OK;
}

static framemap_status parse(framemap_str text, const char *format, const struct fm_reading_plan *plan,
                             struct fm_arena *arena, framemap_trace **traces, size_t *count, framemap_error *error)
{
    struct fm_byte_reader readers[FORMATS];
    size_t reader_count = 0;
    struct fm_document doc = {.arena = arena};
    framemap_status status = readers_make(format, arena, readers, &reader_count, error);
    if (status != FRAMEMAP_OK) return status;
    fm_read_text(readers, reader_count, text, plan, &doc);
    for (size_t i = 0; i < reader_count && !doc.failed; i++)
        if (readers[i].format->finish) readers[i].format->finish(readers[i].state, &doc);
    if (!doc.failed) fm_document_report_end(&doc);
    if (doc.failed) return fm_error_memory(error);
    *traces = doc.traces;
    *count = doc.trace_count;
    return FRAMEMAP_OK;
}

framemap_status fm_formats_parse(framemap_str text, const char *format, unsigned threads, struct fm_arena *arena,
                                 framemap_trace **traces, size_t *count, framemap_error *error)
{
    const struct fm_reading_plan plan = {FM_PASS_WHERE_IT_PAYS, threads, threads > 1 ? FM_PIECE : FM_IN_ONE_PIECE};
    return parse(text, format, &plan, arena, traces, count, error);
}

framemap_status fm_formats_parse_passing(framemap_str text, const char *format, enum fm_passing passing,
                                         struct fm_arena *arena, framemap_trace **traces, size_t *count,
                                         framemap_error *error)
{
    const struct fm_reading_plan plan = {passing, 1, FM_IN_ONE_PIECE};
    return parse(text, format, &plan, arena, traces, count, error);
}

framemap_status fm_formats_parse_pieces(framemap_str text, const char *format, unsigned threads, size_t piece,
                                        struct fm_arena *arena, framemap_trace **traces, size_t *count,
                                        framemap_error *error)
{
    const struct fm_reading_plan plan = {FM_PASS_ALWAYS, threads, piece};
    return parse(text, format, &plan, arena, traces, count, error);
}

static framemap_status print_lines(const struct fm_format *format, const framemap_trace *traces, size_t count,
                                   struct fm_heap *heap, framemap_write write, void *context, framemap_error *error)
{
    struct fm_buf out;
    bool refused = false, lacked = false;
    fm_buf_init(&out, heap);
    for (size_t i = 0; i < count && !refused; i++) {
        fm_buf_clear(&out);
        format->print_trace(&out, &traces[i]);
        if (out.failed)
            lacked = true; /* the others may be shorter */
        else
            refused = !write(context, out.data, out.size);
    }
    fm_buf_free(&out);
    if (refused) return fm_error_set(error, FRAMEMAP_E_IO, "the output can't be written");
    return lacked ? fm_error_memory(error) : FRAMEMAP_OK;
}

framemap_status fm_formats_print(framemap_str text, const framemap_trace *traces, size_t count, const char *format,
                                 struct fm_heap *heap, framemap_write write, void *context, framemap_error *error)
{
    const framemap_status status = check_written(format, error);
    if (status != FRAMEMAP_OK) return status;
    const struct fm_format *output = fm_format_named(format ? format : "text");
    if (output->print_trace) return print_lines(output, traces, count, heap, write, context, error);
    return fm_text_print(text, traces, count, heap, write, context, error);
}
