/* Tests of pools of freed blocks (core/block_pool.h). */
#include "core/block_pool.h"

#include "tests/testing.h"

static void *take(struct fm_block_pool *pool, size_t size, unsigned char byte)
{
    void *block = fm_heap_resize(&pool->heap, NULL, 0, size);
    assert_non_null(block);
    memset(block, byte, size);
    return block;
}

static bool is_filled(const unsigned char *block, size_t size, unsigned char byte)
{
    for (size_t i = 0; i < size; i++)
        if (block[i] != byte) return false;
    return true;
}

/* Blocks of every size can be written completely, keep their contents when they grow and shrink, and are all returned
 * to the inner heap. */
static void sizes(void **state)
{
    (void)state;
    struct failing failing = {.fail_at = SIZE_MAX};
    const framemap_allocator allocator = failing_allocator(&failing);
    struct fm_heap heap;
    struct fm_block_pool pool;
    fm_heap_init(&heap, &allocator, 0);
    fm_block_pool_init(&pool, &heap, 8 << 20);
    for (size_t size = 1; size < 3 * FM_POOL_BLOCK_MOST; size += size < 3000 ? 1 : size / 7) {
        unsigned char *block = take(&pool, size, (unsigned char)size);
        unsigned char *other = take(&pool, size, 0xAA);
        const size_t more = size + size / 3 + 1, less = size / 2 + 1;
        block = fm_heap_resize(&pool.heap, block, size, more);
        assert_true(is_filled(block, size, (unsigned char)size));
        block = fm_heap_resize(&pool.heap, block, more, less);
        assert_true(is_filled(block, less < size ? less : size, (unsigned char)size));
        assert_true(is_filled(other, size, 0xAA));
        fm_heap_free(&pool.heap, block, less);
        fm_heap_free(&pool.heap, other, size);
        assert_true(pool.kept_bytes <= pool.most_bytes);
        assert_int_equal(atomic_load(&pool.heap.used), 0);
    }
    assert_int_equal(atomic_load(&heap.used), pool.kept_bytes);
    fm_block_pool_free(&pool);
    assert_int_equal(failing.blocks, 0);
    assert_int_equal(atomic_load(&heap.used), 0);
}

static void work(struct fm_block_pool *pool)
{
    enum { BLOCKS = 300 };
    void *blocks[BLOCKS];
    for (size_t i = 0; i < BLOCKS; i++) blocks[i] = take(pool, 1 + i * i % 9000, 1);
    for (size_t i = 0; i < BLOCKS; i++) fm_heap_free(&pool->heap, blocks[i], 1 + i * i % 9000);
}

static void nothing_is_asked_for_twice(void **state)
{
    (void)state;
    struct failing failing = {.fail_at = SIZE_MAX};
    const framemap_allocator allocator = failing_allocator(&failing);
    struct fm_heap heap;
    struct fm_block_pool pool;
    fm_heap_init(&heap, &allocator, 0);
    fm_block_pool_init(&pool, &heap, 8 << 20);
    work(&pool);
    const size_t before = failing.requests;
    work(&pool);
    assert_int_equal(failing.requests, before);
    fm_block_pool_free(&pool);
    assert_int_equal(failing.blocks, 0);
}

/* The memory that a pool keeps is bounded, and a pool that may keep none behaves like the inner heap. */
static void bounds(void **state)
{
    (void)state;
    static const size_t most[] = {0, 1, 4096, 100000};
    for (size_t i = 0; i < COUNT_OF(most); i++) {
        struct fm_heap heap;
        struct fm_block_pool pool;
        fm_heap_init(&heap, NULL, 0);
        fm_block_pool_init(&pool, &heap, most[i]);
        work(&pool);
        assert_true(pool.kept_bytes <= most[i]);
        assert_int_equal(atomic_load(&heap.used), pool.kept_bytes);
        fm_block_pool_free(&pool);
        assert_int_equal(atomic_load(&heap.used), 0);
    }
}

static bool grow(const framemap_allocator *allocator, void *context)
{
    (void)context;
    struct fm_heap heap;
    struct fm_block_pool pool;
    size_t size = 10;
    fm_heap_init(&heap, allocator, 0);
    fm_block_pool_init(&pool, &heap, 8 << 20);
    unsigned char *block = fm_heap_resize(&pool.heap, NULL, 0, size);
    bool ok = block != NULL;
    if (ok) memset(block, 7, size);
    while (ok && size < 2 * FM_POOL_BLOCK_MOST) {
        unsigned char *moved = fm_heap_resize(&pool.heap, block, size, size * 3);
        ok = moved != NULL;
        if (ok) block = moved;
        assert_true(is_filled(block, 10, 7)); /* the old block is unchanged if there is no memory */
        if (ok) size *= 3;
    }
    fm_heap_free(&pool.heap, block, size);
    fm_block_pool_free(&pool);
    return ok;
}

static void out_of_memory(void **state)
{
    (void)state;
    sweep_allocations(grow, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes),
        cmocka_unit_test(nothing_is_asked_for_twice),
        cmocka_unit_test(bounds),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
