#include "fuzz/support/dwarf_maker.h"

#include "mappers/native/dwarf/dw_constants.h"

/* --- choosing the forms of attributes --- */

static uint16_t text_form(struct maker *m, const struct unit *unit)
{
    if (unit->version >= 5) {
        return PICK(m, DW_FORM_strp, DW_FORM_strp, DW_FORM_string, DW_FORM_line_strp, DW_FORM_strx, DW_FORM_strx1,
                    DW_FORM_strx2, DW_FORM_strx3, DW_FORM_strx4);
    }
    return PICK(m, DW_FORM_strp, DW_FORM_strp, DW_FORM_string,
                unit->version == 4 ? DW_FORM_GNU_str_index : DW_FORM_string);
}

static uint16_t number_form(struct maker *m, const struct unit *unit)
{
    return PICK(m, DW_FORM_data1, DW_FORM_data1, DW_FORM_data2, DW_FORM_data4, DW_FORM_data8, DW_FORM_udata,
                DW_FORM_sdata, unit->version >= 5 ? DW_FORM_implicit_const : DW_FORM_data1);
}

static uint16_t address_form(struct maker *m, const struct unit *unit)
{
    if (unit->version >= 5) {
        return PICK(m, DW_FORM_addr, DW_FORM_addr, DW_FORM_addrx, DW_FORM_addrx1, DW_FORM_addrx2, DW_FORM_addrx3,
                    DW_FORM_addrx4);
    }
    return PICK(m, DW_FORM_addr, DW_FORM_addr, DW_FORM_addr,
                unit->version == 4 ? DW_FORM_GNU_addr_index : DW_FORM_addr);
}

static uint16_t high_form(struct maker *m, const struct unit *unit)
{
    if (unit->version < 4) return DW_FORM_addr;
    return PICK(m, DW_FORM_data8, DW_FORM_data4, DW_FORM_data2, DW_FORM_data1, DW_FORM_udata, DW_FORM_addr);
}

static uint16_t offset_form(const struct unit *unit)
{
    return unit->version >= 4 ? DW_FORM_sec_offset : unit->offset_size == 8 ? DW_FORM_data8 : DW_FORM_data4;
}

static uint16_t ranges_form(struct maker *m, const struct unit *unit)
{
    return unit->version >= 5 && chance(m, 2) ? DW_FORM_rnglistx : offset_form(unit);
}

static uint16_t reference_form(struct maker *m)
{
    return PICK(m, DW_FORM_ref4, DW_FORM_ref4, DW_FORM_ref2, DW_FORM_ref8, DW_FORM_ref_udata, DW_FORM_ref_addr);
}

static uint16_t block_form(struct maker *m, const struct unit *unit)
{
    return PICK(m, DW_FORM_block, DW_FORM_block1, DW_FORM_block2, DW_FORM_block4,
                unit->version >= 4 ? DW_FORM_exprloc : DW_FORM_block1);
}

static uint16_t flag_form(struct maker *m, const struct unit *unit)
{
    return unit->version >= 4 && chance(m, 2) ? DW_FORM_flag_present : DW_FORM_flag;
}

static uint16_t any_form(struct maker *m, const struct unit *unit)
{
    switch (pick(m, 9)) {
    case 0: return text_form(m, unit);
    case 1: return number_form(m, unit);
    case 2: return address_form(m, unit);
    case 3: return reference_form(m);
    case 4: return block_form(m, unit);
    case 5: return flag_form(m, unit);
    case 6:
        return PICK(m, DW_FORM_data16, DW_FORM_ref_sig8, DW_FORM_ref_sup4, DW_FORM_ref_sup8, DW_FORM_strp_sup,
                    DW_FORM_loclistx, DW_FORM_GNU_ref_alt, DW_FORM_GNU_strp_alt, DW_FORM_rnglistx);
    case 7: return PICK(m, DW_FORM_ref1, DW_FORM_indirect, DW_FORM_GNU_addr_index, DW_FORM_GNU_str_index);
    default: return (uint16_t)(m->wild == 0 ? DW_FORM_data1 : any_number(m));
    }
}

/* Returns a form that the standard allows for an attribute, chosen at random. */
static uint16_t good_form(struct maker *m, const struct unit *unit, uint16_t attribute)
{
    switch (attribute) {
    case DW_AT_name:
    case DW_AT_comp_dir:
    case DW_AT_producer:
    case DW_AT_linkage_name:
    case DW_AT_MIPS_linkage_name:
    case DW_AT_dwo_name:
    case DW_AT_GNU_dwo_name: return text_form(m, unit);
    case DW_AT_low_pc:
    case 0x52: return address_form(m, unit);
    case DW_AT_high_pc: return high_form(m, unit);
    case DW_AT_ranges: return ranges_form(m, unit);
    case DW_AT_stmt_list:
    case DW_AT_str_offsets_base:
    case DW_AT_addr_base:
    case DW_AT_rnglists_base:
    case DW_AT_GNU_addr_base:
    case DW_AT_GNU_ranges_base: return offset_form(unit);
    case DW_AT_abstract_origin:
    case DW_AT_specification:
    case 0x49: return reference_form(m);
    case DW_AT_sibling:
        return PICK(m, DW_FORM_ref4, DW_FORM_ref4, DW_FORM_ref2, DW_FORM_ref8,
                    /* these forms have a fixed width, which allows the value to be written later */
                    DW_FORM_ref_addr);
    case DW_AT_artificial:
    case 0x3f:
    case 0x3c: return flag_form(m, unit);
    case 0x40:
    case 0x02: return block_form(m, unit);
    default: return number_form(m, unit);
    }
}

uint16_t dwarf_form_for(struct maker *m, const struct unit *unit, uint16_t attribute)
{
    if (break_it(m)) return any_form(m, unit);
    return attribute != DW_AT_sibling && chance(m, 40) ? DW_FORM_indirect : good_form(m, unit, attribute);
}

/* Returns a form for the value after DW_FORM_indirect, where DW_FORM_implicit_const is not allowed. */
static uint16_t real_form(struct maker *m, const struct unit *unit, uint16_t attribute)
{
    uint16_t form = break_it(m) ? any_form(m, unit) : good_form(m, unit, attribute);
    return form == DW_FORM_implicit_const && m->wild == 0 ? DW_FORM_data2 : form;
}

/* --- writing the values of attributes --- */

static uint64_t any_target(struct maker *m, unsigned unit_only)
{
    unsigned first = unit_only ? m->unit_first : 0;
    if (m->entry_count == first) return m->units[m->unit_count - 1].offset;
    return m->entries[first + pick(m, m->entry_count - first)].offset;
}

/* Writes a reference to an entry. If the form has a fixed width, the entry may be one that follows later. */
static void put_reference(struct maker *m, const struct unit *unit, uint16_t form, bool sibling)
{
    struct made_section *to = section(m, DWARF_INFO);
    bool whole = form == DW_FORM_ref_addr;
    unsigned width = form == DW_FORM_ref1   ? 1
                     : form == DW_FORM_ref2 ? 2
                     : form == DW_FORM_ref4 ? 4
                     : form == DW_FORM_ref8 ? 8
                                            : 0;

    if (whole) width = unit->version == 2 ? unit->address_size : unit->offset_size;
    uint64_t target = any_target(m, !whole);
    if (break_it(m)) target += pick(m, 9);
    if (!sibling && width > 1 && m->fix_count < FIXES_MOST && chance(m, 5)) {
        m->fixes[m->fix_count++] = (struct fix){to->size, width, m->unit_count - 1, !whole};
    }
    if (!whole) target -= unit->offset;
    target = good_or_not(m, target);
    if (width == 0)
        put_uleb(m, to, target);
    else
        put(m, to, target, width);
}

static void put_block(struct maker *m, uint16_t form)
{
    struct made_section *to = section(m, DWARF_INFO);
    unsigned size = pick(m, 12);

    if (form == DW_FORM_block1)
        put_byte(to, size);
    else if (form == DW_FORM_block2)
        put(m, to, good_or_not(m, size), 2);
    else if (form == DW_FORM_block4)
        put(m, to, good_or_not(m, size), 4);
    else
        put_uleb(m, to, good_or_not(m, size));
    for (unsigned i = 0; i < size; i++) put_byte(to, choice(m));
}

uint64_t dwarf_number_for(struct maker *m, const struct unit *unit, uint16_t attribute)
{
    switch (attribute) {
    case DW_AT_stmt_list:
        return m->line_count == 0
                   ? 0
                   : good_or_not(m, m->line_programs[chance(m, 4) ? pick(m, m->line_count) : m->line_count - 1]);
    case DW_AT_ranges: return good_or_not(m, unit->lists[pick(m, LISTS)]);
    case DW_AT_str_offsets_base: return good_or_not(m, unit->str_offsets_base);
    case DW_AT_addr_base:
    case DW_AT_GNU_addr_base: return good_or_not(m, unit->addr_base);
    case DW_AT_rnglists_base: return good_or_not(m, unit->rnglists_base);
    case DW_AT_high_pc: return good_or_not(m, 1 + pick(m, 100));
    case DW_AT_language: return PICK(m, 0x0c, 0x1d, 0x21, 0x1c, 0x1e, 0x10, 0x04);
    case DW_AT_decl_file:
    case DW_AT_call_file: return good_or_not(m, pick(m, 6));
    default: return good_or_not(m, pick(m, 120));
    }
}

void dwarf_put_value(struct maker *m, const struct unit *unit, const struct spec *spec)
{
    struct made_section *to = section(m, DWARF_INFO);
    uint16_t form = spec->form;

    if (form == DW_FORM_indirect) {
        form = real_form(m, unit, spec->attribute);
        put_uleb(m, to, form);
    }
    switch (form) {
    case DW_FORM_addr: put(m, to, any_address(m, unit->address_size), unit->address_size); break;
    case DW_FORM_string: put_text(to, chance(m, 2) ? "inline" : "_Z6inlinev"); break;
    case DW_FORM_strp: put(m, to, good_or_not(m, m->strings[pick(m, STRINGS)]), unit->offset_size); break;
    case DW_FORM_line_strp: put(m, to, good_or_not(m, m->line_strings[pick(m, STRINGS)]), unit->offset_size); break;
    case DW_FORM_GNU_str_index:
    case DW_FORM_strx: put_uleb(m, to, good_or_not(m, pick(m, INDEXED_STRINGS))); break;
    case DW_FORM_strx1: put_byte(to, pick(m, INDEXED_STRINGS)); break;
    case DW_FORM_strx2: put(m, to, good_or_not(m, pick(m, INDEXED_STRINGS)), 2); break;
    case DW_FORM_strx3: put(m, to, good_or_not(m, pick(m, INDEXED_STRINGS)), 3); break;
    case DW_FORM_strx4: put(m, to, good_or_not(m, pick(m, INDEXED_STRINGS)), 4); break;
    case DW_FORM_GNU_addr_index:
    case DW_FORM_addrx: put_uleb(m, to, good_or_not(m, pick(m, ADDRESSES))); break;
    case DW_FORM_addrx1: put_byte(to, pick(m, ADDRESSES)); break;
    case DW_FORM_addrx2: put(m, to, good_or_not(m, pick(m, ADDRESSES)), 2); break;
    case DW_FORM_addrx3: put(m, to, good_or_not(m, pick(m, ADDRESSES)), 3); break;
    case DW_FORM_addrx4: put(m, to, good_or_not(m, pick(m, ADDRESSES)), 4); break;
    case DW_FORM_ref1:
    case DW_FORM_ref2:
    case DW_FORM_ref4:
    case DW_FORM_ref8:
    case DW_FORM_ref_udata:
    case DW_FORM_ref_addr: put_reference(m, unit, form, spec->attribute == DW_AT_sibling); break;
    case DW_FORM_block:
    case DW_FORM_block1:
    case DW_FORM_block2:
    case DW_FORM_block4:
    case DW_FORM_exprloc: put_block(m, form); break;
    case DW_FORM_data1: put_byte(to, (unsigned)dwarf_number_for(m, unit, spec->attribute)); break;
    case DW_FORM_flag: put_byte(to, pick(m, 3)); break;
    case DW_FORM_data2: put(m, to, dwarf_number_for(m, unit, spec->attribute), 2); break;
    case DW_FORM_data4: put(m, to, dwarf_number_for(m, unit, spec->attribute), 4); break;
    case DW_FORM_data8: put(m, to, dwarf_number_for(m, unit, spec->attribute), 8); break;
    case DW_FORM_sec_offset: put(m, to, dwarf_number_for(m, unit, spec->attribute), unit->offset_size); break;
    case DW_FORM_udata: put_uleb(m, to, dwarf_number_for(m, unit, spec->attribute)); break;
    case DW_FORM_sdata: put_sleb(to, (int64_t)dwarf_number_for(m, unit, spec->attribute)); break;
    case DW_FORM_rnglistx: put_uleb(m, to, good_or_not(m, pick(m, LISTS))); break;
    case DW_FORM_loclistx: put_uleb(m, to, pick(m, 4)); break;
    case DW_FORM_strp_sup:
    case DW_FORM_GNU_ref_alt:
    case DW_FORM_GNU_strp_alt: put(m, to, any_number(m), unit->offset_size); break;
    case DW_FORM_ref_sup4: put(m, to, any_number(m), 4); break;
    case DW_FORM_ref_sig8:
    case DW_FORM_ref_sup8: put(m, to, any_number(m), 8); break;
    case DW_FORM_data16:
        for (unsigned i = 0; i < 16; i++) put_byte(to, choice(m));
        break;
    default: break; /* a value of this form has no bytes, or the form is unknown */
    }
}
