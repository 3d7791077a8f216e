/* Batch lookup: resolves many positions of one index to short frames. Called by api/. */
#ifndef FM_RESOLVE_NATIVE_LOOKUP_MANY_H
#define FM_RESOLVE_NATIVE_LOOKUP_MANY_H

#include "core/heap.h"
#include "index/read/view.h"
#include <framemap/index.h>

/* Resolves many positions, for views of positions: see framemap_index_lookup_many. frame_room: capacity of the last
 * frame list of the same caller, 0 at first; updated, so that a warm call allocates once. */
framemap_status fm_resolve_many(const struct fm_view *view, const framemap_query *query, const uint64_t *positions,
                                size_t count, struct fm_arena *arena, size_t *frame_room, framemap_location_list *out,
                                framemap_error *error);

/* Resolves one position alone. */
framemap_status fm_resolve_location(const struct fm_view *view, const framemap_query *query, uint64_t position,
                                    struct fm_arena *arena, framemap_location_list *out, framemap_error *error);

#endif
