#include "mappers/debuginfo/dw_attributes.h"

#include "mappers/debuginfo/dw_leb.h"

/* While one entry is read. */
struct reading {
    const struct fm_dw_sections *sections;
    const struct fm_dw_unit_data *unit;
    struct fm_dw_attributes *out;
};

static framemap_str text_of(const struct reading *reading, const struct fm_dw_value *value)
{
    return fm_dw_value_string(reading->sections, &reading->unit->encoding, value);
}

/* Lines and columns that do not fit, or are no numbers, are unknown. */
static uint32_t narrow(const struct fm_dw_value *value)
{
    return value->class != FM_DW_NUMBER || value->number > UINT32_MAX ? 0 : (uint32_t)value->number;
}

/* An address, the number of one, or where a list is. */
static struct fm_dw_value place_of(const struct fm_dw_value *value)
{
    switch (value->class) {
    case FM_DW_NUMBER:
    case FM_DW_ADDRESS:
    case FM_DW_ADDRESS_INDEX:
    case FM_DW_LIST_INDEX: return *value;
    default: return (struct fm_dw_value){.form = 0};
    }
}

/* Where a reference leads, as an offset in the whole section. false: into another file, to a type by its signature, out of its unit. */
static bool follow(const struct reading *reading, const struct fm_dw_value *value, uint64_t *out)
{
    const struct fm_dw_unit_data *unit = reading->unit;

    if (value->class == FM_DW_INFO_REF) {
        *out = value->number;
        return true;
    }
    if (value->class != FM_DW_UNIT_REF || value->number >= unit->end - unit->offset) return false;
    *out = unit->offset + value->number;
    return true;
}

/* Of an attribute that stands twice the last one counts. */
static void take(const struct reading *reading, uint16_t attribute, const struct fm_dw_value *value)
{
    struct fm_dw_attributes *out = reading->out;

    switch (attribute) {
    case DW_AT_name: out->name = text_of(reading, value); break;
    case DW_AT_linkage_name:
    case DW_AT_MIPS_linkage_name: out->linkage_name = text_of(reading, value); break;
    case DW_AT_low_pc: out->bounds.low = place_of(value); break;
    case DW_AT_high_pc: out->bounds.high = place_of(value); break;
    case DW_AT_ranges: out->bounds.ranges = place_of(value); break;
    case DW_AT_decl_file:
        out->has_decl_file = value->class == FM_DW_NUMBER;
        out->decl_file = value->number;
        break;
    case DW_AT_call_file:
        out->has_call_file = value->class == FM_DW_NUMBER;
        out->call_file = value->number;
        break;
    case DW_AT_decl_line: out->decl_line1 = narrow(value); break;
    case DW_AT_call_line: out->call_line1 = narrow(value); break;
    case DW_AT_call_column: out->call_col1 = narrow(value); break;
    case DW_AT_artificial: out->artificial = value->class == FM_DW_NUMBER && value->number != 0; break;
    case DW_AT_abstract_origin: out->has_origin = follow(reading, value, &out->origin); break;
    case DW_AT_specification:
        if (!out->has_origin) out->has_origin = follow(reading, value, &out->origin);
        break;
    default: break;
    }
}

const unsigned char *fm_dw_attributes_read(const struct fm_dw_sections *sections, const struct fm_dw_unit_data *unit,
                                           const struct fm_dw_abbrev_table *table, const struct fm_dw_shape *shape, const unsigned char *at,
                                           struct fm_dw_attributes *out)
{
    const unsigned char *info = (const unsigned char *)sections->info.data;
    struct reading reading = {sections, unit, out};
    struct fm_reader specs = fm_reader_of(sections->abbrev, false);
    struct fm_reader r = {.data = at, .size = (size_t)(info + unit->end - at), .big_endian = sections->big_endian};
    struct fm_dw_spec spec;
    struct fm_dw_value value;

    *out = (struct fm_dw_attributes){.origin = 0};
    fm_reader_seek(&specs, table->offset + shape->specs);
    while (fm_dw_spec_next(&specs, &spec)) {
        if (!fm_dw_form_read(&r, &unit->encoding, &spec, &value)) return NULL;
        out->three_bytes |= fm_dw_form_is_three(value.form);
        take(&reading, spec.attribute, &value);
    }
    return at + r.at;
}

bool fm_dw_attributes_at(const struct fm_dw_sections *sections, const struct fm_dw_unit_data *unit, const struct fm_dw_abbrev_table *table,
                         uint64_t offset, struct fm_dw_attributes *out)
{
    const unsigned char *info = (const unsigned char *)sections->info.data;
    uint64_t code;
    const unsigned char *at = fm_dw_uleb(info + offset, info + unit->end, &code);
    const struct fm_dw_shape *shape = at != NULL ? fm_dw_shape_find(table, code) : NULL;

    return shape != NULL && fm_dw_attributes_read(sections, unit, table, shape, at, out) != NULL;
}
