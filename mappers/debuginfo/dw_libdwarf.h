/* The attributes of one entry, read through libdwarf. */
#ifndef FM_DW_LIBDWARF_H
#define FM_DW_LIBDWARF_H

#include "mappers/debuginfo/dw_units.h"

/* What an entry says itself; what its origin says is not in here. Strings are borrowed from the sections. */
struct fm_dw_attributes {
    framemap_str linkage_name, name;
    struct fm_dw_bounds bounds;
    bool has_decl_file, has_call_file, has_origin, artificial;
    uint64_t decl_file, call_file; /* numbers of the unit's line table */
    uint32_t decl_line1, call_line1, call_col1;
    uint64_t origin; /* offset in .debug_info that the abstract origin or specification points to; not checked */
};

/* Units that libdwarf holds open; the least lately used makes room. */
struct fm_dw_library;

struct fm_dw_library *fm_dw_library_create(struct fm_heap *heap, struct fm_dw_sections *sections);
void fm_dw_library_free(struct fm_dw_library *library);

/* Reads the entry at an offset of .debug_info, which must be one that a cursor over `unit` has met (that is what keeps libdwarf from bytes that
 * nobody checked). Errors: CORRUPT with libdwarf's own words; LIMIT; MEMORY. */
framemap_status fm_dw_library_read(struct fm_dw_library *library, const struct fm_dw_unit_data *unit, uint64_t offset,
                                   struct fm_dw_attributes *out, framemap_error *error);

#endif
