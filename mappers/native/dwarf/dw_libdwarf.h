/* The attributes of one entry, read through libdwarf. */
#ifndef FM_MAPPERS_NATIVE_DWARF_DW_LIBDWARF_H
#define FM_MAPPERS_NATIVE_DWARF_DW_LIBDWARF_H

#include "mappers/native/dwarf/dw_attributes.h"

/* Units that libdwarf holds open; the least lately used makes room. */
struct fm_dw_library;

/* Whether the library was built with libdwarf. If not, nothing may be created. */
bool fm_dw_library_available(void);
struct fm_dw_library *fm_dw_library_create(struct fm_heap *heap, const struct fm_dw_sections *sections);
void fm_dw_library_free(struct fm_dw_library *library);

/* Replaces what fm_dw_attributes_read or fm_dw_attributes_at read of the entry at an offset of .debug_info, in a unit
 * whose table is sound (that is what keeps libdwarf from bytes that nobody checked), by what libdwarf reads. What it
 * refuses, or is known to read wrongly, stays as it is. Errors: MEMORY. */
framemap_status fm_dw_library_read_attributes(struct fm_dw_library *library, const struct fm_dw_unit_data *unit,
                                              const struct fm_dw_abbrev_table *table, uint64_t offset,
                                              struct fm_dw_attributes *own, framemap_error *error);

#endif
