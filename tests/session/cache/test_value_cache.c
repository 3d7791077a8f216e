/* Tests session/cache/value_cache.h: the part that records which builds the store does not have. test_stored_symbols.c
 * tests which values a session caches. */
#include "session/cache/value_cache.h"

#include "tests/session/session_help.h"

static framemap_str build_name(char *text, size_t size, unsigned number)
{
    return fm_str(text, (size_t)snprintf(text, size, "fm1::native:%032x", number * 2654435761U));
}

/* Fills a quarter of the table with absent builds. No build may displace another one, and no build that was not added
 * may be found. */
static void many_absent_builds_are_kept(void **state)
{
    (void)state;
    enum { COUNT = FM_ABSENT_SLOTS / 4 };
    struct fm_heap heap;
    struct fm_value_cache cache;
    char text[64];
    fm_heap_init(&heap, NULL, 0);
    fm_value_cache_init(&cache, &heap, NULL, 0);
    assert_false(fm_value_cache_is_absent(&cache, build_name(text, sizeof text, 1)));
    for (unsigned i = 0; i < COUNT; i++) fm_value_cache_note_absent(&cache, build_name(text, sizeof text, i));
    for (unsigned i = 0; i < COUNT; i++)
        if (!fm_value_cache_is_absent(&cache, build_name(text, sizeof text, i))) fail_msg("build %u is forgotten", i);
    for (unsigned i = COUNT; i < 2 * COUNT; i++)
        assert_false(fm_value_cache_is_absent(&cache, build_name(text, sizeof text, i)));
    fm_value_cache_free(&cache);
    assert_int_equal(atomic_load(&heap.used), 0);
}

/* Adds more builds than the table has slots. The table keeps its size, and the build that was added last is always
 * found. */
static void a_full_table_takes_the_newest(void **state)
{
    (void)state;
    struct fm_heap heap;
    struct fm_value_cache cache;
    char text[64];
    fm_heap_init(&heap, NULL, 0);
    fm_value_cache_init(&cache, &heap, NULL, 0);
    for (unsigned i = 0; i < 4 * FM_ABSENT_SLOTS; i++) {
        fm_value_cache_note_absent(&cache, build_name(text, sizeof text, i));
        assert_true(fm_value_cache_is_absent(&cache, build_name(text, sizeof text, i)));
    }
    assert_int_equal(atomic_load(&heap.used), FM_ABSENT_SLOTS * sizeof(struct fm_absent_build));
    fm_value_cache_free(&cache);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_absent_builds_are_kept),
        cmocka_unit_test(a_full_table_takes_the_newest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
