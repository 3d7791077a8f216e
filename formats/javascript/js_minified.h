/* Names minified by dart2js, in stacks and the lines above them: types as "minified:Bh", members without a mark. Called
 * by js_trace.c. */
#ifndef FM_FORMATS_JAVASCRIPT_JS_MINIFIED_H
#define FM_FORMATS_JAVASCRIPT_JS_MINIFIED_H

#include "formats/format.h"

/* Finds the next name, a slice of the line: "minified:Bh" as a whole, and with `members` what an engine names as a
 * member, "aB" in "Cannot read property 'aB' of null" or "s.aB is not a function". *at starts at 0. All calls together
 * take time linear in the message. Returns false if there is none. */
bool fm_js_minified(framemap_str line, bool members, size_t *at, framemap_str *out);

/* Whether a line may contain a name, if `members` is false. */
bool fm_js_may_be_minified(framemap_str line);

/* Whether the file name is one that dart2js writes: "main.dart.js", "main.dart.js_2.part.js". */
bool fm_js_is_dart(framemap_str file);

#endif
