/* The entries of a unit, one after the other in the order of the bytes, of which only functions and inlined subroutines
 * are told. Both readers walk by this.
 *
 * An entry that can have no code below it and says where its sibling stands (arrays, parameters of calls, in what GCC
 * writes of C all types) is left by one jump; what is jumped over is not looked at. Every other entry is measured: its
 * code must be in the table and its attributes must end inside the unit. A unit in which that fails is broken as a
 * whole. */
#ifndef FM_MAPPERS_NATIVE_DWARF_DW_ENTRIES_H
#define FM_MAPPERS_NATIVE_DWARF_DW_ENTRIES_H

#include "mappers/native/dwarf/dw_units.h"

struct fm_dw_entries {
    const struct fm_dw_sections *sections;
    const struct fm_dw_unit_data *unit;
    const struct fm_dw_abbrev_table *table;
    const unsigned char *at, *end;     /* next byte, end of the unit */
    const struct fm_dw_shape *pending; /* the entry told last, whose attributes were not passed yet */
    uint32_t depth;                    /* of the next entry: 1 for children of the unit's own */
    uint8_t jump;                      /* the flag that allows a jump in this unit's language */
    const char *broken;                /* why the walk stopped early; NULL: it did not */
};

struct fm_dw_entry {
    uint64_t offset; /* in .debug_info */
    uint32_t depth;
    uint32_t
        lowest; /* depth that the walk came down to since the entry told before: what is as deep or deeper has ended */
    const struct fm_dw_shape *shape;
    const unsigned char *attributes;
};

/* table: sound, and compiled for the unit's encoding. */
struct fm_dw_entries fm_dw_entries_of(const struct fm_dw_sections *sections, const struct fm_dw_unit_data *unit,
                                      const struct fm_dw_abbrev_table *table);

/* Moves to the next function or inlined subroutine; false at the end of the unit, or at a fault (entries->broken). */
bool fm_dw_entries_next(struct fm_dw_entries *entries, struct fm_dw_entry *out);

/* Where the attributes of any entry of the unit end, of which `at` is the first byte; NULL: they leave the unit.
 * *sibling: what the entry says of where its sibling is, from the unit's first byte; 0: nothing. */
const unsigned char *fm_dw_entry_past(const struct fm_dw_entries *entries, const struct fm_dw_shape *shape,
                                      const unsigned char *at, uint64_t *sibling);

/* Where the attributes of the entry told last end, if the caller found that out. */
static inline void fm_dw_entries_passed(struct fm_dw_entries *entries, const unsigned char *end)
{
    entries->at = end;
    entries->pending = NULL;
}

#endif
