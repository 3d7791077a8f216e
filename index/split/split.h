/* The split form: an index as values of a key-value store, each of which is an index of its own (docs/kv-format.md).
 * Called by api/ and by the tests. */
#ifndef FM_INDEX_SPLIT_SPLIT_H
#define FM_INDEX_SPLIT_SPLIT_H

#include "index/split/split_sink.h"

/* Writes all values of an index, the head last. Errors: ARGUMENT (the index is a head), CORRUPT, LIMIT, MEMORY, and
 * those of the sink, which end the call. */
framemap_status fm_split(const struct fm_view *view, struct fm_heap *heap, const struct fm_split_sink *sink,
                         framemap_error *error);

#endif
