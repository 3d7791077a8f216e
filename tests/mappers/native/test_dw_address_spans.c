/* Tests of mappers/native/dwarf/dw_address_spans.h. */
#include "mappers/native/dwarf/dw_address_spans.h"
#include "tests/testing.h"

struct painted {
    uint64_t low, high;
    uint32_t id;
};

static void spans_and_what_shows(void **state)
{
    (void)state;
    static const struct {
        const char *name, *why;
        struct fm_address_span spans[4];
        size_t count;
        struct painted shows[6];
        size_t show_count;
    } rows[] = {
        {"none", "no spans, no segments", {{0}}, 0, {{0}}, 0},
        {"one", "a span alone shows whole", {{10, 20, 0, 7}}, 1, {{10, 20, 7}}, 1},
        {"nested",
         "a lower rank cuts a hole",
         {{0, 100, 5, 1}, {10, 20, 4, 2}},
         2,
         {{0, 10, 1}, {10, 20, 2}, {20, 100, 1}},
         3},
        {"hidden", "a span that another one covers never shows", {{0, 100, 1, 1}, {10, 20, 4, 2}}, 2, {{0, 100, 1}}, 1},
        {"equal", "of one rank the higher id shows", {{0, 10, 1, 1}, {0, 10, 1, 2}}, 2, {{0, 10, 2}}, 1},
        {"touching", "touching spans of one id are one segment", {{10, 20, 0, 3}, {0, 10, 0, 3}}, 2, {{0, 20, 3}}, 1},
        {"gap", "nothing shows between", {{0, 1, 0, 1}, {5, 6, 0, 1}}, 2, {{0, 1, 1}, {5, 6, 1}}, 2},
        {"crossing",
         "both keep what the other does not hide",
         {{0, 10, 2, 1}, {5, 15, 1, 2}},
         2,
         {{0, 5, 1}, {5, 15, 2}},
         2},
        {"to the end",
         "the last address is an address",
         {{UINT64_MAX - 1, UINT64_MAX, 0, 1}},
         1,
         {{UINT64_MAX - 1, UINT64_MAX, 1}},
         1},
    };
    struct fm_heap heap;
    fm_heap_init(&heap, NULL, 0);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct fm_address_spans spans = {.heap = &heap};
        struct fm_address_segments shows = {.heap = &heap};
        for (size_t j = 0; j < rows[i].count; j++) {
            const struct fm_address_span *span = &rows[i].spans[j];
            assert_true(fm_address_spans_add(&spans, span->low, span->high, span->rank, span->id));
        }
        assert_true(fm_address_spans_flatten(&spans, &shows));
        bool same = shows.count == rows[i].show_count;
        for (size_t j = 0; same && j < shows.count; j++) {
            const struct painted *want = &rows[i].shows[j];
            same =
                shows.items[j].low == want->low && shows.items[j].high == want->high && shows.items[j].id == want->id;
        }
        if (!same) fail_msg("%s: %s", rows[i].name, rows[i].why);
        fm_address_spans_free(&spans);
        fm_address_segments_free(&shows);
    }
}

#define SPACE 64

static uint32_t next_random(uint32_t *seed) { return *seed = *seed * 1664525u + 1013904223u; }

/* Compares the segments with a search through all spans for each address. */
static void random_spans_against_the_plain_answer(void **state)
{
    (void)state;
    struct fm_heap heap;
    uint32_t seed = 7;
    fm_heap_init(&heap, NULL, 0);
    for (int round = 0; round < 3000; round++) {
        struct fm_address_spans spans = {.heap = &heap};
        struct fm_address_segments shows = {.heap = &heap};
        uint32_t want[SPACE], got[SPACE];
        uint64_t rank[SPACE];
        memset(want, 0xff, sizeof want);
        memset(got, 0xff, sizeof got);
        const uint32_t count = 1 + next_random(&seed) / 65536 % 40;
        for (uint32_t id = 0; id < count; id++) {
            const uint64_t low = next_random(&seed) / 65536 % (SPACE - 1);
            const uint64_t high = low + 1 + next_random(&seed) / 65536 % (SPACE - low - 1 + (low + 1 == SPACE));
            const uint64_t its = next_random(&seed) / 65536 % 8;
            assert_true(fm_address_spans_add(&spans, low, high, its, id));
            for (uint64_t at = low; at < high; at++) {
                if (want[at] != UINT32_MAX && rank[at] < its) continue;
                want[at] = id;
                rank[at] = its;
            }
        }
        assert_true(fm_address_spans_flatten(&spans, &shows));
        for (size_t i = 0; i < shows.count; i++) {
            assert_true(i == 0 || shows.items[i - 1].high <= shows.items[i].low);
            for (uint64_t at = shows.items[i].low; at < shows.items[i].high; at++) got[at] = shows.items[i].id;
        }
        assert_memory_equal(got, want, sizeof want);
        fm_address_spans_free(&spans);
        fm_address_segments_free(&shows);
    }
}

static bool sorts_after(const struct fm_address_span *a, const struct fm_address_span *b)
{
    return a->low != b->low ? a->low > b->low : a->rank > b->rank;
}

/* Sorts lists of spans. The lists differ in their lengths, in the number of different low addresses, and in the order
 * of ranks. The id of a span is its index before sorting. */
static void spans_are_sorted_however_they_come(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        size_t count;
        uint64_t base, lows, step;
        bool ranks_fall, ordered;
    } rows[] = {
        {"one", 1, 5, 1, 1, false, false},
        {"few", 40, 5, 100, 1, false, false},
        {"few less than are counted", 63, 0, 1000, 3, false, false},
        {"as many as are counted", 64, 0, 1000, 3, false, false},
        {"all at one low", 200, 1000, 1, 1, false, false},
        {"of one byte", 300, 1000, 256, 1, false, false},
        {"of two bytes", 3000, UINT64_MAX - 70000, 65536, 1, false, false},
        {"of three bytes", 3000, 1, 1 << 24, 1, false, false},
        {"as wide as keys are", 5000, 77, UINT32_MAX, 1, false, false},
        {"wider", 500, 0, UINT64_C(1) << 40, 1, false, false},
        {"a byte that all have in common", 1000, 0, 200, 65536, false, false},
        {"ranks fall", 1000, 0, 50, 1, true, false},
        {"in order", 1000, 9, 100000, 1, false, true},
    };
    struct fm_heap heap;
    uint32_t seed = 11;
    fm_heap_init(&heap, NULL, 0);
    struct fm_address_spans spans = {.heap = &heap};
    for (size_t i = 0; i < 4 * COUNT_OF(rows); i++) {
        const size_t row = i % COUNT_OF(rows), count = rows[row].count;
        uint64_t lows[5000];
        uint64_t sum = 0;
        spans.count = 0;
        for (uint32_t id = 0; id < count; id++) {
            const uint64_t random = (uint64_t)next_random(&seed) << 28 ^ next_random(&seed) >> 4;
            lows[id] = rows[row].base +
                       (rows[row].ordered ? id * rows[row].lows / count : random % rows[row].lows) * rows[row].step;
            assert_true(fm_address_spans_add(&spans, lows[id], UINT64_MAX, rows[row].ranks_fall ? count - id : id, id));
        }
        assert_true(fm_address_spans_sort(&spans));
        assert_int_equal(spans.count, count);
        for (size_t j = 0; j < count; j++) {
            const struct fm_address_span *span = &spans.items[j];
            if (span->low != lows[span->id] || (j > 0 && !sorts_after(span, span - 1)))
                fail_msg("%s: the span at %zu", rows[row].name, j);
            sum += span->id;
        }
        assert_int_equal(sum, count * (count - 1) / 2);
    }
    fm_address_spans_free(&spans);
    assert_int_equal(heap.used, 0);
}

static bool paint_many(const framemap_allocator *allocator, void *context)
{
    (void)context;
    struct fm_heap heap;
    fm_heap_init(&heap, allocator, 0);
    struct fm_address_spans spans = {.heap = &heap};
    struct fm_address_segments shows = {.heap = &heap};
    bool good = true;
    for (uint32_t i = 0; i < 100 && good; i++)
        good = fm_address_spans_add(&spans, (i * 37) % 100, (i * 37) % 100 + 3, i, i);
    good = good && fm_address_spans_flatten(&spans, &shows);
    fm_address_spans_free(&spans);
    fm_address_segments_free(&shows);
    return good;
}

static void want_of_memory_is_said(void **state)
{
    (void)state;
    assert_true(sweep_allocations(paint_many, NULL) > 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spans_and_what_shows),
        cmocka_unit_test(random_spans_against_the_plain_answer),
        cmocka_unit_test(spans_are_sorted_however_they_come),
        cmocka_unit_test(want_of_memory_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
