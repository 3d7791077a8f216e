/* The attributes of one entry, decoded from its bytes. dw_libdwarf.c decodes the same attributes through libdwarf. */
#ifndef FM_MAPPERS_NATIVE_DWARF_DW_ATTRIBUTES_H
#define FM_MAPPERS_NATIVE_DWARF_DW_ATTRIBUTES_H

#include "mappers/native/dwarf/dw_entries.h"

/* The attributes of the entry itself, without those of its origin. Strings are borrowed from the sections. */
struct fm_dw_attributes {
    framemap_str linkage_name;
    /* not resolved to a string yet, because the name is not needed if the entry has a linkage name; class
     * FM_DW_NONE: absent */
    struct fm_dw_value name;
    struct fm_dw_bounds bounds;
    bool has_decl_file, has_call_file, has_origin, artificial;
    bool three_bytes;              /* some form has three bytes, for which libdwarf 20210528 wrongly reads four */
    uint64_t decl_file, call_file; /* file numbers of the unit's line table */
    uint32_t decl_line1, call_line1, call_col1;
    uint64_t origin; /* offset in .debug_info that DW_AT_abstract_origin or DW_AT_specification refers to; not
                        checked */
};

/* Decodes the attributes of an entry of the unit, which start at `at`. `table` is compiled for the unit. Returns the
 * address after the attributes, or NULL if a form is unknown, a value extends past the unit, or a number does not fit
 * in 64 bits. */
const unsigned char *fm_dw_attributes_read(const struct fm_dw_sections *sections, const struct fm_dw_unit_data *unit,
                                           const struct fm_dw_abbrev_table *table, const struct fm_dw_shape *shape,
                                           const unsigned char *at, struct fm_dw_attributes *out);

/* Decodes the attributes of the entry at an offset of .debug_info, which came from a reference and may be wrong.
 * Returns false if there is no valid entry. */
bool fm_dw_attributes_at(const struct fm_dw_sections *sections, const struct fm_dw_unit_data *unit,
                         const struct fm_dw_abbrev_table *table, uint64_t offset, struct fm_dw_attributes *out);

#endif
