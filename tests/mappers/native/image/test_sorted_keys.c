/* Tests of mappers/native/image/sorted_keys.h. */
#include "mappers/native/image/sorted_keys.h"
#include "tests/testing.h"

enum { MOST = 300 };

static uint64_t next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

static void every_count_is_sorted_and_stable(void **state)
{
    uint64_t seed = 1;
    struct fm_heap heap;
    (void)state;
    fm_heap_init(&heap, NULL, 0);
    for (size_t count = 0; count <= MOST; count++) {
        for (unsigned shape = 0; shape < 4; shape++) {
            struct fm_key keys[MOST];
            for (size_t i = 0; i < count; i++) {
                /* The four kinds of keys: arbitrary, many equal ones, sorted, reversed. */
                const uint64_t values[] = {next_random(&seed), next_random(&seed) % 7, i, count - i};
                keys[i] = (struct fm_key){values[shape], (uint32_t)i};
            }
            assert_true(fm_keys_sort(&heap, keys, count, NULL, NULL));
            for (size_t i = 1; i < count; i++) {
                if (keys[i - 1].key > keys[i].key ||
                    (keys[i - 1].key == keys[i].key && keys[i - 1].number > keys[i].number))
                    fail_msg("%zu keys of shape %u are out of order at %zu", count, shape, i);
            }
        }
    }
    assert_int_equal(heap.used, 0);
}

/* Orders numbers with equal keys by their last digits. */
static int by_digit(const void *context, uint32_t a, uint32_t b)
{
    const uint32_t base = *(const uint32_t *)context;
    return (int)(a % base) - (int)(b % base);
}

static void ties_are_asked_about(void **state)
{
    struct fm_heap heap;
    struct fm_key keys[] = {{5, 31}, {1, 12}, {5, 22}, {5, 11}, {1, 2}, {5, 10}};
    const uint32_t wanted[] = {12, 2, 10, 31, 11, 22}, base = 10;
    (void)state;
    fm_heap_init(&heap, NULL, 0);
    assert_true(fm_keys_sort(&heap, keys, COUNT_OF(keys), by_digit, &base));
    for (size_t i = 0; i < COUNT_OF(keys); i++) assert_int_equal(keys[i].number, wanted[i]);
}

static void lower_bounds(void **state)
{
    static const struct fm_key keys[] = {{10, 0}, {20, 1}, {20, 2}, {UINT64_MAX, 3}};
    static const struct {
        uint64_t key;
        size_t wanted;
    } rows[] = {{0, 0}, {10, 0}, {11, 1}, {20, 1}, {21, 3}, {UINT64_MAX, 3}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        assert_int_equal(fm_keys_lower(keys, COUNT_OF(keys), rows[i].key), rows[i].wanted);
    assert_int_equal(fm_keys_lower(keys, 0, 5), 0);
}

static void without_memory(void **state)
{
    struct failing failing = {.fail_at = 0};
    const framemap_allocator allocator = failing_allocator(&failing);
    struct fm_heap heap;
    struct fm_key keys[] = {{2, 0}, {1, 1}};
    (void)state;
    fm_heap_init(&heap, &allocator, 0);
    assert_false(fm_keys_sort(&heap, keys, 2, NULL, NULL));
    assert_true(fm_keys_sort(&heap, keys, 1, NULL, NULL)); /* one key is sorted already, so nothing is allocated */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_count_is_sorted_and_stable),
        cmocka_unit_test(ties_are_asked_about),
        cmocka_unit_test(lower_bounds),
        cmocka_unit_test(without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
