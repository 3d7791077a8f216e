/* Tests the answer cache (answer_cache.c, answer_store.c in session/cache). A result that was added is found, unless it
 * was evicted, and is never mistaken for another one. The memory is bounded, results that are requested often are kept,
 * and readers do not wait for writers. */
#include "session/cache/answer_cache.h"

#include "tests/testing.h"

#include <pthread.h>

enum { MOST = FM_ANSWER_LEAST, MANY = 60000 };

struct bench {
    struct fm_heap heap;
    struct fm_answer_cache cache;
};

static void bench_begin(struct bench *bench, uint64_t most)
{
    fm_heap_init(&bench->heap, NULL, 0);
    fm_answer_cache_init(&bench->cache, &bench->heap, most);
    assert_int_equal(bench->heap.used, 0);
}

static void bench_end(struct bench *bench)
{
    fm_answer_cache_free(&bench->cache);
    assert_int_equal(bench->heap.used, 0);
}

static struct fm_answer_key key_of(uint64_t file, uint64_t address)
{
    return (struct fm_answer_key){{.inode = file, .size = 1}, address, 7};
}

static framemap_str text_of(uint64_t number, char room[32])
{
    return fm_str(room, (size_t)snprintf(room, 32, "function_%llu", (unsigned long long)number));
}

/* Adds a result: the name of the function at an address. A hundred successive addresses have the same function. */
static bool add(struct bench *bench, uint64_t file, uint64_t address)
{
    char room[32];
    const struct fm_answer_key key = key_of(file, address);
    struct fm_answer_writer writer;
    if (!fm_answer_writer_open(&bench->cache, &key, &bench->heap, &writer)) return false;
    fm_answer_writer_number(&writer, address);
    fm_answer_writer_text(&writer, text_of(address / 100, room));
    fm_answer_writer_text(&writer, (framemap_str){NULL, 0});
    fm_answer_writer_close(&writer);
    return true;
}

/* Whether the cache has the result for an address; if so, checks the result. */
static bool is_known(const struct fm_answer_reader *reader, uint64_t file, uint64_t address)
{
    char room[32];
    const struct fm_answer_key key = key_of(file, address);
    const struct fm_answer_store *store;
    struct fm_wire bytes;
    uint64_t number = 0, name = 0, absent = 0;
    if (!fm_answer_reader_find(reader, &key, &bytes, &store)) return false;
    assert_true(fm_wire_varint(&bytes, &number) && fm_wire_varint(&bytes, &name) && fm_wire_varint(&bytes, &absent));
    assert_true(number == address);
    const framemap_str text = fm_answer_store_text_at(store, name);
    assert_true(fm_str_equal(text, text_of(address / 100, room)));
    assert_int_equal(text.data[text.size], 0);
    assert_int_equal(fm_answer_store_text_at(store, absent).size, 0);
    return true;
}

static bool knows(struct bench *bench, uint64_t file, uint64_t address)
{
    struct fm_answer_reader reader;
    fm_answer_reader_open(&bench->cache, &reader);
    const bool known = is_known(&reader, file, address);
    fm_answer_reader_close(&bench->cache, &reader);
    return known;
}

static void an_answer_comes_back(void **state)
{
    (void)state;
    struct bench bench;
    bench_begin(&bench, MOST);
    assert_false(knows(&bench, 1, 0x1234));
    assert_true(add(&bench, 1, 0x1234));
    assert_false(add(&bench, 1, 0x1234)); /* the cache already has this answer */
    assert_true(add(&bench, 1, UINT64_MAX));
    assert_true(knows(&bench, 1, 0x1234));
    assert_true(knows(&bench, 1, UINT64_MAX));
    bench_end(&bench);
}

static void a_key_is_all_of_its_parts(void **state)
{
    (void)state;
    struct bench bench;
    struct fm_answer_key others[7];
    bench_begin(&bench, MOST);
    add(&bench, 1, 0x1234);
    for (size_t i = 0; i < COUNT_OF(others); i++) others[i] = key_of(1, 0x1234);
    others[0].stamp.device++;
    others[1].stamp.inode++;
    others[2].stamp.size++;
    others[3].stamp.modified_ns++;
    others[4].stamp.changed_ns++;
    others[5].address++;
    others[6].tag++;
    struct fm_answer_reader reader;
    fm_answer_reader_open(&bench.cache, &reader);
    for (size_t i = 0; i < COUNT_OF(others); i++) {
        const struct fm_answer_store *store;
        struct fm_wire bytes;
        if (fm_answer_reader_find(&reader, &others[i], &bytes, &store)) fail_msg("key %zu has another's answer", i);
    }
    fm_answer_reader_close(&bench.cache, &reader);
    bench_end(&bench);
}

static void little_memory_remembers_nothing(void **state)
{
    (void)state;
    struct bench bench;
    bench_begin(&bench, FM_ANSWER_LEAST - 1);
    assert_false(add(&bench, 1, 2));
    assert_false(knows(&bench, 1, 2));
    bench_end(&bench);
}

static void an_answer_with_a_huge_text_is_not_added(void **state)
{
    (void)state;
    struct bench bench;
    static char huge[FM_ANSWER_CHUNK];
    const struct fm_answer_key key = key_of(1, 2);
    struct fm_answer_writer writer;
    bench_begin(&bench, MOST);
    memset(huge, 'x', sizeof huge);
    assert_true(fm_answer_writer_open(&bench.cache, &key, &bench.heap, &writer));
    fm_answer_writer_text(&writer, fm_str(huge, sizeof huge));
    fm_answer_writer_close(&writer);
    assert_false(knows(&bench, 1, 2));
    assert_true(add(&bench, 1, 2));
    assert_true(knows(&bench, 1, 2));
    bench_end(&bench);
}

/* A result that is requested from time to time is never evicted: whenever it is found in the old store, it is added
 * again. */
static void what_is_asked_for_stays(void **state)
{
    (void)state;
    struct bench bench;
    size_t kept = 0;
    bench_begin(&bench, MOST);
    for (uint64_t i = 0; i < MANY; i++) {
        if (i % 100 == 0) {
            if (i > 0) assert_true(knows(&bench, 9, 5));
            add(&bench, 9, 5);
        }
        add(&bench, 1, i);
        assert_true(fm_answer_cache_used(&bench.cache) <= MOST);
    }
    assert_true(bench.heap.used <= MOST);
    for (uint64_t i = 0; i < MANY; i++) kept += knows(&bench, 1, i);
    assert_between(kept, 1000, MANY - 1000); /* some results were kept, some evicted */
    assert_true(knows(&bench, 1, MANY - 1));
    assert_false(knows(&bench, 1, 0));
    bench_end(&bench);
}

static void a_reader_keeps_what_was_dropped(void **state)
{
    (void)state;
    struct bench bench;
    struct fm_answer_reader reader;
    bench_begin(&bench, MOST);
    add(&bench, 1, 0);
    fm_answer_reader_open(&bench.cache, &reader);
    for (uint64_t i = 1; i < MANY; i++) add(&bench, 1, i);
    assert_false(knows(&bench, 1, 0));
    assert_true(is_known(&reader, 1, 0));
    /* The memory of a store that was replaced is counted until the reader that uses the store is closed. */
    assert_true(fm_answer_cache_used(&bench.cache) == bench.heap.used);
    fm_answer_reader_close(&bench.cache, &reader);
    assert_true(fm_answer_cache_used(&bench.cache) == bench.heap.used);
    assert_true(bench.heap.used <= MOST);
    bench_end(&bench);
}

static void memory_may_be_short(void **state)
{
    (void)state;
    for (size_t at = 0;; at++) {
        struct failing failing = {.fail_at = at};
        const framemap_allocator allocator = failing_allocator(&failing);
        struct bench bench;
        fm_heap_init(&bench.heap, &allocator, 0);
        fm_answer_cache_init(&bench.cache, &bench.heap, MOST);
        for (uint64_t i = 0; i < 10; i++) add(&bench, 1, i);
        for (uint64_t i = 0; i < 10; i++) knows(&bench, 1, i);
        const bool failed = failing.requests > at;
        bench_end(&bench);
        assert_int_equal(failing.blocks, 0);
        if (!failed) break;
    }
}

/* --- threads --- */

static void *write_many(void *context)
{
    for (uint64_t i = 0; i < MANY; i++) add(context, i % 3, i);
    return NULL;
}

static void *read_many(void *context)
{
    struct bench *bench = context;
    for (uint64_t i = 0; i < MANY / 50; i++) {
        struct fm_answer_reader reader;
        fm_answer_reader_open(&bench->cache, &reader);
        for (uint64_t j = 0; j < 50; j++) is_known(&reader, j % 3, i * 50 + j);
        fm_answer_reader_close(&bench->cache, &reader);
    }
    return NULL;
}

static void threads_share_it(void **state)
{
    (void)state;
    void *(*const work[])(void *) = {write_many, read_many, write_many, read_many};
    pthread_t threads[COUNT_OF(work)];
    struct bench bench;
    skip_without_threads();
    bench_begin(&bench, MOST);
    for (size_t i = 0; i < COUNT_OF(work); i++) assert_int_equal(pthread_create(&threads[i], NULL, work[i], &bench), 0);
    for (size_t i = 0; i < COUNT_OF(work); i++) pthread_join(threads[i], NULL);
    bench_end(&bench);
}

/* Simulates a session that opens files and adds their results. In each group of files, one file is not opened, since
 * its results are in the cache. */
static void serve(struct bench *bench, uint64_t first_file, unsigned group)
{
    enum { ADDRESSES = 20 };
    for (uint64_t file = first_file; file < first_file + MANY / ADDRESSES; file++) {
        struct fm_answer_reader reader;
        fm_answer_reader_open(&bench->cache, &reader);
        reader.saved = group && file % group == 0;
        if (fm_answer_cache_wants(&bench->cache))
            for (uint64_t address = 0; address < ADDRESSES; address++) add(bench, file, address * 1000 + file);
        fm_answer_reader_close(&bench->cache, &reader);
    }
}

/* Calls fm_answer_cache_wants for 64 files and returns how often the result was true. */
static unsigned wanted(struct bench *bench)
{
    unsigned count = 0;
    for (size_t i = 0; i < 64; i++) count += fm_answer_cache_wants(&bench->cache);
    return count;
}

static void what_never_comes_again_is_added_rarely(void **state)
{
    (void)state;
    struct bench bench;
    bench_begin(&bench, MOST);
    serve(&bench, 0, 8);
    assert_int_equal(wanted(&bench), 64);
    serve(&bench, MANY, 0);
    assert_int_equal(wanted(&bench), 4);
    serve(&bench, 2 * MANY, 8);
    assert_int_equal(wanted(&bench), 64);
    bench_end(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_answer_comes_back),
        cmocka_unit_test(a_key_is_all_of_its_parts),
        cmocka_unit_test(little_memory_remembers_nothing),
        cmocka_unit_test(an_answer_with_a_huge_text_is_not_added),
        cmocka_unit_test(what_is_asked_for_stays),
        cmocka_unit_test(a_reader_keeps_what_was_dropped),
        cmocka_unit_test(what_never_comes_again_is_added_rarely),
        cmocka_unit_test(memory_may_be_short),
        cmocka_unit_test(threads_share_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
