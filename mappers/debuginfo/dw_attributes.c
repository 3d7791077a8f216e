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

static bool is_taken(uint64_t attribute)
{
    switch (attribute) {
    case DW_AT_name:
    case DW_AT_linkage_name:
    case DW_AT_MIPS_linkage_name:
    case DW_AT_low_pc:
    case DW_AT_high_pc:
    case DW_AT_ranges:
    case DW_AT_decl_file:
    case DW_AT_call_file:
    case DW_AT_decl_line:
    case DW_AT_call_line:
    case DW_AT_call_column:
    case DW_AT_artificial:
    case DW_AT_abstract_origin:
    case DW_AT_specification: return true;
    default: return false;
    }
}

/* Any form, by the slow way. */
static const unsigned char *read_any(struct reading *reading, const struct fm_dw_spec *spec, const unsigned char *at, const unsigned char *end)
{
    struct fm_reader r = {.data = at, .size = (size_t)(end - at), .big_endian = reading->sections->big_endian};
    struct fm_dw_value value;

    if (!fm_dw_form_read(&r, &reading->unit->encoding, spec, &value)) return NULL;
    reading->out->three_bytes |= fm_dw_form_is_three(value.form);
    take(reading, spec->attribute, &value);
    return at + r.at;
}

/* Forms of 1, 2, 4 and 8 bytes, which are nearly all. */
static const unsigned char *read_fixed(struct reading *reading, const struct fm_dw_spec *spec, struct fm_dw_form form, const unsigned char *at)
{
    const struct fm_dw_value value = {.class = (enum fm_dw_class)form.class,
                                      .form = spec->form,
                                      .number = fm_dw_fixed(at, form.width, reading->sections->big_endian)};

    take(reading, spec->attribute, &value);
    return at + form.width;
}

static bool is_quick(unsigned width) { return width == 1 || width == 2 || width == 4 || width == 8; }

const unsigned char *fm_dw_attributes_read(const struct fm_dw_sections *sections, const struct fm_dw_unit_data *unit,
                                           const struct fm_dw_abbrev_table *table, const struct fm_dw_shape *shape, const unsigned char *at,
                                           struct fm_dw_attributes *out)
{
    const unsigned char *abbrev = (const unsigned char *)sections->abbrev.data;
    const unsigned char *specs = abbrev + table->offset + shape->specs;
    const unsigned char *const specs_end = abbrev + sections->abbrev.size;
    const unsigned char *const end = (const unsigned char *)sections->info.data + unit->end;
    struct reading reading = {sections, unit, out};

    *out = (struct fm_dw_attributes){.origin = 0};
    while (at != NULL) {
        struct fm_dw_spec spec = {.implicit = 0};
        uint64_t attribute;
        uint64_t form;
        /* These have been read before and found sound. */
        specs = fm_dw_uleb(specs, specs_end, &attribute);
        specs = fm_dw_uleb(specs, specs_end, &form);
        if (specs == NULL || attribute == 0) return specs != NULL ? at : NULL;
        spec.attribute = (uint16_t)attribute;
        spec.form = (uint16_t)form;
        if (form == DW_FORM_implicit_const) specs = fm_dw_sleb(specs, specs_end, &spec.implicit);
        const struct fm_dw_form known = form < FM_DW_FORM_COUNT ? table->forms[form] : (struct fm_dw_form){FM_DW_NONE, FM_DW_WIDTH_UNKNOWN};
        if (!is_quick(known.width)) at = read_any(&reading, &spec, at, end);
        else if (known.width > (size_t)(end - at)) at = NULL;
        else at = is_taken(attribute) ? read_fixed(&reading, &spec, known, at) : at + known.width;
    }
    return NULL;
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
