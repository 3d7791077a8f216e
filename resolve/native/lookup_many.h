/* Many positions of one index at once, in brief. */
#ifndef FM_RESOLVE_NATIVE_LOOKUP_MANY_H
#define FM_RESOLVE_NATIVE_LOOKUP_MANY_H

#include "core/heap.h"
#include "index/read/view.h"
#include <framemap/index.h>

/* Many positions at once, for views of positions: see framemap_index_lookup_many. frame_room: how many frames the last
 * list of the same caller had room for, 0 at first; brought up to date, so that a warm call takes memory once. */
framemap_status fm_resolve_many(const struct fm_view *view, const framemap_query *query, const uint64_t *positions,
                                size_t count, struct fm_arena *arena, size_t *frame_room, framemap_brief_list *out,
                                framemap_error *error);

/* One of them alone. */
framemap_status fm_resolve_brief(const struct fm_view *view, const framemap_query *query, uint64_t position,
                                 struct fm_arena *arena, framemap_brief_list *out, framemap_error *error);

#endif
