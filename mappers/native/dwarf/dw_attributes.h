/* What one entry says itself, read from its bytes. */
#ifndef FM_MAPPERS_NATIVE_DWARF_DW_ATTRIBUTES_H
#define FM_MAPPERS_NATIVE_DWARF_DW_ATTRIBUTES_H

#include "mappers/native/dwarf/dw_entries.h"

/* What its origin says is not in here. Strings are borrowed from the sections. */
struct fm_dw_attributes {
    framemap_str linkage_name;
    struct fm_dw_value
        name; /* not looked up yet: nobody wants it where there is a linkage name. class FM_DW_NONE: there is none */
    struct fm_dw_bounds bounds;
    bool has_decl_file, has_call_file, has_origin, artificial;
    bool three_bytes;              /* some form is of three bytes, which libdwarf 20210528 takes for four */
    uint64_t decl_file, call_file; /* numbers of the unit's line table */
    uint32_t decl_line1, call_line1, call_col1;
    uint64_t origin; /* offset in .debug_info that the abstract origin or specification points to; not checked */
};

/* Reads all attributes of an entry of the unit, in which `at` is the first byte of them. table: compiled for the unit.
 * The end of the attributes; NULL: a form is unknown, or one leaves the unit, or a number does not fit 64 bits. */
const unsigned char *fm_dw_attributes_read(const struct fm_dw_sections *sections, const struct fm_dw_unit_data *unit,
                                           const struct fm_dw_abbrev_table *table, const struct fm_dw_shape *shape,
                                           const unsigned char *at, struct fm_dw_attributes *out);

/* The same for the entry at an offset of .debug_info that something points to. false: there is none that can be read.
 */
bool fm_dw_attributes_at(const struct fm_dw_sections *sections, const struct fm_dw_unit_data *unit,
                         const struct fm_dw_abbrev_table *table, uint64_t offset, struct fm_dw_attributes *out);

#endif
