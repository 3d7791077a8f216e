/* One thread's way from a unit to a batch: it is walked into a model, settled and written. */
#ifndef FM_MAPPERS_NATIVE_COMPILE_UNIT_WORKER_H
#define FM_MAPPERS_NATIVE_COMPILE_UNIT_WORKER_H

#include "mappers/native/compile/unit_evidence.h"
#include "mappers/native/compile/unit_output.h"

struct fm_unit_worker {
    struct fm_dw_worker *worker; /* of the reader; NULL until it is needed */
    struct fm_unit_model model;
    struct fm_unit_output output;
    struct fm_unit_evidence evidence;
    framemap_status status;  /* why the visitor stopped the walk */
    bool only_intervals;     /* the caller's to set: nothing else of a unit is asked for, so that most of it need not be
                                understood */
    bool lines_in_functions; /* of the flags */
    framemap_str
        split_file;       /* path of the file that has the unit's debug info; empty: this one has it, or enough of it */
    struct fm_key *homes; /* of identities whose scopes are wanted, with their numbers */
    uint64_t *home_offsets;
    framemap_str *scopes;
    size_t home_count, home_capacity, offset_capacity, scope_capacity;
    size_t entered;                       /* functions and inlined instances of the unit, so far */
    void (*release_pages)(void *context); /* told now and then while a large unit is read, and then: pages of debug info
                                      that were read can be let go of */
    void *context;
};

void fm_unit_worker_init(struct fm_unit_worker *work, struct fm_heap *heap, const struct fm_image *image,
                         const struct fm_symbol_fallback *symbols, unsigned flags, void (*release_pages)(void *context),
                         void *context);
void fm_unit_worker_free(struct fm_unit_worker *work); /* all but the worker */

/* Fills the batch with what the unit says of these intervals, which rise. How it ended, batch->status and batch->error
 * tell. worker: of that reader. CORRUPT, UNSUPPORTED: the unit alone is lost (batch->unit_lost, the reason in
 * batch->error), and nothing else in the batch is of use. */
framemap_status fm_unit_worker_run(struct fm_unit_worker *work, const struct fm_dw_backend *reader,
                                   struct fm_dw_worker *worker, uint32_t number,
                                   const struct fm_address_segment *intervals, size_t count,
                                   struct fm_unit_batch *batch);

#endif
