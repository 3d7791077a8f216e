/* Tests of the heap and the arenas of core/heap.h. */
#include "tests/testing.h"
#include <pthread.h>

static void counts_and_keeps_to_the_ceiling(void **state)
{
    (void)state;
    struct fm_heap heap;
    fm_heap_init(&heap, NULL, 100);
    void *a = fm_heap_resize(&heap, NULL, 0, 60);
    assert_non_null(a);
    assert_null(fm_heap_resize(&heap, NULL, 0, 41));
    void *b = fm_heap_resize(&heap, NULL, 0, 40);
    assert_non_null(b);
    assert_int_equal(heap.used, 100);
    assert_null(fm_heap_resize(&heap, a, 60, 61)); /* the block is unchanged */
    a = fm_heap_resize(&heap, a, 60, 20);
    assert_int_equal(heap.used, 60);
    assert_null(fm_heap_resize(&heap, b, 40, SIZE_MAX));
    assert_null(fm_heap_resize(&heap, b, 40, 0));
    fm_heap_free(&heap, a, 20);
    fm_heap_free(&heap, NULL, 20);
    assert_int_equal(heap.used, 0);
}

/* FM_GROW_SOME doubles a small array, makes a large one a quarter larger, and always makes room for what is needed. */
static void big_arrays_grow_by_a_quarter(void **state)
{
    (void)state;
    static const struct {
        size_t capacity, need, wanted;
        const char *why;
    } rows[] = {
        {0, 1, 16, "the least"},
        {16, 17, 32, "small ones double"},
        {65536, 65537, 131072, "below a megabyte"},
        {131072, 131073, 163840, "a megabyte"},
        {131072, 131072, 131072, "nothing is needed"},
        {131072, 200000, 200000, "more than a quarter is needed"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct fm_heap heap;
        fm_heap_init(&heap, NULL, 0);
        size_t capacity = rows[i].capacity;
        uint64_t *array = fm_heap_resize(&heap, NULL, 0, capacity * sizeof *array);
        assert_true(FM_GROW_SOME(&heap, array, capacity, rows[i].need));
        if (capacity != rows[i].wanted) fail_msg("%s: %zu", rows[i].why, capacity);
        assert_int_equal(heap.used, capacity * sizeof *array);
        /* after the failure, the array is unchanged */
        assert_false(FM_GROW_SOME(&heap, array, capacity, SIZE_MAX / 4));
        assert_int_equal(capacity, rows[i].wanted);
        fm_heap_free(&heap, array, capacity * sizeof *array);
        assert_int_equal(heap.used, 0);
    }
}

/* Grows an array from a small size to one that has pages of its own: its contents are kept, and a failed allocation
 * changes nothing. */
static void arrays_become_big(void **state)
{
    (void)state;
    struct failing failing = {.fail_at = SIZE_MAX};
    const framemap_allocator allocator = failing_allocator(&failing);
    struct fm_heap heap;
    uint32_t *numbers = NULL;
    size_t capacity = 0, count = 0;
    fm_heap_init(&heap, &allocator, (uint64_t)64 << 20);
    for (size_t need = 1; need < (size_t)3 << 20; need += need / 3 + 1) {
        const size_t before = capacity;
        failing.fail_at = need > capacity ? failing.requests : SIZE_MAX;
        assert_int_equal(FM_GROW_BIG(&heap, numbers, capacity, need), need <= before);
        assert_int_equal(capacity, before);
        failing.fail_at = SIZE_MAX;
        assert_true(FM_GROW_BIG(&heap, numbers, capacity, need));
        assert_true(capacity >= need && (need <= before || capacity >= 2 * before));
        if (capacity * sizeof *numbers >= (size_t)1 << 20) assert_int_equal((uintptr_t)numbers % ((size_t)2 << 20), 0);
        for (; count < need; count++) numbers[count] = (uint32_t)count;
        for (size_t i = 0; i < count; i += 1 + count / 1000) assert_int_equal(numbers[i], i);
        assert_true(heap.used >= capacity * sizeof *numbers); /* `used` includes the padding for alignment */
        assert_int_equal(failing.blocks, 1);
    }
    assert_false(FM_GROW_BIG(&heap, numbers, capacity, (size_t)17 << 20)); /* the array would exceed the ceiling */
    assert_false(FM_GROW_BIG(&heap, numbers, capacity, SIZE_MAX));
    assert_false(FM_GROW_BIG(&heap, numbers, capacity, SIZE_MAX / 4));
    assert_int_equal(numbers[count - 1], count - 1);
    fm_heap_free_big(&heap, numbers, capacity * sizeof *numbers);
    fm_heap_free_big(&heap, NULL, 0);
    assert_int_equal(heap.used, 0);
    assert_true(failing.blocks == 0 && failing.live_bytes == 0);
}

static void a_count_that_wraps_is_refused(void **state)
{
    (void)state;
    struct fm_heap heap;
    fm_heap_init(&heap, NULL, 0);
    assert_null(fm_heap_zalloc(&heap, SIZE_MAX / 2, 3));
    assert_int_equal(heap.used, 0);
    unsigned char *zeros = fm_heap_zalloc(&heap, 10, 3);
    for (size_t i = 0; i < 30; i++) assert_int_equal(zeros[i], 0);
    fm_heap_free(&heap, zeros, 30);
    void *nothing = fm_heap_zalloc(&heap, 0, 8);
    assert_non_null(nothing);
    fm_heap_free(&heap, nothing, 0);
    assert_int_equal(heap.used, 0);
}

static void growing_doubles(void **state)
{
    (void)state;
    struct failing failing = {.fail_at = SIZE_MAX};
    const framemap_allocator allocator = failing_allocator(&failing);
    struct fm_heap heap;
    uint32_t *numbers = NULL;
    size_t capacity = 0;
    fm_heap_init(&heap, &allocator, 0);
    for (uint32_t i = 0; i < 100000; i++) {
        assert_true(FM_GROW(&heap, numbers, capacity, (size_t)i + 1));
        numbers[i] = i;
    }
    for (uint32_t i = 0; i < 100000; i++) assert_int_equal(numbers[i], i);
    assert_true(failing.requests < 20);

    /* A failed growth leaves the array unchanged. */
    const size_t before = capacity;
    assert_false(FM_GROW(&heap, numbers, capacity, SIZE_MAX));
    assert_false(FM_GROW(&heap, numbers, capacity, SIZE_MAX / 4));
    failing.fail_at = failing.requests;
    assert_false(FM_GROW(&heap, numbers, capacity, capacity + 1));
    assert_true(capacity == before && numbers[99999] == 99999);
    fm_heap_free(&heap, numbers, capacity * sizeof *numbers);
    assert_int_equal(failing.blocks, 0);
}

static void arena_blocks_are_aligned_and_apart(void **state)
{
    (void)state;
    struct fm_heap heap;
    struct fm_arena arena;
    fm_heap_init(&heap, NULL, 0);
    fm_arena_init(&arena, &heap);
    unsigned char *last = NULL;
    for (size_t size = 0; size < 3000; size++) {
        unsigned char *block = fm_arena_alloc(&arena, size);
        assert_non_null(block);
        assert_int_equal((uintptr_t)block % _Alignof(max_align_t), 0);
        memset(block, (int)(size & 0xFF), size);
        if (last && size > 1) assert_int_equal(last[size - 2], (size - 1) & 0xFF);
        last = block;
    }
    unsigned char *huge = fm_arena_alloc(&arena, (size_t)9 << 20);
    assert_non_null(huge);
    memset(huge, 1, (size_t)9 << 20);
    assert_null(fm_arena_alloc(&arena, SIZE_MAX));
    assert_null(fm_arena_alloc(&arena, SIZE_MAX - 40));
    assert_null(fm_arena_zalloc(&arena, SIZE_MAX / 2, 4));
    fm_arena_free(&arena);
    assert_int_equal(heap.used, 0);
    assert_non_null(fm_arena_alloc(&arena, 1));
    fm_arena_free(&arena);
}

/* The last block can grow up to the end of its arena block. */
static void an_arena_makes_the_last_longer(void **state)
{
    (void)state;
    struct fm_heap heap;
    struct fm_arena arena;
    fm_heap_init(&heap, NULL, 0);
    fm_arena_init(&arena, &heap);
    assert_false(fm_arena_extend(&arena, NULL, 1, 2));
    unsigned char *first = fm_arena_alloc(&arena, 24), *last = fm_arena_alloc(&arena, 24);
    assert_false(fm_arena_extend(&arena, first, 24, 64));
    assert_true(fm_arena_extend(&arena, last, 24, 120));
    memset(last, 1, 120);
    assert_true(fm_arena_extend(&arena, last, 120, 128)); /* the arena has rounded the size of the block up to 128 */
    assert_int_equal(arena.total, (size_t)(last - first) - FM_ARENA_GAP + 128);
    unsigned char *next = fm_arena_alloc(&arena, 1);
    assert_ptr_equal(next, last + 128 + FM_ARENA_GAP);
    const size_t left = (size_t)(arena.end - next) - FM_ARENA_GAP;
    assert_false(fm_arena_extend(&arena, next, 1, left + 1));
    assert_false(fm_arena_extend(&arena, next, 1, SIZE_MAX));
    assert_true(fm_arena_extend(&arena, next, 1, left / FM_ARENA_UNIT * FM_ARENA_UNIT));
    assert_between((size_t)(arena.end - arena.next), 0, FM_ARENA_UNIT - 1);
    fm_arena_free(&arena);
}

static void a_warm_arena_allocates_nothing(void **state)
{
    (void)state;
    struct failing failing = {.fail_at = SIZE_MAX};
    const framemap_allocator allocator = failing_allocator(&failing);
    struct fm_heap heap;
    struct fm_arena arena;
    fm_heap_init(&heap, &allocator, 0);
    fm_arena_init(&arena, &heap);
    fm_arena_reset(&arena);
    for (size_t round = 0, warm = 0; round < 50; round++) {
        for (size_t i = 0; i < 1000; i++) assert_non_null(fm_arena_alloc(&arena, 200));
        if (round == 3) warm = failing.requests;
        if (round > 3) assert_int_equal(failing.requests, warm);
        fm_arena_reset(&arena);
        assert_int_equal(arena.total, 0);
        assert_true(failing.blocks <= 1);
    }
    fm_arena_free(&arena);
    assert_int_equal(failing.blocks, 0);
}

static void arena_strings_end_with_nul(void **state)
{
    (void)state;
    struct fm_heap heap;
    struct fm_arena arena;
    framemap_str copy;
    fm_heap_init(&heap, NULL, 0);
    fm_arena_init(&arena, &heap);
    assert_true(fm_arena_str(&arena, fm_str("abcd", 3), &copy));
    assert_string_equal(copy.data, "abc");
    assert_int_equal(copy.size, 3);
    assert_true(fm_arena_str(&arena, (framemap_str){NULL, 0}, &copy));
    assert_string_equal(copy.data, "");
    fm_arena_free(&arena);
}

static bool use_arena(const framemap_allocator *allocator, void *context)
{
    (void)context;
    struct fm_heap heap;
    struct fm_arena arena;
    framemap_str copy;
    fm_heap_init(&heap, allocator, 0);
    fm_arena_init(&arena, &heap);
    bool done = fm_arena_alloc(&arena, 100000) && fm_arena_zalloc(&arena, 1000, 300) &&
                fm_arena_str(&arena, FM_STR("x"), &copy);
    fm_arena_free(&arena);
    assert_int_equal(heap.used, 0);
    return done;
}

static void arena_survives_want_of_memory(void **state)
{
    (void)state;
    assert_int_equal(sweep_allocations(use_arena, NULL), 3);
}

static void *take_and_give(void *heap)
{
    for (size_t i = 0; i < 20000; i++) {
        void *block = fm_heap_resize(heap, NULL, 0, 64);
        if (block) fm_heap_free(heap, block, 64);
    }
    return NULL;
}

static void threads_share_a_heap(void **state)
{
    (void)state;
    struct fm_heap heap;
    pthread_t threads[4];
    fm_heap_init(&heap, NULL, 128);
    for (size_t i = 0; i < COUNT_OF(threads); i++)
        assert_int_equal(pthread_create(&threads[i], NULL, take_and_give, &heap), 0);
    for (size_t i = 0; i < COUNT_OF(threads); i++) pthread_join(threads[i], NULL);
    assert_int_equal(heap.used, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_and_keeps_to_the_ceiling),
        cmocka_unit_test(big_arrays_grow_by_a_quarter),
        cmocka_unit_test(arrays_become_big),
        cmocka_unit_test(a_count_that_wraps_is_refused),
        cmocka_unit_test(growing_doubles),
        cmocka_unit_test(arena_blocks_are_aligned_and_apart),
        cmocka_unit_test(an_arena_makes_the_last_longer),
        cmocka_unit_test(a_warm_arena_allocates_nothing),
        cmocka_unit_test(arena_strings_end_with_nul),
        cmocka_unit_test(arena_survives_want_of_memory),
        cmocka_unit_test(threads_share_a_heap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
