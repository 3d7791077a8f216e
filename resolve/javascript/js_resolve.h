/* Resolves a position in generated JavaScript to a position in a source, by a source map (ECMA-426). Called by
 * resolve.c. */
#ifndef FM_RESOLVE_JAVASCRIPT_JS_RESOLVE_H
#define FM_RESOLVE_JAVASCRIPT_JS_RESOLVE_H

#include "core/heap.h"
#include "index/read/view.h"
#include <framemap/index.h>

/* Resolves a query whose scope_number is the generated line and whose position is the column, both from 0. For bytecode
 * the line is the segment, and the column is the address. return_address has no effect: frames of JavaScript are at the
 * call itself. The status is NO_MATCH where no segment of the line starts at or before the column, and where the map
 * says that the position has no source; SYMBOL where the map has line and column but no URL of the source. Everything
 * else is as with fm_resolve; the view must be of the segment form. */
framemap_status fm_resolve_js(const struct fm_view *view, const framemap_query *query, struct fm_arena *arena,
                              framemap_frame *out, framemap_error *error);

#endif
