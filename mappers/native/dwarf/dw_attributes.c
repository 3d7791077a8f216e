/* Decodes the attributes of one entry, by the compiled form of its abbreviation or directly by the abbreviation in
 * .debug_abbrev. See dw_attributes.h. */
#include "mappers/native/dwarf/dw_attributes.h"

#include "mappers/native/dwarf/dw_leb.h"

/* State while one entry is decoded. */
struct entry_decoder {
    const struct fm_dw_sections *sections;
    const struct fm_dw_unit_data *unit;
    struct fm_dw_attributes *out;
};

/* Converts a value to a line or column; 0 (unknown) if it does not fit or is not a number. */
static inline uint32_t line_or_column(enum fm_dw_class class, uint64_t number)
{
    return class != FM_DW_NUMBER || number > UINT32_MAX ? 0 : (uint32_t)number;
}

/* Stores an address, an index of an address, or the position of a range list. */
static inline void store_address(struct fm_dw_value *out, enum fm_dw_class class, uint16_t form, uint64_t number)
{
    const unsigned placing =
        1u << FM_DW_NUMBER | 1u << FM_DW_ADDRESS | 1u << FM_DW_ADDRESS_INDEX | 1u << FM_DW_LIST_INDEX;
    const bool places = (placing >> class & 1) != 0;

    out->class = places ? class : FM_DW_NONE;
    out->form = places ? form : 0;
    out->number = places ? number : 0;
}

/* Returns the target of a reference as an offset in .debug_info. Returns false if it refers to another file, to a type
 * by signature, or outside of its unit. */
static inline bool reference_target(const struct entry_decoder *reading, enum fm_dw_class class, uint64_t number,
                                    uint64_t *out)
{
    const struct fm_dw_unit_data *unit = reading->unit;

    if (class == FM_DW_INFO_REF) {
        *out = number + unit->encoding.info_start;
        return true;
    }
    if (class == FM_DW_ALTERNATE_REF) {
        *out = number + unit->encoding.alternate_info;
        return unit->encoding.has_alternate;
    }
    if (class != FM_DW_UNIT_REF || number >= unit->end - unit->offset) return false;
    *out = unit->offset + number;
    return true;
}

static void store_linkage_name(const struct entry_decoder *reading, struct fm_dw_value value)
{
    reading->out->linkage_name = fm_dw_value_string(reading->sections, &reading->unit->encoding, &value);
}

/* Stores one value. If an attribute occurs twice, the last one counts. The parts of the value are passed separately, so
 * that they stay in registers: a struct in memory for each attribute took a third of the time. */
static inline void store_attribute(const struct entry_decoder *reading, enum fm_dw_field field, enum fm_dw_class class,
                                   uint16_t form, uint64_t number, framemap_str text)
{
    struct fm_dw_attributes *out = reading->out;

    switch (field) {
    case FM_DW_FIELD_NONE: break;
    case FM_DW_FIELD_NAME: out->name = (struct fm_dw_value){class, form, number, text}; break;
    case FM_DW_FIELD_LINKAGE_NAME: store_linkage_name(reading, (struct fm_dw_value){class, form, number, text}); break;
    case FM_DW_FIELD_LOW: store_address(&out->bounds.low, class, form, number); break;
    case FM_DW_FIELD_HIGH: store_address(&out->bounds.high, class, form, number); break;
    case FM_DW_FIELD_RANGES: store_address(&out->bounds.ranges, class, form, number); break;
    case FM_DW_FIELD_DECL_FILE:
        out->has_decl_file = class == FM_DW_NUMBER;
        out->decl_file = number;
        break;
    case FM_DW_FIELD_CALL_FILE:
        out->has_call_file = class == FM_DW_NUMBER;
        out->call_file = number;
        break;
    case FM_DW_FIELD_DECL_LINE: out->decl_line1 = line_or_column(class, number); break;
    case FM_DW_FIELD_CALL_LINE: out->call_line1 = line_or_column(class, number); break;
    case FM_DW_FIELD_CALL_COLUMN: out->call_col1 = line_or_column(class, number); break;
    case FM_DW_FIELD_ARTIFICIAL: out->artificial = class == FM_DW_NUMBER && number != 0; break;
    case FM_DW_FIELD_ORIGIN: out->has_origin = reference_target(reading, class, number, &out->origin); break;
    case FM_DW_FIELD_SPECIFICATION:
        if (!out->has_origin) out->has_origin = reference_target(reading, class, number, &out->origin);
        break;
    }
}

/* --- decoding by the abbreviation in its section --- */

/* Decodes the attributes of an entry with any forms. This is slow and therefore used only for rare forms. */
static const unsigned char *read_any(struct entry_decoder *reading, const struct fm_dw_spec *spec,
                                     const unsigned char *at, const unsigned char *end)
{
    struct fm_byte_reader r = {.data = at, .size = (size_t)(end - at), .big_endian = reading->sections->big_endian};
    struct fm_dw_value value;

    if (!fm_dw_form_read(&r, &reading->unit->encoding, spec, &value)) return NULL;
    reading->out->three_bytes |= fm_dw_form_is_three(value.form);
    store_attribute(reading, fm_dw_field_of(spec->attribute), value.class, value.form, value.number, value.text);
    return at + r.at;
}

static const unsigned char *read_slowly(struct entry_decoder *reading, const struct fm_dw_abbrev_table *table,
                                        const struct fm_dw_shape *shape, const unsigned char *at,
                                        const unsigned char *end)
{
    const framemap_str section = reading->sections->abbrev;
    const unsigned char *abbrev = (const unsigned char *)section.data;
    const unsigned char *specs = abbrev + table->offset + shape->specs;
    const unsigned char *const specs_end = abbrev + section.size;

    while (at != NULL) {
        struct fm_dw_spec spec = {.implicit = 0};
        uint64_t attribute;
        uint64_t form;
        /* attribute and form were checked when the table was compiled, so the reads succeed */
        specs = fm_dw_uleb(specs, specs_end, &attribute);
        specs = fm_dw_uleb(specs, specs_end, &form);
        if (specs == NULL || attribute == 0) return specs != NULL ? at : NULL;
        spec.attribute = (uint16_t)attribute;
        spec.form = (uint16_t)form;
        if (form == DW_FORM_implicit_const) specs = fm_dw_sleb(specs, specs_end, &spec.implicit);
        at = read_any(reading, &spec, at, end);
    }
    return NULL;
}

/* --- decoding by the compiled abbreviation --- */

static const unsigned char *skip_bytes(const unsigned char *at, const unsigned char *end, uint64_t count)
{
    return at != NULL && count <= (uint64_t)(end - at) ? at + count : NULL;
}

/* Skips unused bytes, or decodes a value without a fixed size. */
static const unsigned char *read_long(const struct fm_dw_read *read, const unsigned char *at, const unsigned char *end,
                                      bool big_endian, struct fm_dw_value *value)
{
    int64_t number = 0;
    uint64_t count = 0;
    const unsigned char *nul;
    unsigned width;

    switch (read->width) {
    case FM_DW_READ_SKIP: return skip_bytes(at, end, (uint32_t)read->number);
    case FM_DW_READ_THREE:
        if (end - at < 3) return NULL;
        value->number = fm_dw_fixed(at, 3, big_endian);
        return at + 3;
    case FM_DW_WIDTH_ULEB: return fm_dw_uleb(at, end, &value->number);
    case FM_DW_WIDTH_SLEB:
        at = fm_dw_sleb(at, end, &number);
        value->number = (uint64_t)number;
        return at;
    case FM_DW_WIDTH_TEXT:
        nul = at < end ? memchr(at, 0, (size_t)(end - at)) : NULL;
        if (nul == NULL) return NULL;
        value->text = (framemap_str){(const char *)at, (size_t)(nul - at)};
        return nul + 1;
    case FM_DW_WIDTH_BLOCK_LEB: at = fm_dw_uleb(at, end, &count); return skip_bytes(at, end, count);
    default: /* a block: FM_DW_WIDTH_BLOCK1, FM_DW_WIDTH_BLOCK2 or FM_DW_WIDTH_BLOCK4 */
        width = read->width == FM_DW_WIDTH_BLOCK1 ? 1 : read->width == FM_DW_WIDTH_BLOCK2 ? 2 : 4;
        if ((size_t)(end - at) < width) return NULL;
        return skip_bytes(at + width, end, fm_dw_fixed(at, width, big_endian));
    }
}

/* Returns an integer of up to eight bytes. The caller has checked that the bytes exist. */
static inline uint64_t load_integer(const unsigned char *at, const unsigned char *end, unsigned width, bool big_endian)
{
    if (big_endian || end - at < 8) return fm_dw_fixed(at, width, big_endian);
    return fm_dw_load8(at) & UINT64_MAX >> (64 - 8 * width);
}

static const unsigned char *store_long(const struct entry_decoder *reading, const struct fm_dw_read *read,
                                       const unsigned char *at, const unsigned char *end)
{
    struct fm_dw_value value = {.number = 0};

    at = read_long(read, at, end, reading->sections->big_endian, &value);
    if (at == NULL) return NULL;
    reading->out->three_bytes |= read->width == FM_DW_READ_THREE;
    store_attribute(reading, (enum fm_dw_field)read->field, (enum fm_dw_class)read->class, read->form, value.number,
                    value.text);
    return at;
}

static const unsigned char *read_quickly(const struct entry_decoder *reading, const struct fm_dw_read *read,
                                         const unsigned char *at, const unsigned char *end)
{
    const bool big_endian = reading->sections->big_endian;

    for (; read->width != FM_DW_READ_END; read++) {
        const unsigned width = read->width;
        uint64_t number = (uint64_t)(int64_t)read->number;
        if (width > 8) {
            at = store_long(reading, read, at, end);
            if (at == NULL) return NULL;
            continue;
        }
        if (width > (size_t)(end - at)) return NULL;
        if (width > 0) number = load_integer(at, end, width, big_endian);
        at += width;
        store_attribute(reading, (enum fm_dw_field)read->field, (enum fm_dw_class)read->class, read->form, number,
                        (framemap_str){NULL, 0});
    }
    return at;
}

/* Decodes attributes as read_quickly does, but without checks: all of them have a fixed size and are little-endian, and
 * at least eight readable bytes follow them. */
static const unsigned char *read_fixed(const struct entry_decoder *reading, const struct fm_dw_read *read,
                                       const unsigned char *at)
{
    for (; read->width != FM_DW_READ_END; read++) {
        uint64_t number = (uint64_t)(int64_t)read->number;
        unsigned width = read->width;
        if (width == FM_DW_READ_SKIP) {
            at += (uint32_t)read->number;
            continue;
        }
        if (width == FM_DW_READ_THREE) {
            reading->out->three_bytes = true;
            width = 3;
        }
        if (width > 0) number = fm_dw_load8(at) & UINT64_MAX >> (64 - 8 * width);
        at += width;
        store_attribute(reading, (enum fm_dw_field)read->field, (enum fm_dw_class)read->class, read->form, number,
                        (framemap_str){NULL, 0});
    }
    return at;
}

static inline void clear_value(struct fm_dw_value *value)
{
    value->class = FM_DW_NONE;
    value->form = 0;
    value->number = 0;
    value->text.data = NULL;
    value->text.size = 0;
}

/* Clears the struct member by member. Clearing it as a block takes several times as long, and then reading a member
 * would stall (store forwarding). */
static void clear(struct fm_dw_attributes *out)
{
    out->linkage_name = (framemap_str){NULL, 0};
    clear_value(&out->name);
    clear_value(&out->bounds.low);
    clear_value(&out->bounds.high);
    clear_value(&out->bounds.ranges);
    out->has_decl_file = out->has_call_file = out->has_origin = out->artificial = out->three_bytes = false;
    out->decl_file = out->call_file = out->origin = 0;
    out->decl_line1 = out->call_line1 = out->call_col1 = 0;
}

const unsigned char *fm_dw_attributes_read(const struct fm_dw_sections *sections, const struct fm_dw_unit_data *unit,
                                           const struct fm_dw_abbrev_table *table, const struct fm_dw_shape *shape,
                                           const unsigned char *at, struct fm_dw_attributes *out)
{
    const unsigned char *const end = (const unsigned char *)sections->info.data + unit->end;
    struct entry_decoder reading = {sections, unit, out};

    if (shape->reads == FM_DW_NO_READS) {
        clear(out);
        return read_slowly(&reading, table, shape, at, end);
    }
    const struct fm_dw_read *reads = table->reads + shape->reads;
    clear(out);
    if ((shape->flags & FM_DW_SHAPE_FIXED) != 0 && !sections->big_endian &&
        (uint64_t)(end - at) >= (uint64_t)shape->size + 8)
        return read_fixed(&reading, reads, at);
    return read_quickly(&reading, reads, at, end);
}

bool fm_dw_attributes_at(const struct fm_dw_sections *sections, const struct fm_dw_unit_data *unit,
                         const struct fm_dw_abbrev_table *table, uint64_t offset, struct fm_dw_attributes *out)
{
    const unsigned char *info = (const unsigned char *)sections->info.data;
    uint64_t code;
    const unsigned char *at = fm_dw_uleb(info + offset, info + unit->end, &code);
    const struct fm_dw_shape *shape = at != NULL ? fm_dw_shape_find(table, code) : NULL;

    return shape != NULL && fm_dw_attributes_read(sections, unit, table, shape, at, out) != NULL;
}
