/* A second thread for a big map: it packs the segments that the first one decodes, and hashes the text while there are none. What is made is the same. */
#ifndef FM_SM_HELPER_H
#define FM_SM_HELPER_H

#include "core/heap.h"
#include "index/write/segment_builder.h"

#define FM_SM_HELPER_LEAST \
    ((size_t)512 << 10)                   /* bytes of a map, and a fourth of it of mappings: below them a thread costs more than it gives */
#define FM_SM_HELPER_BATCH ((size_t)2048) /* segments at a time: some ten microseconds of work */

/* Segments in memory of the heap. */
struct fm_sm_batch {
    struct fm_segment *segments;
    size_t count, capacity;
};

struct fm_sm_helper;
/* Begins to hash. NULL: no thread or memory is to be had, the work is to be done without. */
struct fm_sm_helper *fm_sm_helper_begin(struct fm_heap *heap, struct fm_builder *builder, framemap_str text);
/* Gives a batch away, in the order of the text; what comes back is empty and may have other memory, or none. Until fm_sm_helper_wait nobody else may use the
 * builder's segments, sources and names. */
void fm_sm_helper_give(struct fm_sm_helper *helper, struct fm_sm_batch *batch);
/* Until all that was given is packed. The first failure of fm_builder_segments. */
framemap_status fm_sm_helper_wait(struct fm_sm_helper *helper, framemap_error *error);
/* The hash is not wanted. */
void fm_sm_helper_skip_hash(struct fm_sm_helper *helper);
/* Waits for the hash, if it is wanted, ends the thread and frees all; NULL is allowed. */
void fm_sm_helper_end(struct fm_sm_helper *helper, unsigned char digest[32]);

#endif
