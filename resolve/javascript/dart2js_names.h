/* Restores names that dart2js minified, from an index of its source map, which has them as attributes
 * (mappers/javascript/sourcemap/sourcemap_dart2js.h). */
#ifndef FM_RESOLVE_JAVASCRIPT_DART2JS_NAMES_H
#define FM_RESOLVE_JAVASCRIPT_DART2JS_NAMES_H

#include "index/read/view.h"

/* Whether the index has any minified names. */
bool fm_has_minified(const struct fm_view *view);
/* Gets the original name of a type, printed as "minified:Bh", or of a member, "aB"; *out is borrowed from the view.
 * false: the original name is unknown. */
bool fm_minified_original(const struct fm_view *view, framemap_str printed, framemap_str *out);

#endif
