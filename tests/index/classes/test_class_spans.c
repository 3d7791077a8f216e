/* Checks that in methods with very many spans, in any order, a line is found in few steps, and that building such
 * methods is fast. */
#include "tests/index/support/class_help.h"

#include "index/read/classes/span_decoder.h"

#define MANY 100000

typedef void (*fill_spans)(struct fm_span *spans, size_t count);

static struct fm_span lines(int32_t from, int32_t to)
{
    return (struct fm_span){.residual_from = from, .residual_to = to, .flags = FM_SPAN_RESIDUAL, .notes = FM_NONE};
}

static void rising(struct fm_span *spans, size_t count)
{
    for (size_t i = 0; i < count; i++) spans[i] = lines((int32_t)i * 2, (int32_t)i * 2);
}
static void chains(struct fm_span *spans, size_t count)
{
    for (size_t i = 0; i < count; i++) spans[i] = lines((int32_t)(i / 4), (int32_t)(i / 4));
}
static void falling(struct fm_span *spans, size_t count)
{
    for (size_t i = 0; i < count; i++) spans[i] = lines((int32_t)(count - i) * 3, (int32_t)(count - i) * 3 + 1);
}
static void nested(struct fm_span *spans, size_t count)
{
    for (size_t i = 0; i < count; i++) spans[i] = lines((int32_t)(count - i), (int32_t)(count + i));
}
static void nested_inwards(struct fm_span *spans, size_t count)
{
    for (size_t i = 0; i < count; i++) spans[i] = lines((int32_t)i, (int32_t)(count * 2 - i));
}
/* Makes alternating low and high lines, each in a part of its own. In every range of adjacent spans, the lowest and the
 * highest line are then far apart, so that they exclude no line. */
static void interleaved(struct fm_span *spans, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const int32_t at = (int32_t)(i % 2 ? 1000000 + i : i);
        spans[i] = lines(at, at);
        spans[i].flags |= FM_SPAN_PART;
    }
}
static void shuffled(struct fm_span *spans, size_t count)
{
    uint64_t random = 99;
    rising(spans, count);
    for (size_t i = count - 1; i > 0; i--) {
        const size_t other = model_below(&random, i + 1);
        const struct fm_span swap = spans[i];
        spans[i] = spans[other];
        spans[other] = swap;
    }
}
static void same(struct fm_span *spans, size_t count)
{
    for (size_t i = 0; i < count; i++) spans[i] = lines(5, 5);
}
static void widest(struct fm_span *spans, size_t count)
{
    for (size_t i = 0; i < count; i++) spans[i] = i % 2 ? lines(INT32_MIN, INT32_MAX) : lines((int32_t)i, (int32_t)i);
}
static void without_lines(struct fm_span *spans, size_t count)
{
    for (size_t i = 0; i < count; i++) spans[i] = (struct fm_span){.flags = FM_SPAN_PART, .notes = FM_NONE};
}
static void one_without(struct fm_span *spans, size_t count)
{
    rising(spans, count);
    spans[count - 2] = (struct fm_span){.notes = FM_NONE};
}
static void one_with(struct fm_span *spans, size_t count)
{
    without_lines(spans, count);
    spans[count - 2] = lines(7, 9);
}

static const struct {
    const char *name;
    fill_spans fill;
    uint64_t bits_most; /* greatest number of bits that a span may take on average */
} rows[] = {{"rising", rising, 24},
            {"chains", chains, 24},
            {"falling", falling, 170},
            {"nested", nested, 800},
            {"nested inwards", nested_inwards, 800},
            {"interleaved", interleaved, 230},
            {"shuffled", shuffled, 170},
            {"same", same, 16},
            {"widest", widest, 300},
            {"without lines", without_lines, 32},
            {"one without", one_without, 170},
            {"one with", one_with, 64}};

static void build(const struct fm_span *spans, size_t count, struct fm_heap *heap, struct fm_built *built)
{
    struct fm_builder *b;
    uint32_t name, text, member;
    assert_int_equal(fm_builder_create(heap, &b, NULL), FRAMEMAP_OK);
    assert_int_equal(fm_builder_name(b, FM_STR("com.example.Main"), &name, NULL), FRAMEMAP_OK);
    assert_int_equal(fm_builder_string(b, FM_STR("main"), &text, NULL), FRAMEMAP_OK);
    assert_int_equal(fm_builder_member(b, &(struct fm_member){name, text, text, text}, &member, NULL), FRAMEMAP_OK);
    assert_int_equal(fm_builder_class(b, FM_STR("a"), name, 0, NULL), FRAMEMAP_OK);
    assert_int_equal(fm_builder_method(b, FM_STR("a"), spans, count, NULL), FRAMEMAP_OK);
    assert_int_equal(fm_builder_finish(b, built, NULL), FRAMEMAP_OK);
    fm_builder_free(b);
}

/* Checks that the right span is found in few steps, from each start, in a search to the end and in a search to a
 * later span. */
static void search(const struct fm_view *view, const struct model_method *method, uint64_t *random)
{
    struct fm_spans spans;
    assert_true(fm_spans_open(view, 0, &spans));
    for (unsigned i = 0; i < 300 / TEST_STEP; i++) {
        const size_t some = model_below(random, method->count), from = i % 3 ? model_below(random, method->count) : 0,
                     end = i % 2 ? method->count : from + model_below(random, method->count - from + 1);
        const int32_t line = (int32_t)((uint32_t)method->spans[some].residual_from + i % 4 - 1);
        const size_t wanted = model_find(method, true, line, from, end), bare = model_find(method, false, 0, from, end);
        uint64_t place = method->count, steps = 0;
        if (!fm_spans_at_line(view, &spans, line, from, end, &place, &steps)) place = method->count;
        assert_int_equal(place, wanted);
        if (!fm_spans_without_lines(view, &spans, from, end, &place, &steps)) place = method->count;
        assert_int_equal(place, bare);
        if (steps > 400) fail_msg("%llu steps", (unsigned long long)steps);
    }
}

static void few_steps_in_any_order(void **state)
{
    (void)state;
    struct fm_span *spans = malloc(MANY * sizeof *spans);
    uint64_t random = 5;
    assert_non_null(spans);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct fm_heap heap;
        struct fm_built built;
        struct fm_view *view;
        struct model_method method = {.spans = spans, .count = MANY};
        memset(spans, 0, MANY * sizeof *spans);
        rows[i].fill(spans, MANY);
        fm_heap_init(&heap, NULL, 0);
        build(spans, MANY, &heap, &built);
        if (built.size * 8 > MANY * rows[i].bits_most) fail_msg("%s: %zu bytes", rows[i].name, built.size);
        assert_int_equal(fm_view_open(fm_str(built.data, built.size), &heap, &view, NULL), FRAMEMAP_OK);
        assert_int_equal(fm_view_verify(view, NULL), FRAMEMAP_OK);
        search(view, &method, &random);
        fm_view_close(view);
        fm_heap_free(&heap, built.data, built.size);
        assert_int_equal(heap.used, 0);
    }
    free(spans);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(few_steps_in_any_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
