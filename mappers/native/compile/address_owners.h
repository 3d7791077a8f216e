/* Which unit answers for which address. */
#ifndef FM_MAPPERS_NATIVE_COMPILE_ADDRESS_OWNERS_H
#define FM_MAPPERS_NATIVE_COMPILE_ADDRESS_OWNERS_H

#include "mappers/native/compile/unit_overlaps.h"
#include "mappers/native/dwarf/dw_visitor.h"

struct fm_address_owners {
    struct fm_heap *heap;
    const uint64_t *addresses; /* the owner's to set before the first claim, rising: who owns them is asked for, and
                                  nothing else. NULL: all */
    size_t address_count;
    /* The owner's to set before the first settling: finds out what units have where several claim an address. NULL:
     * nothing is found out. */
    fm_unit_evidence_collector *collect;
    void *collect_context;
    struct fm_address_spans claims; /* ids: unit numbers */
    struct fm_address_spans listed; /* the same, of .debug_aranges alone */
    struct fm_unit_overlaps overlaps;
    uint32_t unit_count; /* that claim something */
    uint64_t *offsets;   /* of the units in .debug_info, by number */
    bool *has_list;      /* by unit: .debug_aranges lists something for it */
    bool *exact;         /* by unit: its entry has several ranges, or none where .debug_aranges lists some */
    size_t offset_capacity, list_capacity, exact_capacity;
    struct fm_address_segments by_address;
    struct fm_address_segments by_unit; /* the same by unit, then address */
    struct fm_address_segments gained;  /* of by_unit: what the unit did not own before the last settling */
};

void fm_address_owners_init(struct fm_address_owners *owners, struct fm_heap *heap);
void fm_address_owners_free(struct fm_address_owners *owners);
/* All of these return false when out of memory. */
bool fm_address_owners_claim(struct fm_address_owners *owners, const struct fm_dw_claim *claim);
/* Claims of the units for which dropped[unit] is set are taken back; dropped NULL: none. Where several units claim an
 * address, unit_overlaps.h says which of them owns it. false: also where a look failed, and its context knows why. */
bool fm_address_owners_update(struct fm_address_owners *owners, const bool *dropped);
/* A unit's own part of `gained`; *count may be 0. */
const struct fm_address_segment *fm_address_owners_gained(const struct fm_address_owners *owners, uint32_t unit,
                                                          size_t *count);

#endif
