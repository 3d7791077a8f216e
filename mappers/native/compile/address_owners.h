/* Assigns every address that units claim to one unit, its owner. Called by unit_rounds.c before each round. */
#ifndef FM_MAPPERS_NATIVE_COMPILE_ADDRESS_OWNERS_H
#define FM_MAPPERS_NATIVE_COMPILE_ADDRESS_OWNERS_H

#include "mappers/native/compile/unit_overlaps.h"
#include "mappers/native/dwarf/dw_visitor.h"

struct fm_address_owners {
    struct fm_heap *heap;
    /* set by the caller before the first claim: only the owners of these addresses, which ascend, are determined;
     * NULL: those of all addresses */
    const uint64_t *addresses;
    size_t address_count;
    /* Set by the caller before the first update: a callback that collects what units have at addresses that several of
     * them claim. NULL: the claims alone decide. */
    fm_unit_evidence_collector *collect;
    void *collect_context;
    struct fm_address_spans claims; /* all claims; the ids of spans are unit numbers */
    struct fm_address_spans listed; /* the claims that come from .debug_aranges */
    struct fm_unit_overlaps overlaps;
    uint32_t unit_count; /* number of the last unit with a claim, plus 1 */
    uint64_t *offsets;   /* offset of each unit in .debug_info */
    bool *has_list;      /* for each unit: .debug_aranges lists ranges for it */
    /* for each unit: its entry has several ranges, or has none although .debug_aranges lists some for it */
    bool *exact;
    size_t offset_capacity, list_capacity, exact_capacity;
    struct fm_address_segments by_address;
    struct fm_address_segments by_unit; /* the segments of by_address sorted by unit, then address */
    /* the parts of by_unit that were added by the last update, because their unit did not own them before */
    struct fm_address_segments gained;
};

void fm_address_owners_init(struct fm_address_owners *owners, struct fm_heap *heap);
void fm_address_owners_free(struct fm_address_owners *owners);
/* Adds a claim. This and the next functions return false when out of memory. */
bool fm_address_owners_claim(struct fm_address_owners *owners, const struct fm_dw_claim *claim);
/* Assigns the owners again after claims were added. Units with dropped[unit] set lose their claims; NULL: no unit loses
 * its claims. If several units claim an address, the rules of unit_overlaps.h apply. Also returns false if `collect`
 * failed; its context holds the error. */
bool fm_address_owners_update(struct fm_address_owners *owners, const bool *dropped);
/* Returns the part of `gained` that belongs to one unit; *count may be 0. */
const struct fm_address_segment *fm_address_owners_gained(const struct fm_address_owners *owners, uint32_t unit,
                                                          size_t *count);

#endif
