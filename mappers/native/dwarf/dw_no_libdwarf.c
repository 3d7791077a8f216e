/* Replaces dw_libdwarf.c in a build without libdwarf. */
#include "mappers/native/dwarf/dw_libdwarf.h"

bool fm_dw_library_available(void) { return false; }

struct fm_dw_library *fm_dw_library_create(struct fm_heap *heap, const struct fm_dw_sections *sections)
{
    (void)heap, (void)sections;
    return NULL;
}

void fm_dw_library_free(struct fm_dw_library *library) { (void)library; }

framemap_status fm_dw_library_read_attributes(struct fm_dw_library *library, const struct fm_dw_unit_data *unit,
                                              const struct fm_dw_abbrev_table *table, uint64_t offset,
                                              struct fm_dw_attributes *own, framemap_error *error)
{
    (void)library, (void)unit, (void)table, (void)offset, (void)own, (void)error;
    return FRAMEMAP_OK;
}
