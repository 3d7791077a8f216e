/* Tests of mappers/native/dwarf/dw_form.h. */
#include "mappers/native/dwarf/dw_constants.h"
#include "mappers/native/dwarf/dw_form.h"
#include "tests/mappers/native/dw_bytes.h"

static void every_form_is_measured_and_read(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint16_t form;
        uint16_t version;
        enum fm_dw_class class;
        uint64_t number;
        size_t size;
        uint16_t bytes[20];
    } rows[] = {
        {"addr", DW_FORM_addr, 5, FM_DW_ADDRESS, 0x0807060504030201, 8, {1, 2, 3, 4, 5, 6, 7, 8, END_OF_BYTES}},
        {"data1", DW_FORM_data1, 5, FM_DW_NUMBER, 0xff, 1, {0xff, END_OF_BYTES}},
        {"data2", DW_FORM_data2, 5, FM_DW_NUMBER, 0x201, 2, {1, 2, END_OF_BYTES}},
        {"data4", DW_FORM_data4, 5, FM_DW_NUMBER, 0x04030201, 4, {1, 2, 3, 4, END_OF_BYTES}},
        {"data8", DW_FORM_data8, 5, FM_DW_NUMBER, 0x0807060504030201, 8, {1, 2, 3, 4, 5, 6, 7, 8, END_OF_BYTES}},
        {"data16",
         DW_FORM_data16,
         5,
         FM_DW_NONE,
         0,
         16,
         {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, END_OF_BYTES}},
        {"sdata", DW_FORM_sdata, 5, FM_DW_NUMBER, UINT64_MAX, 1, {0x7f, END_OF_BYTES}},
        {"udata", DW_FORM_udata, 5, FM_DW_NUMBER, 0x7f, 1, {0x7f, END_OF_BYTES}},
        {"flag", DW_FORM_flag, 5, FM_DW_NUMBER, 1, 1, {1, END_OF_BYTES}},
        {"flag_present", DW_FORM_flag_present, 5, FM_DW_NUMBER, 1, 0, {END_OF_BYTES}},
        {"string", DW_FORM_string, 5, FM_DW_TEXT, 0, 3, {'h', 'i', 0, END_OF_BYTES}},
        {"strp", DW_FORM_strp, 5, FM_DW_STR_OFFSET, 5, 4, {5, 0, 0, 0, END_OF_BYTES}},
        {"line_strp", DW_FORM_line_strp, 5, FM_DW_LINE_STR_OFFSET, 5, 4, {5, 0, 0, 0, END_OF_BYTES}},
        {"strx3", DW_FORM_strx3, 5, FM_DW_STRING_INDEX, 0x030201, 3, {1, 2, 3, END_OF_BYTES}},
        {"addrx", DW_FORM_addrx, 5, FM_DW_ADDRESS_INDEX, 3, 1, {3, END_OF_BYTES}},
        {"GNU_addr_index", DW_FORM_GNU_addr_index, 4, FM_DW_ADDRESS_INDEX, 3, 1, {3, END_OF_BYTES}},
        {"ref4", DW_FORM_ref4, 5, FM_DW_UNIT_REF, 9, 4, {9, 0, 0, 0, END_OF_BYTES}},
        {"ref_addr of version 2 is as wide as an address",
         DW_FORM_ref_addr,
         2,
         FM_DW_INFO_REF,
         9,
         8,
         {9, 0, 0, 0, 0, 0, 0, 0, END_OF_BYTES}},
        {"ref_addr of version 3 is as wide as an offset",
         DW_FORM_ref_addr,
         3,
         FM_DW_INFO_REF,
         9,
         4,
         {9, 0, 0, 0, END_OF_BYTES}},
        {"GNU_ref_alt", DW_FORM_GNU_ref_alt, 4, FM_DW_ALTERNATE_REF, 9, 4, {9, 0, 0, 0, END_OF_BYTES}},
        {"GNU_strp_alt", DW_FORM_GNU_strp_alt, 4, FM_DW_ALTERNATE_STR, 9, 4, {9, 0, 0, 0, END_OF_BYTES}},
        {"ref_sup8", DW_FORM_ref_sup8, 5, FM_DW_ALTERNATE_REF, 9, 8, {9, 0, 0, 0, 0, 0, 0, 0, END_OF_BYTES}},
        {"ref_sig8", DW_FORM_ref_sig8, 5, FM_DW_NONE, 0, 8, {0, 0, 0, 0, 0, 0, 0, 0, END_OF_BYTES}},
        {"block1", DW_FORM_block1, 5, FM_DW_NONE, 0, 3, {2, 9, 9, END_OF_BYTES}},
        {"block2", DW_FORM_block2, 5, FM_DW_NONE, 0, 4, {2, 0, 9, 9, END_OF_BYTES}},
        {"block4", DW_FORM_block4, 5, FM_DW_NONE, 0, 6, {2, 0, 0, 0, 9, 9, END_OF_BYTES}},
        {"exprloc", DW_FORM_exprloc, 5, FM_DW_NONE, 0, 3, {2, 9, 9, END_OF_BYTES}},
        {"sec_offset", DW_FORM_sec_offset, 5, FM_DW_NUMBER, 9, 4, {9, 0, 0, 0, END_OF_BYTES}},
        {"rnglistx", DW_FORM_rnglistx, 5, FM_DW_LIST_INDEX, 9, 1, {9, END_OF_BYTES}},
        {"implicit_const", DW_FORM_implicit_const, 5, FM_DW_NUMBER, 77, 0, {END_OF_BYTES}},
        {"indirect", DW_FORM_indirect, 5, FM_DW_NUMBER, 9, 2, {DW_FORM_data1, 9, END_OF_BYTES}},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const struct fm_dw_encoding encoding = {.version = rows[i].version, .address_size = 8, .offset_size = 4};
        const struct fm_dw_spec spec = {.form = rows[i].form, .implicit = 77};
        struct bytes bytes = {.size = 0};
        struct fm_dw_value value;
        put_all(&bytes, rows[i].bytes);
        struct fm_byte_reader r = fm_byte_reader_of(view_of(&bytes), false);
        const bool good = fm_dw_form_read(&r, &encoding, &spec, &value);
        if (!good || value.class != rows[i].class || value.number != rows[i].number || r.at != rows[i].size)
            fail_msg("%s", rows[i].name);
        for (size_t cut = 0; cut < rows[i].size; cut++) {
            struct fm_byte_reader shorter = fm_byte_reader_of(fm_str(bytes.data, cut), false);
            if (fm_dw_form_read(&shorter, &encoding, &spec, &value))
                fail_msg("%s: read from %zu bytes", rows[i].name, cut);
        }
    }
}

static void forms_that_do_not_exist(void **state)
{
    (void)state;
    static const uint16_t forms[] = {0, 2, 0x2d, 0x1f03, 0x1f20 - 1, 0xffff};
    const struct fm_dw_encoding encoding = {.version = 5, .address_size = 8, .offset_size = 4};
    const char zeros[16] = {0};
    struct fm_dw_value value;
    for (size_t i = 0; i < COUNT_OF(forms); i++) {
        struct fm_byte_reader r = fm_byte_reader_of(fm_str(zeros, sizeof zeros), false);
        assert_false(fm_dw_form_read(&r, &encoding, &(struct fm_dw_spec){.form = forms[i]}, &value));
    }
    /* The form that DW_FORM_indirect names may be neither DW_FORM_indirect nor DW_FORM_implicit_const. */
    const char chained[] = {DW_FORM_indirect, DW_FORM_data1, 0};
    const char constant[] = {DW_FORM_implicit_const, 0, 0};
    struct fm_byte_reader r = fm_byte_reader_of(fm_str(chained, sizeof chained), false);
    assert_false(fm_dw_form_read(&r, &encoding, &(struct fm_dw_spec){.form = DW_FORM_indirect}, &value));
    r = fm_byte_reader_of(fm_str(constant, sizeof constant), false);
    assert_false(fm_dw_form_read(&r, &encoding, &(struct fm_dw_spec){.form = DW_FORM_indirect}, &value));
}

static void indexes_stay_inside_their_tables(void **state)
{
    (void)state;
    struct bytes addresses = {.size = 0}, offsets = {.size = 0};
    struct fm_dw_encoding encoding = {.version = 5,
                                      .address_size = 8,
                                      .offset_size = 4,
                                      .has_addr_base = true,
                                      .addr_base = 8,
                                      .str_offsets_base = 8};
    uint64_t address = 0;
    put(&addresses, 0, 8);
    put(&addresses, 0x1234, 8);
    put(&offsets, 0, 8);
    put(&offsets, 3, 4);
    put(&offsets, 99, 4);
    const struct fm_dw_sections sections = {
        .addr = view_of(&addresses), .str_offsets = view_of(&offsets), .str = {"ab\0cd", 6}};
    assert_true(fm_dw_address_index(&sections, &encoding, 0, &address));
    assert_true(address == 0x1234);
    assert_false(fm_dw_address_index(&sections, &encoding, 1, &address));
    assert_false(fm_dw_address_index(&sections, &encoding, UINT64_MAX / 8, &address));
    assert_str(fm_dw_string_index(&sections, &encoding, 0), "cd");
    assert_null(fm_dw_string_index(&sections, &encoding, 1).data);
    assert_null(fm_dw_string_index(&sections, &encoding, UINT64_MAX).data);
    encoding.has_addr_base = false;
    assert_false(fm_dw_address_index(&sections, &encoding, 0, &address));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form_is_measured_and_read),
        cmocka_unit_test(forms_that_do_not_exist),
        cmocka_unit_test(indexes_stay_inside_their_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
