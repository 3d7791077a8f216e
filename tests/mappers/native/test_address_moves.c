/* Tests of mappers/native/debug_map/address_moves.h. */
#include "mappers/native/debug_map/address_moves.h"
#include "tests/testing.h"

/* Three functions of an object file. The linker dropped the second one and exchanged the other two. */
static const struct fm_address_move items[] = {{0x100, 0x120, 0x5000}, {0x140, 0x150, 0x4000}, {0x150, 0x158, 0x4010}};
static const struct fm_address_moves moves = {items, COUNT_OF(items)};

static void ranges_are_cut_and_joined(void **state)
{
    static const struct {
        struct fm_dw_range from[2];
        size_t from_count;
        struct fm_dw_range to[3];
        size_t to_count;
    } rows[] = {
        {{{0x100, 0x120}}, 1, {{0x5000, 0x5020}}, 1},
        {{{0x104, 0x108}}, 1, {{0x5004, 0x5008}}, 1},
        {{{0x110, 0x130}}, 1, {{0x5010, 0x5020}}, 1}, /* the end of the range is beyond the function */
        {{{0x120, 0x140}}, 1, {{0}}, 0},              /* the range is in the function that the linker dropped */
        /* The range covers two functions that are adjacent in the object file, and in the image too. */
        {{{0x140, 0x158}}, 1, {{0x4000, 0x4018}}, 1},
        {{{0, 0x1000}}, 1, {{0x5000, 0x5020}, {0x4000, 0x4018}}, 2},
        {{{0x150, 0x158}, {0x100, 0x101}}, 2, {{0x4010, 0x4018}, {0x5000, 0x5001}}, 2},
        {{{0x158, UINT64_MAX}}, 1, {{0}}, 0},
    };
    struct fm_address_mover mover;
    struct fm_heap heap;
    (void)state;
    fm_heap_init(&heap, NULL, 0);
    fm_address_mover_init(&mover, &heap);
    fm_address_mover_begin(&mover, moves);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        assert_true(fm_address_mover_ranges(&mover, rows[i].from, rows[i].from_count));
        if (mover.count != rows[i].to_count) fail_msg("row %zu: %zu ranges", i, mover.count);
        for (size_t k = 0; k < mover.count; k++) {
            assert_int_equal(mover.ranges[k].low, rows[i].to[k].low);
            assert_int_equal(mover.ranges[k].high, rows[i].to[k].high);
        }
    }
    assert_false(mover.spent);
    fm_address_mover_free(&mover);
    assert_int_equal(heap.used, 0);
}

struct taken {
    char text[2000];
    size_t size;
};

static bool take_rows(void *context, const struct fm_dw_row *rows, size_t count)
{
    struct taken *taken = context;
    for (size_t i = 0; i < count && taken->size < sizeof taken->text - 40; i++)
        taken->size += (size_t)snprintf(taken->text + taken->size, sizeof taken->text - taken->size, "%llx%s%u ",
                                        (unsigned long long)rows[i].address, rows[i].end_sequence ? "e" : ":",
                                        (unsigned)rows[i].line1);
    return true;
}

static void rows_make_a_sequence_for_each_function(void **state)
{
    static const struct {
        const char *name;
        struct fm_dw_row rows[6];
        size_t count;
        const char *wanted;
    } rows[] = {
        {"one row for all",
         {{.address = 0, .line1 = 1}, {.address = 0x200, .end_sequence = true}},
         2,
         "5000:1 5020e1 4000:1 4010e1 4010:1 4018e1 "},
        {"rows within",
         {{.address = 0x100, .line1 = 1},
          {.address = 0x108, .line1 = 2},
          {.address = 0x120, .line1 = 3},
          {.address = 0x144, .line1 = 4},
          {.address = 0x150, .end_sequence = true}},
         5,
         "5000:1 5008:2 5020e2 4000:3 4004:4 4010e4 "},
        {"the sequence ends within",
         {{.address = 0x104, .line1 = 1}, {.address = 0x10c, .end_sequence = true}},
         2,
         "5004:1 500ce1 "},
        {"of rows at one address the last counts",
         {{.address = 0x100, .line1 = 1}, {.address = 0x100, .line1 = 2}, {.address = 0x104, .end_sequence = true}},
         3,
         "5000:2 5004e2 "},
        {"dropped code alone",
         {{.address = 0x120, .line1 = 1}, {.address = 0x130, .line1 = 2}, {.address = 0x140, .end_sequence = true}},
         3,
         ""},
        {"an address that falls",
         {{.address = 0x100, .line1 = 1},
          {.address = 0x108, .line1 = 2},
          {.address = 0x140, .line1 = 3},
          {.address = 0x104, .line1 = 4},
          {.address = 0x106, .end_sequence = true}},
         5,
         "5000:1 5008:2 5020e2 5004:4 5006e4 "},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct fm_address_mover mover;
        struct fm_heap heap;
        struct taken taken = {.size = 0};
        const struct fm_dw_visitor visitor = {.context = &taken, .rows = take_rows};
        fm_heap_init(&heap, NULL, 0);
        fm_address_mover_init(&mover, &heap);
        fm_address_mover_begin(&mover, moves);
        for (size_t k = 0; k < rows[i].count; k++) /* rows are added one at a time, as a backend may report them */
            assert_true(fm_address_mover_rows(&mover, &visitor, &rows[i].rows[k], 1));
        assert_true(fm_address_mover_flush(&mover, &visitor));
        if (strcmp(taken.text, rows[i].wanted) != 0) fail_msg("%s: %s", rows[i].name, taken.text);
        fm_address_mover_free(&mover);
    }
}

/* Checks many ranges that each contain all functions: the work is bounded, and if ranges are lost, that is reported. */
static void the_budget_ends(void **state)
{
    enum { FUNCTIONS = 1000, RANGES = 1000 };
    static struct fm_address_move many[FUNCTIONS];
    const struct fm_dw_range all = {0, UINT64_MAX};
    struct fm_address_mover mover;
    struct fm_heap heap;
    size_t pieces = 0;
    (void)state;
    for (uint64_t i = 0; i < FUNCTIONS; i++) many[i] = (struct fm_address_move){i * 16, i * 16 + 8, 0x100000 - i * 16};
    fm_heap_init(&heap, NULL, 0);
    fm_address_mover_init(&mover, &heap);
    fm_address_mover_begin(&mover, (struct fm_address_moves){many, FUNCTIONS});
    for (unsigned i = 0; i < RANGES; i++) {
        assert_true(fm_address_mover_ranges(&mover, &all, 1));
        pieces += mover.count;
    }
    assert_true(mover.spent);
    assert_between(pieces, FUNCTIONS, 80 * FUNCTIONS);
    fm_address_mover_begin(&mover, moves);
    assert_false(mover.spent);
    fm_address_mover_free(&mover);
    assert_int_equal(heap.used, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_are_cut_and_joined),
        cmocka_unit_test(rows_make_a_sequence_for_each_function),
        cmocka_unit_test(the_budget_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
