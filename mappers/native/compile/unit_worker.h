/* Turns one unit into a batch of records: walks it into a model, sorts the model, writes it. One struct for each
 * thread. */
#ifndef FM_MAPPERS_NATIVE_COMPILE_UNIT_WORKER_H
#define FM_MAPPERS_NATIVE_COMPILE_UNIT_WORKER_H

#include "mappers/native/compile/unit_evidence.h"
#include "mappers/native/compile/unit_output.h"

struct fm_unit_worker {
    struct fm_dw_worker *worker; /* worker of the DWARF backend; NULL until it is needed */
    struct fm_unit_model model;
    struct fm_unit_output output;
    struct fm_unit_evidence evidence;
    framemap_status status; /* why the visitor stopped the walk */
    /* set by the caller: most of the unit need not be decoded, because only the given intervals are needed */
    bool only_intervals;
    bool lines_in_functions; /* line rows outside of functions are ignored (FM_DEBUGINFO_LINES_IN_FUNCTIONS) */
    /* path of the file that has the unit's debug info (split DWARF); empty: this file has enough debug info */
    framemap_str split_file;
    struct fm_key *homes; /* offsets of the entries whose enclosing scopes are needed, with the numbers of their
                             identities */
    uint64_t *home_offsets;
    framemap_str *scopes;
    size_t home_count, home_capacity, offset_capacity, scope_capacity;
    size_t entered;                       /* functions and inlined instances in the unit so far */
    void (*release_pages)(void *context); /* called from time to time while a large unit is read, and after it, so that
                                             the caller may release pages of debug info */
    void *context;
};

void fm_unit_worker_init(struct fm_unit_worker *work, struct fm_heap *heap, const struct fm_image *image,
                         const struct fm_symbol_fallback *symbols, unsigned flags, void (*release_pages)(void *context),
                         void *context);
void fm_unit_worker_free(struct fm_unit_worker *work); /* frees everything but `worker` */

/* Fills the batch with what the unit has in these address intervals, which are ascending. `worker` belongs to `reader`.
 * The result is in batch->status and batch->error. If it is CORRUPT, only this unit is lost: batch->unit_lost is set,
 * batch->error has the reason, and the other records are not valid. */
void fm_unit_worker_run(struct fm_unit_worker *work, const struct fm_dw_backend *reader, struct fm_dw_worker *worker,
                        uint32_t number, const struct fm_address_segment *intervals, size_t count,
                        struct fm_unit_batch *batch);

#endif
