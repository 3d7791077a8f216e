/* Builds indexes of the class form from arbitrary records, and reads them. Properties: an index that was built
 * verifies; spans are read back as they were given; a lookup of a line finds what a scan over all spans finds; after
 * splitting, each value answers like the whole index. (fuzz_view.c reads arbitrary bytes.) */
#include "index/read/classes/class_view.h"
#include "index/write/class_builder.h"
#include "tests/index/support/split_store.h"
#include <stdlib.h>
#include <string.h>

enum { TEXTS = 12, MEMBERS_MOST = 20, METHODS_MOST = 40, SPANS_MOST = 400, LISTS_MOST = 6 };

static void must(bool holds)
{
    if (!holds) abort();
}

/* The input as a sequence of numbers; after its end they are zeros. */
struct source {
    const uint8_t *data;
    size_t size;
};
static uint64_t number(struct source *s, unsigned bytes)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes && s->size > 0; i++, s->size--) value = value << 8 | *s->data++;
    return value;
}

static const char *const texts[TEXTS] = {
    "", "a", "b", "c", "aa", "ab", "a.b", "com.example.Main", "com.example.Main$Inner", "int", "void", "int,long[]"};

struct method {
    uint8_t class, name; /* numbers of the strings for class and method name */
    size_t first, count; /* range of the method's spans (line ranges) */
};
struct records {
    struct fm_builder *builder;
    uint32_t strings[TEXTS], names[TEXTS], members[MEMBERS_MOST], lists[LISTS_MOST];
    struct fm_member member_of[MEMBERS_MOST];
    struct fm_span spans[SPANS_MOST];
    struct method methods[METHODS_MOST];
    size_t span_count, method_count;
    bool taken[TEXTS]; /* for each string: whether it is already a name in the current class */
};

static void give_things(struct records *r, struct source *s)
{
    for (unsigned i = 0; i < TEXTS; i++) {
        const framemap_str text = framemap_str_of(texts[i]);
        must(fm_builder_string(r->builder, text, &r->strings[i], NULL) == FRAMEMAP_OK);
        must(fm_builder_name(r->builder, text, &r->names[i], NULL) == FRAMEMAP_OK);
        if (number(s, 1) & 1)
            must(fm_builder_name_source(r->builder, r->names[i], framemap_str_of(texts[number(s, 1) % TEXTS]), NULL) ==
                 FRAMEMAP_OK);
    }
    for (unsigned i = 0; i < MEMBERS_MOST; i++) {
        const uint64_t what = number(s, 3);
        r->member_of[i] = (struct fm_member){r->names[what % TEXTS], r->strings[what >> 4 & 7],
                                             what & 0x800 ? FM_NONE : r->strings[9],
                                             what & 0x1000 ? FM_NONE : r->strings[what >> 16 & 7]};
        must(fm_builder_member(r->builder, &r->member_of[i], &r->members[i], NULL) == FRAMEMAP_OK);
    }
    for (unsigned i = 0; i < LISTS_MOST; i++) {
        struct fm_note notes[3];
        const size_t count = number(s, 1) % 4;
        for (size_t n = 0; n < count; n++)
            notes[n] =
                (struct fm_note){1 + (uint32_t)number(s, 1) % 4, n % 2 ? FM_NONE : r->strings[number(s, 1) % TEXTS],
                                 (int32_t)number(s, 4), (int32_t)number(s, 1), (int64_t)number(s, 8)};
        must(fm_builder_notes(r->builder, notes, count, &r->lists[i], NULL) == FRAMEMAP_OK);
    }
}

static struct fm_span make_span(const struct records *r, struct source *s)
{
    const uint64_t what = number(s, 2);
    struct fm_span span = {.member = r->members[what % MEMBERS_MOST],
                           .entry = r->members[(what >> 3) % MEMBERS_MOST],
                           .notes = what & 0x8000 ? r->lists[what % LISTS_MOST] : FM_NONE,
                           .flags = what >> 8 & 63};
    const unsigned size = what & 0x4000 ? 4 : 1;
    span.residual_from = (int32_t)number(s, size);
    span.residual_to = (int32_t)((uint32_t)span.residual_from + (uint32_t)number(s, size));
    span.original_from = (int32_t)number(s, size);
    span.original_to = (int32_t)number(s, size);
    if ((span.flags & FM_SPAN_ORIGINAL) == 0) span.flags &= ~(uint32_t)FM_SPAN_PAIR;
    if (span.residual_from > span.residual_to) span.flags &= ~(uint32_t)FM_SPAN_RESIDUAL;
    return span;
}

static void forget_class(struct records *r, uint8_t class)
{
    for (size_t i = 0; i < r->method_count; i++)
        if (r->methods[i].class == class) r->methods[i].count = 0;
}

static void give_classes(struct records *r, struct source *s)
{
    uint8_t class = UINT8_MAX;
    while (s->size > 0 && r->method_count < METHODS_MOST) {
        const uint64_t what = number(s, 2);
        const uint8_t name = what >> 8 & 7;
        if (what % 5 == 0 || class == UINT8_MAX) {
            class = name;
            memset(r->taken, 0, sizeof r->taken);
            forget_class(r, class);
            must(fm_builder_class(r->builder, framemap_str_of(texts[class]), r->names[what >> 12 & 7], what & 1,
                                  NULL) == FRAMEMAP_OK);
            continue;
        }
        if (what % 5 == 1 || r->taken[name]) {
            must(fm_builder_field(r->builder, framemap_str_of(texts[name]), r->members[what % MEMBERS_MOST], NULL) ==
                 FRAMEMAP_OK);
            continue;
        }
        const size_t count = 1 + (what >> 11 & 1 ? (size_t)number(s, 1) : what >> 12 & 3), first = r->span_count;
        if (count > SPANS_MOST - first) break;
        for (size_t i = 0; i < count; i++) r->spans[r->span_count++] = make_span(r, s);
        must(fm_builder_method(r->builder, framemap_str_of(texts[name]), &r->spans[first], count, NULL) == FRAMEMAP_OK);
        r->methods[r->method_count++] = (struct method){class, name, first, count};
        r->taken[name] = true;
    }
}

/* --- querying the index --- */

static void check_span(const struct fm_view *view, const struct fm_view_method *method, uint64_t place,
                       const struct fm_span *wanted)
{
    struct fm_view_span got;
    must(fm_view_method_span(view, method, method->first_span + place, &got));
    must(got.flags == (wanted->flags & 7) && (got.notes == FM_VIEW_NONE) == (wanted->notes == FM_NONE));
    if (got.flags & FM_SPAN_RESIDUAL)
        must(got.residual_from == wanted->residual_from && got.residual_to == wanted->residual_to);
    if (got.flags & FM_SPAN_ORIGINAL) must(got.original_from == wanted->original_from);
    if (got.flags & FM_SPAN_PAIR) must(got.original_to == wanted->original_to);
}

static void check_line(const struct fm_view *view, const struct fm_view_method *method, const struct fm_span *spans,
                       size_t from, int32_t line)
{
    uint64_t found = 0;
    size_t wanted = from;
    while (wanted < method->span_count && ((spans[wanted].flags & FM_SPAN_RESIDUAL) == 0 ||
                                           spans[wanted].residual_from > line || spans[wanted].residual_to < line))
        wanted++;
    const bool there = fm_view_span_at_line(view, method, line, method->first_span + from,
                                            method->first_span + method->span_count, &found);
    must(there == (wanted < method->span_count) && (!there || found == method->first_span + wanted));
}

static void check_parts(const struct fm_view *view, const struct fm_view_method *method, const struct fm_span *spans)
{
    uint64_t at = 0;
    for (uint64_t i = 0; i < method->part_count; i++) {
        struct fm_view_part part;
        must(fm_view_part(view, method, i, &part) && part.first_span == method->first_span + at);
        must(part.flags == (spans[at].flags & (FM_SPAN_SYNTHETIC | FM_SPAN_OUTLINE)));
        for (uint64_t k = 1; k < part.span_count; k++) must((spans[at + k].flags & FM_SPAN_PART) == 0);
        at += part.span_count;
        must(at == method->span_count || (spans[at].flags & FM_SPAN_PART) != 0);
    }
    must(at == method->span_count);
}

static void check_method(const struct records *r, const struct fm_view *view, const struct method *wanted)
{
    const struct fm_span *spans = &r->spans[wanted->first];
    struct fm_view_class class;
    struct fm_view_method method;
    must(fm_view_class(view, framemap_str_of(texts[wanted->class]), &class));
    must(fm_view_class_method(view, &class, framemap_str_of(texts[wanted->name]), &method) &&
         method.span_count == wanted->count);
    check_parts(view, &method, spans);
    for (size_t i = 0; i < wanted->count; i++) {
        check_span(view, &method, i, &spans[i]);
        check_line(view, &method, spans, 0, spans[i].residual_from);
        check_line(view, &method, spans, i / 2, spans[i].residual_to);
        check_line(view, &method, spans, i, (int32_t)((uint32_t)spans[i].residual_to + 1));
    }
}

static void check_values(const struct records *r, const struct fm_view *view, struct fm_heap *heap)
{
    struct fm_classes_about about;
    struct split_store store;
    must(fm_view_classes(view, &about));
    must(split_store_fill(&store, view, heap, NULL) == FRAMEMAP_OK && store.count > about.class_count);
    for (uint64_t i = 0; i < about.class_count; i++) {
        struct fm_view_class class;
        must(fm_view_class_at(view, i, &class));
        for (size_t m = 0; m < r->method_count; m++)
            if (r->methods[m].count > 0 && strlen(texts[r->methods[m].class]) == class.residual.size &&
                memcmp(texts[r->methods[m].class], class.residual.data, class.residual.size) == 0)
                check_method(r, store.values[i].view, &r->methods[m]);
    }
    split_store_free(&store);
}

static void check_all(const struct records *r, framemap_str bytes, struct fm_heap *heap)
{
    struct fm_view *view;
    must(fm_view_open(bytes, heap, &view, NULL) == FRAMEMAP_OK && fm_view_verify(view, NULL) == FRAMEMAP_OK);
    for (size_t i = 0; i < r->method_count; i++)
        if (r->methods[i].count > 0) check_method(r, view, &r->methods[i]);
    check_values(r, view, heap);
    fm_view_close(view);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct source s = {data, size};
    struct fm_heap heap;
    struct fm_built built = {NULL, 0};
    struct records *r = calloc(1, sizeof *r);
    if (r == NULL) return 0;
    fm_heap_init(&heap, NULL, 0);
    must(fm_builder_create(&heap, &r->builder, NULL) == FRAMEMAP_OK);
    give_things(r, &s);
    give_classes(r, &s);
    const framemap_status status = fm_builder_finish(r->builder, &built, NULL);
    must(status == FRAMEMAP_OK || status == FRAMEMAP_E_EMPTY);
    if (status == FRAMEMAP_OK) check_all(r, (framemap_str){(const char *)built.data, built.size}, &heap);
    fm_heap_free(&heap, built.data, built.size);
    fm_builder_free(r->builder);
    must(heap.used == 0);
    free(r);
    return 0;
}
