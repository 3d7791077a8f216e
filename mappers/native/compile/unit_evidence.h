/* What a unit has at addresses that several units claim: one thread's walk over it. */
#ifndef FM_MAPPERS_NATIVE_COMPILE_UNIT_EVIDENCE_H
#define FM_MAPPERS_NATIVE_COMPILE_UNIT_EVIDENCE_H

#include "mappers/native/compile/unit_overlaps.h"
#include "mappers/native/dwarf/dw_visitor.h"

#define FM_UNIT_EVIDENCE_LEVELS 33u /* numbers of units have 32 bits */

struct fm_unit_evidence {
    struct fm_heap *heap;
    struct fm_address_spans sequences; /* ids: units */
    /* Functions and rows, the best at each address, the later starts having the lower ranks: level i is empty or made
     * of 2^i units. So memory goes to what differs between units, and each span is merged O(log units) times. */
    struct fm_address_spans levels[FM_UNIT_EVIDENCE_LEVELS];
    struct fm_address_spans own, best; /* of the unit at hand */
    struct fm_address_segments shown;
    /* While a unit is walked. */
    const struct fm_address_segments *where;
    enum fm_unit_evidence_kind kind;
    struct fm_dw_row before; /* the row before, and where its sequence started */
    uint64_t sequence_low;
    bool in_sequence, failed;
};

void fm_unit_evidence_init(struct fm_unit_evidence *evidence, struct fm_heap *heap);
void fm_unit_evidence_free(struct fm_unit_evidence *evidence);

/* Adds what a unit has in overlaps->open, where it claims it. worker: of that reader. A unit that is damaged adds
 * nothing: it is reported when it is walked for the index. Errors: MEMORY. */
framemap_status fm_unit_evidence_add(struct fm_unit_evidence *evidence, const struct fm_dw_backend *reader,
                                     struct fm_dw_worker *worker, uint32_t unit, enum fm_unit_evidence_kind kind,
                                     const struct fm_unit_overlaps *overlaps, framemap_error *error);

/* Moves all that was added to overlaps->found, to what other threads moved there. false: out of memory. */
bool fm_unit_evidence_move(struct fm_unit_evidence *evidence, struct fm_unit_overlaps *overlaps);

#endif
