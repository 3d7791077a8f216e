/* Answers one query from an index of positions, of native code or of a Dart snapshot. Called by resolve.c. */
#ifndef FM_RESOLVE_NATIVE_NATIVE_RESOLVE_H
#define FM_RESOLVE_NATIVE_NATIVE_RESOLVE_H

#include "core/heap.h"
#include "index/read/view.h"
#include <framemap/index.h>

/* Resolves a query as fm_resolve does; the view must be of the position form. */
framemap_status fm_resolve_native(const struct fm_view *view, const framemap_query *query, struct fm_arena *arena,
                                  framemap_frame *out, framemap_error *error);

#endif
