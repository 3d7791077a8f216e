/* Finds the lines of source around a frame, in the source texts that an index contains. */
#include "resolve/javascript/source_content.h"

#include "core/limits.h"
#include "core/text/scan.h"
#include "index/read/segments/segment_view.h"
#include "resolve/answer_limits.h"

struct fm_source_text {
    framemap_str address;
    size_t *starts; /* start offsets of lines; NULL: not computed yet, or there is no text */
    size_t count, capacity;
};

static bool address_equal(const void *context, uint32_t number, const void *key)
{
    const struct fm_source_texts *texts = context;
    return fm_str_equal(texts->sources[number].address, *(const framemap_str *)key);
}

static uint32_t find(const struct fm_source_texts *texts, framemap_str address)
{
    return fm_table_find(&texts->by_address, fm_hash_text(address, texts->key), address_equal, texts, &address);
}

void fm_source_texts_open(struct fm_source_texts *texts, const struct fm_view *view, struct fm_heap *heap)
{
    *texts = (struct fm_source_texts){.heap = heap, .view = view, .key = fm_hash_key(texts)};
    fm_table_init(&texts->by_address, heap);
}

/* Lists the sources by address. If two sources have the same address, the first one is used, as browsers do. */
static bool list_sources(struct fm_source_texts *texts)
{
    struct fm_segments_about about = {.source_count = 0};
    if (texts->sources || !fm_view_segments(texts->view, &about) || about.source_count == 0) return true;
    texts->sources = fm_heap_zalloc(texts->heap, (size_t)about.source_count, sizeof *texts->sources);
    if (texts->sources == NULL) return false;
    texts->count = (size_t)about.source_count;
    for (uint32_t i = 0; i < texts->count; i++) {
        struct fm_view_source source;
        if (!fm_view_source(texts->view, i, &source) || source.address.size == 0 ||
            find(texts, source.address) != UINT32_MAX)
            continue;
        texts->sources[i].address = source.address;
        if (!fm_table_add(&texts->by_address, fm_hash_text(source.address, texts->key), i)) return false;
    }
    return true;
}

void fm_source_texts_close(struct fm_source_texts *texts)
{
    for (size_t i = 0; i < texts->count; i++)
        fm_heap_free(texts->heap, texts->sources[i].starts,
                     texts->sources[i].capacity * sizeof *texts->sources[i].starts);
    fm_heap_free(texts->heap, texts->sources, texts->count * sizeof *texts->sources);
    fm_table_free(&texts->by_address);
    *texts = (struct fm_source_texts){.heap = texts->heap};
}

bool fm_source_texts_has(struct fm_source_texts *texts, framemap_str address, bool *has)
{
    /* up to this many lookups search all sources, since listing the sources would cost more */
    enum { FEW = 4 };
    const bool few = texts->lookups < FEW;
    texts->lookups += few;
    *has = false;
    if (address.size == 0) return true;
    if (!few && !list_sources(texts)) return false;
    *has = (few ? fm_view_source_at_address(texts->view, address) : find(texts, address)) != UINT32_MAX;
    return true;
}

/* --- splitting a source into lines --- */

static bool cut(struct fm_heap *heap, struct fm_source_text *source, framemap_str text)
{
    struct fm_scan s = fm_scan_of(text);
    framemap_str line;
    while (!fm_scan_done(&s)) {
        if (!FM_GROW(heap, source->starts, source->capacity, source->count + 1)) return false;
        source->starts[source->count++] = (size_t)(s.at - text.data);
        (void)fm_scan_code_line(&s, &line);
    }
    return true;
}

static framemap_str without_end(framemap_str lines)
{
    if (lines.size && lines.data[lines.size - 1] == '\n') lines.size--;
    if (lines.size && lines.data[lines.size - 1] == '\r') lines.size--;
    return lines;
}

/* Sets the context of a frame to some lines. first: number of the first line, from 0. Writes nothing if the lines are
 * longer than the limit. */
static void show(framemap_frame *frame, framemap_str lines, uint32_t first)
{
    if (lines.size > FM_LIMIT_CONTEXT) return;
    frame->context = without_end(lines);
    frame->context_line = first + 1;
}

bool fm_source_texts_context(struct fm_source_texts *texts, framemap_frame *frame, uint32_t around)
{
    struct fm_view_source view_source;
    if (!list_sources(texts)) return false;
    const uint32_t number = frame->line && frame->file.size ? find(texts, frame->file) : UINT32_MAX;
    if (number == UINT32_MAX || !fm_view_source(texts->view, number, &view_source) || view_source.content.size == 0)
        return true;
    struct fm_source_text *source = &texts->sources[number];
    if (source->starts == NULL && !cut(texts->heap, source, view_source.content)) return false;
    const size_t at = frame->line - 1;
    if (at >= source->count) return true;
    const size_t first = at > around ? at - around : 0;
    const size_t after = source->count - at > (size_t)around + 1 ? at + around + 1 : source->count;
    const size_t end = after < source->count ? source->starts[after] : view_source.content.size;
    show(frame, fm_str_slice(view_source.content, source->starts[first], end), (uint32_t)first);
    return true;
}

void fm_source_context_fits(framemap_frame *frame, uint64_t *text, framemap_frame *answer)
{
    if (frame->context.size <= FM_LIMIT_ANSWER_TEXT - *text) {
        *text += frame->context.size;
        return;
    }
    frame->context = (framemap_str){NULL, 0};
    frame->context_line = 0;
    answer->over_limit = true;
    answer->reason = fm_over_limit;
    if (answer->status == FRAMEMAP_FRAME_OK) answer->status = FRAMEMAP_FRAME_SYMBOL;
}

/* --- finding the lines for a single frame --- */

static bool source_of(const struct fm_view *view, framemap_str address, struct fm_view_source *out)
{
    struct fm_segments_about about = {.source_count = 0};
    (void)fm_view_segments(view, &about);
    for (uint32_t i = 0; i < about.source_count; i++)
        if (fm_view_source(view, i, out) && fm_str_equal(out->address, address)) return true;
    return false;
}

void fm_source_context(const struct fm_view *view, framemap_frame *frame, uint32_t around)
{
    struct fm_view_source source;
    framemap_str line;
    if (frame->line == 0 || frame->file.size == 0 || !source_of(view, frame->file, &source)) return;
    struct fm_scan s = fm_scan_of(source.content);
    const uint32_t at = frame->line - 1, first = at > around ? at - around : 0;
    uint32_t number = 0;
    while (number < first && fm_scan_code_line(&s, &line)) number++;
    const char *begin = s.at;
    while (number <= at && fm_scan_code_line(&s, &line)) number++;
    if (number != at + 1) return; /* stops, because the source has fewer lines than the map refers to */
    while (number - at <= around && fm_scan_code_line(&s, &line)) number++;
    show(frame, fm_str(begin, (size_t)(s.at - begin)), first);
}
