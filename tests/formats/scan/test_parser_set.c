/* Tests sets of parsers, which are bit masks of two words: members in each word, and the first and last possible member
 * of each word. */
#include "formats/scan/parser_set.h"
#include "tests/testing.h"

static const unsigned numbers[] = {0, 1, 62, 63, 64, 65, 126, FM_PARSERS_MOST - 1};
enum { NUMBERS = sizeof numbers / sizeof *numbers };

static void test_members(void **state)
{
    struct fm_parser_set set = FM_PARSERS_NONE;
    (void)state;
    assert_false(fm_parsers_any(set));
    for (unsigned i = 0; i < NUMBERS; i++) fm_parsers_add(&set, numbers[i]);
    for (unsigned i = 0, next = 0; i < FM_PARSERS_MOST; i++) {
        const bool in = next < NUMBERS && numbers[next] == i;
        next += in;
        assert_int_equal(fm_parsers_have(set, i), in);
        assert_true(fm_parsers_have(FM_PARSERS_ALL, i));
    }
    fm_parsers_remove(&set, 64);
    fm_parsers_remove(&set, 63);
    assert_true(!fm_parsers_have(set, 64) && !fm_parsers_have(set, 63) && fm_parsers_have(set, 65));
}

static void test_take(void **state)
{
    struct fm_parser_set set = FM_PARSERS_NONE;
    (void)state;
    for (unsigned i = NUMBERS; i-- > 0;) fm_parsers_add(&set, numbers[i]);
    for (unsigned i = 0; i < NUMBERS; i++) {
        assert_true(fm_parsers_any(set));
        assert_int_equal(fm_parsers_take(&set), numbers[i]);
    }
    assert_false(fm_parsers_any(set));
}

static void test_from(void **state)
{
    (void)state;
    for (unsigned i = 0; i < NUMBERS; i++) {
        const struct fm_parser_set set = fm_parsers_from(numbers[i]);
        for (unsigned j = 0; j < FM_PARSERS_MOST; j++) assert_int_equal(fm_parsers_have(set, j), j >= numbers[i]);
    }
}

static void test_combined(void **state)
{
    const struct fm_parser_set a = {5, 6}, b = {4, 3};
    struct fm_parser_set both = a;
    (void)state;
    assert_true(fm_parsers_equal(fm_parsers_or(a, b), (struct fm_parser_set){5, 7}));
    assert_true(fm_parsers_equal(fm_parsers_and(a, b), (struct fm_parser_set){4, 2}));
    assert_true(fm_parsers_equal(fm_parsers_without(a, b), (struct fm_parser_set){1, 4}));
    fm_parsers_include(&both, b);
    assert_true(fm_parsers_equal(both, fm_parsers_or(a, b)));
    assert_false(fm_parsers_equal(a, (struct fm_parser_set){5, 3}));
    assert_false(fm_parsers_equal(a, (struct fm_parser_set){4, 6}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_members), cmocka_unit_test(test_take),
                                       cmocka_unit_test(test_from), cmocka_unit_test(test_combined)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
