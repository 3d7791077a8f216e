/* The simple DWARF reader: forms and entries. See plain_inner.h. */
#include "tests/mappers/native/plain_inner.h"

#include "mappers/native/dwarf/dw_constants.h"

struct fm_byte_reader plain_section_at(const struct fm_dw_debug *debug, unsigned which, uint64_t at)
{
    struct fm_byte_reader r = fm_byte_reader_of(debug->sections[which], debug->image->big_endian);
    fm_byte_reader_seek(&r, at);
    return r;
}

static framemap_str string_at(const struct fm_dw_debug *debug, unsigned which, uint64_t at)
{
    struct fm_byte_reader r = plain_section_at(debug, which, at);
    return fm_read_cstr(&r);
}

/* --- reading values by form --- */

static struct value indexed_string(const struct fm_dw_debug *debug, const struct unit *unit, uint64_t index)
{
    struct fm_byte_reader r = plain_section_at(debug, STR_OFFSETS, unit->str_base + index * unit->offset_size);
    return (struct value){TEXT, 0, string_at(debug, STR, fm_read_uint(&r, unit->offset_size))};
}

struct value plain_indexed_address(const struct fm_dw_debug *debug, const struct unit *unit, uint64_t index)
{
    struct fm_byte_reader r = plain_section_at(debug, ADDR, unit->addr_base + index * unit->address_size);
    return (struct value){ADDRESS, fm_read_uint(&r, unit->address_size), {NULL, 0}};
}

static struct value text(framemap_str string) { return (struct value){TEXT, 0, string}; }
static struct value number(uint64_t n) { return (struct value){NUMBER, n, {NULL, 0}}; }
static struct value of_kind(enum kind kind, uint64_t n) { return (struct value){kind, n, {NULL, 0}}; }

static struct value skipped(struct fm_byte_reader *r, uint64_t count)
{
    fm_byte_reader_skip(r, count);
    return of_kind(NOTHING, 0);
}

struct value plain_read_form(const struct fm_dw_debug *debug, const struct unit *unit, struct fm_byte_reader *r,
                             uint64_t form, int64_t implicit)
{
    const unsigned width = unit->offset_size;

    switch (form) {
    case DW_FORM_addr: return of_kind(ADDRESS, fm_read_uint(r, unit->address_size));
    case DW_FORM_addrx:
    case DW_FORM_GNU_addr_index: return plain_indexed_address(debug, unit, fm_read_uleb(r));
    case DW_FORM_addrx1: return plain_indexed_address(debug, unit, fm_read_u8(r));
    case DW_FORM_addrx2: return plain_indexed_address(debug, unit, fm_read_uint(r, 2));
    case DW_FORM_addrx3: return plain_indexed_address(debug, unit, fm_read_uint(r, 3));
    case DW_FORM_addrx4: return plain_indexed_address(debug, unit, fm_read_uint(r, 4));
    case DW_FORM_string: return text(fm_read_cstr(r));
    case DW_FORM_strp: return text(string_at(debug, STR, fm_read_uint(r, width)));
    case DW_FORM_line_strp: return text(string_at(debug, LINE_STR, fm_read_uint(r, width)));
    case DW_FORM_strx:
    case DW_FORM_GNU_str_index: return indexed_string(debug, unit, fm_read_uleb(r));
    case DW_FORM_strx1: return indexed_string(debug, unit, fm_read_u8(r));
    case DW_FORM_strx2: return indexed_string(debug, unit, fm_read_uint(r, 2));
    case DW_FORM_strx3: return indexed_string(debug, unit, fm_read_uint(r, 3));
    case DW_FORM_strx4: return indexed_string(debug, unit, fm_read_uint(r, 4));
    case DW_FORM_data1:
    case DW_FORM_flag: return number(fm_read_u8(r));
    case DW_FORM_data2: return number(fm_read_uint(r, 2));
    case DW_FORM_data4: return number(fm_read_uint(r, 4));
    case DW_FORM_data8: return number(fm_read_uint(r, 8));
    case DW_FORM_udata: return number(fm_read_uleb(r));
    case DW_FORM_sdata: return number((uint64_t)fm_read_sleb(r));
    case DW_FORM_sec_offset: return number(fm_read_uint(r, width));
    case DW_FORM_flag_present: return number(1);
    case DW_FORM_implicit_const: return number((uint64_t)implicit);
    case DW_FORM_rnglistx: return of_kind(LIST_INDEX, fm_read_uleb(r));
    case DW_FORM_loclistx: fm_read_uleb(r); return of_kind(NOTHING, 0);
    case DW_FORM_ref1: return of_kind(UNIT_REF, fm_read_u8(r));
    case DW_FORM_ref2: return of_kind(UNIT_REF, fm_read_uint(r, 2));
    case DW_FORM_ref4: return of_kind(UNIT_REF, fm_read_uint(r, 4));
    case DW_FORM_ref8: return of_kind(UNIT_REF, fm_read_uint(r, 8));
    case DW_FORM_ref_udata: return of_kind(UNIT_REF, fm_read_uleb(r));
    case DW_FORM_ref_addr: return of_kind(INFO_REF, fm_read_uint(r, unit->version == 2 ? unit->address_size : width));
    case DW_FORM_block:
    case DW_FORM_exprloc: return skipped(r, fm_read_uleb(r));
    case DW_FORM_block1: return skipped(r, fm_read_u8(r));
    case DW_FORM_block2: return skipped(r, fm_read_uint(r, 2));
    case DW_FORM_block4: return skipped(r, fm_read_uint(r, 4));
    case DW_FORM_data16: return skipped(r, 16);
    case DW_FORM_ref_sig8:
    case DW_FORM_ref_sup8: return skipped(r, 8);
    case DW_FORM_ref_sup4: return skipped(r, 4);
    case DW_FORM_strp_sup:
    case DW_FORM_GNU_ref_alt:
    case DW_FORM_GNU_strp_alt: return skipped(r, width);
    case DW_FORM_indirect: return plain_read_form(debug, unit, r, fm_read_uleb(r), 0);
    default: r->bad = true; return of_kind(NOTHING, 0);
    }
}

/* --- reading entries --- */

static enum slot slot_of(uint64_t attribute)
{
    static const struct {
        uint64_t attribute;
        enum slot slot;
    } slots[] = {
        {DW_AT_name, NAME},
        {DW_AT_linkage_name, LINKAGE},
        {DW_AT_MIPS_linkage_name, LINKAGE},
        {DW_AT_low_pc, LOW},
        {DW_AT_high_pc, HIGH},
        {DW_AT_ranges, RANGES},
        {DW_AT_decl_file, DECL_FILE},
        {DW_AT_call_file, CALL_FILE},
        {DW_AT_decl_line, DECL_LINE},
        {DW_AT_call_line, CALL_LINE},
        {DW_AT_call_column, CALL_COLUMN},
        {DW_AT_artificial, ARTIFICIAL},
        {DW_AT_abstract_origin, ORIGIN},
        {DW_AT_specification, SPECIFICATION},
        {DW_AT_comp_dir, FOLDER},
        {DW_AT_producer, PRODUCER},
        {DW_AT_language, LANGUAGE},
        {DW_AT_stmt_list, LINES},
        {DW_AT_str_offsets_base, STR_BASE},
        {DW_AT_addr_base, ADDR_BASE},
        {DW_AT_GNU_addr_base, ADDR_BASE},
        {DW_AT_rnglists_base, LIST_BASE},
        {DW_AT_dwo_name, DWO_NAME},
        {DW_AT_GNU_dwo_name, DWO_NAME},
    };
    for (size_t i = 0; i < sizeof slots / sizeof *slots; i++) {
        if (slots[i].attribute == attribute) return slots[i].slot;
    }
    return SLOTS;
}

/* Returns a reader at the tag of the abbreviation with this code; its `bad` is set if there is no such abbreviation. */
static struct fm_byte_reader find_abbrev(const struct fm_dw_debug *debug, const struct unit *unit, uint64_t code)
{
    struct fm_byte_reader r = plain_section_at(debug, ABBREV, unit->abbrevs);

    for (uint64_t at = fm_read_uleb(&r); !r.bad && at != code; at = fm_read_uleb(&r)) {
        if (at == 0) r.bad = true;
        fm_read_uleb(&r);
        fm_read_u8(&r);
        for (uint64_t attribute = 1, form = 1; !r.bad && (attribute != 0 || form != 0);) {
            attribute = fm_read_uleb(&r);
            form = fm_read_uleb(&r);
            if (form == DW_FORM_implicit_const) fm_read_sleb(&r);
        }
    }
    return r;
}

/* Reads an entry and its attributes. Returns false if there is no entry: a null entry, or damage. */
bool plain_read_entry(const struct fm_dw_debug *debug, const struct unit *unit, struct fm_byte_reader *r,
                      struct entry *out)
{
    *out = (struct entry){.offset = r->at};
    const uint64_t code = fm_read_uleb(r);
    if (r->bad || code == 0) return false;
    struct fm_byte_reader abbrev = find_abbrev(debug, unit, code);
    out->tag = fm_read_uleb(&abbrev);
    out->children = fm_read_u8(&abbrev) != 0;
    for (;;) {
        const uint64_t attribute = fm_read_uleb(&abbrev), form = fm_read_uleb(&abbrev);
        if (abbrev.bad || (attribute == 0 && form == 0)) break;
        const int64_t implicit = form == DW_FORM_implicit_const ? fm_read_sleb(&abbrev) : 0;
        const struct value value = plain_read_form(debug, unit, r, form, implicit);
        if (slot_of(attribute) != SLOTS) out->slots[slot_of(attribute)] = value;
    }
    out->placed = out->slots[LOW].kind != ABSENT || out->slots[RANGES].kind != ABSENT;
    return !abbrev.bad && !r->bad;
}

struct fm_byte_reader plain_unit_bytes(const struct fm_dw_debug *debug, const struct unit *unit, uint64_t at)
{
    struct fm_byte_reader r =
        fm_byte_reader_of(fm_str(debug->sections[INFO].data, (size_t)unit->end), debug->image->big_endian);
    fm_byte_reader_seek(&r, at);
    return r;
}
