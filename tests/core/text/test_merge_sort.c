/* Tests of core/text/merge_sort.h. */
#include "core/text/merge_sort.h"
#include "tests/index/support/oracle.h"
#include "tests/testing.h"

static int by_last_digit(const void *context, uint32_t a, uint32_t b)
{
    (void)context;
    return (int)(a % 10) - (int)(b % 10);
}

/* Many items without `tie` are sorted by a radix sort. The keys have few and many different values, and bytes that
 * are equal in all keys or that vary. */
static void sorting_many_is_stable(void **state)
{
    (void)state;
    static const struct {
        uint64_t keys, times, plus;
        uint32_t groups;
    } rows[] = {{20, 1, 0, 1},
                {UINT64_MAX, 1, 0, 1},
                {300, UINT64_C(1) << 40, 7, 70000},
                {2, UINT64_C(1) << 63, 0, 3},
                {1, 1, 5, 1}};
    static const size_t counts[] = {511, 512, 513, 4000};
    struct oracle_random random = {9};
    struct fm_heap heap;
    fm_heap_init(&heap, NULL, 0);
    for (size_t test = 0; test < COUNT_OF(rows) * COUNT_OF(counts); test++) {
        const size_t row = test / COUNT_OF(counts), count = counts[test % COUNT_OF(counts)];
        struct fm_sort_item *items = calloc(count, sizeof *items);
        uint64_t sum = 0, sorted_sum = 0;
        for (size_t i = 0; i < count; i++) {
            const uint64_t key = oracle_below(&random, rows[row].keys) * rows[row].times + rows[row].plus;
            items[i] = (struct fm_sort_item){key, (uint32_t)oracle_below(&random, rows[row].groups), (uint32_t)i};
            sum += key ^ items[i].group ^ i * i;
        }
        assert_true(fm_sort(&heap, items, count, NULL, NULL));
        for (size_t i = 0; i < count; i++) {
            const struct fm_sort_item *a = i ? &items[i - 1] : NULL, *b = &items[i];
            sorted_sum += b->key ^ b->group ^ (uint64_t)b->id * b->id;
            if (a == NULL || a->group < b->group) continue;
            assert_true(a->group == b->group && a->key <= b->key);
            assert_true(a->key < b->key || a->id < b->id);
        }
        assert_true(sum == sorted_sum);
        free(items);
    }
    assert_int_equal(atomic_load(&heap.used), 0);
}

/* Sorts runs of all lengths: equal items keep their order unless `tie` decides it. */
static void sorting_is_stable(void **state)
{
    (void)state;
    struct oracle_random random = {8};
    struct fm_heap heap;
    fm_heap_init(&heap, NULL, 0);
    for (size_t count = 0; count < 300; count++) {
        struct fm_sort_item *items = calloc(count + 1, sizeof *items);
        uint64_t sum = 0, sorted_sum = 0;
        for (size_t i = 0; i < count; i++) {
            const uint64_t key = oracle_chance(&random, 80) && i > 0 ? items[i - 1].key + 1 : oracle_below(&random, 20);
            items[i] = (struct fm_sort_item){key, (uint32_t)oracle_below(&random, 3), (uint32_t)i};
            sum += i * i;
        }
        assert_true(fm_sort(&heap, items, count, count % 2 ? by_last_digit : NULL, NULL));
        for (size_t i = 0; i < count; i++) {
            const struct fm_sort_item *a = i ? &items[i - 1] : NULL, *b = &items[i];
            sorted_sum += (uint64_t)b->id * b->id;
            if (a == NULL || a->group < b->group) continue;
            assert_true(a->group == b->group && a->key <= b->key);
            if (a->key < b->key) continue;
            if (count % 2 && a->id % 10 != b->id % 10)
                assert_true(a->id % 10 < b->id % 10);
            else
                assert_true(a->id < b->id);
        }
        assert_true(sum == sorted_sum);
        free(items);
    }
    assert_int_equal(heap.used, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sorting_is_stable),
        cmocka_unit_test(sorting_many_is_stable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
