/* .debug_aranges (DWARF 5 section 6.1.2): the addresses of each unit. For a unit of DWARF 2 that has several ranges,
 * only this section has them. */
#ifndef FM_MAPPERS_NATIVE_DWARF_DW_ARANGES_H
#define FM_MAPPERS_NATIVE_DWARF_DW_ARANGES_H

#include "mappers/native/dwarf/dw_address_spans.h"
#include "mappers/native/dwarf/dw_units.h"

/* The live ranges, sorted by unit. In each span, `low` is the offset of the unit in .debug_info, `rank` the start of
 * the range and `high` its end. */
struct fm_dw_aranges {
    struct fm_address_spans spans;
};

/* Reads the section. The first set that cannot be read is reported as a fault and ends the reading; earlier sets are
 * kept. Returns false when out of memory. */
bool fm_dw_aranges_load(struct fm_dw_aranges *aranges, struct fm_heap *heap, const struct fm_dw_sections *sections,
                        fm_dw_fault *fault, void *context);
void fm_dw_aranges_free(struct fm_dw_aranges *aranges);

/* Appends the ranges of a unit to a list. Returns false when out of memory. */
bool fm_dw_aranges_add(const struct fm_dw_aranges *aranges, uint64_t unit, struct fm_dw_range_list *list);

#endif
