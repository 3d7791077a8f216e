/* The entries of a unit in the order of their bytes; only functions and inlined subroutines are returned. Both
 * backends iterate with this.
 *
 * If no code can be below an entry, and the entry has DW_AT_sibling, its children are skipped without being decoded
 * (types, call site parameters; in GCC's output for C all types). Every other entry is measured: its abbreviation
 * must exist and its attributes must end inside the unit. Otherwise the whole unit is damaged. */
#ifndef FM_MAPPERS_NATIVE_DWARF_DW_ENTRIES_H
#define FM_MAPPERS_NATIVE_DWARF_DW_ENTRIES_H

#include "mappers/native/dwarf/dw_units.h"

struct fm_dw_entries {
    const struct fm_dw_sections *sections;
    const struct fm_dw_unit_data *unit;
    const struct fm_dw_abbrev_table *table;
    const unsigned char *at, *end; /* next byte, end of the unit */
    /* the shape of the entry that was returned last, while its attributes have not been skipped yet; else NULL */
    const struct fm_dw_shape *pending;
    uint32_t depth; /* depth of the next entry; 1 for children of the unit entry */
    uint8_t jump;   /* the flag that permits a skip in this unit's language: FM_DW_SHAPE_JUMP or FM_DW_SHAPE_JUMP_C */
    const char *broken; /* why the iteration stopped early; NULL: it did not stop early */
};

struct fm_dw_entry {
    uint64_t offset; /* offset of the entry in .debug_info */
    uint32_t depth;
    /* The smallest depth since the previously returned entry: open entries of this depth or more have ended. */
    uint32_t lowest;
    const struct fm_dw_shape *shape;
    const unsigned char *attributes;
};

/* Starts to iterate over the entries of a unit. `table` must be free of faults and compiled for the unit's encoding. */
struct fm_dw_entries fm_dw_entries_of(const struct fm_dw_sections *sections, const struct fm_dw_unit_data *unit,
                                      const struct fm_dw_abbrev_table *table);

/* Advances to the next function or inlined subroutine. Returns false at the end of the unit, or on a fault, with the
 * reason in entries->broken. */
bool fm_dw_entries_next(struct fm_dw_entries *entries, struct fm_dw_entry *out);

/* Returns the address after the attributes of an entry of the unit, which start at `at`, or NULL if they extend past
 * the unit. *sibling: the entry's DW_AT_sibling, as an offset from the unit's first byte; 0 if it has none. */
const unsigned char *fm_dw_entry_past(const struct fm_dw_entries *entries, const struct fm_dw_shape *shape,
                                      const unsigned char *at, uint64_t *sibling);

/* Sets where the attributes of the last returned entry end, so that they need not be skipped again. Optional, for
 * callers that decode these attributes. */
static inline void fm_dw_entries_passed(struct fm_dw_entries *entries, const unsigned char *end)
{
    entries->at = end;
    entries->pending = NULL;
}

#endif
