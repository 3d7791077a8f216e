/* Which of the units that claim an address has something there. A unit may claim more than it has: dsymutil writes
 * one range from the first to the last function of a unit, so the ranges of units overlap where a linker orders
 * functions.
 *
 * Only addresses that several units claim are looked at. Equal ranges of units that have several ranges each are of
 * one function, which a linker kept for all of them (COMDAT, identical code folding): they belong to the unit that
 * comes first. Elsewhere, in turn, until an address is decided:
 *  1. .debug_aranges, where all units that claim the address are listed there, and one of them alone lists the address;
 *  2. the unit with a function at the address; of several the function that starts last, then the unit that comes
 *     first: identical code folding gives functions of several units one address, and LLVM answers with the first;
 *  3. the only unit with a line sequence that covers the address; of several the one whose row starts last.
 * What stays undecided belongs to the unit that comes first. Functions and rows of a unit count where it claims the
 * address. */
#ifndef FM_MAPPERS_NATIVE_COMPILE_UNIT_OVERLAPS_H
#define FM_MAPPERS_NATIVE_COMPILE_UNIT_OVERLAPS_H

#include "mappers/native/compile/unit_coverage.h"

/* What a unit may have at an address. */
enum fm_unit_evidence_kind { FM_EVIDENCE_FUNCTIONS, FM_EVIDENCE_SEQUENCES, FM_EVIDENCE_ROWS };

struct fm_unit_overlaps {
    struct fm_heap *heap;
    struct fm_address_segments claimed; /* by unit, then address */
    struct fm_address_segments open;    /* sorted: what several units claim and no rule has decided yet */
    struct fm_address_segments decided; /* sorted; ids: units */
    bool *repeated;                     /* by claim, while one decides */
    struct fm_address_spans found;      /* evidence of the rule at hand: id the unit, rank the lower the better */
};

void fm_unit_overlaps_init(struct fm_unit_overlaps *overlaps, struct fm_heap *heap);
void fm_unit_overlaps_free(struct fm_unit_overlaps *overlaps);

/* Fills overlaps->found, which is empty, with what these units, which rise, have in overlaps->open; what else is added
 * does not matter. FM_EVIDENCE_SEQUENCES: in any order; else the best at each address, as fm_address_spans_merge_best
 * has it. Units that can't be read add nothing. false: failed; the context knows why. */
typedef bool fm_unit_evidence_collector(void *context, enum fm_unit_evidence_kind kind, const uint32_t *units,
                                        size_t count, struct fm_unit_overlaps *overlaps);

/* What units say of themselves, and how to find out what they have. */
struct fm_unit_overlaps_input {
    struct fm_address_spans *claims; /* ids: units; they are sorted here */
    struct fm_address_spans *listed; /* those of .debug_aranges, which all are among the claims; they are sorted here */
    const bool *has_list;            /* by unit */
    const bool *exact;               /* by unit: it has several ranges, so none spans other units' functions */
    uint32_t unit_count;
    const struct fm_address_segments *kept; /* sorted: what was decided before and stays so */
    const uint64_t *addresses;              /* that alone matter, rising; NULL: all */
    size_t address_count;
    fm_unit_evidence_collector *collect; /* NULL: nothing is found out */
    void *context;
};

/* Fills overlaps->decided. false: out of memory, or a look failed. */
bool fm_unit_overlaps_decide(struct fm_unit_overlaps *overlaps, const struct fm_unit_overlaps_input *input);

#endif
