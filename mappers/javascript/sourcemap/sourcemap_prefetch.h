/* Optional second thread for big maps: it packs the segments that the first thread decodes, and hashes the text while
 * there are no segments to pack. The result is the same as with one thread. */
#ifndef FM_MAPPERS_JAVASCRIPT_SOURCEMAP_SOURCEMAP_PREFETCH_H
#define FM_MAPPERS_JAVASCRIPT_SOURCEMAP_SOURCEMAP_PREFETCH_H

#include "core/heap.h"
#include "index/write/segment_builder.h"

/* A second thread pays for maps of at least this many bytes, if their mappings have at least a quarter as many
 * bytes. */
#define FM_SOURCEMAP_PREFETCH_MIN_BYTES ((size_t)512 << 10)
#define FM_SOURCEMAP_PREFETCH_BATCH ((size_t)2048) /* segments per batch: about ten microseconds of work */

/* A batch of segments, in memory from the heap. */
struct fm_sourcemap_segment_batch {
    struct fm_segment *segments;
    size_t count, capacity;
};

struct fm_sourcemap_prefetch;
/* Starts the thread, which begins to hash `text`. NULL: no thread or memory is available; then the caller does all the
 * work itself. */
struct fm_sourcemap_prefetch *fm_sourcemap_prefetch_start(struct fm_heap *heap, struct fm_builder *builder,
                                                          framemap_str text);
/* Passes a batch to the thread; batches must come in text order. The batch that the caller gets back is empty, and has
 * other memory or none. Until fm_sourcemap_prefetch_wait no other thread may use the builder's segments, sources and
 * names. */
void fm_sourcemap_prefetch_push(struct fm_sourcemap_prefetch *prefetch, struct fm_sourcemap_segment_batch *batch);
/* Waits until all batches are packed. Returns the first error of fm_builder_segments. */
framemap_status fm_sourcemap_prefetch_wait(struct fm_sourcemap_prefetch *prefetch, framemap_error *error);
/* Cancels the hash: the thread need not compute it. */
void fm_sourcemap_prefetch_skip_hash(struct fm_sourcemap_prefetch *prefetch);
/* Waits for the hash, unless it was skipped; ends the thread and frees everything. NULL is allowed. */
void fm_sourcemap_prefetch_stop(struct fm_sourcemap_prefetch *prefetch, unsigned char digest[32]);

#endif
