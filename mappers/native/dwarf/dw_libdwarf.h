/* The attributes of one entry, decoded by libdwarf. dw_libdwarf.c implements this; in a build without libdwarf,
 * dw_no_libdwarf.c does. */
#ifndef FM_MAPPERS_NATIVE_DWARF_DW_LIBDWARF_H
#define FM_MAPPERS_NATIVE_DWARF_DW_LIBDWARF_H

#include "mappers/native/dwarf/dw_attributes.h"

/* The libdwarf handle of one worker. Some units stay open; the least recently used one is closed first. */
struct fm_dw_library;

/* Whether this build has libdwarf. If not, fm_dw_library_create must not be called. */
bool fm_dw_library_available(void);
struct fm_dw_library *fm_dw_library_create(struct fm_heap *heap, const struct fm_dw_sections *sections);
void fm_dw_library_free(struct fm_dw_library *library);

/* Replaces the attributes of the entry at an offset of .debug_info by those that libdwarf decodes. They were decoded
 * before by fm_dw_attributes_read or fm_dw_attributes_at. The unit's abbreviation table must be sound: libdwarf is
 * never given bytes that were not checked. Attributes that libdwarf refuses, or is known to decode wrongly, are left as
 * they are. Errors: MEMORY. */
framemap_status fm_dw_library_read_attributes(struct fm_dw_library *library, const struct fm_dw_unit_data *unit,
                                              const struct fm_dw_abbrev_table *table, uint64_t offset,
                                              struct fm_dw_attributes *own, framemap_error *error);

#endif
