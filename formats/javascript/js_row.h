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
#ifndef FM_FORMATS_JAVASCRIPT_JS_ROW_H
#define FM_FORMATS_JAVASCRIPT_JS_ROW_H

#include "formats/javascript/js_location.h"

enum fm_js_engine { FM_JS_V8, FM_JS_HERMES, FM_JS_SPIDERMONKEY, FM_JS_JSC };
enum fm_js_way { FM_JS_AT, FM_JS_SIGN, FM_JS_BARE, FM_JS_CONSOLE, FM_JS_BOX, FM_JS_IN };

struct fm_js_row {
    framemap_str head;     /* all before the name: blanks, "at ", "async ", SpiderMonkey's "promise callback*" */
    framemap_str function; /* as printed ("new A", "Object.f [as g]", "outer/<"); absent where the row has none */
    framemap_str where;    /* the place as printed, without the parentheses around it */
    framemap_str tail;     /* what stands behind the place and its parenthesis: " {" of Node's console, quotes */
    struct fm_js_place place;
    bool plain;   /* "at NAME (FILE:1:2)", "at NAME (address at FILE:1:2)" or without name and parentheses, of which it
                     has no others */
    bool sure;    /* it is a row even where nothing around it is known */
    bool telling; /* only `engine` writes such a row; else it is the one that is taken for lack of better knowledge */
    enum fm_js_engine engine;
    enum fm_js_way way;
};

/* body: a line's body, or a frame's raw, without colours. Linear. false: no row, *out is of no use. */
bool fm_js_row_at(framemap_str body, bool in_stack, struct fm_js_row *out);
/* in_stack: a row stands right above, so that all rows are sure, and a place without '@', or a '@' without a place, is
 * one too. */
bool fm_js_row_sign(framemap_str body, bool in_stack, struct fm_js_row *out);
/* The ways that are rows only below a line that announces them, or below others of their kind. */
bool fm_js_row_bare(framemap_str body, struct fm_js_row *out);
bool fm_js_row_console(framemap_str body, struct fm_js_row *out);
/* The two lines of a red box, from the first byte of one to the last of the other. */
bool fm_js_row_box(framemap_str lines, struct fm_js_row *out);
bool fm_js_row_in(framemap_str body, struct fm_js_row *out);
/* Any of them, told by its first bytes, as a row of a stack. */
bool fm_js_row(framemap_str body, struct fm_js_row *out);
/* The row that a frame was read from: the same name and file. text: its raw without colours. */
bool fm_js_row_of(const framemap_frame *frame, framemap_str text, struct fm_js_row *out);

/* For the files of rows: text without the quotes, commas and braces that are not the row's; what stands between two
 * places. */
framemap_str fm_js_without_tail(framemap_str text);
static inline framemap_str fm_js_between(const char *from, const char *to) { return fm_str(from, (size_t)(to - from)); }

/* --- colours (js_colour.c) --- */

/* Whether a text has colours within. */
static inline bool fm_js_is_coloured(framemap_str text) { return fm_find(text.data, text.size, '\033') != NULL; }
/* Writes text without its colours, at most as many bytes, and returns how many. Linear. */
size_t fm_js_uncolour(framemap_str text, char *out);
/* Where byte `at` of the text without colours stands in the one with them. Linear. */
size_t fm_js_coloured_at(framemap_str text, size_t at);

#endif
