/* The parts of one row of a JavaScript stack, in the syntaxes of engines, consoles and reporters:
 *
 *     at NAME (PLACE)        V8 (Chrome, Node, Edge, Deno), Hermes, Bun; without a name "at PLACE"
 *     NAME@PLACE             SpiderMonkey (Firefox), JavaScriptCore (Safari, React Native)
 *     NAME (PLACE)           Safari's console, Expo's "Call Stack"
 *     NAME FILE:1:2          Firefox' console
 *     NAME                   React Native's red box, on two lines
 *         FILE:1:2
 *     ❯ NAME FILE:1:2        Vitest
 *     in NAME (at FILE:12)   React's components up to version 16
 *     NAME @ FILE:12         the call tree of Chrome's console
 *     NAME(PLACE)            the first row of NativeScript, above rows with "at"
 *     Frame: function:'NAME', file:'FILE', line: 1, column: 2     NativeScript on Android */
#ifndef FM_FORMATS_JAVASCRIPT_JS_ROW_PARTS_H
#define FM_FORMATS_JAVASCRIPT_JS_ROW_PARTS_H

#include "formats/javascript/js_location.h"

enum fm_js_engine { FM_JS_V8, FM_JS_HERMES, FM_JS_SPIDERMONKEY, FM_JS_JSC, FM_JS_OTHER };
enum fm_js_way {
    FM_JS_AT,
    FM_JS_SIGN,
    FM_JS_BARE,
    FM_JS_CONSOLE,
    FM_JS_BOX,
    FM_JS_IN,
    FM_JS_CALL_TREE,
    FM_JS_FIELDS,
    FM_JS_POINTER
};

struct fm_js_row {
    framemap_str head; /* text before the name: blanks, "at ", "async ", SpiderMonkey's "promise callback*" */
    /* function as printed ("new A", "Object.f [as g]", "outer/<"); absent if the row has no function */
    framemap_str function;
    framemap_str where; /* the location as printed, without parentheses */
    framemap_str tail; /* text after the location and its parenthesis: quotes, or the " {" that Node's console prints */
    /* the error before the frame, if it is on the same line: "TypeError: x" in "TypeError: x: f@main.js:1:2"; else
     * absent */
    framemap_str title;
    struct fm_js_location place;
    /* the row has one of the plain forms "at NAME (FILE:1:2)" and "at NAME (address at FILE:1:2)", with or without the
     * name and the parentheses around the location, and no other parentheses */
    bool plain;
    bool sure;     /* the text is accepted as a row even if nothing is known about the lines around it */
    bool is_async; /* the function awaits the frames above it: "async f", "promise callback*f" */
    /* only the engine `engine` prints rows of this form; otherwise `engine` is an assumption */
    bool engine_is_sure;
    bool is_dashed; /* the row is copied from Safari's console: "NAME \xE2\x80\x94 FILE:1:2", with a dash */
    enum fm_js_engine engine;
    enum fm_js_way way;
};

/* Returns the text between two positions of the same line. */
static inline framemap_str fm_js_between(const char *from, const char *to) { return fm_str(from, (size_t)(to - from)); }
/* Returns the text without blanks, quotes, commas and " {" at its end, which are not part of the row. Takes linear
 * time. */
framemap_str fm_js_without_tail(framemap_str text);
/* Returns the text without ", js engine: hermes" at its end, which React Native adds to a message that ends with
 * React's component stack. */
framemap_str fm_js_without_engine(framemap_str text);

#endif
