/* Reads any bytes as a text with stack traces. Properties:
 *  - the `raw` of each frame and mention is the slice of the text at raw_offset, and the offsets increase;
 *  - printed as text with nothing restored, the text is unchanged;
 *  - each line of the text's JSON output is JSON;
 *  - printed with frames restored (some with source lines), hidden or ambiguous, the text loses only the lines of
 *    hidden frames, and the result can be read and printed again unchanged;
 *  - no control character of a restored name is printed;
 *  - reading gives the same traces with and without the prefilter, and in pieces;
 *  - the SIMD and portable versions of the prefilter find the same lines. */
#include "core/json/json.h"
#include "core/text/buffer.h"
#include "formats/format_registry.h"
#include "formats/scan/prefilter.h"
#include "fuzz/support/hostile.h"
#include "tests/formats/same_traces.h"
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MUST(condition)            \
    do {                           \
        if (!(condition)) abort(); \
    } while (0)

static bool gather(void *context, const char *data, size_t size) { return fm_buf_add(context, data, size); }

static void print(framemap_str text, const framemap_trace *traces, size_t count, const char *format,
                  struct fm_heap *heap, struct fm_buf *out)
{
    fm_buf_init(out, heap);
    MUST(fm_formats_print(text, traces, count, format, heap, gather, out, NULL) == FRAMEMAP_OK);
}

static size_t lines_in(framemap_str text)
{
    size_t count = 0;
    for (size_t i = 0; i < text.size; i++) count += text.data[i] == '\n';
    return count;
}

/* Whether a trace is linked to another one. Such a trace may have an exception but no frames, for example "[CIRCULAR
 * REFERENCE: a.b]". */
static bool is_linked(const framemap_trace *trace, const framemap_trace *traces, size_t count)
{
    bool linked = trace->role != FRAMEMAP_ROLE_NONE;
    for (size_t t = 0; t < count && !linked; t++)
        linked = traces[t].role != FRAMEMAP_ROLE_NONE && traces[t].part_of == trace->number;
    return linked;
}

/* Whether stacks in this format refer to a table of frames. Frames are then in any order, and one frame may occur
 * several times. */
static bool has_frame_table(framemap_str format)
{
    static const char *const names[] = {"chrome-trace", "firefox-profile", "speedscope", "v8-cpuprofile"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (fm_str_equal(format, framemap_str_of(names[i]))) return true;
    return false;
}

/* Checks that the frames of a trace are in the order of the text, unless they are in a table, and that traces are
 * sorted by their starts. The lines of one trace may be between the lines of another. */
static void check_frames(framemap_str text, const framemap_trace *traces, size_t count)
{
    for (size_t t = 0; t < count; t++) {
        uint64_t end = 0;
        const bool ordered = !has_frame_table(traces[t].format);
        MUST(t == 0 || traces[t].offset >= traces[t - 1].offset);
        MUST(traces[t].frame_count || (traces[t].exception.size && is_linked(&traces[t], traces, count)));
        for (size_t f = 0; f < traces[t].frame_count; f++) {
            const framemap_frame *frame = &traces[t].frames[f];
            MUST((frame->raw_offset >= end || !ordered) && frame->raw.size);
            end = frame->raw_offset + frame->raw.size;
            MUST(end <= text.size && frame->raw.data == text.data + frame->raw_offset);
            MUST(frame->status != FRAMEMAP_FRAME_MALFORMED || frame->reason);
        }
    }
}

/* Checks that each mention is where the trace says: after the frames above it and before the next frame. */
static void check_mentions(framemap_str text, const framemap_trace *trace)
{
    uint64_t end = 0;
    for (size_t m = 0; m < trace->mention_count; m++) {
        const framemap_mention *mention = &trace->mentions[m];
        MUST(mention->raw.size && mention->raw_offset >= end && mention->before_frame <= trace->frame_count);
        end = mention->raw_offset + mention->raw.size;
        MUST(end <= text.size && mention->raw.data == text.data + mention->raw_offset);
        if (mention->before_frame < trace->frame_count) MUST(end <= trace->frames[mention->before_frame].raw_offset);
        if (mention->before_frame) {
            const framemap_frame *above = &trace->frames[mention->before_frame - 1];
            MUST(mention->raw_offset >= above->raw_offset + above->raw.size);
        }
    }
}

static void check_text(framemap_str text, const framemap_trace *traces, size_t count, struct fm_heap *heap)
{
    struct fm_buf out;
    print(text, traces, count, "text", heap, &out);
    MUST(fm_str_equal(fm_buf_view(&out), text));
    fm_buf_free(&out);
}

/* Counts the lines of the output, and checks that each of them is a JSON value. */
static size_t json_lines(framemap_str text, const framemap_trace *traces, size_t count, const char *output,
                         struct fm_heap *heap)
{
    struct fm_buf out;
    size_t lines = 0;
    print(text, traces, count, output, heap, &out);
    struct fm_scan s = fm_scan_of(fm_buf_view(&out));
    framemap_str line;
    while (fm_scan_line(&s, &line)) {
        struct fm_json *json = NULL;
        MUST(fm_json_parse(line, heap, &json, NULL) == FRAMEMAP_OK);
        fm_json_free(json);
        lines++;
    }
    fm_buf_free(&out);
    return lines;
}

static void check_json(framemap_str text, const framemap_trace *traces, size_t count, struct fm_heap *heap)
{
    struct fm_buf out;
    /* besides the traces, the output has a line for its start, one for its end, and one for each list of images */
    MUST(json_lines(text, traces, count, "json", heap) >= count + 2);
    MUST(json_lines(text, traces, count, "sentry", heap) <= count);
    MUST(json_lines(text, traces, count, "otlp", heap) <= count);
    print(text, traces, count, "markdown", heap, &out);
    for (size_t i = 0; i < out.size; i++) MUST((unsigned char)out.data[i] >= ' ' || out.data[i] == '\n');
    fm_buf_free(&out);
}

/* Marks all frames as restored. One of every four Java frames is hidden, and another one gets several candidates.
 * Returns the number of hidden frames. */
static size_t dress(framemap_trace *trace)
{
    static const framemap_frame chain[] = {{.class_name = {"x.\"Y\\", 5},
                                            .function = {"inner(int)", 10},
                                            .file = {"src/a.cc", 8},
                                            .line = 7,
                                            .column = 3,
                                            .inlined = true,
                                            .context = {"a \"b\\\n\tat f (a.js:1:2)\n", 22},
                                            .context_line = 6},
                                           {.class_name = {"x.Z", 3},
                                            .function = {"outer" HOSTILE, sizeof "outer" HOSTILE - 1},
                                            .file = {"src/a.cc", 8},
                                            .line = 21,
                                            .has_function_offset = true,
                                            .function_offset = 24}};
    static const framemap_frame_list others[9] = {{chain, 1}, {chain, 2}, {chain, 2}, {chain, 2}, {chain, 2},
                                                  {chain, 2}, {chain, 2}, {chain, 2}, {chain, 2}};
    size_t hidden = 0;
    for (size_t f = 0; f < trace->frame_count; f++) {
        framemap_frame *frame = &trace->frames[f];
        bool java = frame->kind == FRAMEMAP_KIND_JAVA;
        frame->status = FRAMEMAP_FRAME_OK;
        if (java && f % 4 == 3) {
            hidden++;
            continue;
        }
        frame->restored = (framemap_frame_list){chain + (f % 2), 2 - f % 2};
        if (!java || f % 4 != 2) continue;
        frame->alternatives = others;
        frame->alternative_count = f % 10;
    }
    for (size_t m = 0; m < trace->mention_count; m++) trace->mentions[m].restored = chain[0].class_name;
    return hidden;
}

static void check_restored(framemap_str text, framemap_trace *traces, size_t count, struct fm_heap *heap)
{
    struct fm_buf out;
    size_t hidden = 0;
    for (size_t t = 0; t < count; t++) hidden += dress(&traces[t]);
    print(text, traces, count, "text", heap, &out);
    MUST(lines_in(fm_buf_view(&out)) + hidden >= lines_in(text));
    check_hostile(text, fm_buf_view(&out));
    check_json(text, traces, count, heap);
    struct fm_arena arena;
    framemap_trace *again = NULL;
    size_t again_count = 0;
    fm_arena_init(&arena, heap);
    MUST(fm_formats_parse(fm_buf_view(&out), NULL, &arena, &again, &again_count, NULL) == FRAMEMAP_OK);
    check_text(fm_buf_view(&out), again, again_count, heap);
    fm_arena_free(&arena);
    fm_buf_free(&out);
}

static void check_passing(framemap_str text, const framemap_trace *traces, size_t count, struct fm_heap *heap)
{
    struct fm_arena arena;
    framemap_trace *passed = NULL;
    size_t passed_count = 0;
    fm_arena_init(&arena, heap);
    MUST(fm_formats_parse_prefiltered(text, NULL, FM_PREFILTER_ALWAYS, &arena, &passed, &passed_count, NULL) ==
         FRAMEMAP_OK);
    MUST(same_traces(traces, count, passed, passed_count));
    /* `piece` is the size in bytes of the parts in which the text is read */
    for (size_t piece = 16; piece <= 1024; piece *= 8) {
        fm_arena_reset(&arena);
        MUST(fm_formats_parse_pieces(text, NULL, FM_PREFILTER_ALWAYS, piece, &arena, &passed, &passed_count, NULL) ==
             FRAMEMAP_OK);
        MUST(same_traces(traces, count, passed, passed_count));
    }
    fm_arena_free(&arena);
}

static void make_prefilter(struct fm_prefilter *prefilter)
{
    const struct fm_format *format;
    fm_prefilter_init(prefilter);
    for (size_t i = 0; (format = fm_format_at(i)) != NULL; i++) fm_prefilter_add(prefilter, format, (unsigned)i);
    fm_prefilter_finish(prefilter);
}

/* Checks that all prefilters that this CPU supports find the same lines. */
static void check_prefilter(framemap_str text)
{
    struct fm_prefilter prefilter;
    struct fm_prefilter_walk plain, walk;
    fm_prefilter_scan *scan;
    make_prefilter(&prefilter);
    for (unsigned skip = 0; (scan = fm_prefilter_best_scan(skip)) != NULL; skip++) {
        fm_prefilter_start(&walk, &prefilter, text);
        walk.scan = scan;
        for (size_t at = 0; at < text.size;) {
            fm_prefilter_start(&plain, &prefilter, text);
            plain.scan = fm_prefilter_scan_plain;
            const struct fm_prefilter_line next = fm_prefilter_next(&walk, at), want = fm_prefilter_next(&plain, at);
            MUST(next.at == want.at && next.lines == want.lines && next.at >= at && next.at <= text.size);
            const size_t end = fm_str_find_byte(fm_str_from(text, next.at), '\n');
            at = end == FM_NOT_FOUND ? text.size : next.at + end + 1;
            MUST(fm_parsers_equal(fm_prefilter_parsers(&walk, next.at, at), fm_prefilter_parsers(&plain, next.at, at)));
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fm_heap heap;
    struct fm_arena arena;
    framemap_trace *traces = NULL;
    size_t count = 0;
    framemap_str text = fm_str(data, size);
    fm_heap_init(&heap, NULL, 0);
    fm_arena_init(&arena, &heap);
    MUST(fm_formats_parse_prefiltered(text, NULL, FM_PREFILTER_NEVER, &arena, &traces, &count, NULL) == FRAMEMAP_OK);
    check_passing(text, traces, count, &heap);
    check_prefilter(text);
    check_frames(text, traces, count);
    for (size_t t = 0; t < count; t++) check_mentions(text, &traces[t]);
    check_text(text, traces, count, &heap);
    check_json(text, traces, count, &heap);
    check_restored(text, traces, count, &heap);
    fm_arena_free(&arena);
    MUST(atomic_load(&heap.used) == 0);
    return 0;
}
