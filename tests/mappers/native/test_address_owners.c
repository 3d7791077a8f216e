/* Tests of mappers/native/compile/address_owners.h. */
#include "mappers/native/compile/address_owners.h"
#include "tests/testing.h"

static void claim(struct fm_address_owners *owners, uint32_t unit, uint64_t low, uint64_t high, bool weak)
{
    const struct fm_dw_range range = {low, high};
    const struct fm_dw_claim made = {
        .number = unit, .offset = 10 * unit, .ranges = &range, .range_count = 1, .weak = weak};
    assert_true(fm_address_owners_claim(owners, &made));
}

static void assert_gained(const struct fm_address_owners *owners, uint32_t unit, const struct fm_address_segment *want,
                          size_t count)
{
    size_t got_count;
    const struct fm_address_segment *got = fm_address_owners_gained(owners, unit, &got_count);
    if (got_count != count) fail_msg("unit %u: %zu segments", (unsigned)unit, got_count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(got[i].low, want[i].low);
        assert_int_equal(got[i].high, want[i].high);
    }
}

static void who_gains_what_is_dropped(void **state)
{
    (void)state;
    struct fm_heap heap;
    struct fm_address_owners owners;
    bool dropped[4] = {false, true, false, false};
    fm_heap_init(&heap, NULL, 0);
    fm_address_owners_init(&owners, &heap);
    claim(&owners, 0, 100, 200, true);
    claim(&owners, 1, 100, 130, false);
    claim(&owners, 2, 120, 140, false);
    claim(&owners, 3, 0, 50, false);
    assert_true(fm_address_owners_update(&owners, NULL));
    assert_gained(&owners, 0, (struct fm_address_segment[]){{140, 200, 0}}, 1);
    assert_gained(&owners, 1, (struct fm_address_segment[]){{100, 130, 0}}, 1);
    assert_gained(&owners, 2, (struct fm_address_segment[]){{130, 140, 0}}, 1);
    assert_gained(&owners, 3, (struct fm_address_segment[]){{0, 50, 0}}, 1);
    assert_true(fm_address_owners_update(&owners, dropped));
    assert_gained(&owners, 0, (struct fm_address_segment[]){{100, 120, 0}}, 1);
    assert_gained(&owners, 1, NULL, 0);
    assert_gained(&owners, 2, (struct fm_address_segment[]){{120, 130, 0}}, 1);
    assert_gained(&owners, 3, NULL, 0);
    assert_int_equal(owners.by_address.count, 4);
    assert_true(fm_address_owners_update(&owners, dropped));
    assert_int_equal(owners.gained.count, 0);
    fm_address_owners_free(&owners);
    assert_int_equal(heap.used, 0);
}

static void claims_that_are_asked_for(void **state)
{
    (void)state;
    static const uint64_t addresses[] = {5, 20, 29};
    static const struct fm_dw_range ranges[] = {{0, 5}, {5, 6}, {6, 20}, {20, 30}, {30, 40}};
    static const bool want[] = {false, true, false, true, false};
    static const unsigned wanted_count[] = {0, 1, 0, 2, 0}; /* number of owners of each address */
    for (size_t i = 0; i < COUNT_OF(ranges); i++) {
        struct fm_heap heap;
        struct fm_address_owners owners;
        const struct fm_dw_claim made = {.ranges = &ranges[i], .range_count = 1};
        fm_heap_init(&heap, NULL, 0);
        fm_address_owners_init(&owners, &heap);
        owners.addresses = addresses;
        owners.address_count = COUNT_OF(addresses);
        assert_true(fm_address_owners_claim(&owners, &made));
        assert_int_equal(owners.unit_count, 1);
        if (owners.claims.count != (want[i] ? 1 : 0)) fail_msg("range %zu", i);
        assert_true(fm_address_owners_update(&owners, NULL));
        uint64_t owned = 0;
        for (size_t j = 0; j < owners.by_address.count; j++)
            owned += owners.by_address.items[j].high - owners.by_address.items[j].low;
        assert_int_equal(owned, wanted_count[i]);
        fm_address_owners_free(&owners);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(who_gains_what_is_dropped),
                                       cmocka_unit_test(claims_that_are_asked_for)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
