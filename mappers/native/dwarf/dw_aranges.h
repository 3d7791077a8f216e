/* .debug_aranges (DWARF 5 section 6.1.2): which addresses belong to which unit. Units of DWARF 2 that cover several
 * ranges have no other place to say so. */
#ifndef FM_MAPPERS_NATIVE_DWARF_DW_ARANGES_H
#define FM_MAPPERS_NATIVE_DWARF_DW_ARANGES_H

#include "mappers/native/dwarf/dw_address_spans.h"
#include "mappers/native/dwarf/dw_units.h"

/* The live ranges, sorted by unit: low is the offset of the unit in .debug_info, rank where the range starts, high
 * where it ends. */
struct fm_dw_aranges {
    struct fm_address_spans spans;
};

/* A set that can't be read ends the walk over the section with a fault, and keeps the sets before it. false: out of
 * memory. */
bool fm_dw_aranges_load(struct fm_dw_aranges *aranges, struct fm_heap *heap, const struct fm_dw_sections *sections,
                        fm_dw_fault *fault, void *context);
void fm_dw_aranges_free(struct fm_dw_aranges *aranges);

/* Adds the ranges of a unit to a list. false: out of memory. */
bool fm_dw_aranges_add(const struct fm_dw_aranges *aranges, uint64_t unit, struct fm_dw_range_list *list);

#endif
