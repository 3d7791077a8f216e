#include "mappers/debuginfo/dw_units.h"

#include "core/fault.h"
#include "core/limits.h"
#include "mappers/debuginfo/dw_constants.h"

void fm_dw_units_init(struct fm_dw_units *units, struct fm_heap *heap, struct fm_dw_sections *sections)
{
    *units = (struct fm_dw_units){.heap = heap, .sections = sections};
    fm_dw_abbrevs_init(&units->abbrevs, heap);
}

void fm_dw_units_free(struct fm_dw_units *units)
{
    fm_heap_free(units->heap, units->units, units->capacity * sizeof *units->units);
    fm_dw_abbrevs_free(&units->abbrevs);
}

/* --- headers (DWARF 5 section 7.5.1) --- */

/* Reads a unit header; r is bounded by the unit. Returns why it is bad, or NULL. */
static const char *read_header(struct fm_reader *r, struct fm_dw_unit_data *unit, uint64_t *abbrevs)
{
    struct fm_dw_encoding *encoding = &unit->encoding;

    encoding->version = fm_read_u16(r);
    if (r->bad) return "unit header ends early";
    if (encoding->version < 2 || encoding->version > 5) return "unit of a DWARF version that is not 2 to 5";
    if (encoding->version == 5) {
        unit->unit_type = fm_read_u8(r);
        encoding->address_size = fm_read_u8(r);
        *abbrevs = fm_read_uint(r, encoding->offset_size);
        /* Signature or split-unit id, then for types the offset of the type. */
        if (unit->unit_type != DW_UT_compile && unit->unit_type != DW_UT_partial) fm_reader_skip(r, 8);
        if (unit->unit_type == DW_UT_type || unit->unit_type == DW_UT_split_type) fm_reader_skip(r, encoding->offset_size);
        if (unit->unit_type < DW_UT_compile || unit->unit_type > DW_UT_split_type) return "unit of an unknown type";
    } else {
        *abbrevs = fm_read_uint(r, encoding->offset_size);
        encoding->address_size = fm_read_u8(r);
    }
    if (r->bad) return "unit header ends early";
    if (encoding->address_size != 4 && encoding->address_size != 8) return "unit whose addresses are neither 4 nor 8 bytes";
    return NULL;
}

/* The size of the next unit, its length field included; 0: the length can't be believed. */
static uint64_t unit_extent(struct fm_reader *r, uint8_t *offset_size)
{
    size_t from = r->at;
    uint64_t length = fm_read_u32(r);

    *offset_size = 4;
    if (length == 0xffffffff) {
        *offset_size = 8;
        length = fm_read_u64(r);
    } else if (length >= 0xfffffff0) {
        return 0;
    }
    if (r->bad || length > fm_reader_left(r)) return 0;
    return length + (r->at - from);
}

/* --- the entries --- */

struct fm_dw_cursor fm_dw_cursor_at(const struct fm_dw_sections *sections, const struct fm_dw_unit_data *unit)
{
    struct fm_dw_cursor cursor = {.unit = unit};

    cursor.r = fm_reader_of(fm_str(sections->info.data, (size_t)unit->end), sections->big_endian);
    fm_reader_seek(&cursor.r, unit->first);
    return cursor;
}

static bool stop(struct fm_dw_cursor *cursor, const char *why)
{
    cursor->broken = why;
    return false;
}

bool fm_dw_cursor_next(struct fm_dw_cursor *cursor, struct fm_dw_entry *out)
{
    struct fm_reader *r = &cursor->r;

    for (;;) {
        /* A unit may end without the marks that close its lists of children, as many producers leave padding or nothing there. */
        if (r->at == r->size) return false;
        uint64_t offset = r->at;
        uint64_t code = fm_read_uleb(r);
        if (r->bad) return stop(cursor, "entry code leaves its unit");
        if (code == 0) {
            if (cursor->depth <= 1) return false; /* what follows the last mark is padding */
            cursor->depth--;
            continue;
        }
        const struct fm_dw_abbrev *abbrev = fm_dw_abbrev_find(cursor->unit->abbrevs, code);
        if (abbrev == NULL) return stop(cursor, "entry with an abbreviation that its table does not have");
        *out = (struct fm_dw_entry){offset, cursor->depth, abbrev};
        struct fm_dw_value value;
        for (uint32_t i = 0; i < abbrev->spec_count; i++) {
            if (!fm_dw_form_read(r, &cursor->unit->encoding, &abbrev->specs[i], &value)) {
                return stop(cursor, "entry with a form that is unknown or leaves its unit");
            }
        }
        if (abbrev->children && ++cursor->depth > FM_LIMIT_DIE_DEPTH) return stop(cursor, "entries are nested too deep");
        /* The unit's own entry has no sibling. */
        if (!abbrev->children && cursor->depth == 0) r->at = r->size;
        return true;
    }
}

/* --- the unit's own entry --- */

static void note_attribute(struct fm_dw_unit_data *unit, uint16_t attribute, const struct fm_dw_value *value, struct fm_dw_value texts[4])
{
    struct fm_dw_encoding *encoding = &unit->encoding;

    switch (attribute) {
    case DW_AT_name: texts[0] = *value; break;
    case DW_AT_comp_dir: texts[1] = *value; break;
    case DW_AT_producer: texts[2] = *value; break;
    case DW_AT_dwo_name:
    case DW_AT_GNU_dwo_name: texts[3] = *value; break;
    case DW_AT_low_pc: unit->bounds.low = *value; break;
    case DW_AT_high_pc: unit->bounds.high = *value; break;
    case DW_AT_ranges: unit->bounds.ranges = *value; break;
    case DW_AT_language: unit->language = (uint16_t)value->number; break;
    case DW_AT_str_offsets_base: encoding->str_offsets_base = value->number; break;
    case DW_AT_rnglists_base: encoding->rnglists_base = value->number; break;
    case DW_AT_addr_base:
    case DW_AT_GNU_addr_base:
        encoding->addr_base = value->number;
        encoding->has_addr_base = true;
        break;
    case DW_AT_stmt_list:
        unit->has_lines = value->class == FM_DW_NUMBER;
        unit->lines = value->number;
        break;
    default: break;
    }
}

/* Bases may stand after the values that need them: values are kept first and made into strings and addresses at the end. */
static const char *read_root(const struct fm_dw_sections *sections, struct fm_dw_unit_data *unit)
{
    struct fm_dw_cursor cursor = fm_dw_cursor_at(sections, unit);
    struct fm_dw_value texts[4] = {{.form = 0}};
    framemap_str *to[4] = {&unit->name, &unit->folder, &unit->producer, &unit->dwo_name};
    struct fm_dw_value value;
    const struct fm_dw_abbrev *abbrev = fm_dw_abbrev_find(unit->abbrevs, fm_read_uleb(&cursor.r));

    if (abbrev == NULL) return cursor.r.bad ? "unit without an entry" : "unit entry with an abbreviation that its table does not have";
    unit->tag = abbrev->tag;
    for (uint32_t i = 0; i < abbrev->spec_count; i++) {
        if (!fm_dw_form_read(&cursor.r, &unit->encoding, &abbrev->specs[i], &value)) return "unit entry leaves its unit";
        note_attribute(unit, abbrev->specs[i].attribute, &value, texts);
    }
    for (size_t i = 0; i < 4; i++) *to[i] = fm_dw_value_string(sections, &unit->encoding, &texts[i]);
    if (!fm_dw_value_address(sections, &unit->encoding, &unit->bounds.low, &unit->encoding.low_pc)) unit->encoding.low_pc = 0;
    if (unit->encoding.version < 5) {
        unit->unit_type = unit->tag == DW_TAG_partial_unit ? DW_UT_partial : unit->tag == DW_TAG_type_unit ? DW_UT_type : DW_UT_compile;
        if (unit->dwo_name.size > 0) unit->unit_type = DW_UT_skeleton;
    }
    return NULL;
}

/* --- the scan --- */

static const char *check_entries(const struct fm_dw_sections *sections, struct fm_dw_unit_data *unit)
{
    struct fm_dw_cursor cursor = fm_dw_cursor_at(sections, unit);
    struct fm_dw_entry entry;

    while (fm_dw_cursor_next(&cursor, &entry)) unit->has_functions |= entry.abbrev->tag == DW_TAG_subprogram;
    return cursor.broken;
}

/* Fills *unit from bytes [offset, end); why it is bad, or NULL. *memory: out of memory. */
static const char *check_unit(struct fm_dw_units *units, struct fm_reader *r, struct fm_dw_unit_data *unit, bool *memory)
{
    uint64_t abbrevs = 0;
    const char *why = read_header(r, unit, &abbrevs);

    if (why != NULL) return why;
    unit->first = r->at;
    unit->abbrevs = fm_dw_abbrevs_at(&units->abbrevs, units->sections, abbrevs);
    if (unit->abbrevs == NULL) {
        *memory = true;
        return "out of memory";
    }
    if (unit->abbrevs->broken != NULL) return unit->abbrevs->broken;
    why = read_root(units->sections, unit);
    return why != NULL ? why : check_entries(units->sections, unit);
}

static void tell(fm_dw_fault *fault, void *context, framemap_status code, uint64_t offset, const char *what)
{
    framemap_error error = {0};

    fm_fault_at(&error, code, offset, "%s", what);
    fm_fault_where(&error, FM_STR(".debug_info"));
    fault(context, &error);
}

framemap_status fm_dw_units_scan(struct fm_dw_units *units, fm_dw_fault *fault, void *context, framemap_error *error)
{
    const struct fm_dw_sections *sections = units->sections;
    struct fm_reader section = fm_reader_of(sections->info, sections->big_endian);
    bool memory = false;

    while (section.at < section.size) {
        struct fm_dw_unit_data unit = {.offset = section.at};
        uint64_t extent = unit_extent(&section, &unit.encoding.offset_size);
        if (extent == 0) {
            tell(fault, context, FRAMEMAP_E_TRUNCATED, unit.offset, "unit says it is longer than its section; it and what follows are left out");
            break;
        }
        unit.end = unit.offset + extent;
        struct fm_reader r = fm_reader_of(fm_str(sections->info.data, (size_t)unit.end), sections->big_endian);
        fm_reader_seek(&r, section.at);
        const char *why = check_unit(units, &r, &unit, &memory);
        if (memory || !FM_GROW(units->heap, units->units, units->capacity, units->count + 1)) return fm_fault_memory(error);
        if (why != NULL) tell(fault, context, FRAMEMAP_E_CORRUPT, unit.offset, why);
        else units->units[units->count++] = unit;
        section.at = (size_t)unit.end;
    }
    return FRAMEMAP_OK;
}

const struct fm_dw_unit_data *fm_dw_units_find(const struct fm_dw_units *units, uint64_t offset)
{
    size_t low = 0;
    size_t high = units->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (units->units[middle].end <= offset) low = middle + 1;
        else high = middle;
    }
    if (low == units->count || offset < units->units[low].first) return NULL;
    return &units->units[low];
}
