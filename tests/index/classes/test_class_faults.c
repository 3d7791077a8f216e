/* Tests of the class form with rejected calls, failing allocations, damaged bytes, and colliding keys. */
#include "tests/index/support/class_help.h"
#include "tests/index/support/damage.h"
#include <limits.h>

static const struct model_shape shape = {.name = "all",
                                         .classes = 17,
                                         .methods = 3,
                                         .spans = 5,
                                         .fields = 3,
                                         .members = 9,
                                         .lists = 4,
                                         .lines = 30,
                                         .without = 20,
                                         .parts = 30};
static const struct model_shape tree_shape = {.name = "tree",
                                              .classes = 1,
                                              .methods = 1,
                                              .spans = 200,
                                              .fields = 1,
                                              .members = 5,
                                              .lists = 2,
                                              .lines = 90,
                                              .without = 10,
                                              .parts = 10};

/* --- testing calls that must be rejected --- */

struct given {
    struct fm_builder *b;
    uint32_t text, name, member;
};

static struct given give(struct fm_heap *heap)
{
    struct given g;
    fm_heap_init(heap, NULL, 0);
    assert_int_equal(fm_builder_create(heap, &g.b, NULL), FRAMEMAP_OK);
    assert_int_equal(fm_builder_string(g.b, FM_STR("x"), &g.text, NULL), FRAMEMAP_OK);
    assert_int_equal(fm_builder_name(g.b, FM_STR("x"), &g.name, NULL), FRAMEMAP_OK);
    assert_int_equal(fm_builder_member(g.b, &(struct fm_member){g.name, g.text, g.text, g.text}, &g.member, NULL),
                     FRAMEMAP_OK);
    return g;
}

static framemap_status finish(struct given *g, struct fm_heap *heap)
{
    struct fm_built built = {NULL, 0};
    const framemap_status status = fm_builder_finish(g->b, &built, NULL);
    fm_heap_free(heap, built.data, built.size);
    return status;
}

static const struct fm_span good = {.residual_from = 1, .residual_to = 2, .notes = FM_NONE, .flags = FM_SPAN_RESIDUAL};

static framemap_status span_of(struct given *g, struct fm_heap *heap, struct fm_span span)
{
    (void)heap;
    assert_int_equal(fm_builder_class(g->b, FM_STR("a"), g->name, 0, NULL), FRAMEMAP_OK);
    return fm_builder_method(g->b, FM_STR("a"), &span, 1, NULL);
}

static framemap_status backwards(struct given *g, struct fm_heap *heap)
{
    struct fm_span span = good;
    span.residual_from = 3;
    return span_of(g, heap, span);
}
static framemap_status strange_flag(struct given *g, struct fm_heap *heap)
{
    struct fm_span span = good;
    span.flags = 64;
    return span_of(g, heap, span);
}
static framemap_status half_a_pair(struct given *g, struct fm_heap *heap)
{
    struct fm_span span = good;
    span.flags = FM_SPAN_PAIR;
    return span_of(g, heap, span);
}
static framemap_status no_member(struct given *g, struct fm_heap *heap)
{
    struct fm_span span = good;
    span.member = 1;
    return span_of(g, heap, span);
}
static framemap_status no_entry(struct given *g, struct fm_heap *heap)
{
    struct fm_span span = good;
    span.entry = FM_NONE;
    return span_of(g, heap, span);
}
static framemap_status no_list(struct given *g, struct fm_heap *heap)
{
    struct fm_span span = good;
    span.notes = 0;
    return span_of(g, heap, span);
}
static framemap_status no_span(struct given *g, struct fm_heap *heap)
{
    (void)heap;
    assert_int_equal(fm_builder_class(g->b, FM_STR("a"), g->name, 0, NULL), FRAMEMAP_OK);
    return fm_builder_method(g->b, FM_STR("a"), &good, 0, NULL);
}
static framemap_status outside(struct given *g, struct fm_heap *heap)
{
    (void)heap;
    return fm_builder_method(g->b, FM_STR("a"), &good, 1, NULL);
}
static framemap_status field_outside(struct given *g, struct fm_heap *heap)
{
    (void)heap;
    return fm_builder_field(g->b, FM_STR("a"), g->member, NULL);
}
static framemap_status no_name(struct given *g, struct fm_heap *heap)
{
    (void)heap;
    return fm_builder_class(g->b, FM_STR("a"), g->name + 1, 0, NULL);
}
static framemap_status strange_note(struct given *g, struct fm_heap *heap)
{
    uint32_t list;
    (void)heap;
    return fm_builder_notes(g->b, &(struct fm_note){.kind = FM_NOTE_HIDDEN + 1, .text = FM_NONE}, 1, &list, NULL);
}
static framemap_status member_of_none(struct given *g, struct fm_heap *heap)
{
    uint32_t member;
    (void)heap;
    return fm_builder_member(g->b, &(struct fm_member){g->name + 1, g->text, g->text, g->text}, &member, NULL);
}
static framemap_status method_twice(struct given *g, struct fm_heap *heap)
{
    assert_int_equal(span_of(g, heap, good), FRAMEMAP_OK);
    assert_int_equal(fm_builder_method(g->b, FM_STR("a"), &good, 1, NULL), FRAMEMAP_OK);
    return finish(g, heap);
}
static framemap_status mixed(struct given *g, struct fm_heap *heap)
{
    uint32_t scope;
    assert_int_equal(span_of(g, heap, good), FRAMEMAP_OK);
    assert_int_equal(fm_builder_scope(g->b, FM_STR("s"), &scope, NULL), FRAMEMAP_OK);
    assert_int_equal(fm_builder_end(g->b, scope, 4, NULL), FRAMEMAP_OK);
    return finish(g, heap);
}
static framemap_status nothing(struct given *g, struct fm_heap *heap) { return finish(g, heap); }
static framemap_status only_a_source(struct given *g, struct fm_heap *heap)
{
    assert_int_equal(fm_builder_name_source(g->b, g->name, FM_STR(""), NULL), FRAMEMAP_OK);
    return finish(g, heap);
}

static void refuses(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        framemap_status (*run)(struct given *g, struct fm_heap *heap);
        framemap_status wanted;
    } rows[] = {{"lines that end before they begin", backwards, FRAMEMAP_E_ARGUMENT},
                {"a flag that is none", strange_flag, FRAMEMAP_E_ARGUMENT},
                {"the second of a pair alone", half_a_pair, FRAMEMAP_E_ARGUMENT},
                {"a member that is not there", no_member, FRAMEMAP_E_ARGUMENT},
                {"an entry that is not there", no_entry, FRAMEMAP_E_ARGUMENT},
                {"a list that is not there", no_list, FRAMEMAP_E_ARGUMENT},
                {"a method without a span", no_span, FRAMEMAP_E_ARGUMENT},
                {"a method outside of a class", outside, FRAMEMAP_E_ARGUMENT},
                {"a field outside of a class", field_outside, FRAMEMAP_E_ARGUMENT},
                {"a class of no name", no_name, FRAMEMAP_E_ARGUMENT},
                {"a note of no kind", strange_note, FRAMEMAP_E_ARGUMENT},
                {"a member of no class", member_of_none, FRAMEMAP_E_ARGUMENT},
                {"a method twice", method_twice, FRAMEMAP_E_ARGUMENT},
                {"positions and classes", mixed, FRAMEMAP_E_ARGUMENT},
                {"nothing", nothing, FRAMEMAP_E_EMPTY},
                {"a source file alone is something", only_a_source, FRAMEMAP_OK}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct fm_heap heap;
        struct given g = give(&heap);
        const framemap_status got = rows[i].run(&g, &heap);
        if (got != rows[i].wanted) fail_msg("%s: %d", rows[i].name, got);
        fm_builder_free(g.b);
        assert_int_equal(heap.used, 0);
    }
}

/* --- testing a class that is repeated --- */

static void replaced_blocks_leave_nothing(void **state)
{
    (void)state;
    struct fm_heap heap;
    struct fm_built once, often;
    for (unsigned times = 1; times <= 100000; times = times == 1 ? 100000 : 100001) {
        struct given g = give(&heap);
        for (unsigned i = 0; i < times; i++) assert_int_equal(span_of(&g, &heap, good), FRAMEMAP_OK);
        assert_int_equal(fm_builder_finish(g.b, times == 1 ? &once : &often, NULL), FRAMEMAP_OK);
        fm_builder_free(g.b);
    }
    assert_int_equal(once.size, often.size);
    assert_memory_equal(once.data, often.data, once.size);
    fm_heap_free(&heap, once.data, once.size);
    fm_heap_free(&heap, often.data, often.size);
}

/* --- testing keys whose hashes collide --- */

#define COLLIDING 70 /* number of keys: more than the probes that a reader makes */

/* Makes strings whose hashes have equal low bits, for any table size. */
static void make_colliding(char keys[COLLIDING][16])
{
    unsigned found = 0;
    for (unsigned i = 0; found < COLLIDING; i++) {
        char text[16];
        const int size = snprintf(text, sizeof text, "a.%u", i);
        if ((fm_hash64(text, (size_t)size, 0) & 0xfff) == 5) memcpy(keys[found++], text, sizeof text);
    }
}

static void colliding_keys_are_found(void **state)
{
    (void)state;
    static char keys[COLLIDING][16];
    struct fm_heap heap;
    struct fm_built built;
    struct fm_view *view;
    struct given g = give(&heap);
    make_colliding(keys);
    for (unsigned i = 0; i < COLLIDING; i++) {
        uint32_t name;
        assert_int_equal(fm_builder_name(g.b, framemap_str_of(keys[i]), &name, NULL), FRAMEMAP_OK);
        assert_int_equal(fm_builder_name_source(g.b, name, framemap_str_of(keys[i]), NULL), FRAMEMAP_OK);
        assert_int_equal(fm_builder_class(g.b, framemap_str_of(keys[i]), name, 0, NULL), FRAMEMAP_OK);
    }
    assert_int_equal(fm_builder_finish(g.b, &built, NULL), FRAMEMAP_OK);
    fm_builder_free(g.b);
    assert_int_equal(fm_view_open(fm_str(built.data, built.size), &heap, &view, NULL), FRAMEMAP_OK);
    assert_int_equal(fm_view_verify(view, NULL), FRAMEMAP_OK);
    for (unsigned i = 0; i < COLLIDING; i++) {
        struct fm_view_class class;
        framemap_str source = {NULL, 0};
        assert_true(fm_view_class(view, framemap_str_of(keys[i]), &class) &&
                    fm_view_source_of(view, framemap_str_of(keys[i]), &source));
        assert_str(class.original, keys[i]);
        assert_str(source, keys[i]);
    }
    fm_view_close(view);
    fm_heap_free(&heap, built.data, built.size);
    assert_int_equal(heap.used, 0);
}

/* --- testing allocations that fail --- */

static bool build_and_read(const framemap_allocator *allocator, void *context)
{
    const struct model *m = context;
    struct fm_heap heap;
    struct fm_built built = {NULL, 0};
    struct fm_view *view = NULL;
    unsigned left = UINT_MAX;
    const struct fm_split_sink all = {take_few_values, &left};
    fm_heap_init(&heap, allocator, 0);
    framemap_status status = model_build(m, &heap, &built, NULL);
    if (status == FRAMEMAP_OK) status = fm_view_open(fm_str(built.data, built.size), &heap, &view, NULL);
    if (status == FRAMEMAP_OK) status = fm_view_verify(view, NULL);
    if (status == FRAMEMAP_OK) status = fm_split(view, &heap, &all, NULL);
    fm_view_close(view);
    fm_heap_free(&heap, built.data, built.size);
    assert_true(status == FRAMEMAP_OK || status == FRAMEMAP_E_MEMORY);
    assert_int_equal(heap.used, 0);
    return status == FRAMEMAP_OK;
}

static void memory_runs_out(void **state)
{
    (void)state;
    const struct model_shape *all[] = {&shape, &tree_shape};
    for (size_t i = 0; i < COUNT_OF(all); i++) {
        struct model *m = model_make(all[i], 3);
        assert_true(sweep_allocations(build_and_read, m) > 20);
        model_free(m);
    }
}

/* --- reading damaged indexes --- */

/* Calls every function on each record that can be reached. The results may be anything, but each call must return. */
static uint64_t use_method(const struct fm_view *view, uint64_t number)
{
    struct fm_view_method method;
    struct fm_view_span span;
    struct fm_view_part part;
    struct fm_view_member member;
    struct fm_view_note note;
    uint64_t at = 0, sum = 0;
    if (!fm_view_method_at(view, number, &method)) return 0;
    for (uint64_t i = 0; i < method.span_count && i < 300; i++) {
        if (!fm_view_span(view, method.first_span + i, &span)) continue;
        sum += fm_view_member(view, span.member, &member) + fm_view_part_of(view, &method, method.first_span + i, &at);
        for (uint64_t n = 0; n < 9 && fm_view_note(view, span.notes, n, &note); n++) sum += note.kind;
        sum += fm_view_span_at_line(view, &method, span.residual_from, method.first_span + i,
                                    method.first_span + method.span_count, &at);
        sum += fm_view_span_without_lines(view, &method, method.first_span + i, method.first_span + method.span_count,
                                          &at);
    }
    for (uint64_t i = 0; i < method.part_count && i < 300; i++)
        sum += fm_view_part(view, &method, method.first_part + i, &part);
    return sum;
}

static uint64_t use_all(const struct fm_view *view)
{
    struct fm_classes_about about;
    struct fm_view_class class;
    struct fm_view_method method;
    framemap_str text;
    uint32_t member;
    uint64_t sum = 0, first, count;
    if (!fm_view_classes(view, &about)) return 0;
    for (uint64_t i = 0; i < about.class_count && i < 60; i++) {
        if (!fm_view_class_at(view, i, &class)) continue;
        sum += fm_view_class(view, class.residual, &class) + fm_view_fields(view, &class, FM_STR("f1"), &first, &count);
        sum +=
            fm_view_class_method(view, &class, FM_STR("a1"), &method) + fm_view_source_of(view, class.original, &text);
    }
    for (uint64_t i = 0; i < about.method_count && i < 90; i++) sum += use_method(view, i);
    for (uint64_t i = 0; i < about.field_count && i < 90; i++) sum += fm_view_field_at(view, i, &text, &member);
    return sum;
}

static void damage_does_no_harm(void **state)
{
    (void)state;
    const struct model_shape *all[] = {&shape, &tree_shape};
    for (size_t s = 0; s < COUNT_OF(all); s++) {
        struct model *m = model_make(all[s], 9);
        struct fm_heap heap;
        struct fm_built built;
        unsigned sound = 0, tried = 0;
        fm_heap_init(&heap, NULL, (uint64_t)512 << 20);
        assert_int_equal(model_build(m, &heap, &built, NULL), FRAMEMAP_OK);
        unsigned char *data = malloc(built.size);
        assert_non_null(data);
        for (size_t at = FMX_AT_BASE; at < built.size; at += TEST_STEP)
            for (unsigned bit = at < 500 ? 0 : at % 8; bit < 8; bit += at < 500 ? 1 : 8, tried++) {
                memcpy(data, built.data, built.size);
                flip_and_seal(data, built.size, at, bit);
                try_damaged(data, built.size, &heap, use_all, &sound);
            }
        /* A changed string, number or flag may be valid too, so not all damage can be detected, but most must be. */
        if (sound * 3 > tried) fail_msg("%s: %u of %u are sound", all[s]->name, sound, tried);
        free(data);
        fm_heap_free(&heap, built.data, built.size);
        assert_int_equal(heap.used, 0);
        model_free(m);
    }
}

static void cut_short(void **state)
{
    (void)state;
    struct model *m = model_make(&shape, 2);
    struct fm_heap heap;
    struct fm_built built;
    fm_heap_init(&heap, NULL, 0);
    assert_int_equal(model_build(m, &heap, &built, NULL), FRAMEMAP_OK);
    for (size_t size = 0; size < built.size; size++) {
        struct fm_view *view;
        assert_int_not_equal(fm_view_open(fm_str(built.data, size), &heap, &view, NULL), FRAMEMAP_OK);
    }
    fm_heap_free(&heap, built.data, built.size);
    model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(refuses),
                                       cmocka_unit_test(replaced_blocks_leave_nothing),
                                       cmocka_unit_test(colliding_keys_are_found),
                                       cmocka_unit_test(memory_runs_out),
                                       cmocka_unit_test(damage_does_no_harm),
                                       cmocka_unit_test(cut_short)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
