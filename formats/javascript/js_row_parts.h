/* One row of a JavaScript stack, in the ways that engines, consoles and reporters write them:
 *
 *     at NAME (PLACE)        V8 (Chrome, Node, Edge, Deno), Hermes, Bun; without a name "at PLACE"
 *     NAME@PLACE             SpiderMonkey (Firefox), JavaScriptCore (Safari, React Native)
 *     NAME (PLACE)           Safari's console, Expo's "Call Stack"
 *     NAME FILE:1:2          Firefox' console
 *     NAME                   React Native's red box, on two lines
 *         FILE:1:2
 *     in NAME (at FILE:12)   React's components up to version 16
 */
#ifndef FM_FORMATS_JAVASCRIPT_JS_ROW_PARTS_H
#define FM_FORMATS_JAVASCRIPT_JS_ROW_PARTS_H

#include "formats/javascript/js_location.h"

enum fm_js_engine { FM_JS_V8, FM_JS_HERMES, FM_JS_SPIDERMONKEY, FM_JS_JSC };
enum fm_js_way { FM_JS_AT, FM_JS_SIGN, FM_JS_BARE, FM_JS_CONSOLE, FM_JS_BOX, FM_JS_IN };

struct fm_js_row {
    framemap_str head;     /* all before the name: blanks, "at ", "async ", SpiderMonkey's "promise callback*" */
    framemap_str function; /* as printed ("new A", "Object.f [as g]", "outer/<"); absent where the row has none */
    framemap_str where;    /* the place as printed, without the parentheses around it */
    framemap_str tail;     /* what stands behind the place and its parenthesis: " {" of Node's console, quotes */
    struct fm_js_location place;
    bool plain;   /* "at NAME (FILE:1:2)", "at NAME (address at FILE:1:2)" or without name and parentheses, of which it
                     has no others */
    bool sure;    /* it is a row even where nothing around it is known */
    bool telling; /* only `engine` writes such a row; else it is the one that is taken for lack of better knowledge */
    enum fm_js_engine engine;
    enum fm_js_way way;
};

/* The text between two positions of one line. */
static inline framemap_str fm_js_between(const char *from, const char *to) { return fm_str(from, (size_t)(to - from)); }
/* The text without trailing blanks, quotes, commas and " {", which are not part of the frame. Linear. */
framemap_str fm_js_without_tail(framemap_str text);

#endif
