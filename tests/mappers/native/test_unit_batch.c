/* Tests of mappers/native/compile/unit_batch.h. */
#include "mappers/native/compile/unit_batch.h"
#include "tests/testing.h"

#define KEY 77u
#define NODES_MOST 600

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static bool same_node(const struct fm_node *a, const struct fm_node *b)
{
    return a->parent == b->parent && a->function == b->function && a->call_file == b->call_file &&
           a->call_line1 == b->call_line1 && a->call_col1 == b->call_col1 && a->flags == b->flags &&
           a->start == b->start && a->size == b->size && a->symbol == b->symbol;
}

static struct fm_node node_at(const struct fm_unit_batch *batch, size_t i)
{
    const struct fm_batch_node *node = &batch->nodes[i];
    struct fm_node out = {.parent = node->parent,
                          .function = node->function,
                          .call_file = FM_NONE,
                          .call_line1 = node->call_line1,
                          .call_col1 = node->call_col1,
                          .flags = node->flags,
                          .symbol = FM_NONE};
    if (node->parent != FM_NONE) {
        out.call_file = node->call_file;
    } else {
        assert_true(node->call_file < batch->root_count);
        out.start = batch->roots[node->call_file].start;
        out.size = batch->roots[node->call_file].size;
        out.symbol = batch->roots[node->call_file].symbol;
    }
    return out;
}

/* Compares the result with a linear search, for nodes with few children and with many. */
static void nodes_once(void **state)
{
    (void)state;
    struct fm_heap heap;
    struct fm_unit_batch batch;
    uint32_t seed = 3;
    fm_heap_init(&heap, NULL, 0);
    fm_unit_batch_init(&batch, &heap, KEY);
    for (int round = 0; round < 20; round++) {
        struct fm_node nodes[NODES_MOST];
        size_t count = 0;
        assert_true(fm_unit_batch_reserve(&batch, (size_t)round * 10, (size_t)round * 10));
        for (int i = 0; i < NODES_MOST; i++) {
            const uint32_t parents = round % 2 == 0 ? 3 : 60; /* with fewer parents, each has more children */
            struct fm_node node = {.parent = FM_NONE, .call_file = FM_NONE, .symbol = FM_NONE};
            if (count > 0 && next_random(&seed) % 10 != 0)
                node.parent = (uint32_t)(next_random(&seed) % (count < parents ? count : parents));
            node.function = next_random(&seed) % 4;
            node.call_line1 = next_random(&seed) % 6;
            if (node.parent == FM_NONE) {
                node.start = next_random(&seed) % 8;
                node.size = next_random(&seed) % 2;
                node.symbol = next_random(&seed) % 8 == 0 ? 1 : FM_NONE;
            }
            uint32_t want = 0, got = FM_NONE;
            while (want < count && !same_node(&nodes[want], &node)) want++;
            assert_true(fm_unit_batch_node(&batch, &node, &got));
            assert_int_equal(got, want);
            if (want == count) nodes[count++] = node;
            assert_int_equal(batch.node_count, count);
        }
        for (size_t i = 0; i < count; i++) {
            const struct fm_node node = node_at(&batch, i);
            assert_true(same_node(&node, &nodes[i]));
        }
        fm_unit_batch_clear(&batch);
        assert_int_equal(batch.node_count, 0);
    }
    fm_unit_batch_free(&batch);
    assert_int_equal(heap.used, 0);
}

static void strings_with_their_hashes(void **state)
{
    (void)state;
    static const char *const texts[] = {"a", "b", "a", "", "a longer one of some words", "b"};
    static const uint32_t want[] = {0, 1, 0, 2, 3, 1};
    struct fm_heap heap;
    struct fm_unit_batch batch;
    fm_heap_init(&heap, NULL, 0);
    fm_unit_batch_init(&batch, &heap, KEY);
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        uint32_t got = 9;
        assert_true(fm_unit_batch_string(&batch, framemap_str_of(texts[i]), &got));
        assert_int_equal(got, want[i]);
        assert_true(batch.hashes[got] == fm_hash_text(framemap_str_of(texts[i]), KEY));
    }
    fm_unit_batch_free(&batch);
    assert_int_equal(heap.used, 0);
}

static void rows_and_ends(void **state)
{
    (void)state;
    struct fm_heap heap;
    struct fm_unit_batch batch;
    fm_heap_init(&heap, NULL, 0);
    fm_unit_batch_init(&batch, &heap, KEY);
    assert_true(fm_unit_batch_start_run(&batch, 0, 10));
    assert_true(fm_unit_batch_row(&batch, 10, 1, 0, 5, 0));
    assert_true(fm_unit_batch_next_row(&batch, 12, 1, 0, 6, 0));
    assert_true(fm_unit_batch_row(&batch, 14, FM_NONE, FM_NONE, 0, 0));
    assert_true(fm_unit_batch_start_run(&batch, 0, 14));
    assert_true(fm_unit_batch_row(&batch, 14, 2, 0, 7, 0)); /* this row replaces the end mark */
    /* an end mark does not replace the row at the same position */
    assert_true(fm_unit_batch_row(&batch, 14, FM_NONE, FM_NONE, 0, 0));
    assert_true(fm_unit_batch_next_row(&batch, 20, FM_NONE, FM_NONE, 0, 0));
    assert_true(fm_unit_batch_start_run(&batch, 0, 4)); /* a lower position starts a new run */
    assert_true(fm_unit_batch_row(&batch, 4, 3, 0, 8, 0));
    static const struct fm_batch_row want[] = {
        {10, 1, 0, 5, 0}, {12, 1, 0, 6, 0}, {14, 2, 0, 7, 0}, {20, FM_NONE, FM_NONE, 0, 0}, {4, 3, 0, 8, 0}};
    assert_int_equal(batch.row_count, COUNT_OF(want));
    for (size_t i = 0; i < COUNT_OF(want); i++) {
        const struct fm_batch_row *got = &batch.rows[i];
        if (got->position != want[i].position || got->node != want[i].node || got->file != want[i].file ||
            got->line1 != want[i].line1)
            fail_msg("row %zu", i);
    }
    assert_int_equal(batch.run_count, 2);
    assert_int_equal(batch.runs[0].count, 4);
    assert_int_equal(batch.runs[1].first, 4);
    assert_int_equal(batch.runs[1].count, 1);
    fm_unit_batch_free(&batch);
    assert_int_equal(heap.used, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nodes_once), cmocka_unit_test(strings_with_their_hashes),
                                       cmocka_unit_test(rows_and_ends)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
