/* Names that Dart's compiler to JavaScript minified, where stacks and what stands above them print them: types as
 * "minified:Bh", members as they are. */
#ifndef FM_FORMATS_JAVASCRIPT_JS_MINIFIED_H
#define FM_FORMATS_JAVASCRIPT_JS_MINIFIED_H

#include "formats/format.h"

/* The next name of a line, a slice of it: "minified:Bh" whole, and with `members` what an engine calls a member, "aB"
 * of "Cannot read property 'aB' of null" or "s.aB is not a function". at: begins at 0. Linear over all calls. false:
 * there is none. */
bool fm_js_minified(framemap_str line, bool members, size_t *at, framemap_str *out);

/* Whether a line may have one where members are not asked for. */
bool fm_js_may_be_minified(framemap_str line);

/* Whether a script is one that Dart's compiler writes by its name: "main.dart.js", "main.dart.js_2.part.js". */
bool fm_js_is_dart(framemap_str file);

#endif
