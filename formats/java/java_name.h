/* Names of Java as stacks have them: which bytes they are of, and where they end. */
#ifndef FM_FORMATS_JAVA_JAVA_NAME_H
#define FM_FORMATS_JAVA_JAVA_NAME_H

#include "core/text/text.h"

/* Bytes of which a name takes note: what ends it wherever it comes (R8's retrace takes all else for names of classes
 * and methods), and what stands between its parts. */
enum fm_java_byte {
    FM_JAVA_PLAIN = 0,
    FM_JAVA_DOT,
    FM_JAVA_SLASH,
    FM_JAVA_ODD,
    FM_JAVA_STOPS, /* a name of its own, but not one in a row */
    FM_JAVA_ENDS
};
extern const unsigned char fm_java_bytes[256]; /* enum fm_java_byte */

static inline bool fm_java_ends_name(char c) { return fm_java_bytes[(unsigned char)c] == FM_JAVA_ENDS; }

/* One class name: a run of what may stand in one, from `text` on, dots included; 0 bytes: none begins here. */
size_t fm_java_name(framemap_str text);

/* Where a run of PLAIN and DOT that begins at `from` ends; it may end sooner, but not at a letter or digit of ASCII,
 * '.', '$', '-' or '_', of which nearly all names are. */
size_t fm_java_run_end(framemap_str text, size_t from);

/* A run of such bytes and of '/' that a text begins with. */
struct fm_java_run {
    size_t end;
    size_t dot; /* the last one in it; SIZE_MAX: none */
    bool slashed;
};
struct fm_java_run fm_java_run_of(framemap_str text);

#endif
