/* Resolves one query to an index of positions, for native code or a Dart snapshot: its entry in the table of resolve.c.
 */
#ifndef FM_RESOLVE_NATIVE_NATIVE_RESOLVE_H
#define FM_RESOLVE_NATIVE_NATIVE_RESOLVE_H

#include "core/heap.h"
#include "index/read/view.h"
#include <framemap/index.h>

/* As fm_resolve; for views of the position form only. */
framemap_status fm_resolve_native(const struct fm_view *view, const framemap_query *query, struct fm_arena *arena,
                                  framemap_frame *out, framemap_error *error);

#endif
