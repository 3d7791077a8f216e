/* The units of .debug_info: their headers and first entries, decoded with every bound checked. Opening a file reads no
 * other entries; dw_entries.h walks them, unit by unit. */
#ifndef FM_MAPPERS_NATIVE_DWARF_DW_UNITS_H
#define FM_MAPPERS_NATIVE_DWARF_DW_UNITS_H

#include "mappers/native/dwarf/dw_abbrev.h"
#include "mappers/native/dwarf/dw_ranges.h"

struct fm_dw_unit_data {
    uint64_t offset;  /* of the header in .debug_info */
    uint64_t end;     /* of the unit in .debug_info */
    uint64_t first;   /* offset of the first entry */
    uint64_t second;  /* offset of what follows it: its first child, if it has children; else the unit's end */
    uint64_t abbrevs; /* offset of the table in .debug_abbrev; whether all of it is sound is not known yet */
    struct fm_dw_encoding encoding;
    uint8_t unit_type; /* DW_UT_…; DWARF 2 to 4: told from the first entry's tag */
    uint16_t tag;
    bool three_bytes; /* the first entry has a form of three bytes, which libdwarf 20210528 takes for four */
    bool has_lines;
    bool lines_refused; /* they were asked for by too many units */
    uint64_t lines;     /* offset in .debug_line */
    uint16_t language;
    framemap_str name, folder, producer, dwo_name;
    struct fm_dw_bounds bounds;
};

/* The sound units in the order of the section. Once filled, they are only read, by any thread. */
struct fm_dw_units {
    struct fm_heap *heap;
    struct fm_dw_sections *sections;
    struct fm_dw_unit_data *units;
    size_t count, capacity;
    /* Told now and then by the scan: .debug_info before this offset is not read again for a while. NULL: nobody wants
     * to know. */
    void (*passed)(void *context, uint64_t offset);
    void *passed_context;
    uint64_t *tables; /* where units say that abbreviation tables begin, rising, each once */
    size_t table_count, table_capacity;
};

/* Called for each fault that was passed over. */
typedef void fm_dw_fault(void *context, const framemap_error *fault);

void fm_dw_units_init(struct fm_dw_units *units, struct fm_heap *heap, struct fm_dw_sections *sections);
void fm_dw_units_free(struct fm_dw_units *units);

/* Finds the units. One whose header or first entry is bad costs itself only; a header whose length can't be believed
 * costs what follows it. Errors: MEMORY. */
framemap_status fm_dw_units_scan(struct fm_dw_units *units, fm_dw_fault *fault, void *context, framemap_error *error);

/* The sound unit that an offset of .debug_info lies in, past its header; NULL: none. */
const struct fm_dw_unit_data *fm_dw_units_find(const struct fm_dw_units *units, uint64_t offset);

/* FM_LANGUAGE_… of index/write/builder.h */
uint8_t fm_dw_unit_language(const struct fm_dw_unit_data *unit);

#endif
