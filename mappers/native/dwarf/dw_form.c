/* Sizes and values of DWARF forms. See dw_form.h. */
#include "mappers/native/dwarf/dw_form.h"

#include "core/checked.h"
#include "mappers/native/dwarf/dw_constants.h"
#include "mappers/native/dwarf/dw_leb.h"

/* Further widths of forms besides those of dw_form.h; these depend on the unit. */
enum { WIDTH_ADDRESS = 64, WIDTH_OFFSET, WIDTH_REF_ADDR };

struct form_shape {
    uint8_t class, width;
};

static const struct form_shape shapes[] = {
    [DW_FORM_addr] = {FM_DW_ADDRESS, WIDTH_ADDRESS},
    [DW_FORM_block2] = {FM_DW_NONE, FM_DW_WIDTH_BLOCK2},
    [DW_FORM_block4] = {FM_DW_NONE, FM_DW_WIDTH_BLOCK4},
    [DW_FORM_data2] = {FM_DW_NUMBER, 2},
    [DW_FORM_data4] = {FM_DW_NUMBER, 4},
    [DW_FORM_data8] = {FM_DW_NUMBER, 8},
    [DW_FORM_string] = {FM_DW_TEXT, FM_DW_WIDTH_TEXT},
    [DW_FORM_block] = {FM_DW_NONE, FM_DW_WIDTH_BLOCK_LEB},
    [DW_FORM_block1] = {FM_DW_NONE, FM_DW_WIDTH_BLOCK1},
    [DW_FORM_data1] = {FM_DW_NUMBER, 1},
    [DW_FORM_flag] = {FM_DW_NUMBER, 1},
    [DW_FORM_sdata] = {FM_DW_NUMBER, FM_DW_WIDTH_SLEB},
    [DW_FORM_strp] = {FM_DW_STR_OFFSET, WIDTH_OFFSET},
    [DW_FORM_udata] = {FM_DW_NUMBER, FM_DW_WIDTH_ULEB},
    [DW_FORM_ref_addr] = {FM_DW_INFO_REF, WIDTH_REF_ADDR},
    [DW_FORM_ref1] = {FM_DW_UNIT_REF, 1},
    [DW_FORM_ref2] = {FM_DW_UNIT_REF, 2},
    [DW_FORM_ref4] = {FM_DW_UNIT_REF, 4},
    [DW_FORM_ref8] = {FM_DW_UNIT_REF, 8},
    [DW_FORM_ref_udata] = {FM_DW_UNIT_REF, FM_DW_WIDTH_ULEB},
    [DW_FORM_sec_offset] = {FM_DW_NUMBER, WIDTH_OFFSET},
    [DW_FORM_exprloc] = {FM_DW_NONE, FM_DW_WIDTH_BLOCK_LEB},
    [DW_FORM_flag_present] = {FM_DW_NUMBER, 0},
    [DW_FORM_strx] = {FM_DW_STRING_INDEX, FM_DW_WIDTH_ULEB},
    [DW_FORM_addrx] = {FM_DW_ADDRESS_INDEX, FM_DW_WIDTH_ULEB},
    [DW_FORM_ref_sup4] = {FM_DW_ALTERNATE_REF, 4},
    [DW_FORM_strp_sup] = {FM_DW_ALTERNATE_STR, WIDTH_OFFSET},
    [DW_FORM_data16] = {FM_DW_NONE, 16},
    [DW_FORM_line_strp] = {FM_DW_LINE_STR_OFFSET, WIDTH_OFFSET},
    [DW_FORM_ref_sig8] = {FM_DW_NONE, 8},
    [DW_FORM_implicit_const] = {FM_DW_NUMBER, 0},
    [DW_FORM_loclistx] = {FM_DW_NONE, FM_DW_WIDTH_ULEB},
    [DW_FORM_rnglistx] = {FM_DW_LIST_INDEX, FM_DW_WIDTH_ULEB},
    [DW_FORM_ref_sup8] = {FM_DW_ALTERNATE_REF, 8},
    [DW_FORM_strx1] = {FM_DW_STRING_INDEX, 1},
    [DW_FORM_strx2] = {FM_DW_STRING_INDEX, 2},
    [DW_FORM_strx3] = {FM_DW_STRING_INDEX, 3},
    [DW_FORM_strx4] = {FM_DW_STRING_INDEX, 4},
    [DW_FORM_addrx1] = {FM_DW_ADDRESS_INDEX, 1},
    [DW_FORM_addrx2] = {FM_DW_ADDRESS_INDEX, 2},
    [DW_FORM_addrx3] = {FM_DW_ADDRESS_INDEX, 3},
    [DW_FORM_addrx4] = {FM_DW_ADDRESS_INDEX, 4},
};
static const struct form_shape alternate_ref_shape = {FM_DW_ALTERNATE_REF, WIDTH_OFFSET};
static const struct form_shape unknown_shape = {FM_DW_NONE, FM_DW_WIDTH_UNKNOWN};

static struct form_shape shape_of(uint16_t form)
{
    switch (form) {
    case 0:
    case 2:                                      /* this form code is reserved */
    case DW_FORM_indirect: return unknown_shape; /* the size depends on the form that precedes the value */
    case DW_FORM_GNU_addr_index: return shapes[DW_FORM_addrx];
    case DW_FORM_GNU_str_index: return shapes[DW_FORM_strx];
    case DW_FORM_GNU_ref_alt: return alternate_ref_shape;
    case DW_FORM_GNU_strp_alt: return shapes[DW_FORM_strp_sup];
    default: return form < sizeof shapes / sizeof *shapes ? shapes[form] : unknown_shape;
    }
}

static uint8_t width_in(struct form_shape shape, const struct fm_dw_encoding *encoding)
{
    switch (shape.width) {
    case WIDTH_ADDRESS: return encoding->address_size;
    case WIDTH_OFFSET: return encoding->offset_size;
    /* In DWARF 2 the value has the size of an address, from DWARF 3 on that of an offset. */
    case WIDTH_REF_ADDR: return encoding->version == 2 ? encoding->address_size : encoding->offset_size;
    default: return shape.width;
    }
}

struct fm_dw_form fm_dw_form_of(uint16_t form, const struct fm_dw_encoding *encoding)
{
    const struct form_shape shape = shape_of(form);

    if (form == DW_FORM_indirect) return (struct fm_dw_form){FM_DW_NONE, FM_DW_WIDTH_INDIRECT};
    return (struct fm_dw_form){shape.class, width_in(shape, encoding)};
}

bool fm_dw_form_read(struct fm_byte_reader *r, const struct fm_dw_encoding *encoding, const struct fm_dw_spec *spec,
                     struct fm_dw_value *out)
{
    /* DW_FORM_indirect: the actual form precedes the value, and must not be DW_FORM_indirect or
     * DW_FORM_implicit_const. */
    uint16_t form = spec->form;
    if (form == DW_FORM_indirect) {
        uint64_t real = fm_read_uleb(r);
        form = real > UINT16_MAX || real == DW_FORM_implicit_const ? 0 : (uint16_t)real;
    }
    struct form_shape shape = shape_of(form);
    uint8_t width = width_in(shape, encoding);

    *out = (struct fm_dw_value){.class = (enum fm_dw_class)shape.class, .form = form};
    switch (width) {
    case 0: out->number = form == DW_FORM_implicit_const ? (uint64_t)spec->implicit : 1; break;
    case 16: fm_byte_reader_skip(r, 16); break;
    case FM_DW_WIDTH_ULEB: out->number = fm_read_uleb(r); break;
    case FM_DW_WIDTH_SLEB: out->number = (uint64_t)fm_read_sleb(r); break;
    case FM_DW_WIDTH_TEXT: out->text = fm_read_cstr(r); break;
    case FM_DW_WIDTH_BLOCK1: fm_byte_reader_skip(r, fm_read_u8(r)); break;
    case FM_DW_WIDTH_BLOCK2: fm_byte_reader_skip(r, fm_read_u16(r)); break;
    case FM_DW_WIDTH_BLOCK4: fm_byte_reader_skip(r, fm_read_u32(r)); break;
    case FM_DW_WIDTH_BLOCK_LEB: fm_byte_reader_skip(r, fm_read_uleb(r)); break;
    case FM_DW_WIDTH_UNKNOWN: return false;
    default: out->number = fm_read_uint(r, width); break;
    }
    return !r->bad;
}

/* Returns element `index` of a table of integers that starts at `base` of a section. */
static bool table_entry(framemap_str section, bool big_endian, uint64_t base, uint64_t index, unsigned width,
                        uint64_t *out)
{
    uint64_t at;

    if (!fm_mul_u64(index, width, &at) || !fm_add_u64(at, base, &at) || !fm_range_fits(at, width, section.size))
        return false;
    *out = fm_dw_fixed((const unsigned char *)section.data + at, width, big_endian);
    return true;
}

framemap_str fm_dw_string_index(const struct fm_dw_sections *sections, const struct fm_dw_encoding *encoding,
                                uint64_t index)
{
    uint64_t offset;

    if (!table_entry(sections->str_offsets, sections->big_endian, encoding->str_offsets_base, index,
                     encoding->offset_size, &offset)) {
        return (framemap_str){NULL, 0};
    }
    return fm_dw_string_at(sections->str, offset + encoding->str_start);
}

framemap_str fm_dw_value_string(const struct fm_dw_sections *sections, const struct fm_dw_encoding *encoding,
                                const struct fm_dw_value *value)
{
    switch (value->class) {
    case FM_DW_TEXT: return value->text;
    case FM_DW_STR_OFFSET: return fm_dw_string_at(sections->str, value->number + encoding->str_start);
    case FM_DW_LINE_STR_OFFSET: return fm_dw_string_at(sections->line_str, value->number + encoding->line_str_start);
    case FM_DW_ALTERNATE_STR:
        return fm_dw_string_at(sections->str,
                               encoding->has_alternate ? value->number + encoding->alternate_str : UINT64_MAX);
    case FM_DW_STRING_INDEX: return fm_dw_string_index(sections, encoding, value->number);
    default: return (framemap_str){NULL, 0};
    }
}

bool fm_dw_address_index(const struct fm_dw_sections *sections, const struct fm_dw_encoding *encoding, uint64_t index,
                         uint64_t *out)
{
    return encoding->has_addr_base &&
           table_entry(sections->addr, sections->big_endian, encoding->addr_base, index, encoding->address_size, out);
}

bool fm_dw_value_address(const struct fm_dw_sections *sections, const struct fm_dw_encoding *encoding,
                         const struct fm_dw_value *value, uint64_t *out)
{
    if (value->class == FM_DW_ADDRESS_INDEX) return fm_dw_address_index(sections, encoding, value->number, out);
    if (value->class != FM_DW_ADDRESS) return false;
    *out = value->number;
    return true;
}
