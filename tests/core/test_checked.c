/* Tests of core/checked.h. */
#include "core/checked.h"
#include "tests/testing.h"

/* Tests for each type the largest value that fits, and the next greater value, which does not. */
static void sums_and_products_stop_at_the_type(void **state)
{
    (void)state;
    uint64_t wide = 7;
    size_t size = 7;
    assert_true(fm_add_u64(UINT64_MAX - 1, 1, &wide) && wide == UINT64_MAX);
    assert_false(fm_add_u64(UINT64_MAX, 1, &wide));
    assert_true(wide == UINT64_MAX);
    assert_true(fm_mul_u64(UINT64_C(1) << 32, UINT32_MAX, &wide) && wide == UINT64_MAX - UINT32_MAX);
    assert_false(fm_mul_u64(UINT64_C(1) << 32, UINT64_C(1) << 32, &wide));
    assert_true(fm_mul_u64(UINT64_MAX, 0, &wide) && wide == 0);
    assert_true(fm_add_size(SIZE_MAX, 0, &size) && size == SIZE_MAX);
    assert_false(fm_add_size(SIZE_MAX, 1, &size));
    assert_false(fm_mul_size(SIZE_MAX / 2 + 1, 2, &size));
    assert_true(size == SIZE_MAX);
    assert_true(fm_mul_size(SIZE_MAX / 2, 2, &size) && size == SIZE_MAX - 1);
}

static void ranges(void **state)
{
    (void)state;
    static const struct {
        const char *why;
        uint64_t offset, size, whole;
        bool fits;
    } rows[] = {
        {"all of it", 0, 10, 10, true},
        {"nothing at the end", 10, 0, 10, true},
        {"nothing past the end", 11, 0, 10, false},
        {"one too many", 1, 10, 10, false},
        {"the sum wraps to a small number", 8, UINT64_MAX - 4, 10, false},
        {"nothing of nothing", 0, 0, 0, true},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (fm_range_fits(rows[i].offset, rows[i].size, rows[i].whole) != rows[i].fits) fail_msg("%s", rows[i].why);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sums_and_products_stop_at_the_type), cmocka_unit_test(ranges)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
