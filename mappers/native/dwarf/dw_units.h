/* Reads the units of .debug_info: their headers and unit entries, with all bounds checked. Opening a file reads no
 * other entries; dw_entries.h iterates over them. */
#ifndef FM_MAPPERS_NATIVE_DWARF_DW_UNITS_H
#define FM_MAPPERS_NATIVE_DWARF_DW_UNITS_H

#include "mappers/native/dwarf/dw_abbrev.h"
#include "mappers/native/dwarf/dw_package.h"
#include "mappers/native/dwarf/dw_ranges.h"

struct fm_dw_unit_data {
    uint64_t offset;  /* offset of the header, in .debug_info */
    uint64_t end;     /* end of the unit, in .debug_info */
    uint64_t first;   /* offset of the unit entry in .debug_info */
    uint64_t second;  /* offset after the unit entry: of its first child if it has children, else the unit's end */
    uint64_t abbrevs; /* offset of the table in .debug_abbrev; the table has not been checked as a whole */
    struct fm_dw_encoding encoding;
    uint8_t unit_type; /* DW_UT_…; for DWARF 2 to 4 derived from the tag of the unit entry */
    uint16_t tag;
    bool three_bytes; /* the unit entry has a form of three bytes, for which libdwarf 20210528 wrongly reads four */
    bool foreign;     /* several files were joined, so libdwarf cannot read the unit */
    bool has_dwo_id;
    bool is_joined; /* for a split unit: a skeleton unit has been joined with it */
    bool has_lines;
    bool lines_refused; /* the line program is not read, because too many units refer to it */
    uint64_t lines;     /* offset of the line number program in .debug_line */
    uint16_t language;
    framemap_str name, folder, producer, dwo_name;
    struct fm_dw_bounds bounds;
    uint64_t dwo_id; /* id of skeleton and split units */
    /* DW_AT_GNU_ranges_base of a skeleton unit, which is the base for the range lists of its split unit */
    uint64_t ranges_base;
    uint32_t split_number; /* for a skeleton unit: number of its split unit plus 1; 0: the unit was not found */
};

/* The sound units in the order of the section. After the scan, any thread may read them. */
struct fm_dw_units {
    struct fm_heap *heap;
    struct fm_dw_sections *sections;
    struct fm_dw_unit_data *units;
    size_t count, capacity;
    /* Callback that is called from time to time during the scan. It is passed an offset of .debug_info; bytes before
     * the offset are not needed for a while. May be NULL. */
    void (*passed)(void *context, uint64_t offset);
    void *passed_context;
    uint64_t *tables; /* offsets of the abbreviation tables that units refer to: ascending, without duplicates */
    size_t table_count, table_capacity;
};

/* Called for each fault that does not end the work. */
typedef void fm_dw_fault(void *context, const framemap_error *fault);

void fm_dw_units_init(struct fm_dw_units *units, struct fm_heap *heap, struct fm_dw_sections *sections);
void fm_dw_units_free(struct fm_dw_units *units);

/* Finds the units. A unit whose header or unit entry is damaged is skipped; a header with an invalid length ends the
 * scan, since the next one cannot be found. Errors: MEMORY. */
framemap_status fm_dw_units_scan(struct fm_dw_units *units, fm_dw_fault *fault, void *context, framemap_error *error);

/* fm_dw_units_scan in steps, for joined sections: fm_dw_units_clear removes the units of an earlier scan,
 * fm_dw_units_scan_part adds the units of one part (parts in the order of their offsets), fm_dw_units_end ends the
 * scan. */
void fm_dw_units_clear(struct fm_dw_units *units);
framemap_status fm_dw_units_scan_part(struct fm_dw_units *units, const struct fm_dw_place *part, fm_dw_fault *fault,
                                      void *context, framemap_error *error);
framemap_status fm_dw_units_end(struct fm_dw_units *units, framemap_error *error);

/* Returns the sound unit that contains an offset of .debug_info after the unit's header; NULL: no sound unit contains
 * the offset. */
const struct fm_dw_unit_data *fm_dw_units_find(const struct fm_dw_units *units, uint64_t offset);

/* Returns the language of the unit, FM_LANGUAGE_… of index/write/builder.h. */
uint8_t fm_dw_unit_language(const struct fm_dw_unit_data *unit);

#endif
