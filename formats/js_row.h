/* One row of a JavaScript stack, in either of the two ways that engines write them:
 *
 *     at NAME (PLACE)        V8 (Chrome, Node, Edge, Deno), Hermes; without a name "at PLACE"
 *     NAME@PLACE             SpiderMonkey (Firefox), JavaScriptCore (Safari, React Native)
 */
#ifndef FM_FORMATS_JS_ROW_H
#define FM_FORMATS_JS_ROW_H

#include "formats/js_place.h"

enum fm_js_engine { FM_JS_V8, FM_JS_HERMES, FM_JS_SPIDERMONKEY, FM_JS_JSC };

struct fm_js_row {
    framemap_str head;     /* all before the name: blanks, "at ", "async ", SpiderMonkey's "promise callback*" */
    framemap_str function; /* as printed ("new A", "Object.f [as g]", "outer/<"); absent where the row has none */
    framemap_str where;    /* the place as printed, without the parentheses around it */
    framemap_str tail;     /* what stands behind the place and its parenthesis: " {" of Node's console, quotes */
    struct fm_js_place place;
    bool sure;    /* it is a row even where nothing around it is known */
    bool telling; /* only `engine` writes such a row; else it is the one that is taken for lack of better knowledge */
    enum fm_js_engine engine;
};

/* body: a line's body, or a frame's raw. Linear. false: no row. */
bool fm_js_row_at(framemap_str body, struct fm_js_row *out);
/* in_stack: a row stands right above, so that a place without '@', or a '@' without a place, is one too. */
bool fm_js_row_sign(framemap_str body, bool in_stack, struct fm_js_row *out);
/* Either, told by its first bytes, as a row of a stack. */
bool fm_js_row(framemap_str body, struct fm_js_row *out);

#endif
