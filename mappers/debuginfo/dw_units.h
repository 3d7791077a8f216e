/* The units of .debug_info and their entries, decoded with every bound checked. This is the wall (docs/security.md): a unit that passes
 * fm_dw_units_scan has a sound header, a sound abbreviation table and entries that end where the unit ends; no other is shown to libdwarf. */
#ifndef FM_DW_UNITS_H
#define FM_DW_UNITS_H

#include "mappers/debuginfo/dw_form.h"
#include "mappers/debuginfo/dw_ranges.h"

struct fm_dw_unit_data {
    uint64_t offset; /* of the header in .debug_info */
    uint64_t end;    /* of the unit in .debug_info */
    uint64_t first;  /* offset of the first entry */
    const struct fm_dw_abbrev_table *abbrevs;
    struct fm_dw_encoding encoding;
    uint8_t unit_type; /* DW_UT_…; DWARF 2 to 4: told from the first entry's tag */
    uint16_t tag;
    bool has_functions; /* some entry is a subprogram */
    bool has_lines;
    uint64_t lines; /* offset in .debug_line */
    uint16_t language;
    framemap_str name, folder, producer, dwo_name;
    struct fm_dw_bounds bounds;
};

/* The sound units in the order of the section. */
struct fm_dw_units {
    struct fm_heap *heap;
    struct fm_dw_sections *sections;
    struct fm_dw_abbrevs abbrevs;
    struct fm_dw_unit_data *units;
    size_t count, capacity;
};

/* Called for each fault that was passed over. */
typedef void fm_dw_fault(void *context, const framemap_error *fault);

void fm_dw_units_init(struct fm_dw_units *units, struct fm_heap *heap, struct fm_dw_sections *sections);
void fm_dw_units_free(struct fm_dw_units *units);

/* Walks the whole section once. A bad unit costs itself only; a header whose length can't be believed costs what follows it. Errors: MEMORY. */
framemap_status fm_dw_units_scan(struct fm_dw_units *units, fm_dw_fault *fault, void *context, framemap_error *error);

/* The sound unit that an offset of .debug_info lies in, past its header; NULL: none. */
const struct fm_dw_unit_data *fm_dw_units_find(const struct fm_dw_units *units, uint64_t offset);

/* One entry after the other, in the order of the bytes. */
struct fm_dw_cursor {
    struct fm_reader r;
    const struct fm_dw_unit_data *unit;
    uint32_t depth;      /* of the next entry: 0 for the unit's own */
    const char *broken;  /* why the walk stopped early; NULL: it did not */
};
struct fm_dw_entry {
    uint64_t offset; /* in .debug_info */
    uint32_t depth;
    const struct fm_dw_abbrev *abbrev;
};

struct fm_dw_cursor fm_dw_cursor_at(const struct fm_dw_sections *sections, const struct fm_dw_unit_data *unit);
/* Moves to the next entry, skipping the attributes of the one before; false at the end of the unit, or at a fault (cursor->broken). */
bool fm_dw_cursor_next(struct fm_dw_cursor *cursor, struct fm_dw_entry *out);

#endif
