/* What a unit has at addresses that several units claim: its functions, line sequences or rows there. One struct for
 * each thread, filled by walking units; overlap_search.c runs the threads. */
#ifndef FM_MAPPERS_NATIVE_COMPILE_UNIT_EVIDENCE_H
#define FM_MAPPERS_NATIVE_COMPILE_UNIT_EVIDENCE_H

#include "mappers/native/compile/unit_overlaps.h"
#include "mappers/native/dwarf/dw_visitor.h"

#define FM_UNIT_EVIDENCE_LEVELS 33u /* number of levels: one for each bit of a unit number, and one more */

struct fm_unit_evidence {
    struct fm_heap *heap;
    struct fm_address_spans sequences; /* line sequences; the ids of spans are unit numbers */
    /* The best function or row at each address; of two, the one that starts later has the lower rank and is better. The
     * levels work like a binary counter: level i is empty, or has the result of 2^i units. So memory grows only with
     * what differs between units, and each span is merged O(log units) times. */
    struct fm_address_spans levels[FM_UNIT_EVIDENCE_LEVELS];
    struct fm_address_spans own, best; /* spans of the current unit */
    struct fm_address_segments shown;
    /* State of the walk over the current unit. */
    const struct fm_address_segments *where;
    enum fm_unit_evidence_kind kind;
    struct fm_dw_row before; /* the previous row, and the first address of its sequence */
    uint64_t sequence_low;
    bool in_sequence, failed;
};

void fm_unit_evidence_init(struct fm_unit_evidence *evidence, struct fm_heap *heap);
void fm_unit_evidence_free(struct fm_unit_evidence *evidence);

/* Adds the functions, sequences or rows of a unit at those addresses of overlaps->open that it claims. `worker` belongs
 * to `reader`. A damaged unit adds nothing; its damage is reported when it is read for the index. Errors: MEMORY. */
framemap_status fm_unit_evidence_add(struct fm_unit_evidence *evidence, const struct fm_dw_backend *reader,
                                     struct fm_dw_worker *worker, uint32_t unit, enum fm_unit_evidence_kind kind,
                                     const struct fm_unit_overlaps *overlaps, framemap_error *error);

/* Moves everything that was added to the evidence into overlaps->found, in addition to what other threads moved there.
 * Returns false when out of memory. */
bool fm_unit_evidence_move(struct fm_unit_evidence *evidence, struct fm_unit_overlaps *overlaps);

#endif
