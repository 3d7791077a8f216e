/* Tests of mappers/native/dwarf/dw_ranges.h. */
#include "mappers/native/dwarf/dw_constants.h"
#include "mappers/native/dwarf/dw_ranges.h"
#include "tests/mappers/native/dw_bytes.h"

#define DEAD UINT64_MAX

struct fixture {
    struct fm_heap heap;
    struct fm_section sections[2];
    struct fm_image image;
    struct fm_arena arena;
    struct fm_dw_sections dwarf;
    struct fm_dw_encoding encoding;
    struct fm_dw_range_list list;
};

static void set_up(struct fixture *f, uint16_t version)
{
    *f = (struct fixture){.encoding = {.version = version, .address_size = 8, .offset_size = 4}};
    fm_heap_init(&f->heap, NULL, 0);
    fm_arena_init(&f->arena, &f->heap);
    make_image(&f->image, f->sections, &f->arena);
    f->list = (struct fm_dw_range_list){.image = &f->image, .heap = &f->heap, .work_left = 100000};
}

/* Compares the list with the expected pairs, which are ended by 0, 0; then frees the list. */
static void check(struct fixture *f, const char *name, const uint64_t *want)
{
    size_t i = 0;
    for (; want[2 * i + 1] != 0; i++) {
        if (i >= f->list.count || f->list.ranges[i].low != want[2 * i] || f->list.ranges[i].high != want[2 * i + 1])
            fail_msg("%s: range %zu is not [%llx, %llx)", name, i, (unsigned long long)want[2 * i],
                     (unsigned long long)want[2 * i + 1]);
    }
    if (f->list.count != i) fail_msg("%s: %zu ranges", name, f->list.count);
    fm_dw_range_list_free(&f->list);
    fm_arena_free(&f->arena);
    assert_int_equal(f->heap.used, 0);
}

static void low_and_high(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        enum fm_dw_class high_class;
        uint64_t low, high;
        uint64_t want[4];
    } rows[] = {
        {"high as an address", FM_DW_ADDRESS, 0x1000, 0x1010, {0x1000, 0x1010}},
        {"high as a length", FM_DW_NUMBER, 0x1000, 0x10, {0x1000, 0x1010}},
        {"empty", FM_DW_NUMBER, 0x1000, 0, {0}},
        {"reversed", FM_DW_ADDRESS, 0x1010, 0x1000, {0}},
        {"length wraps", FM_DW_NUMBER, 0x1000, UINT64_MAX, {0}},
        {"dead: at 0", FM_DW_NUMBER, 0, 0x1800, {0}},
        {"dead: at 1", FM_DW_NUMBER, 1, 0x1800, {0}},
        {"dead: at -1", FM_DW_NUMBER, UINT64_MAX, 0, {0}},
        {"dead: at -2", FM_DW_ADDRESS, UINT64_MAX - 1, UINT64_MAX, {0}},
        {"among data", FM_DW_NUMBER, 0x2000, 0x10, {0}},
        {"past the end of its section", FM_DW_NUMBER, 0x1ff0, 0x100, {0x1ff0, 0x2000}},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct fixture f;
        set_up(&f, 4);
        const struct fm_dw_bounds bounds = {.low = {FM_DW_ADDRESS, DW_FORM_addr, rows[i].low, {NULL, 0}},
                                            .high = {rows[i].high_class, DW_FORM_data8, rows[i].high, {NULL, 0}}};
        assert_int_equal(fm_dw_ranges_read(&f.dwarf, &f.encoding, &bounds, &f.list, NULL), FRAMEMAP_OK);
        check(&f, rows[i].name, rows[i].want);
    }
}

static void below_the_first_code(void **state)
{
    (void)state;
    struct fixture f;
    const uint64_t ranges[][2] = {
        {0x1000, 0x1030}, {0x1010, 0x1020}, {0x1001, 0x1030}, {0x1020, 0x1040}, {0x1002, 0x1010}};
    set_up(&f, 4);
    f.image.code_start = 0x1002;
    for (size_t i = 0; i < COUNT_OF(ranges); i++) assert_true(fm_dw_range_add(&f.list, ranges[i][0], ranges[i][1]));
    check(&f, "no code is below 0x1002", (const uint64_t[]){0x1010, 0x1020, 0x1020, 0x1040, 0x1002, 0x1010, 0, 0});
}

static framemap_status read_list(struct fixture *f, enum fm_dw_class class, uint64_t number, framemap_error *error)
{
    const struct fm_dw_bounds bounds = {.ranges = {class, DW_FORM_sec_offset, number, {NULL, 0}}};
    return fm_dw_ranges_read(&f->dwarf, &f->encoding, &bounds, &f->list, error);
}

static void pairs_of_dwarf_4(void **state)
{
    (void)state;
    struct bytes bytes = {.size = 0};
    struct fixture f;
    set_up(&f, 4);
    f.encoding.low_pc = 0x1000;
    const uint64_t pairs[][2] = {{0x10, 0x20}, {0x30, 0x30}, {DEAD, 0x1100},   {0x0, 0x8}, {DEAD, DEAD},
                                 {0x0, 0x8},   {DEAD, 0},    {0x1200, 0x1201}, {0, 0}};
    for (size_t i = 0; i < COUNT_OF(pairs); i++) {
        put(&bytes, pairs[i][0], 8);
        put(&bytes, pairs[i][1], 8);
    }
    f.dwarf.ranges = view_of(&bytes);
    assert_int_equal(read_list(&f, FM_DW_NUMBER, 0, NULL), FRAMEMAP_OK);
    check(&f, "base from the unit, set anew, dead, set to nothing",
          (const uint64_t[]){0x1010, 0x1020, 0x1100, 0x1108, 0x1200, 0x1201, 0, 0});
}

static void entries_of_dwarf_5(void **state)
{
    (void)state;
    struct bytes bytes = {.size = 0}, addresses = {.size = 0};
    struct fixture f;
    set_up(&f, 5);
    f.encoding.low_pc = 0x1000;
    f.encoding.has_addr_base = true;
    put(&addresses, 0x1100, 8);
    put(&addresses, 0x1110, 8);
    PUT(&bytes, DW_RLE_offset_pair, 0x10, 0x20);
    PUT(&bytes, DW_RLE_base_addressx, 0, DW_RLE_offset_pair, 1, 2);
    PUT(&bytes, DW_RLE_startx_endx, 0, 1, DW_RLE_startx_length, 1, 4);
    PUT(&bytes, DW_RLE_startx_length, 9, 4); /* the address with index 9 does not exist */
    PUT(&bytes, DW_RLE_base_address);
    put(&bytes, 0x1300, 8);
    PUT(&bytes, DW_RLE_offset_pair, 0, 1, DW_RLE_start_end);
    put(&bytes, 0x1400, 8);
    put(&bytes, 0x1402, 8);
    PUT(&bytes, DW_RLE_start_length);
    put(&bytes, 0x1500, 8);
    PUT(&bytes, 3, DW_RLE_end_of_list);
    f.dwarf.rnglists = view_of(&bytes);
    f.dwarf.addr = view_of(&addresses);
    assert_int_equal(read_list(&f, FM_DW_NUMBER, 0, NULL), FRAMEMAP_OK);
    check(&f, "every kind of entry",
          (const uint64_t[]){0x1010, 0x1020, 0x1101, 0x1102, 0x1100, 0x1110, 0x1110, 0x1114, 0x1300, 0x1301, 0x1400,
                             0x1402, 0x1500, 0x1503, 0, 0});
}

static void lists_found_by_number(void **state)
{
    (void)state;
    struct bytes bytes = {.size = 0};
    struct fixture f;
    set_up(&f, 5);
    f.encoding.rnglists_base = 4;
    put(&bytes, 0, 4);  /* this word is before the base of the offset array */
    put(&bytes, 8, 4);  /* list 0 is 8 bytes after the base */
    put(&bytes, 99, 4); /* list 1 is outside of the section */
    PUT(&bytes, DW_RLE_start_length);
    put(&bytes, 0x1000, 8);
    PUT(&bytes, 3, DW_RLE_end_of_list);
    f.dwarf.rnglists = view_of(&bytes);
    assert_int_equal(read_list(&f, FM_DW_LIST_INDEX, 0, NULL), FRAMEMAP_OK);
    assert_int_equal(f.list.count, 1);
    assert_int_equal(read_list(&f, FM_DW_LIST_INDEX, 1, NULL), FRAMEMAP_E_CORRUPT);
    assert_int_equal(read_list(&f, FM_DW_LIST_INDEX, UINT64_MAX / 2, NULL), FRAMEMAP_E_CORRUPT);
    check(&f, "faults leave nothing", (const uint64_t[]){0, 0});
}

static void broken_lists(void **state)
{
    (void)state;
    framemap_error error;
    struct bytes bytes = {.size = 0};
    struct fixture f;
    set_up(&f, 5);
    PUT(&bytes, DW_RLE_start_length);
    put(&bytes, 0x1000, 8);
    PUT(&bytes, 3, 0x7f);
    f.dwarf.rnglists = view_of(&bytes);
    assert_int_equal(read_list(&f, FM_DW_NUMBER, 0, &error), FRAMEMAP_E_CORRUPT);
    assert_string_equal(error.where, ".debug_rnglists");
    assert_int_equal(f.list.count, 1); /* the list has the ranges that precede the fault */
    assert_int_equal(read_list(&f, FM_DW_NUMBER, 5000, &error), FRAMEMAP_E_CORRUPT);
    for (size_t cut = 0; cut < bytes.size; cut++) {
        f.dwarf.rnglists.size = cut;
        assert_int_equal(read_list(&f, FM_DW_NUMBER, 0, &error), FRAMEMAP_E_CORRUPT);
    }
    f.encoding.version = 4;
    f.dwarf.ranges = fm_str(bytes.data, 10);
    assert_int_equal(read_list(&f, FM_DW_NUMBER, 0, &error), FRAMEMAP_E_CORRUPT);
    fm_dw_range_list_free(&f.list);
    fm_arena_free(&f.arena);
}

static void a_list_read_over_and_over_ends_in_a_limit(void **state)
{
    (void)state;
    struct bytes bytes = {.size = 0};
    struct fixture f;
    set_up(&f, 4);
    for (int i = 0; i < 100; i++) {
        put(&bytes, 0x1000, 8);
        put(&bytes, 0x1001, 8);
    }
    put(&bytes, 0, 16 / 2);
    put(&bytes, 0, 16 / 2);
    f.dwarf.ranges = view_of(&bytes);
    framemap_status status = FRAMEMAP_OK;
    for (int i = 0; i < 100 && status == FRAMEMAP_OK; i++) status = read_list(&f, FM_DW_NUMBER, 0, NULL);
    assert_int_equal(status, FRAMEMAP_E_LIMIT);
    fm_dw_range_list_free(&f.list);
    fm_arena_free(&f.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(low_and_high),
        cmocka_unit_test(below_the_first_code),
        cmocka_unit_test(pairs_of_dwarf_4),
        cmocka_unit_test(entries_of_dwarf_5),
        cmocka_unit_test(lists_found_by_number),
        cmocka_unit_test(broken_lists),
        cmocka_unit_test(a_list_read_over_and_over_ends_in_a_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
