/* Compares set operations on random spans with a search through all spans at each address. */
#include "mappers/native/compile/unit_coverage.h"
#include "tests/testing.h"

#define SPACE 40u
#define SPANS 8u
#define ROUNDS 5000u
#define NONE UINT32_MAX

static uint32_t next_random(uint32_t *seed) { return (*seed = *seed * 1664525u + 1013904223u) >> 16; }

static void make_spans(uint32_t *seed, struct fm_address_spans *spans)
{
    spans->count = 0;
    for (uint32_t i = next_random(seed) % SPANS; i > 0; i--) {
        const uint64_t low = next_random(seed) % (SPACE - 9);
        assert_true(fm_address_spans_add(spans, low, low + 1 + next_random(seed) % 8, next_random(seed) % 4,
                                         next_random(seed) % 4));
    }
    assert_true(fm_address_spans_sort(spans));
}

/* Makes spans that do not touch each other, by ascending address. */
static void make_apart(uint32_t *seed, struct fm_address_spans *spans)
{
    spans->count = 0;
    for (uint64_t at = next_random(seed) % 8; at < SPACE - 8; at += next_random(seed) % 4) {
        const uint64_t high = at + 1 + next_random(seed) % 6;
        assert_true(fm_address_spans_add(spans, at, high, next_random(seed) % 4, next_random(seed) % 4));
        at = high;
    }
}

static const struct fm_address_span *span_at(const struct fm_address_spans *spans, uint64_t at)
{
    for (size_t i = 0; i < spans->count; i++) {
        if (spans->items[i].low <= at && at < spans->items[i].high) return &spans->items[i];
    }
    return NULL;
}

static uint32_t id_at(const struct fm_address_segments *segments, uint64_t at)
{
    for (size_t i = 0; i < segments->count; i++) {
        if (segments->items[i].low <= at && at < segments->items[i].high) return segments->items[i].id;
    }
    return NONE;
}

static void what_several_ids_cover(void **state)
{
    (void)state;
    struct fm_heap heap;
    uint32_t seed = 1;
    fm_heap_init(&heap, NULL, 0);
    struct fm_address_spans spans = {.heap = &heap};
    struct fm_address_segments crowded = {.heap = &heap}, by_id = {.heap = &heap};
    for (size_t round = 0; round < ROUNDS; round++) {
        make_spans(&seed, &spans);
        assert_true(fm_address_spans_shared(&spans, NULL, &crowded) && fm_address_spans_by_id(&spans, NULL, 4, &by_id));
        for (uint64_t at = 0; at < SPACE; at++) {
            uint32_t ids = 0;
            for (size_t i = 0; i < spans.count; i++)
                ids |= spans.items[i].low <= at && at < spans.items[i].high ? 1u << spans.items[i].id : 0;
            assert_int_equal(id_at(&crowded, at) != NONE, (ids & (ids - 1)) != 0);
            for (uint32_t id = 0; id < 4; id++) {
                struct fm_address_segments own = {0};
                const struct fm_address_segment *items = fm_address_segments_of(&by_id, id, &own.count);
                bool covered = false;
                for (size_t i = 0; i < own.count; i++) covered |= items[i].low <= at && at < items[i].high;
                assert_int_equal(covered, ids >> id & 1);
            }
        }
    }
    fm_address_segments_free(&by_id);
    fm_address_segments_free(&crowded);
    fm_address_spans_free(&spans);
    assert_int_equal(heap.used, 0);
}

static void equal_spans_of_exact_ids(void **state)
{
    (void)state;
    static const bool exact[] = {true, true, false, true};
    static const struct fm_address_span items[] = {{0, 5, 0, 0}, {0, 9, 1, 1}, {0, 5, 2, 2},
                                                   {0, 5, 3, 3}, {2, 5, 0, 0}, {2, 5, 2, 2}};
    static const bool want[] = {false, false, false, true, false, false};
    struct fm_heap heap;
    bool got[COUNT_OF(items)] = {false};
    fm_heap_init(&heap, NULL, 0);
    struct fm_address_spans spans = {.heap = &heap};
    for (size_t i = 0; i < COUNT_OF(items); i++)
        assert_true(fm_address_spans_add(&spans, items[i].low, items[i].high, items[i].rank, items[i].id));
    assert_true(fm_address_spans_repeated(&spans, exact, got));
    for (size_t i = 0; i < COUNT_OF(items); i++) assert_int_equal(got[i], want[i]);
    fm_address_spans_free(&spans);
    assert_int_equal(heap.used, 0);
}

static void the_better_of_two(void **state)
{
    (void)state;
    struct fm_heap heap;
    uint32_t seed = 2;
    fm_heap_init(&heap, NULL, 0);
    struct fm_address_spans a = {.heap = &heap}, b = {.heap = &heap}, best = {.heap = &heap};
    for (size_t round = 0; round < ROUNDS; round++) {
        make_apart(&seed, &a);
        make_apart(&seed, &b);
        assert_true(fm_address_spans_merge_best(&a, &b, &best));
        for (uint64_t at = 0; at < SPACE; at++) {
            const struct fm_address_span *first = span_at(&a, at), *second = span_at(&b, at), *got = span_at(&best, at);
            const bool is_first = first != NULL && (second == NULL || first->rank < second->rank ||
                                                    (first->rank == second->rank && first->id < second->id));
            const struct fm_address_span *want = is_first ? first : second;
            assert_int_equal(got != NULL, want != NULL);
            if (want != NULL) assert_true(got->rank == want->rank && got->id == want->id);
        }
        for (size_t i = 1; i < best.count; i++) assert_true(best.items[i - 1].high <= best.items[i].low);
    }
    fm_address_spans_free(&best);
    fm_address_spans_free(&b);
    fm_address_spans_free(&a);
    assert_int_equal(heap.used, 0);
}

static void two_sets(void **state)
{
    (void)state;
    struct fm_heap heap;
    uint32_t seed = 3;
    fm_heap_init(&heap, NULL, 0);
    struct fm_address_spans spans = {.heap = &heap};
    struct fm_address_segments a = {.heap = &heap}, b = {.heap = &heap}, common = {.heap = &heap},
                               less = {.heap = &heap}, both = {.heap = &heap};
    for (size_t round = 0; round < ROUNDS; round++) {
        make_spans(&seed, &spans);
        assert_true(fm_address_spans_flatten(&spans, &a));
        make_spans(&seed, &spans);
        assert_true(fm_address_spans_flatten(&spans, &b));
        assert_true(fm_address_segments_intersect(&a, &b, &common) && fm_address_segments_subtract(&a, &b, &less) &&
                    fm_address_segments_unite(&less, &b, &both));
        for (uint64_t at = 0; at < SPACE; at++) {
            const uint32_t first = id_at(&a, at), second = id_at(&b, at);
            assert_int_equal(id_at(&common, at), second != NONE ? first : NONE);
            assert_int_equal(id_at(&less, at), second == NONE ? first : NONE);
            assert_int_equal(id_at(&both, at), second != NONE ? second : first);
        }
    }
    fm_address_segments_free(&both);
    fm_address_segments_free(&less);
    fm_address_segments_free(&common);
    fm_address_segments_free(&b);
    fm_address_segments_free(&a);
    fm_address_spans_free(&spans);
    assert_int_equal(heap.used, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_several_ids_cover),
                                       cmocka_unit_test(equal_spans_of_exact_ids), cmocka_unit_test(the_better_of_two),
                                       cmocka_unit_test(two_sets)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
