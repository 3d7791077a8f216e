/* Tests of the frame cache: each node has a slot of its own, which is one cache line, in whatever order nodes are
 * requested; memory is bounded. */
#include "index/read/positions/frame_cache.h"
#include "tests/testing.h"

#include <pthread.h>
#include <stdlib.h>

enum {
    NODES = 3000 * FM_FRAMES_TOGETHER + 7,
    FEW = 90 * FM_FRAMES_TOGETHER + 7,
    THREADS = 4,
    STRIDE = 7919 /* a prime, so that the steps visit every node */
};

static int order(const void *a, const void *b)
{
    const uintptr_t one = *(const uintptr_t *)a, other = *(const uintptr_t *)b;
    return one < other ? -1 : one > other;
}

/* Checks the slots of all nodes: they are distinct cache lines, neighbours are adjacent within a block, and a slot
 * never moves. */
static void check_places(struct fm_frames *frames)
{
    uintptr_t *places = malloc(NODES * sizeof *places);
    assert_non_null(places);
    for (uint64_t node = 0; node < NODES; node++) {
        struct fm_view_frame *place = fm_frames_place(frames, node);
        assert_non_null(place);
        assert_ptr_equal(place, fm_frames_make_place(frames, node));
        assert_int_equal((uintptr_t)place % FM_FRAME_BYTES, 0);
        places[node] = (uintptr_t)place;
        if (node % FM_FRAMES_TOGETHER != 0) assert_int_equal(places[node] - places[node - 1], FM_FRAME_BYTES);
    }
    qsort(places, NODES, sizeof *places, order);
    for (size_t i = 1; i < NODES; i++) assert_true(places[i] - places[i - 1] >= FM_FRAME_BYTES);
    free(places);
}

static void each_node_has_a_line(void **state)
{
    (void)state;
    struct fm_heap heap;
    struct fm_frames frames;
    const uint64_t table = (NODES / FM_FRAMES_TOGETHER + 1) * 8;
    fm_heap_init(&heap, NULL, 0);
    fm_frames_init(&frames, &heap, NODES, UINT64_MAX);
    assert_int_equal(heap.used, 0);
    assert_null(fm_frames_place(&frames, 0));
    for (uint64_t i = 0, node = 3; i < NODES; i++, node = (node + STRIDE) % NODES) {
        struct fm_view_frame *place = fm_frames_make_place(&frames, node);
        assert_non_null(place);
        assert_false(fm_frame_is_ready(place));
        assert_null(fm_frames_get(&frames, node));
        atomic_store(&place->state, FM_FRAME_READY); /* requesting slots of other nodes must not change this state */
        if (i == 0)
            assert_true(heap.used <
                        /* after one request, memory is used for the table of blocks and for less than two blocks */
                        table + 2 * FM_FRAMES_TOGETHER * FM_FRAME_BYTES);
    }
    check_places(&frames);
    for (uint64_t node = 0; node < NODES; node++)
        assert_ptr_equal(fm_frames_get(&frames, node), fm_frames_place(&frames, node));
    const uint64_t slots = (NODES + FM_FRAMES_TOGETHER) * FM_FRAME_BYTES;
    /* there is about one slot for each node, and little memory besides */
    assert_true(heap.used < slots + table + 64 * FM_FRAME_BYTES);
    fm_frames_free(&frames);
    assert_int_equal(heap.used, 0);
}

static void *visit(void *context)
{
    struct fm_frames *frames = context;
    for (uint64_t node = 0; node < NODES; node += 5) assert_non_null(fm_frames_make_place(frames, node));
    return NULL;
}

static void threads_get_the_same(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 20; round++) {
        struct fm_heap heap;
        struct fm_frames frames;
        pthread_t threads[THREADS];
        fm_heap_init(&heap, NULL, 0);
        fm_frames_init(&frames, &heap, NODES, UINT64_MAX);
        for (unsigned i = 0; i < THREADS; i++) assert_int_equal(pthread_create(&threads[i], NULL, visit, &frames), 0);
        for (unsigned i = 0; i < THREADS; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
        check_places(&frames);
        fm_frames_free(&frames);
        assert_int_equal(heap.used, 0);
    }
}

/* Checks that blocks exist if they fit the ceiling, that other blocks do not, and that memory does not exceed the
 * ceiling. */
static void ceilings_hold(void **state)
{
    (void)state;
    for (unsigned way = 0; way < 2; way++)
        for (uint64_t most = 0; most < 40 * FM_FRAMES_TOGETHER * FM_FRAME_BYTES; most += 6100) {
            struct fm_heap heap;
            struct fm_frames frames;
            uint64_t there = 0;
            fm_heap_init(&heap, NULL, way == 0 ? most + 1 : 0);
            fm_frames_init(&frames, &heap, FEW, way == 0 ? UINT64_MAX : most);
            for (uint64_t node = 0; node < FEW; node += FM_FRAMES_TOGETHER) {
                there += fm_frames_make_place(&frames, node) != NULL;
                assert_true(heap.used <= most + 1 + FEW * sizeof(fm_frames_slot));
            }
            const uint64_t fit = most / ((FM_FRAMES_TOGETHER + 4) * FM_FRAME_BYTES);
            assert_true(there <= most / (FM_FRAMES_TOGETHER * FM_FRAME_BYTES) && there + 1 >= fit);
            fm_frames_free(&frames);
            assert_int_equal(heap.used, 0);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_node_has_a_line), cmocka_unit_test(threads_get_the_same),
                                       cmocka_unit_test(ceilings_hold)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
