/* The split form: an index as values of a key-value store, each of which is an index of its own (docs/kv-format.md).
 * Called by api/ and by the tests. */
#ifndef FM_INDEX_SPLIT_SPLIT_H
#define FM_INDEX_SPLIT_SPLIT_H

#include "index/read/view.h"

/* Receives one value and the field of its key: "page:1f", "class:a.b.c" or "head". Both live until the call returns. */
struct fm_split_sink {
    framemap_status (*put)(void *context, framemap_str field, framemap_str value, framemap_error *error);
    void *context;
};

/* Writes all values of an index, the head last. Errors: ARGUMENT (the index is a head), CORRUPT, LIMIT, MEMORY, and
 * those of the sink, which end the call. */
framemap_status fm_split(const struct fm_view *view, struct fm_heap *heap, const struct fm_split_sink *sink,
                         framemap_error *error);

#endif
