/* The line above a JavaScript stack: which error it is of. */
#ifndef FM_FORMATS_JAVASCRIPT_JS_HEADING_H
#define FM_FORMATS_JAVASCRIPT_JS_HEADING_H

#include "formats/format.h"

/* Name and message in a line, "TypeError: x" of "Uncaught TypeError: x" or "  [cause]: TypeError: x". near: the line
 * stands right above the stack, so that any name and any error without a word for it will do. Linear. false: none. */
bool fm_js_head(framemap_str body, bool near, framemap_str *error);
/* A line between rows that is none, but of the stack: "... skipping 12 frames", a component of the host ("in View", "at
 * div"), a line of the source
 * ("> 12 | throw x"). */
bool fm_js_is_gap(framemap_str body);
/* A line that ends in the words after which React Native prints rows without a file. */
bool fm_js_announces(framemap_str body);
/* A line above rows that have neither an "at" nor an '@': "Call Stack", "[Error] TypeError: x" of Safari's console. */
bool fm_js_announces_bare(framemap_str body);

#endif
