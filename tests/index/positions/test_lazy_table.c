/* Tests of the lazy table, which makes an entry for a row at the first request: each entry is published once, even
 * if several threads make it at the same time. */
#include "index/read/table/lazy_table.h"
#include "tests/testing.h"

#include <pthread.h>
#include <string.h>

enum { ROWS = 3 * FM_LAZY_TABLE_PAGE_ROWS + 7, THREADS = 4, VISITS = 20000 };

struct entry {
    uint64_t row;
    size_t size;
    unsigned char bytes[];
};

static size_t size_of_row(uint64_t row) { return (size_t)(row % 61); }

/* Returns the entry of a row, and makes it if necessary; NULL: out of memory. */
static const struct entry *entry_of(struct fm_lazy_table *memo, uint64_t row)
{
    const struct entry *entry = fm_lazy_table_get(memo, row);
    if (entry != NULL) return entry;
    struct entry *made = fm_lazy_table_alloc(memo, sizeof *made + size_of_row(row));
    if (made == NULL) return NULL;
    made->row = row;
    made->size = size_of_row(row);
    memset(made->bytes, (int)(row & 255), made->size);
    entry = fm_lazy_table_publish(memo, row, made, sizeof *made + size_of_row(row));
    if (entry == NULL) fm_lazy_table_give_back(memo, made, sizeof *made + size_of_row(row));
    return entry;
}

static bool is_of_row(const struct entry *entry, uint64_t row)
{
    bool good = entry->row == row && entry->size == size_of_row(row);
    for (size_t i = 0; good && i < entry->size; i++) good = entry->bytes[i] == (row & 255);
    return good;
}

static void keeps_what_is_published(void **state)
{
    (void)state;
    struct fm_heap heap;
    struct fm_lazy_table memo;
    fm_heap_init(&heap, NULL, 0);
    fm_lazy_table_init(&memo, &heap, ROWS);
    assert_int_equal(heap.used, 0);
    assert_null(fm_lazy_table_get(&memo, ROWS - 1));
    assert_int_equal(heap.used, 0); /* a lookup of a row without an entry allocates nothing */
    const uint64_t rows[] = {0, FM_LAZY_TABLE_PAGE_ROWS - 1, FM_LAZY_TABLE_PAGE_ROWS, ROWS - 1};
    const struct entry *first[COUNT_OF(rows)];
    for (size_t i = 0; i < COUNT_OF(rows); i++) first[i] = entry_of(&memo, rows[i]);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        assert_ptr_equal(entry_of(&memo, rows[i]), first[i]);
        assert_true(is_of_row(first[i], rows[i]));
    }
    assert_null(fm_lazy_table_get(&memo, 1));
    fm_lazy_table_free(&memo);
    assert_int_equal(heap.used, 0);
    assert_null(fm_lazy_table_get(&memo, 0)); /* a freed table can be used again */
}

static void second_to_publish_gets_the_first(void **state)
{
    (void)state;
    struct fm_heap heap;
    struct fm_lazy_table memo;
    fm_heap_init(&heap, NULL, 0);
    fm_lazy_table_init(&memo, &heap, 1);
    void *one = fm_lazy_table_alloc(&memo, 10);
    assert_ptr_equal(fm_lazy_table_publish(&memo, 0, one, 10), one);
    void *two = fm_lazy_table_alloc(&memo, 1000);
    const uint64_t before = memo.used, taken = heap.used;
    assert_ptr_equal(fm_lazy_table_publish(&memo, 0, two, 1000), one);
    assert_true(memo.used + 1000 <= before); /* an entry made by a slower thread was freed */
    assert_ptr_equal(fm_lazy_table_alloc(&memo, 1000), two);
    assert_int_equal(heap.used, taken);
    fm_lazy_table_free(&memo);
    assert_int_equal(heap.used, 0);
}

static bool fill(const framemap_allocator *allocator, void *context)
{
    (void)context;
    struct fm_heap heap;
    struct fm_lazy_table memo;
    bool done = true;
    fm_heap_init(&heap, allocator, 0);
    fm_lazy_table_init(&memo, &heap, ROWS);
    for (uint64_t row = 0; row < ROWS; row += FM_LAZY_TABLE_PAGE_ROWS / 2) {
        const struct entry *entry = entry_of(&memo, row);
        done = done && entry != NULL;
        assert_true(entry == NULL || is_of_row(entry, row));
    }
    fm_lazy_table_free(&memo);
    return done;
}

static void survives_want_of_memory(void **state)
{
    (void)state;
    assert_true(sweep_allocations(fill, NULL) > 4);
}

struct visitor {
    struct fm_lazy_table *memo;
    const struct entry **seen; /* the entry that this thread got for each row */
    uint64_t state;
    bool good;
};

static void *visit(void *context)
{
    struct visitor *visitor = context;
    for (size_t i = 0; i < VISITS && visitor->good; i++) {
        visitor->state = visitor->state * 6364136223846793005u + 1442695040888963407u;
        const uint64_t row = (visitor->state >> 33) % ROWS;
        const struct entry *entry = entry_of(visitor->memo, row);
        visitor->good =
            entry != NULL && is_of_row(entry, row) && (visitor->seen[row] == NULL || visitor->seen[row] == entry);
        visitor->seen[row] = entry;
    }
    return NULL;
}

static void threads_see_the_same_blocks(void **state)
{
    (void)state;
    struct fm_heap heap;
    struct fm_lazy_table memo;
    struct visitor visitors[THREADS];
    pthread_t threads[THREADS];
    fm_heap_init(&heap, NULL, 0);
    fm_lazy_table_init(&memo, &heap, ROWS);
    for (size_t t = 0; t < THREADS; t++) {
        /* Two threads each have the same random state, so they visit the rows in the same order. */
        visitors[t] = (struct visitor){&memo, calloc(ROWS, sizeof *visitors[t].seen), t / 2, true};
        assert_non_null(visitors[t].seen);
    }
    for (size_t t = 0; t < THREADS; t++) assert_int_equal(pthread_create(&threads[t], NULL, visit, &visitors[t]), 0);
    for (size_t t = 0; t < THREADS; t++) assert_int_equal(pthread_join(threads[t], NULL), 0);
    for (size_t t = 0; t < THREADS; t++) {
        assert_true(visitors[t].good);
        for (size_t row = 0; row < ROWS; row++)
            assert_true(visitors[t].seen[row] == NULL || visitors[t].seen[row] == fm_lazy_table_get(&memo, row));
        free(visitors[t].seen);
    }
    fm_lazy_table_free(&memo);
    assert_int_equal(heap.used, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_what_is_published),
        cmocka_unit_test(second_to_publish_gets_the_first),
        cmocka_unit_test(survives_want_of_memory),
        cmocka_unit_test(threads_see_the_same_blocks),
    };
    return cmocka_run_group_tests_name("memo", tests, NULL, NULL);
}
