/* Tests of mappers/native/dwarf/dw_package.h: unit indexes made by hand, sound and hostile. */
#include "mappers/native/dwarf/dw_package.h"
#include "tests/mappers/native/dw_bytes.h"

enum { INFO = 1, ABBREV = 3, LINE = 4, STR_OFFSETS = 6, RNGLISTS = 8 };

/* Writes an index of two units, which are at 0x10 and 0x50 of .debug_info.dwo and have 0x40 and 0x20 bytes. */
static void put_index(struct bytes *to, unsigned version, uint32_t columns, uint32_t units, uint32_t slots)
{
    static const uint32_t offsets[2][4] = {{0x10, 0x100, 0x200, 0x300}, {0x50, 0x110, 0x220, 0x330}},
                          sizes[2][4] = {{0x40, 0x10, 0x20, 0x30}, {0x20, 0x11, 0x21, 0x31}};
    static const uint32_t names[4] = {INFO, ABBREV, STR_OFFSETS, RNGLISTS};
    put(to, version, version == 5 ? 2 : 4);
    if (version == 5) put(to, 0, 2);
    put(to, columns, 4);
    put(to, units, 4);
    put(to, slots, 4);
    for (unsigned i = 0; i < 4; i++) put(to, i, 8);
    for (unsigned i = 0; i < 4; i++) put(to, i % 3, 4);
    for (unsigned i = 0; i < 4; i++) put(to, names[i], 4);
    for (unsigned i = 0; i < 8; i++) put(to, offsets[i / 4][i % 4], 4);
    for (unsigned i = 0; i < 8; i++) put(to, sizes[i / 4][i % 4], 4);
}

static const char *open_index(struct fm_dw_package *package, struct fm_heap *heap, framemap_str index)
{
    bool memory = false;
    fm_heap_init(heap, NULL, 0);
    const char *why = fm_dw_package_open(package, heap, index, false, &memory);
    assert_true(memory);
    return why;
}

static void each_unit_has_its_tables(void **state)
{
    static const struct {
        uint64_t offset;
        bool listed;
        uint64_t abbrev, str_offsets, rnglists;
    } rows[] = {{0x0f, false, 0, 0, 0},
                {0x10, true, 0x100, 0x200, 0x300},
                {0x4f, true, 0x100, 0x200, 0x300},
                {0x50, true, 0x110, 0x220, 0x330},
                {0x6f, true, 0x110, 0x220, 0x330},
                {0x70, false, 0, 0, 0},
                {UINT64_MAX - 1, false, 0, 0, 0}};
    (void)state;
    for (unsigned version = 2; version <= 5; version += 3) {
        struct bytes index = {.size = 0};
        struct fm_dw_package package;
        struct fm_heap heap;
        put_index(&index, version, 4, 2, 4);
        assert_null(open_index(&package, &heap, view_of(&index)));
        for (size_t i = 0; i < COUNT_OF(rows); i++) {
            struct fm_dw_place starts = {.abbrev = 7};
            assert_int_equal(fm_dw_package_starts(&package, rows[i].offset, &starts), rows[i].listed);
            assert_int_equal(starts.abbrev, 7 + rows[i].abbrev);
            assert_int_equal(starts.str_offsets, rows[i].str_offsets);
            /* In version 2 of the index, there is no column for range lists. */
            assert_int_equal(starts.rnglists, version == 5 ? rows[i].rnglists : 0);
        }
        fm_dw_package_free(&package);
        assert_int_equal(heap.used, 0);
    }
}

static void counts_that_lie_are_refused(void **state)
{
    static const struct {
        const char *name;
        unsigned version;
        uint32_t columns, units, slots;
    } rows[] = {{"version 0", 0, 4, 2, 4},
                {"version 3", 3, 4, 2, 4},
                {"version 6", 6, 4, 2, 4},
                {"more units than there are cells", 5, 4, 3, 4},
                {"4 billion units", 2, 4, UINT32_MAX, 4},
                {"4 billion columns", 2, UINT32_MAX, 2, 4},
                {"columns and units that overflow", 2, UINT32_MAX, UINT32_MAX, 4},
                {"no columns", 2, 0, 2, 4},
                {"slots beyond the end", 2, 4, 2, 1000},
                {"4 billion slots", 2, 4, 2, UINT32_MAX}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct bytes index = {.size = 0};
        struct fm_dw_package package;
        struct fm_dw_place starts = {0};
        struct fm_heap heap;
        put_index(&index, rows[i].version, rows[i].columns, rows[i].units, rows[i].slots);
        if (open_index(&package, &heap, view_of(&index)) == NULL) fail_msg("%s: accepted", rows[i].name);
        assert_false(fm_dw_package_starts(&package, 0x10, &starts));
        fm_dw_package_free(&package);
        assert_int_equal(heap.used, 0);
    }
}

/* Checks that every prefix of an index is refused, except prefixes that lack only sizes of the columns after
 * .debug_info. */
static void a_cut_index_is_refused(void **state)
{
    struct bytes index = {.size = 0};
    (void)state;
    put_index(&index, 5, 4, 2, 4);
    for (size_t size = 0; size < index.size; size++) {
        struct fm_dw_package package;
        struct fm_heap heap;
        if (open_index(&package, &heap, fm_str(index.data, size)) == NULL) fail_msg("%zu bytes: accepted", size);
        fm_dw_package_free(&package);
        assert_int_equal(heap.used, 0);
    }
}

static void units_that_overlap_are_found(void **state)
{
    struct bytes index = {.size = 0};
    struct fm_dw_package package;
    struct fm_dw_place starts = {0};
    struct fm_heap heap;
    (void)state;
    put_index(&index, 2, 4, 2, 4);
    index.data[index.size - 64] = 0x50; /* now both units begin at the same offset */
    assert_null(open_index(&package, &heap, view_of(&index)));
    assert_true(fm_dw_package_starts(&package, 0x50, &starts));
    assert_false(fm_dw_package_starts(&package, 0x4f, &starts));
    fm_dw_package_free(&package);
}

static void without_units(void **state)
{
    struct bytes index = {.size = 0};
    struct fm_dw_package package;
    struct fm_dw_place starts = {0};
    struct fm_heap heap;
    (void)state;
    put_index(&index, 2, 4, 0, 4);
    assert_null(open_index(&package, &heap, view_of(&index)));
    assert_false(fm_dw_package_starts(&package, 0x10, &starts));
    fm_dw_package_free(&package);
}

static bool opens(const framemap_allocator *allocator, void *context)
{
    struct bytes *index = context;
    struct fm_dw_package package;
    struct fm_heap heap;
    bool memory = true;
    fm_heap_init(&heap, allocator, 0);
    const char *why = fm_dw_package_open(&package, &heap, view_of(index), false, &memory);
    fm_dw_package_free(&package);
    return why == NULL && memory;
}

static void memory_that_runs_out_is_reported(void **state)
{
    struct bytes index = {.size = 0};
    (void)state;
    put_index(&index, 5, 4, 2, 4);
    assert_true(sweep_allocations(opens, &index) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_unit_has_its_tables),
        cmocka_unit_test(counts_that_lie_are_refused),
        cmocka_unit_test(a_cut_index_is_refused),
        cmocka_unit_test(units_that_overlap_are_found),
        cmocka_unit_test(without_units),
        cmocka_unit_test(memory_that_runs_out_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
