/* The table of formats, and what is done with it: text to traces, traces to output. */
#include "core/fault.h"
#include "core/word.h"
#include "formats/doc.h"
#include "formats/lines.h"
#include "formats/readers.h"
#include "formats/skim.h"
#include "formats/text_print.h"

const struct fm_format fm_text_traces = {.name = "text"};

/* In the order in which they are asked: the ones that nothing else looks like first. */
static const struct fm_format *const table[] = {
    &fm_java,          &fm_dart,      &fm_dart_crash, &fm_js_v8,     &fm_hermes, &fm_android_tombstone, &fm_android_short, &fm_apple_crash, &fm_apple_short,
    &fm_apple_symbols, &fm_samples, &fm_sanitizer, &fm_glibc,  &fm_js_spidermonkey,   &fm_js_jsc,        &fm_json_traces, &fm_native_traces, &fm_text_traces};
#define FORMATS (sizeof table / sizeof table[0])
_Static_assert(FORMATS <= 32, "a bit of a word for each");

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

/* The readers that are asked, each with its state; and, as bits of their places, which of them are by what a line begins with, ends with and lacks. */
struct readers {
    const struct fm_format *format[FORMATS];
    void *state[FORMATS];
    size_t count;
    uint32_t by_first[256], by_last[256], by_lacks[256];
};

static void allow(uint32_t by_byte[256], const char *bytes, uint32_t reader)
{
    for (; bytes && *bytes; bytes++) by_byte[(unsigned char)*bytes] |= reader;
}

static void tell_lines_apart(struct readers *readers)
{
    uint32_t any = 0;
    for (size_t i = 0; i < readers->count; i++) {
        const struct fm_format *format = readers->format[i];
        const uint32_t reader = UINT32_C(1) << i;
        allow(readers->by_first, format->firsts, reader);
        allow(readers->by_last, format->lasts, reader);
        if (!format->firsts && !format->lasts && !format->has) any |= reader;
        for (unsigned lacks = 0; format->has && lacks < 256; lacks++)
            if (format->has & ~lacks) readers->by_lacks[lacks] |= reader;
    }
    for (unsigned lacks = 0; lacks < 256; lacks++) readers->by_lacks[lacks] |= any;
}

/* The readers that a line with a first byte may be for. */
static uint32_t asked(const struct readers *readers, const struct fm_line *line)
{
    return readers->by_first[(unsigned char)line->first] | readers->by_last[(unsigned char)line->last] | readers->by_lacks[line->lacks];
}

static framemap_status readers_make(struct readers *readers, const char *format, struct fm_arena *arena, framemap_error *error)
{
    const struct fm_format *only = format ? fm_format_named(format) : NULL;
    if (format && !only) return fm_fault(error, FRAMEMAP_E_ARGUMENT, "there is no format \"%s\"", format);
    if (only && !only->line) return fm_fault(error, FRAMEMAP_E_ARGUMENT, "the format \"%s\" can be written but not read", format);
    for (size_t i = 0; i < FORMATS; i++) {
        if (!table[i]->line || (only ? only != table[i] : table[i]->read_by_another)) continue;
        void *state = fm_arena_zalloc(arena, 1, table[i]->state_size);
        if (!state) return fm_fault_memory(error);
        readers->format[readers->count] = table[i];
        readers->state[readers->count++] = state;
    }
    tell_lines_apart(readers);
    return FRAMEMAP_OK;
}

static void offer(const struct readers *readers, struct fm_doc *doc, const struct fm_line *line)
{
    for (uint32_t left = asked(readers, line); left; left &= left - 1) {
        const unsigned i = fm_lowest_bit(left);
        const struct fm_format *format = readers->format[i];
        if (format->probe && !format->probe(line)) continue;
        const enum fm_line_role role = format->line(readers->state[i], doc, line);
        if (role != FM_ROLE_NONE) fm_doc_watch(doc, line->number1 + FM_WATCHED);
        if (role == FM_ROLE_FRAME) return;
    }
}

/* --- lines that say nothing --- */

static bool any_tells(const struct readers *readers, const struct fm_line *line)
{
    for (uint32_t left = line->first ? asked(readers, line) : 0; left; left &= left - 1) {
        const struct fm_format *format = readers->format[fm_lowest_bit(left)];
        if ((format->probe == NULL || format->probe(line)) && (format->tells == NULL || format->tells(line))) return true;
    }
    return false;
}

/* Puts the walk where the next line begins that says something, or behind the last line. */
static void find_telling(const struct readers *readers, struct fm_skim_walk *skim, struct fm_lines *lines)
{
    struct fm_lines ahead = *lines;
    struct fm_line line;
    for (;;) {
        const struct fm_skimmed next = fm_skim_next(skim, ahead.at);
        fm_lines_skip(&ahead, next.at, next.lines);
        lines->at = ahead.at;
        lines->number1 = ahead.number1;
        if (!fm_lines_next(&ahead, &line)) return;
        /* A line of several was a string: it ends what was known of the lines above. */
        if (ahead.pieces.at || any_tells(readers, &line)) return;
    }
}

/* Has the readers know the last of the lines that were passed over from `from` on. */
static void recall(const struct readers *readers, struct fm_doc *doc, const struct fm_lines *lines, const struct fm_lines *from)
{
    struct fm_lines back = *from;
    struct fm_line line;
    size_t passed;
    back.at = fm_skim_back(lines->text, from->at, lines->at, FM_RECALLED, &passed);
    back.number1 = lines->number1 - passed;
    while (back.at < lines->at && fm_lines_next(&back, &line)) {
        for (size_t i = 0; i < readers->count && line.first; i++)
            if (readers->format[i]->recall) readers->format[i]->recall(readers->state[i], doc, &line);
    }
}

/* Passes over what says nothing from the line on that comes next. */
static void pass_over(const struct readers *readers, struct fm_skim_walk *skim, struct fm_doc *doc, struct fm_lines *lines)
{
    const struct fm_lines from = *lines;
    find_telling(readers, skim, lines);
    if (lines->at < lines->text.size) recall(readers, doc, lines, &from);
    fm_doc_watch(doc, lines->number1 + 1 + FM_WATCHED);
}

static void read_lines(const struct readers *readers, struct fm_doc *doc, framemap_str text, enum fm_passing passing)
{
    enum { WORTH_IT = 2048 }; /* bytes of text from which on the tables of marks pay */
    struct fm_skim skim;
    struct fm_skim_walk walk;
    struct fm_lines lines = {.text = text};
    struct fm_line line;
    const bool skims = passing == FM_PASS_ALWAYS || (passing == FM_PASS_WHERE_IT_PAYS && text.size >= WORTH_IT);
    if (skims) {
        fm_skim_make(&skim);
        fm_skim_begin(&walk, &skim, text);
    }
    while (!doc->failed) {
        if (skims && lines.number1 >= doc->watched && lines.pieces.at == NULL) pass_over(readers, &walk, doc, &lines);
        if (!fm_lines_next(&lines, &line)) break;
        if (line.first) offer(readers, doc, &line);
    }
}

framemap_status fm_formats_parse_passing(framemap_str text, const char *format, enum fm_passing passing, struct fm_arena *arena,
                                         framemap_trace **traces, size_t *count, framemap_error *error)
{
    struct readers readers = {.count = 0};
    struct fm_doc doc = {.arena = arena};
    framemap_status status = readers_make(&readers, format, arena, error);
    if (status != FRAMEMAP_OK) return status;
    read_lines(&readers, &doc, text, passing);
    for (size_t i = 0; i < readers.count && !doc.failed; i++)
        if (readers.format[i]->finish) readers.format[i]->finish(readers.state[i], &doc);
    if (!doc.failed) fm_doc_report_end(&doc);
    if (doc.failed) return fm_fault_memory(error);
    *traces = doc.traces;
    *count = doc.trace_count;
    return FRAMEMAP_OK;
}

framemap_status fm_formats_parse(framemap_str text, const char *format, struct fm_arena *arena, framemap_trace **traces, size_t *count,
                                 framemap_error *error)
{
    return fm_formats_parse_passing(text, format, FM_PASS_WHERE_IT_PAYS, arena, traces, count, error);
}

static framemap_status print_lines(const struct fm_format *format, const framemap_trace *traces, size_t count, struct fm_heap *heap,
                                   framemap_write write, void *context, framemap_error *error)
{
    struct fm_buf out;
    bool refused = false;
    fm_buf_init(&out, heap);
    for (size_t i = 0; i < count && !refused && !out.failed; i++) {
        fm_buf_clear(&out);
        format->print_trace(&out, &traces[i]);
        if (!out.failed) refused = !write(context, out.data, out.size);
    }
    bool failed = out.failed;
    fm_buf_free(&out);
    if (failed) return fm_fault_memory(error);
    return refused ? fm_fault(error, FRAMEMAP_E_IO, "the output can't be written") : FRAMEMAP_OK;
}

framemap_status fm_formats_print(framemap_str text, const framemap_trace *traces, size_t count, const char *format, struct fm_heap *heap,
                                 framemap_write write, void *context, framemap_error *error)
{
    const struct fm_format *output = fm_format_named(format ? format : "text");
    if (!output) return fm_fault(error, FRAMEMAP_E_ARGUMENT, "there is no format \"%s\"", format);
    if (output->line) return fm_fault(error, FRAMEMAP_E_UNSUPPORTED, "the format \"%s\" can be read but not written", format);
    if (output->print_trace) return print_lines(output, traces, count, heap, write, context, error);
    return fm_text_print(text, traces, count, heap, write, context, error);
}
