/* Finds names that dart2js minified, in stacks and in the lines above them: types are marked as "minified:Bh",
 * members have no mark. Called by js_trace.c. */
#ifndef FM_FORMATS_JAVASCRIPT_JS_MINIFIED_H
#define FM_FORMATS_JAVASCRIPT_JS_MINIFIED_H

#include "formats/format.h"

/* Finds the next minified name, a slice of the line: "minified:Bh" as a whole. With `members`, also a name that an
 * engine's message uses as a member: "aB" in "Cannot read property 'aB' of null" or "s.aB is not a function". *at: 0
 * at first. All calls together take time linear in the line. Returns false if there is no further name. */
bool fm_js_minified(framemap_str line, bool members, size_t *at, framemap_str *out);

/* Whether a line may contain "minified:". */
bool fm_js_may_be_minified(framemap_str line);

/* Whether the file name is one that dart2js writes: "main.dart.js", "main.dart.js_2.part.js". */
bool fm_js_is_dart(framemap_str file);

#endif
