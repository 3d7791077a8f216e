/* Tests of core/thread_team.h. */
#include "core/thread_team.h"
#include "tests/testing.h"
#include <stdatomic.h>
#include <time.h>

enum { ITEMS = 1000, THREADS = 4 };

struct tally {
    atomic_uint done[ITEMS];   /* number of times that each item was processed */
    atomic_bool busy[THREADS]; /* whether a worker is in a call */
    /* crossed: calls of one worker that overlapped; strange: worker numbers that were out of range */
    atomic_uint crossed, strange;
    size_t fail_at;
};

static bool count_item(void *context, unsigned worker, size_t item)
{
    struct tally *tally = context;
    if (worker >= THREADS) {
        atomic_fetch_add(&tally->strange, 1);
        return false;
    }
    if (atomic_exchange(&tally->busy[worker], true)) atomic_fetch_add(&tally->crossed, 1);
    atomic_fetch_add(&tally->done[item], 1);
    atomic_store(&tally->busy[worker], false);
    return item != tally->fail_at;
}

static void each_item_is_done_once(void **state)
{
    (void)state;
    static const struct {
        unsigned threads;
        size_t count;
        const char *why;
    } rows[] = {
        {0, 3, "no number of threads is one"},
        {1, ITEMS, "the caller alone"},
        {2, ITEMS, "one more"},
        {THREADS, ITEMS, "more than there are"},
        {THREADS, 2, "fewer items than threads"},
        {THREADS, 0, "nothing to do"},
    };
    for (size_t r = 0; r < COUNT_OF(rows); r++) {
        struct tally tally = {.fail_at = SIZE_MAX};
        assert_true(fm_thread_team_run(rows[r].threads, rows[r].count, count_item, &tally));
        assert_int_equal(tally.crossed, 0);
        assert_int_equal(tally.strange, 0);
        for (size_t i = 0; i < ITEMS; i++)
            if (tally.done[i] != (i < rows[r].count))
                fail_msg("%s: item %zu was done %u times", rows[r].why, i, (unsigned)tally.done[i]);
    }
}

static void a_failure_ends_the_job(void **state)
{
    (void)state;
    struct tally alone = {.fail_at = 7}, many = {.fail_at = 7};
    assert_false(fm_thread_team_run(1, ITEMS, count_item, &alone));
    for (size_t i = 0; i < ITEMS; i++) assert_int_equal(alone.done[i], i <= 7);
    assert_false(fm_thread_team_run(THREADS, ITEMS, count_item, &many));
    for (size_t i = 0; i < ITEMS; i++) assert_true(many.done[i] <= 1);
    for (size_t i = 0; i <= 7; i++) assert_int_equal(many.done[i], 1);
}

/* Waits until the previous item has ended. That must always happen, whichever threads run the items. */
static bool await_item(void *context, unsigned worker, size_t item)
{
    atomic_size_t *ended = context;
    const struct timespec moment = {0, 1000};
    (void)worker;
    while (atomic_load(ended) != item) nanosleep(&moment, NULL);
    atomic_store(ended, item + 1);
    return true;
}

static void an_item_may_wait_for_those_before_it(void **state)
{
    (void)state;
    atomic_size_t ended = 0;
    assert_true(fm_thread_team_run(3, 100, await_item, &ended));
    assert_int_equal(ended, 100);
}

static bool sum_item(void *context, unsigned worker, size_t item)
{
    unsigned *sums = context; /* one sum for each worker, so that no lock is needed */
    sums[worker] += (unsigned)item;
    return true;
}

static void more_threads_than_the_most(void **state)
{
    (void)state;
    unsigned sums[FM_THREAD_TEAM_MOST] = {0}, sum = 0;
    assert_true(fm_thread_team_run(100000, ITEMS, sum_item, sums));
    for (unsigned i = 0; i < FM_THREAD_TEAM_MOST; i++) sum += sums[i];
    assert_int_equal(sum, ITEMS * (ITEMS - 1) / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_item_is_done_once),
        cmocka_unit_test(a_failure_ends_the_job),
        cmocka_unit_test(an_item_may_wait_for_those_before_it),
        cmocka_unit_test(more_threads_than_the_most),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
