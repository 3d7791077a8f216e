/* The simple DWARF reader: units. See plain_inner.h. */
#include "tests/mappers/native/plain_inner.h"

#include "mappers/native/dwarf/dw_constants.h"

uint64_t plain_read_length(struct fm_byte_reader *r, unsigned *offset_size)
{
    const uint64_t length = fm_read_u32(r);
    *offset_size = length == 0xffffffff ? 8 : 4;
    return length == 0xffffffff ? fm_read_u64(r) : length;
}

static void read_header(struct fm_byte_reader *r, struct unit *unit)
{
    unit->version = fm_read_u16(r);
    if (unit->version >= 5) {
        unit->type = fm_read_u8(r);
        unit->address_size = fm_read_u8(r);
        unit->abbrevs = fm_read_uint(r, unit->offset_size);
        if (unit->type != DW_UT_compile && unit->type != DW_UT_partial) fm_byte_reader_skip(r, 8);
        if (unit->type == DW_UT_type || unit->type == DW_UT_split_type) fm_byte_reader_skip(r, unit->offset_size);
    } else {
        unit->abbrevs = fm_read_uint(r, unit->offset_size);
        unit->address_size = fm_read_u8(r);
    }
    unit->first = r->at;
}

/* Reads the root entry of a unit twice, because the attributes that give bases may come after the values that need the
 * bases. */
static bool read_root(const struct fm_dw_debug *debug, struct unit *unit)
{
    for (int i = 0; i < 2; i++) {
        struct fm_byte_reader r = plain_unit_bytes(debug, unit, unit->first);
        if (!plain_read_entry(debug, unit, &r, &unit->root)) return false;
        unit->str_base = unit->root.slots[STR_BASE].number;
        unit->addr_base = unit->root.slots[ADDR_BASE].number;
        unit->list_base = unit->root.slots[LIST_BASE].number;
    }
    unit->low = unit->root.slots[LOW].kind == ADDRESS ? unit->root.slots[LOW].number : 0;
    if (unit->version < 5) {
        unit->type = unit->root.tag == DW_TAG_partial_unit ? DW_UT_partial
                     : unit->root.tag == DW_TAG_type_unit  ? DW_UT_type
                                                           : DW_UT_compile;
        if (unit->root.slots[DWO_NAME].text.size > 0) unit->type = DW_UT_skeleton;
    }
    return true;
}

void plain_scan_units(struct fm_dw_debug *debug)
{
    struct fm_byte_reader r = plain_section_at(debug, INFO, 0);

    while (!r.bad && r.at < r.size) {
        struct unit unit = {.offset = r.at};
        const uint64_t length = plain_read_length(&r, &unit.offset_size);
        unit.end = r.at + length;
        read_header(&r, &unit);
        if (r.bad || unit.end > r.size) return;
        if (read_root(debug, &unit)) *ADD(debug->units, debug->unit_count) = unit;
        fm_byte_reader_seek(&r, unit.end);
    }
}

const struct unit *plain_unit_of(const struct fm_dw_debug *debug, uint64_t offset)
{
    for (size_t i = 0; i < debug->unit_count; i++) {
        if (debug->units[i].first <= offset && offset < debug->units[i].end) return &debug->units[i];
    }
    return NULL;
}
