/* Batch lookup: resolves many positions of one index to short frames. Called by api/. */
#ifndef FM_RESOLVE_NATIVE_LOOKUP_MANY_H
#define FM_RESOLVE_NATIVE_LOOKUP_MANY_H

#include "core/heap.h"
#include "index/read/view.h"
#include <framemap/index.h>

/* Resolves many positions of a view of the position form; see framemap_index_lookup_many. *frame_room: capacity of the
 * caller's last frame list, 0 at first; it is updated, so that later calls allocate only once. */
framemap_status fm_resolve_many(const struct fm_view *view, const framemap_query *query, const uint64_t *positions,
                                size_t count, struct fm_arena *arena, size_t *frame_room, framemap_location_list *out,
                                framemap_error *error);

/* Resolves one position to a short answer, like one of a batch. */
framemap_status fm_resolve_location(const struct fm_view *view, const framemap_query *query, uint64_t position,
                                    struct fm_arena *arena, framemap_location_list *out, framemap_error *error);

#endif
