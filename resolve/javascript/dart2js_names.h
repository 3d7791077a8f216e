/* Names that Dart's compiler to JavaScript minified, by the index of its source map, which keeps them as attributes
 * (mappers/javascript/sourcemap/sourcemap_dart2js.h). */
#ifndef FM_RESOLVE_JAVASCRIPT_DART2JS_NAMES_H
#define FM_RESOLVE_JAVASCRIPT_DART2JS_NAMES_H

#include "index/read/view.h"

/* Whether the index tells any. */
bool fm_has_minified(const struct fm_view *view);
/* The original of "minified:Bh", a type, or of "aB", a member. The view's own. false: it is not known. */
bool fm_minified_original(const struct fm_view *view, framemap_str printed, framemap_str *out);

#endif
