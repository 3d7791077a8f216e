/* Records of an opened index, given to a builder again. */
#ifndef FM_INDEX_COPY_H
#define FM_INDEX_COPY_H

#include "index/builder.h"
#include "index/tables.h"

/* Gives the builder what the index is about and all entries of the spots [begin, end) of its line; what covers `begin` begins there.
 * CORRUPT, and the builder's own. */
framemap_status fm_copy_spots(const struct fm_view *view, uint64_t begin, uint64_t end, struct fm_builder *builder, struct fm_heap *heap,
                              framemap_error *error);

#endif
