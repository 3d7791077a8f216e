/* Builds indexes of the segment form from arbitrary records. Properties: the index verifies, and so do the values
 * after splitting it; lookups return the records as given. Each record of the input is a byte that selects which
 * numbers follow, and then these numbers. */
#include "core/heap.h"
#include "index/read/segments/segment_view.h"
#include "index/write/segment_builder.h"
#include "tests/index/support/split_store.h"
#include <stdlib.h>
#include <string.h>

#define SEGMENTS_MOST 700
#define SOURCES 5
#define NAMES 9
#define STRETCHES_MOST 40

static void must(bool holds)
{
    if (!holds) abort();
}

/* The input as a sequence of numbers; after its end they are zeros. */
struct source {
    const uint8_t *data;
    size_t size;
};
static uint32_t number(struct source *s, unsigned bytes)
{
    uint32_t value = 0;
    for (unsigned i = 0; i < bytes && s->size > 0; i++, s->size--) value = value << 8 | *s->data++;
    return value;
}

struct records {
    struct fm_segment segments[SEGMENTS_MOST];
    size_t count;
};

enum { NEW_LINE = 1, WIDE = 2, TIE = 4, NOWHERE = 8, NAMED = 16, FAR = 32 };

static void read_segments(struct records *r, struct source *s)
{
    uint64_t line0 = 0, col0 = 0;
    uint32_t original = 0;
    while (s->size > 0 && r->count < SEGMENTS_MOST) {
        const uint32_t what = number(s, 1);
        if (what & NEW_LINE) {
            line0 += 1 + number(s, what & FAR ? 3 : 1) % 5000000;
            col0 = 0;
        }
        if ((what & TIE) == 0) col0 += 1 + number(s, what & WIDE ? 4 : 1);
        original = what & WIDE ? number(s, 4) : original + (what >> 6);
        if (line0 > UINT32_MAX || col0 > UINT32_MAX) return;
        struct fm_segment *segment = &r->segments[r->count++];
        *segment = (struct fm_segment){(uint32_t)line0, (uint32_t)col0, FM_NONE, 0, 0, FM_NONE};
        if (what & NAMED) segment->name = number(s, 1) % NAMES;
        if (what & NOWHERE) continue;
        segment->source = what >> 6 == 3 ? number(s, 1) % SOURCES : 0;
        segment->original_line0 = original;
        segment->original_col0 = number(s, what & WIDE ? 4 : 1);
    }
}

static void give_things(struct fm_builder *b)
{
    uint32_t text, out;
    for (unsigned i = 0; i < SOURCES; i++) {
        const char address[2] = {'s', (char)('0' + i)};
        must(fm_builder_string(b, (framemap_str){address, 2}, &text, NULL) == FRAMEMAP_OK);
        must(fm_builder_source(b, text, FM_NONE, i % 2 ? text : FM_NONE, i % 4, &out, NULL) == FRAMEMAP_OK);
    }
    for (unsigned i = 0; i < NAMES; i++) {
        const char name[2] = {'n', (char)('0' + i)};
        must(fm_builder_segment_name(b, (framemap_str){name, 2}, &out, NULL) == FRAMEMAP_OK);
    }
}

/* Gives a call site to every other interval. The site is in the function of the previous interval. */
static uint32_t give_site(struct fm_builder *b, unsigned i, uint32_t line0)
{
    uint32_t site;
    const struct fm_call_site called = {i % SOURCES,   line0, i, FM_NONE, i > 1 && line0 % 3 ? i / 2 - 1 : FM_NONE,
                                        line0 % 7 == 0};
    if (i % 2) return FM_NONE;
    must(fm_builder_call_site(b, &called, &site, NULL) == FRAMEMAP_OK);
    return site;
}

static void give_stretches(struct fm_builder *b, struct source *s)
{
    const unsigned count = number(s, 1) % STRETCHES_MOST;
    uint32_t function, line0 = 0;
    must(fm_builder_string(b, (framemap_str){"f", 1}, &function, NULL) == FRAMEMAP_OK);
    for (unsigned i = 0; i < count; i++) {
        const uint32_t which = i % 3 ? function : FM_NONE;
        line0 += 1 + number(s, 1);
        must(fm_builder_source_stretch(b, i % SOURCES, line0, 0, which, FM_FUNCTION_MAP, NULL) == FRAMEMAP_OK);
        const struct fm_generated_stretch stretch = {
            line0, 3, which, FM_FUNCTION_SCOPES, give_site(b, i, line0), line0 % 11 == 0};
        must(fm_builder_inlined_stretch(b, &stretch, NULL) == FRAMEMAP_OK);
    }
}

/* Whether a segment is a range. The harness makes it one if it is the last segment at its position and its original
 * column is odd. */
static bool is_range(const struct records *r, size_t i)
{
    const struct fm_segment *s = &r->segments[i];
    return s->original_col0 % 2 == 1 && (i + 1 == r->count || s[1].line0 != s->line0 || s[1].col0 != s->col0);
}

static void give_ranges(struct fm_builder *b, const struct records *r)
{
    for (size_t i = 0; i < r->count; i++)
        if (is_range(r, i))
            must(fm_builder_segment_range(b, r->segments[i].line0, r->segments[i].col0, NULL) == FRAMEMAP_OK);
}

/* Checks the range that covers the column after a segment, and the start of the next line. */
static void check_range(const struct records *r, const struct fm_view *view, size_t i)
{
    const struct fm_segment *s = &r->segments[i], *next = i + 1 < r->count ? s + 1 : NULL;
    struct fm_view_segment got;
    if (next && next->line0 == s->line0 && next->col0 <= s->col0 + 1) return;
    if (s->col0 < UINT32_MAX) must(fm_view_range_at(view, s->line0, s->col0 + 1, &got) == is_range(r, i));
    if (s->line0 == UINT32_MAX ||
        (next && (next->line0 == s->line0 || (next->line0 == s->line0 + 1 && next->col0 == 0))))
        return;
    must(fm_view_range_at(view, s->line0 + 1, 0, &got) == is_range(r, i));
    if (is_range(r, i)) must(got.line0 == s->line0 && got.col0 == s->col0);
}

/* Checks that each chain of call sites ends, and that its elements are existing records. */
static void check_sites(const struct fm_view *view)
{
    struct fm_view_stretch stretch;
    struct fm_view_call_site site;
    for (uint64_t i = 0; fm_view_generated_stretch_at(view, i, &stretch); i++)
        for (uint32_t at = stretch.site, steps = 0; at != FM_VIEW_NONE; at = site.caller)
            must(fm_view_call_site(view, at, &site) && site.source < SOURCES && ++steps <= STRETCHES_MOST);
}

static bool same(const struct fm_view_segment *got, const struct fm_segment *wanted)
{
    return got->line0 == wanted->line0 && got->col0 == wanted->col0 && got->source == wanted->source &&
           got->name == wanted->name && got->original_line0 == wanted->original_line0 &&
           got->original_col0 == wanted->original_col0;
}

static void check_segment(const struct records *r, const struct fm_view *view, size_t i)
{
    const struct fm_segment *wanted = &r->segments[i];
    struct fm_view_segment got;
    size_t first = i, last = i;
    must(fm_view_segment(view, i, &got) && same(&got, wanted));
    while (first > 0 && r->segments[first - 1].line0 == wanted->line0 && r->segments[first - 1].col0 == wanted->col0)
        first--;
    while (last + 1 < r->count && r->segments[last + 1].line0 == wanted->line0 &&
           r->segments[last + 1].col0 == wanted->col0)
        last++;
    must(fm_view_segment_at(view, wanted->line0, wanted->col0, &got) && got.number == first);
    const bool next_is_exact = last + 1 < r->count && r->segments[last + 1].line0 == wanted->line0 &&
                               r->segments[last + 1].col0 == wanted->col0 + 1;
    if (wanted->col0 == UINT32_MAX) return;
    must(fm_view_segment_at(view, wanted->line0, wanted->col0 + 1, &got) &&
         got.number == (next_is_exact ? last + 1 : last));
}

static void check_values(const struct fm_view *view, struct fm_heap *heap)
{
    struct split_store store;
    must(split_store_fill(&store, view, heap, NULL) == FRAMEMAP_OK);
    split_store_free(&store);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct source s = {data, size};
    struct fm_heap heap;
    struct fm_builder *b;
    struct fm_built built = {NULL, 0};
    struct fm_view *view = NULL;
    struct records *r = calloc(1, sizeof *r);
    if (r == NULL) return 0;
    fm_heap_init(&heap, NULL, 0);
    must(fm_builder_create(&heap, &b, NULL) == FRAMEMAP_OK);
    give_things(b);
    give_stretches(b, &s);
    read_segments(r, &s);
    must(fm_builder_segments(b, r->segments, r->count, NULL) == FRAMEMAP_OK);
    give_ranges(b, r);
    must(fm_builder_finish(b, &built, NULL) == FRAMEMAP_OK);
    fm_builder_free(b);
    must(fm_view_open((framemap_str){(const char *)built.data, built.size}, &heap, &view, NULL) == FRAMEMAP_OK);
    must(fm_view_verify(view, NULL) == FRAMEMAP_OK);
    for (size_t i = 0; i < r->count; i++) check_segment(r, view, i);
    for (size_t i = 0; i < r->count; i++) check_range(r, view, i);
    check_sites(view);
    check_values(view, &heap);
    fm_view_close(view);
    fm_heap_free(&heap, built.data, built.size);
    must(heap.used == 0);
    free(r);
    return 0;
}
