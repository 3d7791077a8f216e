/* Any bytes as a text with stacks. What must hold of each:
 *  - every frame's raw is the slice of the text that raw_offset names, in order;
 *  - printed as text with nothing restored, it comes back byte for byte;
 *  - each line of its JSON is JSON;
 *  - printed with every frame restored it loses no line, and that text can be read and comes back too;
 *  - what is ready of it ends with a line. */
#include "core/json.h"
#include "formats/format.h"
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MUST(condition) do { if (!(condition)) abort(); } while (0)

static bool gather(void *context, const char *data, size_t size) { return fm_buf_add(context, data, size); }

static void print(framemap_str text, const framemap_trace *traces, size_t count, const char *format, struct fm_heap *heap, struct fm_buf *out)
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

static void check_frames(framemap_str text, const framemap_trace *traces, size_t count)
{
    uint64_t end = 0;
    for (size_t t = 0; t < count; t++) {
        MUST(traces[t].frame_count);
        for (size_t f = 0; f < traces[t].frame_count; f++) {
            const framemap_frame *frame = &traces[t].frames[f];
            MUST(frame->raw_offset >= end && frame->raw.size);
            end = frame->raw_offset + frame->raw.size;
            MUST(end <= text.size && frame->raw.data == text.data + frame->raw_offset);
            MUST(frame->status != FRAMEMAP_FRAME_MALFORMED || frame->reason);
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

static void check_json(framemap_str text, const framemap_trace *traces, size_t count, struct fm_heap *heap)
{
    struct fm_buf out;
    size_t lines = 0;
    print(text, traces, count, "json", heap, &out);
    struct fm_scan s = fm_scan_of(fm_buf_view(&out));
    framemap_str line;
    while (fm_scan_line(&s, &line)) {
        struct fm_json *json = NULL;
        MUST(fm_json_parse(line, heap, &json, NULL) == FRAMEMAP_OK);
        fm_json_free(json);
        lines++;
    }
    MUST(lines == count);
    fm_buf_free(&out);
}

static void check_restored(framemap_str text, framemap_trace *traces, size_t count, struct fm_heap *heap)
{
    static const framemap_frame chain[] = {
        {.function = {"inner(int)", 10}, .file = {"src/a.cc", 8}, .line = 7, .column = 3, .inlined = true},
        {.function = {"outer()", 7}, .file = {"src/a.cc", 8}, .line = 21, .has_function_offset = true, .function_offset = 24}};
    struct fm_buf out;
    for (size_t t = 0; t < count; t++)
        for (size_t f = 0; f < traces[t].frame_count; f++)
            traces[t].frames[f].restored = (framemap_frame_list){chain + (f % 2), 2 - f % 2};
    print(text, traces, count, "text", heap, &out);
    MUST(lines_in(fm_buf_view(&out)) >= lines_in(text));
    struct fm_arena arena;
    framemap_trace *again = NULL;
    size_t again_count = 0;
    fm_arena_init(&arena, heap);
    MUST(fm_formats_parse(fm_buf_view(&out), NULL, &arena, &again, &again_count, NULL) == FRAMEMAP_OK);
    check_text(fm_buf_view(&out), again, again_count, heap);
    fm_arena_free(&arena);
    fm_buf_free(&out);
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
    MUST(fm_formats_parse(text, NULL, &arena, &traces, &count, NULL) == FRAMEMAP_OK);
    check_frames(text, traces, count);
    check_text(text, traces, count, &heap);
    check_json(text, traces, count, &heap);
    check_restored(text, traces, count, &heap);
    size_t ready = fm_formats_ready(text);
    MUST(ready <= size && (ready == 0 || text.data[ready - 1] == '\n'));
    fm_arena_free(&arena);
    MUST(atomic_load(&heap.used) == 0);
    return 0;
}
