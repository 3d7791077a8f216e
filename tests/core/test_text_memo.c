/* Tests of the cache of texts (core/text_memo.c): a lookup returns the text that was added or nothing, never another
 * text; the memory is fixed; threads share the cache. */
#include "core/text_memo.h"

#include "tests/testing.h"

#include <pthread.h>

enum { KEYS = 5000, THREADS = 4 };

struct bench {
    struct fm_heap heap, copies;
    struct fm_text_memo memo;
    struct fm_arena arena;
};

static void bench_begin(struct bench *bench, uint64_t most)
{
    fm_heap_init(&bench->heap, NULL, 0);
    fm_heap_init(&bench->copies, NULL, 0);
    fm_arena_init(&bench->arena, &bench->copies);
    fm_text_memo_init(&bench->memo, &bench->heap, most);
    assert_int_equal(bench->heap.used, 0);
}

static void bench_end(struct bench *bench)
{
    fm_text_memo_free(&bench->memo);
    fm_arena_free(&bench->arena);
    assert_int_equal(bench->heap.used, 0);
}

/* Makes the key of a number; the size depends on the number. */
static framemap_str key_of(unsigned number, char room[128])
{
    return fm_str(room, (size_t)snprintf(room, 128, "_ZN%u%.*sEv", number, (int)(number % 60),
                                         "abcdefghijklmnopqrstuvwxyz"
                                         "abcdefghijklmnopqrstuvwxyz"
                                         "abcdefghijklmnopqrstuvwxyz"));
}

static framemap_str value_of(unsigned number, char room[256])
{
    return fm_str(room, (size_t)snprintf(room, 256, "%*u()", (int)(number % 200) + 1, number));
}

static bool get(struct bench *bench, unsigned number, unsigned tag, framemap_str *out)
{
    char room[128];
    fm_arena_reset(&bench->arena);
    return fm_text_memo_get(&bench->memo, key_of(number, room), tag, &bench->arena, out);
}

static void put(struct bench *bench, unsigned number, unsigned tag)
{
    char key[128], value[256];
    fm_text_memo_put(&bench->memo, key_of(number, key), tag, value_of(number, value));
}

static bool is_value(framemap_str text, unsigned number)
{
    char room[256];
    return fm_str_equal(text, value_of(number, room));
}

static void texts_come_back(void **state)
{
    (void)state;
    struct bench bench;
    framemap_str text;
    bench_begin(&bench, 64 * FM_TEXT_MEMO_PART);
    assert_false(get(&bench, 1, 0, &text));
    unsigned there = 0;
    for (unsigned i = 0; i < KEYS; i++) put(&bench, i, 0);
    for (unsigned i = 0; i < KEYS; i++) {
        const bool found = get(&bench, i, 0, &text);
        if (found) assert_true(is_value(text, i));
        there += found;
        assert_false(get(&bench, i, 1, &text)); /* the tag says that the value was computed in another way */
    }
    assert_true(there > KEYS * 99 / 100); /* keys of equal hashes share a set, so a few entries are overwritten */
    const char nothing[] = "";
    fm_text_memo_put(&bench.memo, FM_STR("key"), 0, fm_str(nothing, 0));
    assert_true(fm_text_memo_get(&bench.memo, FM_STR("key"), 0, &bench.arena, &text) && text.size == 0);
    bench_end(&bench);
}

static void memory_is_bounded(void **state)
{
    (void)state;
    struct bench bench;
    framemap_str text;
    bench_begin(&bench, 3 * FM_TEXT_MEMO_PART + 7);
    for (unsigned round = 0; round < 20; round++) {
        for (unsigned i = 0; i < KEYS; i++) {
            put(&bench, i, round);
            if (get(&bench, i, round, &text)) assert_true(is_value(text, i));
            const unsigned other = i * 7919 % KEYS;
            if (get(&bench, other, round, &text)) assert_true(is_value(text, other));
        }
        assert_true(get(&bench, KEYS - 1, round, &text)); /* the newest entry is never overwritten */
    }
    assert_int_equal(fm_text_memo_used(&bench.memo), 3 * FM_TEXT_MEMO_PART);
    assert_true(bench.heap.used < 3 * FM_TEXT_MEMO_PART + 4096);
    bench_end(&bench);
}

static void without_memory(void **state)
{
    (void)state;
    struct bench bench;
    framemap_str text;
    bench_begin(&bench, FM_TEXT_MEMO_PART - 1); /* the memory is so little that nothing is cached */
    put(&bench, 1, 0);
    assert_false(get(&bench, 1, 0, &text));
    assert_int_equal(bench.heap.used, 0);
    bench_end(&bench);
    bench_begin(&bench, FM_TEXT_MEMO_PART);
    bench.heap.ceiling = FM_TEXT_MEMO_PART / 2; /* the memory suffices for the table of parts, but not for a ring */
    put(&bench, 1, 0);
    assert_false(get(&bench, 1, 0, &text));
    bench.heap.ceiling = UINT64_MAX;
    put(&bench, 1, 0);
    assert_true(get(&bench, 1, 0, &text) && is_value(text, 1));
    bench_end(&bench);
    fm_text_memo_put(NULL, FM_STR("key"), 0, FM_STR("value"));
    fm_arena_init(&bench.arena, &bench.copies);
    assert_false(fm_text_memo_get(NULL, FM_STR("key"), 0, &bench.arena, &text));
    static char large[FM_TEXT_MEMO_PART]; /* this text is longer than any text that is cached */
    bench_begin(&bench, FM_TEXT_MEMO_PART);
    fm_text_memo_put(&bench.memo, fm_str(large, sizeof large), 0, FM_STR("value"));
    fm_text_memo_put(&bench.memo, FM_STR("key"), 0, fm_str(large, sizeof large));
    assert_false(fm_text_memo_get(&bench.memo, FM_STR("key"), 0, &bench.arena, &text));
    bench_end(&bench);
}

struct visitor {
    struct bench *bench;
    unsigned first, wrong, found;
};

static void *visit(void *context)
{
    struct visitor *visitor = context;
    struct fm_heap heap;
    struct fm_arena arena;
    fm_heap_init(&heap, NULL, 0);
    fm_arena_init(&arena, &heap);
    for (unsigned n = 0; n < 4 * KEYS; n++) {
        const unsigned i = (visitor->first + n * 31) % KEYS;
        char key[128], value[256];
        framemap_str text;
        fm_arena_reset(&arena);
        if (fm_text_memo_get(&visitor->bench->memo, key_of(i, key), 0, &arena, &text)) {
            visitor->found++;
            visitor->wrong += !is_value(text, i);
        } else {
            fm_text_memo_put(&visitor->bench->memo, key_of(i, key), 0, value_of(i, value));
        }
    }
    fm_arena_free(&arena);
    return NULL;
}

static void threads_share_it(void **state)
{
    (void)state;
    skip_without_threads();
    struct bench bench;
    struct visitor visitors[THREADS];
    pthread_t threads[THREADS];
    bench_begin(&bench, 8 * FM_TEXT_MEMO_PART);
    for (unsigned t = 0; t < THREADS; t++) {
        visitors[t] = (struct visitor){.bench = &bench, .first = t % 2};
        assert_int_equal(pthread_create(&threads[t], NULL, visit, &visitors[t]), 0);
    }
    unsigned found = 0;
    for (unsigned t = 0; t < THREADS; t++) {
        pthread_join(threads[t], NULL);
        assert_int_equal(visitors[t].wrong, 0);
        found += visitors[t].found;
    }
    assert_true(found > 0);
    bench_end(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_come_back),
        cmocka_unit_test(memory_is_bounded),
        cmocka_unit_test(without_memory),
        cmocka_unit_test(threads_share_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
