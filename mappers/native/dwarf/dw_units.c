/* Scans .debug_info for units. See dw_units.h. */
#include "mappers/native/dwarf/dw_units.h"

#include "core/error.h"
#include "mappers/native/dwarf/dw_constants.h"
#include "mappers/native/image/sorted_keys.h"

#include <stdio.h>
#include <string.h>

void fm_dw_units_init(struct fm_dw_units *units, struct fm_heap *heap, struct fm_dw_sections *sections)
{
    *units = (struct fm_dw_units){.heap = heap, .sections = sections};
}

void fm_dw_units_free(struct fm_dw_units *units)
{
    fm_heap_free(units->heap, units->units, units->capacity * sizeof *units->units);
    fm_heap_free(units->heap, units->tables, units->table_capacity * sizeof *units->tables);
}

/* --- reading unit headers (DWARF 5 section 7.5.1) --- */

/* Reads a unit header; r ends with the unit. Returns why it is invalid, or NULL. */
static const char *read_header(struct fm_byte_reader *r, struct fm_dw_unit_data *unit, uint64_t *abbrevs)
{
    struct fm_dw_encoding *encoding = &unit->encoding;

    encoding->version = fm_read_u16(r);
    if (r->bad) return "unit header ends early";
    if (encoding->version < 2 || encoding->version > 5) return "unit of a DWARF version that is not 2 to 5";
    if (encoding->version == 5) {
        unit->unit_type = fm_read_u8(r);
        encoding->address_size = fm_read_u8(r);
        *abbrevs = fm_read_uint(r, encoding->offset_size);
        /* Reads the split-unit id, or the signature of a type unit and the offset of its type. */
        unit->has_dwo_id = unit->unit_type == DW_UT_skeleton || unit->unit_type == DW_UT_split_compile;
        if (unit->unit_type != DW_UT_compile && unit->unit_type != DW_UT_partial) unit->dwo_id = fm_read_u64(r);
        if (unit->unit_type == DW_UT_type || unit->unit_type == DW_UT_split_type)
            fm_byte_reader_skip(r, encoding->offset_size);
        if (unit->unit_type < DW_UT_compile || unit->unit_type > DW_UT_split_type) return "unit of an unknown type";
    } else {
        *abbrevs = fm_read_uint(r, encoding->offset_size);
        encoding->address_size = fm_read_u8(r);
    }
    if (r->bad) return "unit header ends early";
    if (encoding->address_size != 4 && encoding->address_size != 8)
        return "unit whose addresses are neither 4 nor 8 bytes";
    return NULL;
}

/* Returns the size of the next unit with its length field; 0 if the length is invalid. */
static uint64_t unit_extent(struct fm_byte_reader *r, uint8_t *offset_size)
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
    if (r->bad || length > fm_byte_reader_left(r)) return 0;
    return length + (r->at - from);
}

/* --- reading unit entries --- */

static void note_attribute(struct fm_dw_unit_data *unit, const struct fm_dw_place *starts, uint16_t attribute,
                           const struct fm_dw_value *value, struct fm_dw_value texts[4])
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
    case DW_AT_GNU_ranges_base: unit->ranges_base = value->number; break;
    case DW_AT_GNU_dwo_id:
        unit->has_dwo_id = value->class == FM_DW_NUMBER;
        unit->dwo_id = value->number;
        break;
    case DW_AT_language: unit->language = (uint16_t)value->number; break;
    case DW_AT_str_offsets_base: encoding->str_offsets_base = value->number + starts->str_offsets; break;
    case DW_AT_rnglists_base: encoding->rnglists_base = value->number + starts->rnglists; break;
    case DW_AT_addr_base:
    case DW_AT_GNU_addr_base:
        encoding->addr_base = value->number + starts->addr;
        encoding->has_addr_base = true;
        break;
    case DW_AT_stmt_list:
        unit->has_lines = value->class == FM_DW_NUMBER;
        unit->lines = value->number + starts->line;
        break;
    default: break;
    }
}

/* Resolves the collected values to strings and addresses. Called after all attributes were read, because the bases that
 * this needs can follow the values. */
static void resolve_values(const struct fm_dw_sections *sections, const struct fm_dw_place *part,
                           struct fm_dw_unit_data *unit, const struct fm_dw_value texts[4])
{
    framemap_str *to[4] = {&unit->name, &unit->folder, &unit->producer, &unit->dwo_name};

    for (size_t i = 0; i < 4; i++) *to[i] = fm_dw_value_string(sections, &unit->encoding, &texts[i]);
    if (!fm_dw_value_address(sections, &unit->encoding, &unit->bounds.low, &unit->encoding.low_pc))
        unit->encoding.low_pc = 0;
    if (unit->encoding.version < 5) {
        unit->unit_type = unit->tag == DW_TAG_partial_unit ? DW_UT_partial
                          : unit->tag == DW_TAG_type_unit  ? DW_UT_type
                                                           : DW_UT_compile;
        if (part->split)
            unit->unit_type = unit->tag == DW_TAG_type_unit ? DW_UT_split_type : DW_UT_split_compile;
        else if (unit->dwo_name.size > 0)
            unit->unit_type = DW_UT_skeleton;
    }
}

/* Reads the unit entry. r: starts at the unit entry and ends with the unit. starts: where the sections of the file
 * start, or, in a package, where the parts of the sections that belong to the unit start. */
static const char *read_root(struct fm_dw_sections *sections, const struct fm_dw_place *starts,
                             struct fm_byte_reader *r, struct fm_dw_unit_data *unit)
{
    struct fm_dw_value texts[4] = {{.form = 0}};
    struct fm_dw_abbrev abbrev = {.tag = 0};
    struct fm_dw_value value;
    struct fm_dw_spec spec;
    uint64_t scanned = 0;
    const uint64_t code = fm_read_uleb(r);

    if (r->bad) return "unit without an entry";
    if (code == 0) return "unit entry with an abbreviation that its table does not have";
    const char *why = fm_dw_abbrev_find(sections, unit->abbrevs, code, &abbrev, &scanned);
    if (!fm_dw_spend(sections, scanned)) return "too much work: abbreviation tables overlap";
    if (why != NULL) return why;
    unit->tag = abbrev.tag;
    while (fm_dw_spec_next(&abbrev.specs, &spec)) {
        if (!fm_dw_form_read(r, &unit->encoding, &spec, &value)) return "unit entry leaves its unit";
        unit->three_bytes |= fm_dw_form_is_three(value.form);
        note_attribute(unit, starts, spec.attribute, &value, texts);
    }
    /* An entry without children ends the unit, since it cannot have a sibling. */
    unit->second = abbrev.children ? r->at : unit->end;
    resolve_values(sections, starts, unit, texts);
    return NULL;
}

/* --- scanning the section --- */

/* Sets the bases of a split unit's tables. A split unit has no attributes for these bases: each table starts directly
 * after a header (DWARF 5 sections 7.26 and 7.28), which the tables of DWARF 4 do not have. */
static void set_split_bases(const struct fm_dw_place *starts, struct fm_dw_encoding *encoding)
{
    const bool five = encoding->version >= 5, wide = encoding->offset_size == 8;
    encoding->str_offsets_base = starts->str_offsets + (!five ? 0u : wide ? 16u : 8u);
    encoding->rnglists_base = starts->rnglists + (wide ? 20u : 12u);
}

static void set_starts(const struct fm_dw_place *starts, struct fm_dw_unit_data *unit)
{
    struct fm_dw_encoding *encoding = &unit->encoding;

    unit->foreign = starts->has_foreign;
    unit->abbrevs += starts->abbrev;
    encoding->info_start = starts->info;
    encoding->str_start = starts->str;
    encoding->line_str_start = starts->line_str;
    encoding->lists_start = encoding->version >= 5 ? starts->rnglists : starts->ranges;
    encoding->has_alternate = starts->has_alternate;
    encoding->alternate_info = starts->alternate_info;
    encoding->alternate_str = starts->alternate_str;
    if (starts->split) set_split_bases(starts, encoding);
}

/* Checks a unit and fills *unit. r: starts after the unit's length and ends with the unit. Returns NULL, or why the
 * unit is invalid. *wanted: false for a unit that is left out, because the index of its package does not list it. */
static const char *check_unit(struct fm_dw_units *units, const struct fm_dw_place *part, struct fm_byte_reader *r,
                              struct fm_dw_unit_data *unit, bool *wanted)
{
    struct fm_dw_place starts = *part;
    const char *why = read_header(r, unit, &unit->abbrevs);

    unit->first = r->at;
    *wanted = true;
    if (part->package != NULL) *wanted = fm_dw_package_starts(part->package, unit->offset - part->info, &starts);
    if (why != NULL || !*wanted) return why;
    if (r->at ==
        /* a unit without entries, which dsymutil of Xcode 8 writes after each unit of Swift, is not damaged */
        r->size) {
        *wanted = false;
        return NULL;
    }
    set_starts(&starts, unit);
    return read_root(units->sections, &starts, r, unit);
}

static void report_unit_fault(fm_dw_fault *fault, void *context, framemap_status code, uint64_t offset,
                              const char *what)
{
    framemap_error error = {0};

    fm_error_at(&error, code, offset, "%s", what);
    fm_error_where(&error, FM_STR(".debug_info"));
    fault(context, &error);
}

static bool add_unit(struct fm_dw_units *units, const struct fm_dw_unit_data *unit)
{
    if (!FM_GROW(units->heap, units->units, units->capacity, units->count + 1)) return false;
    units->units[units->count++] = *unit;
    return true;
}

/* Lists the offsets of abbreviation tables. Most files refer to them in ascending order. */
static bool list_tables(struct fm_dw_units *units)
{
    const size_t count = units->count;
    bool rising = true;

    if (count == 0) return true;
    struct fm_key *keys = fm_heap_zalloc(units->heap, count, sizeof *keys);
    bool good = keys != NULL && FM_GROW(units->heap, units->tables, units->table_capacity, count);
    for (size_t i = 0; good && i < count; i++) {
        keys[i] = (struct fm_key){units->units[i].abbrevs, 0};
        rising = rising && (i == 0 || keys[i - 1].key <= keys[i].key);
    }
    if (good && !rising) good = fm_keys_sort(units->heap, keys, count, NULL, NULL);
    for (size_t i = 0; good && i < count; i++) {
        if (i == 0 || keys[i].key != keys[i - 1].key) units->tables[units->table_count++] = keys[i].key;
    }
    fm_heap_free(units->heap, keys, keys != NULL ? count * sizeof *keys : 0);
    return good;
}

#define PASSED_BYTES ((size_t)8 << 20)

/* Most consecutive damaged units that are reported one by one. Further damaged units are probably damaged in the same
 * way, and are only counted. */
#define DAMAGED_REPORTED 16u

struct damaged {
    fm_dw_fault *fault;
    void *context;
    size_t in_row;
    uint64_t offset; /* offset of the first unit that is only counted */
};

static void note_damaged(struct damaged *damaged, const char *why, uint64_t offset)
{
    if (damaged->in_row++ < DAMAGED_REPORTED)
        report_unit_fault(damaged->fault, damaged->context, FRAMEMAP_E_CORRUPT, offset, why);
    else if (damaged->in_row == DAMAGED_REPORTED + 1)
        damaged->offset = offset;
}

static void end_damaged(struct damaged *damaged)
{
    char what[96];

    if (damaged->in_row > DAMAGED_REPORTED) {
        snprintf(what, sizeof what, "%zu more units from here on are damaged, too, and are left out",
                 damaged->in_row - DAMAGED_REPORTED);
        report_unit_fault(damaged->fault, damaged->context, FRAMEMAP_E_CORRUPT, damaged->offset, what);
    }
    damaged->in_row = 0;
}

/* Returns how many units that consist of a length only start at the offset. A section can be padded with zeros, which
 * look like such units. */
static size_t empty_units(framemap_str info, size_t at)
{
    static const char zeros[4] = {0};
    size_t count = 0;

    while (info.size - at >= sizeof zeros && memcmp(info.data + at, zeros, sizeof zeros) == 0) {
        at += sizeof zeros;
        count++;
    }
    return count;
}

framemap_status fm_dw_units_scan_part(struct fm_dw_units *units, const struct fm_dw_place *part, fm_dw_fault *fault,
                                      void *context, framemap_error *error)
{
    const struct fm_dw_sections *sections = units->sections;
    const framemap_str info = fm_str(sections->info.data, (size_t)part->info_end);
    struct fm_byte_reader section = fm_byte_reader_of(info, sections->big_endian);
    struct damaged damaged = {.fault = fault, .context = context};
    size_t last_passed = 0;
    bool wanted;

    fm_byte_reader_seek(&section, part->info);
    while (section.at < section.size) {
        struct fm_dw_unit_data unit = {.offset = section.at};
        uint64_t extent = unit_extent(&section, &unit.encoding.offset_size);
        if (extent == 0) {
            end_damaged(&damaged);
            report_unit_fault(fault, context, FRAMEMAP_E_TRUNCATED, unit.offset,
                              "unit is longer than its section; it and everything after it are left out");
            break;
        }
        unit.end = unit.offset + extent;
        struct fm_byte_reader r =
            fm_byte_reader_of(fm_str(sections->info.data, (size_t)unit.end), sections->big_endian);
        fm_byte_reader_seek(&r, section.at);
        const char *why = check_unit(units, part, &r, &unit, &wanted);
        section.at = (size_t)unit.end;
        if (why != NULL) {
            note_damaged(&damaged, why, unit.offset);
            if (damaged.in_row > DAMAGED_REPORTED) {
                const size_t empty = empty_units(info, section.at);
                damaged.in_row += empty;
                section.at += 4 * empty;
            }
        } else {
            end_damaged(&damaged);
            if (wanted && !add_unit(units, &unit)) return fm_error_memory(error);
        }
        if (units->passed != NULL && section.at - last_passed >= PASSED_BYTES) {
            last_passed = section.at;
            units->passed(units->passed_context, last_passed);
        }
    }
    end_damaged(&damaged);
    return FRAMEMAP_OK;
}

void fm_dw_units_clear(struct fm_dw_units *units) { units->count = units->table_count = 0; }

framemap_status fm_dw_units_end(struct fm_dw_units *units, framemap_error *error)
{
    return list_tables(units) ? FRAMEMAP_OK : fm_error_memory(error);
}

framemap_status fm_dw_units_scan(struct fm_dw_units *units, fm_dw_fault *fault, void *context, framemap_error *error)
{
    const struct fm_dw_place whole = {.info_end = units->sections->info.size};
    const framemap_status status = fm_dw_units_scan_part(units, &whole, fault, context, error);
    return status == FRAMEMAP_OK ? fm_dw_units_end(units, error) : status;
}

uint8_t fm_dw_unit_language(const struct fm_dw_unit_data *unit)
{
    switch (unit->language) {
    case 0x01:
    case 0x02:
    case 0x0c:
    case 0x1d:
    case 0x2c: return FM_LANGUAGE_C;
    case 0x04:
    case 0x1a:
    case 0x21:
    case 0x2b: return FM_LANGUAGE_CXX;
    case 0x10:
    case 0x11: return FM_LANGUAGE_OBJC;
    case 0x1c: return FM_LANGUAGE_RUST;
    case 0x1e: return FM_LANGUAGE_SWIFT;
    case 0x00: return FM_LANGUAGE_UNKNOWN;
    default: return FM_LANGUAGE_OTHER;
    }
}

const struct fm_dw_unit_data *fm_dw_units_find(const struct fm_dw_units *units, uint64_t offset)
{
    size_t low = 0;
    size_t high = units->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (units->units[middle].end <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == units->count || offset < units->units[low].first) return NULL;
    return &units->units[low];
}
