/* A second thread for a big map: it packs the segments that the first one decodes, and hashes the text while there are
 * none. What is made is the same. */
#ifndef FM_MAPPERS_JAVASCRIPT_SOURCEMAP_SOURCEMAP_PREFETCH_H
#define FM_MAPPERS_JAVASCRIPT_SOURCEMAP_SOURCEMAP_PREFETCH_H

#include "core/heap.h"
#include "index/write/segment_builder.h"

#define FM_SOURCEMAP_HELPER_LEAST \
    ((size_t)512                  \
     << 10) /* bytes of a map, and a fourth of it of mappings: below them a thread costs more than it gives */
#define FM_SOURCEMAP_HELPER_BATCH ((size_t)2048) /* segments at a time: some ten microseconds of work */

/* Segments in memory of the heap. */
struct fm_sourcemap_batch {
    struct fm_segment *segments;
    size_t count, capacity;
};

struct fm_sourcemap_helper;
/* Begins to hash. NULL: no thread or memory is to be had, the work is to be done without. */
struct fm_sourcemap_helper *fm_sourcemap_helper_begin(struct fm_heap *heap, struct fm_builder *builder,
                                                      framemap_str text);
/* Gives a batch away, in the order of the text; what comes back is empty and may have other memory, or none. Until
 * fm_sourcemap_helper_wait nobody else may use the builder's segments, sources and names. */
void fm_sourcemap_helper_give(struct fm_sourcemap_helper *helper, struct fm_sourcemap_batch *batch);
/* Until all that was given is packed. The first failure of fm_builder_segments. */
framemap_status fm_sourcemap_helper_wait(struct fm_sourcemap_helper *helper, framemap_error *error);
/* The hash is not wanted. */
void fm_sourcemap_helper_skip_hash(struct fm_sourcemap_helper *helper);
/* Waits for the hash, if it is wanted, ends the thread and frees all; NULL is allowed. */
void fm_sourcemap_helper_end(struct fm_sourcemap_helper *helper, unsigned char digest[32]);

#endif
