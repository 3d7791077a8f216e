/* Tests of core/memory_ceiling.h. */
#include "tests/testing.h"

#include "core/heap.h"
#include "core/memory_ceiling.h"

static void counts_all_heaps(void **state)
{
    struct failing counted = {.fail_at = SIZE_MAX};
    const framemap_allocator inner = failing_allocator(&counted);
    struct fm_ceiling ceiling;
    struct fm_heap one, other;
    (void)state;
    fm_ceiling_init(&ceiling, inner, 1000);
    const framemap_allocator allocator = fm_ceiling_allocator(&ceiling);
    fm_heap_init(&one, &allocator, 0);
    fm_heap_init(&other, &allocator, 100);
    void *a = fm_heap_zalloc(&one, 1, 600), *b = fm_heap_zalloc(&other, 1, 100);
    assert_non_null(a);
    assert_non_null(b);
    assert_int_equal(ceiling.used, 700);
    assert_int_equal(fm_ceiling_left(&ceiling), 300);
    assert_null(fm_heap_zalloc(&one, 1, 301));
    assert_int_equal(ceiling.refused, 1);
    assert_false(one.over); /* the shared ceiling was exceeded, not the ceiling of this heap */
    assert_null(fm_heap_zalloc(&other, 1, 1));
    assert_true(other.over);
    assert_int_equal(ceiling.refused, 1);
    a = fm_heap_resize(&one, a, 600, 900);
    assert_non_null(a);
    assert_int_equal(ceiling.used, 1000);
    a = fm_heap_resize(&one, a, 900, 100);
    assert_int_equal(ceiling.used, 200);
    fm_heap_free(&one, a, 100);
    fm_heap_free(&other, b, 100);
    assert_int_equal(ceiling.used, 0);
    assert_int_equal(counted.live_bytes, 0);
}

static void counts_memory_of_others(void **state)
{
    struct fm_ceiling ceiling;
    struct fm_heap heap, plain;
    (void)state;
    fm_ceiling_init(&ceiling, fm_heap_hook(NULL), 1000);
    const framemap_allocator allocator = fm_ceiling_allocator(&ceiling);
    fm_heap_init(&heap, &allocator, 800);
    assert_true(fm_heap_reserve(&heap, 800));
    assert_false(fm_heap_reserve(&heap, 1));
    assert_true(heap.over);
    assert_int_equal(ceiling.used, 800);
    assert_true(fm_ceiling_take(&ceiling, 200));
    fm_heap_unreserve(&heap, 800);
    assert_int_equal(heap.used, 0);
    fm_heap_init(&heap, &allocator, 0);
    assert_false(fm_heap_reserve(&heap, 801));
    assert_int_equal(heap.used, 0);
    fm_ceiling_give_back(&ceiling, 200);
    assert_int_equal(ceiling.used, 0);
    fm_heap_init(&plain, NULL, 0);
    assert_true(fm_heap_reserve(&plain, UINT64_C(1) << 40)); /* the heap `plain` has no ceiling */
    fm_heap_unreserve(&plain, UINT64_C(1) << 40);
    assert_null(fm_ceiling_of(&plain.hook));
}

struct drawer {
    struct fm_heap *heap;
    void *kept;
    size_t requested;
};

static bool give_up(void *context, uint64_t bytes)
{
    struct drawer *drawer = context;
    drawer->requested++;
    assert_true(bytes > 0);
    if (drawer->kept == NULL) return false;
    fm_heap_free(drawer->heap, drawer->kept, 700);
    drawer->kept = NULL;
    return true;
}

static void makes_room(void **state)
{
    struct fm_ceiling ceiling;
    struct fm_heap heap;
    struct drawer drawer = {.heap = &heap};
    (void)state;
    fm_ceiling_init(&ceiling, fm_heap_hook(NULL), 1000);
    ceiling.make_room = give_up;
    ceiling.context = &drawer;
    const framemap_allocator allocator = fm_ceiling_allocator(&ceiling);
    fm_heap_init(&heap, &allocator, 0);
    drawer.kept = fm_heap_zalloc(&heap, 1, 700);
    /* make_room is not called for a request that exceeds the whole ceiling. */
    assert_null(fm_heap_zalloc(&heap, 1, 1001));
    assert_int_equal(drawer.requested, 0);
    void *block = fm_heap_zalloc(&heap, 1, 900);
    assert_non_null(block);
    assert_null(drawer.kept);
    assert_null(fm_heap_zalloc(&heap, 1, 200));
    assert_int_equal(drawer.requested, 2);
    assert_int_equal(ceiling.refused, 2);
    fm_heap_free(&heap, block, 900);
    assert_int_equal(ceiling.used, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(counts_all_heaps), cmocka_unit_test(counts_memory_of_others),
                                       cmocka_unit_test(makes_room)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
