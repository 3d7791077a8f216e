/* Decides which unit owns an address that several units claim. A unit can claim more than it has: dsymutil writes one
 * range from the first to the last function of a unit, so the ranges of units overlap if a linker reorders functions.
 *
 * Equal ranges of units that have several ranges each belong to one function that the linker kept for all of them
 * (COMDAT, identical code folding): the first unit owns them. Other addresses with several claims are decided by the
 * first of these rules that applies:
 *  1. .debug_aranges, if it lists all units that claim the address, and only one of them for this address;
 *  2. the unit with a function at the address: of several, the function that starts last, then the first unit.
 *     Identical code folding gives functions of several units one address, and LLVM returns the first;
 *  3. the only unit with a line sequence that covers the address; of several, the one whose row starts last;
 *  4. the first unit.
 *
 * Functions and rows of a unit count only where the unit claims the address. */
#ifndef FM_MAPPERS_NATIVE_COMPILE_UNIT_OVERLAPS_H
#define FM_MAPPERS_NATIVE_COMPILE_UNIT_OVERLAPS_H

#include "mappers/native/compile/unit_coverage.h"

/* The kinds of evidence that a unit has code at an address. */
enum fm_unit_evidence_kind { FM_EVIDENCE_FUNCTIONS, FM_EVIDENCE_SEQUENCES, FM_EVIDENCE_ROWS };

struct fm_unit_overlaps {
    struct fm_heap *heap;
    struct fm_address_segments claimed; /* what units claim, sorted by unit, then address */
    struct fm_address_segments open;    /* sorted: the addresses that are not yet decided */
    struct fm_address_segments decided; /* the addresses that are decided, sorted; ids are unit numbers */
    /* for each claim: whether the claim of another unit is equal; used while deciding */
    bool *repeated;
    /* evidence for the current rule: the id of a span is a unit, and a lower rank is better */
    struct fm_address_spans found;
};

void fm_unit_overlaps_init(struct fm_unit_overlaps *overlaps, struct fm_heap *heap);
void fm_unit_overlaps_free(struct fm_unit_overlaps *overlaps);

/* Callback that fills overlaps->found, which is empty, with what these units (ascending) have at addresses of
 * overlaps->open; other addresses may be included. For FM_EVIDENCE_SEQUENCES it adds all spans in any order, otherwise
 * the best span at each address, as fm_address_spans_merge_best defines it. Damaged units add nothing. Returns false on
 * failure; the context holds the error. */
typedef bool fm_unit_evidence_collector(void *context, enum fm_unit_evidence_kind kind, const uint32_t *units,
                                        size_t count, struct fm_unit_overlaps *overlaps);

/* The claims, and how to collect evidence. */
struct fm_unit_overlaps_input {
    struct fm_address_spans *claims; /* all claims; ids are unit numbers; fm_unit_overlaps_decide sorts them */
    struct fm_address_spans *listed; /* the claims that come from .debug_aranges; fm_unit_overlaps_decide sorts them */
    const bool *has_list;            /* for each unit: .debug_aranges lists ranges for it */
    const bool *exact; /* for each unit: it has several ranges, so that none of these covers functions of other units */
    uint32_t unit_count;
    const struct fm_address_segments *kept; /* sorted: earlier decisions that must not change */
    const uint64_t *addresses;              /* the addresses to decide for, ascending; NULL: all */
    size_t address_count;
    /* collects evidence; NULL: no evidence is collected, so .debug_aranges decides, or else the first unit owns the
     * address */
    fm_unit_evidence_collector *collect;
    void *context;
};

/* Fills overlaps->decided. Returns false when out of memory, or if `collect` failed. */
bool fm_unit_overlaps_decide(struct fm_unit_overlaps *overlaps, const struct fm_unit_overlaps_input *input);

#endif
