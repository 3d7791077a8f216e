/* A place in a generated text to its place in a source, by what a source map says (index/read/segments/segment_view.h).
 */
#ifndef FM_RESOLVE_JAVASCRIPT_JS_RESOLVE_H
#define FM_RESOLVE_JAVASCRIPT_JS_RESOLVE_H

#include "core/heap.h"
#include "index/read/view.h"
#include <framemap/index.h>

/* The query's scope_number is the generated line and its position the column, both from 0. For bytecode the line is the
 * segment, and an address of either kind is the column as it is. Nothing is stepped back for return addresses: a
 * script's frames stand on the call itself. The answer is one frame or none: NO_MATCH where no segment of the line
 * begins at or before the column, and where the map says that the place is of no source; SYMBOL where the map has line
 * and column but no address of the source. As fm_resolve else; for views of the segment form only. */
framemap_status fm_resolve_js(const struct fm_view *view, const framemap_query *query, struct fm_arena *arena,
                              framemap_frame *out, framemap_error *error);

#endif
