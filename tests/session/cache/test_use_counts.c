/* Tests the counts of uses (session/cache/use_counts.c). */
#include "session/cache/use_counts.h"

#include "core/hash/hash.h"
#include "tests/testing.h"

static uint64_t hash_of(uint32_t number) { return fm_hash64(&number, sizeof number, 0); }

static void uses_are_counted_up_to_a_limit(void **state)
{
    (void)state;
    struct fm_use_counts counts = {0};
    for (unsigned i = 0; i < FM_USE_MOST; i++) {
        assert_int_equal(fm_use_counts_get(&counts, hash_of(1)), i);
        fm_use_counts_add(&counts, hash_of(1), 1000);
    }
    for (unsigned i = 0; i < 5; i++) fm_use_counts_add(&counts, hash_of(1), 1000);
    assert_int_equal(fm_use_counts_get(&counts, hash_of(1)), FM_USE_MOST);
    assert_int_equal(fm_use_counts_get(&counts, hash_of(2)), 0);
}

/* A hash that was used often in the past is overtaken by a hash that is used now. */
static void counts_age(void **state)
{
    (void)state;
    struct fm_use_counts counts = {0};
    for (unsigned i = 0; i < FM_USE_MOST; i++) fm_use_counts_add(&counts, hash_of(1), 10);
    unsigned uses = 0;
    while (fm_use_counts_get(&counts, hash_of(1)) > 1) {
        fm_use_counts_add(&counts, hash_of(100 + uses % 10), 10);
        assert_true(++uses < 5000);
    }
    /* the old hash must not be overtaken before the new ones were used a thousand times */
    assert_true(uses > 1000);
}

/* With ten thousand builds, the ten that are used most often have higher counts than nearly all others. */
static void many_hashes_share_the_columns(void **state)
{
    (void)state;
    enum { OFTEN = 10, BUILDS = 10000, ROUNDS = 1000 };
    struct fm_use_counts counts = {0};
    unsigned right = 0;
    for (uint32_t i = 0; i < ROUNDS; i++) {
        for (uint32_t often = 0; often < OFTEN; often++) fm_use_counts_add(&counts, hash_of(often), 100);
        for (uint32_t rare = 0; rare < OFTEN; rare++)
            fm_use_counts_add(&counts, hash_of(OFTEN + (i * OFTEN + rare) % BUILDS), 100);
    }
    unsigned least = FM_USE_MOST;
    for (uint32_t often = 0; often < OFTEN; often++) {
        const unsigned count = fm_use_counts_get(&counts, hash_of(often));
        if (count < least) least = count;
    }
    for (uint32_t rare = 0; rare < BUILDS; rare++) right += fm_use_counts_get(&counts, hash_of(OFTEN + rare)) < least;
    assert_true(right > BUILDS * 98 / 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uses_are_counted_up_to_a_limit),
        cmocka_unit_test(counts_age),
        cmocka_unit_test(many_hashes_share_the_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
