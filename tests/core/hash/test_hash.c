/* Tests of the hashes and the hash table of core/hash/hash.h. */
#include "core/hash/hash.h"
#include "tests/testing.h"
#include <stdlib.h>

/* Checks the values of xxHash's own sanity test, which hashes the output of a multiplicative generator with the
 * seeds 0 and 2654435761. */
static void published_vectors(void **state)
{
    (void)state;
    const uint64_t prime32 = 2654435761U, prime64 = UINT64_C(11400714785074694797);
    static const struct {
        size_t size;
        uint64_t plain, seeded;
    } rows[] = {
        {0, UINT64_C(0xEF46DB3751D8E999), UINT64_C(0xAC75FDA2929B17EF)},
        {1, UINT64_C(0xE934A84ADB052768), UINT64_C(0x5014607643A9B4C3)},
        {14, UINT64_C(0x8282DCC4994E35C8), UINT64_C(0xC3BD6BF63DEB6DF0)},
        {222, UINT64_C(0xB641AE8CB691C174), UINT64_C(0x20CB8AB7AE10C14A)},
    };
    unsigned char bytes[222];
    uint64_t generator = prime32;
    for (size_t i = 0; i < sizeof bytes; i++, generator *= prime64) bytes[i] = (unsigned char)(generator >> 56);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        assert_true(fm_hash64(bytes, rows[i].size, 0) == rows[i].plain);
        assert_true(fm_hash64(bytes, rows[i].size, prime32) == rows[i].seeded);
    }
    assert_true(fm_hash64("abc", 3, 0) == UINT64_C(0x44BC2CF5AD770999));
    assert_true(fm_hash64(NULL, 0, 0) == UINT64_C(0xEF46DB3751D8E999));
}

/* A change of any byte changes the hash, for strings of every size at every alignment. */
static void each_byte_changes_the_hash(void **state)
{
    (void)state;
    unsigned char bytes[80 + 8] = {0};
    for (size_t size = 1; size <= 80; size++) {
        const uint64_t before = fm_hash64(bytes + size % 8, size, 0);
        for (size_t at = 0; at < size; at++) {
            bytes[size % 8 + at] = 1;
            assert_true(fm_hash64(bytes + size % 8, size, 0) != before);
            bytes[size % 8 + at] = 0;
        }
    }
}

static bool same_number(const void *context, uint32_t id, const void *key)
{
    const uint64_t *keys = context;
    return keys[id] == *(const uint64_t *)key;
}

static uint64_t hash_of(uint64_t key) { return fm_hash64(&key, sizeof key, 0); }

static void table_finds_what_was_added(void **state)
{
    (void)state;
    enum { MANY = 20000 };
    struct failing failing = {.fail_at = SIZE_MAX};
    const framemap_allocator allocator = failing_allocator(&failing);
    struct fm_heap heap;
    struct fm_table table;
    fm_heap_init(&heap, &allocator, 0);
    fm_table_init(&table, &heap);
    uint64_t *keys = calloc(MANY, sizeof *keys);
    assert_non_null(keys);
    for (uint32_t id = 0; id < MANY; id++) {
        keys[id] = (uint64_t)id * 3;
        assert_true(fm_table_find(&table, hash_of(keys[id]), same_number, keys, &keys[id]) == UINT32_MAX);
        assert_true(fm_table_add(&table, hash_of(keys[id]), id));
    }
    for (uint32_t id = 0; id < MANY; id++) {
        const uint64_t other = keys[id] + 1;
        assert_true(fm_table_find(&table, hash_of(keys[id]), same_number, keys, &keys[id]) == id);
        assert_true(fm_table_find(&table, hash_of(other), same_number, keys, &other) == UINT32_MAX);
    }
    assert_int_equal(table.count, MANY);
    assert_true(table.count <= table.capacity - table.capacity / 4);
    assert_true(failing.requests < 40); /* each doubling of the table makes two requests */
    fm_table_free(&table);
    assert_int_equal(failing.blocks, 0);
    free(keys);
}

/* After fm_table_reserve, adding ids allocates nothing; ids that exist are not added again. */
static void table_has_room_that_was_asked_for(void **state)
{
    (void)state;
    enum { ROUNDS = 40, EACH = 53 };
    struct failing failing = {.fail_at = SIZE_MAX};
    const framemap_allocator allocator = failing_allocator(&failing);
    struct fm_heap heap;
    struct fm_table table;
    static uint64_t keys[ROUNDS * EACH];
    fm_heap_init(&heap, &allocator, 0);
    fm_table_init(&table, &heap);
    for (uint32_t id = 0; id < COUNT_OF(keys); id++) {
        if (id % EACH == 0) assert_true(fm_table_reserve(&table, EACH));
        const size_t requests = failing.requests;
        const uint64_t old = id / 2;
        keys[id] = id;
        assert_int_equal(fm_table_find_or_put(&table, hash_of(id), same_number, keys, &keys[id], id), id);
        assert_int_equal(fm_table_find_or_put(&table, hash_of(old), same_number, keys, &old, UINT32_MAX - 1), old);
        assert_int_equal(failing.requests, requests);
    }
    assert_int_equal(table.count, COUNT_OF(keys));
    assert_true(table.count <= table.capacity - table.capacity / 4);
    failing.fail_at = failing.requests;
    assert_false(fm_table_reserve(&table, table.capacity));
    fm_table_free(&table);
    assert_int_equal(failing.blocks, 0);
}

/* Keys with equal hashes are all found. */
static void table_tells_colliding_keys_apart(void **state)
{
    (void)state;
    struct fm_heap heap;
    struct fm_table table;
    uint64_t keys[100];
    fm_heap_init(&heap, NULL, 0);
    fm_table_init(&table, &heap);
    for (uint32_t id = 0; id < COUNT_OF(keys); id++) {
        keys[id] = id;
        assert_true(fm_table_add(&table, UINT64_MAX, id));
    }
    for (uint32_t id = 0; id < COUNT_OF(keys); id++)
        assert_true(fm_table_find(&table, UINT64_MAX, same_number, keys, &keys[id]) == id);
    assert_false(fm_table_add(&table, 1, UINT32_MAX)); /* this id means "none", and cannot be added */
    fm_table_free(&table);
}

static void keys_differ_by_owner(void **state)
{
    (void)state;
    const int one = 1, other = 2;
    assert_true(fm_hash_key(&one) == fm_hash_key(&one));
    assert_true(fm_hash_key(&one) != fm_hash_key(&other));
    assert_true(fm_hash_text(FM_STR("text"), fm_hash_key(&one)) == fm_hash_text(FM_STR("text"), fm_hash_key(&one)));
    assert_true(fm_hash_text(FM_STR("text"), fm_hash_key(&one)) != fm_hash_text(FM_STR("text"), fm_hash_key(&other)));
}

/* A change of any byte changes the hash, at each length. Short strings, long strings, and the last bytes of long
 * strings are read by different code. Each string is at the end of its allocation. */
static void each_byte_counts(void **state)
{
    (void)state;
    for (size_t size = 0; size <= 70; size++) {
        char *text = calloc(1, size ? size : 1);
        assert_non_null(text);
        const uint64_t whole = fm_hash_text(fm_str(text, size), 99);
        for (size_t at = 0; at < size; at++) {
            text[at] ^= 1;
            assert_true(fm_hash_text(fm_str(text, size), 99) != whole);
            text[at] ^= 1;
        }
        if (size > 0) assert_true(fm_hash_text(fm_str(text, size - 1), 99) != whole);
        free(text);
    }
}

static bool fill_table(const framemap_allocator *allocator, void *context)
{
    (void)context;
    struct fm_heap heap;
    struct fm_table table;
    bool done = true;
    fm_heap_init(&heap, allocator, 0);
    fm_table_init(&table, &heap);
    uint64_t keys[200];
    for (uint32_t id = 0; id < COUNT_OF(keys); id++) keys[id] = id;
    for (uint32_t id = 0; done && id < COUNT_OF(keys); id++) {
        done = fm_table_add(&table, hash_of(id), id);
        for (uint32_t old = 0; old < id; old++)
            assert_true(fm_table_find(&table, hash_of(old), same_number, keys, &keys[old]) == old);
    }
    fm_table_free(&table);
    return done;
}

static void table_survives_want_of_memory(void **state)
{
    (void)state;
    /* One allocation for each size of the table: 64, 128, 256 and 512 slots. */
    assert_int_equal(sweep_allocations(fill_table, NULL), 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_vectors),
        cmocka_unit_test(each_byte_changes_the_hash),
        cmocka_unit_test(table_finds_what_was_added),
        cmocka_unit_test(table_tells_colliding_keys_apart),
        cmocka_unit_test(table_has_room_that_was_asked_for),
        cmocka_unit_test(keys_differ_by_owner),
        cmocka_unit_test(each_byte_counts),
        cmocka_unit_test(table_survives_want_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
