/* A second thread for a big map: it packs the segments that the first one decodes, and hashes the text while there are
 * none. What is made is the same. */
#ifndef FM_MAPPERS_JAVASCRIPT_SOURCEMAP_SOURCEMAP_PREFETCH_H
#define FM_MAPPERS_JAVASCRIPT_SOURCEMAP_SOURCEMAP_PREFETCH_H

#include "core/heap.h"
#include "index/write/segment_builder.h"

#define FM_SOURCEMAP_PREFETCH_MIN_BYTES \
    ((size_t)512                        \
     << 10) /* bytes of a map, and a fourth of it of mappings: below them a thread costs more than it gives */
#define FM_SOURCEMAP_PREFETCH_BATCH ((size_t)2048) /* segments at a time: some ten microseconds of work */

/* Segments in memory of the heap. */
struct fm_sourcemap_segment_batch {
    struct fm_segment *segments;
    size_t count, capacity;
};

struct fm_sourcemap_prefetch;
/* Begins to hash. NULL: no thread or memory is to be had, the work is to be done without. */
struct fm_sourcemap_prefetch *fm_sourcemap_prefetch_start(struct fm_heap *heap, struct fm_builder *builder,
                                                          framemap_str text);
/* Gives a batch away, in the order of the text; what comes back is empty and may have other memory, or none. Until
 * fm_sourcemap_prefetch_wait nobody else may use the builder's segments, sources and names. */
void fm_sourcemap_prefetch_push(struct fm_sourcemap_prefetch *prefetch, struct fm_sourcemap_segment_batch *batch);
/* Until all that was given is packed. The first failure of fm_builder_segments. */
framemap_status fm_sourcemap_prefetch_wait(struct fm_sourcemap_prefetch *prefetch, framemap_error *error);
/* The hash is not wanted. */
void fm_sourcemap_prefetch_skip_hash(struct fm_sourcemap_prefetch *prefetch);
/* Waits for the hash, if it is wanted, ends the thread and frees all; NULL is allowed. */
void fm_sourcemap_prefetch_stop(struct fm_sourcemap_prefetch *prefetch, unsigned char digest[32]);

#endif
