/* Names of classes and methods in Java stacks: which bytes belong to them, and where they end. Called by java_row.c and
 * others of java/. */
#ifndef FM_FORMATS_JAVA_JAVA_NAME_H
#define FM_FORMATS_JAVA_JAVA_NAME_H

#include "core/text/text.h"

/* Classes of bytes. R8's retrace takes every byte that does not end a name as part of a class or method name. */
enum fm_java_byte {
    FM_JAVA_PLAIN = 0,
    FM_JAVA_DOT,
    FM_JAVA_SLASH,
    FM_JAVA_ODD,
    FM_JAVA_STOPS, /* ends a name, except a name that is alone on its line */
    FM_JAVA_ENDS
};
extern const unsigned char fm_java_bytes[256]; /* enum fm_java_byte */

static inline bool fm_java_ends_name(char c) { return fm_java_bytes[(unsigned char)c] == FM_JAVA_ENDS; }

/* Returns the size of the class name that `text` begins with, dots included; 0 if there is none. */
size_t fm_java_name(framemap_str text);

/* Where a run of PLAIN and DOT bytes that begins at `from` ends. May stop early, but not at an ASCII letter or digit,
 * '.',
 * '$', '-' or '_', which make up nearly all names. */
size_t fm_java_run_end(framemap_str text, size_t from);

/* A run of such bytes and '/' at the start of a text. */
struct fm_java_run {
    size_t end;
    size_t dot; /* offset of the last dot; SIZE_MAX: there is none */
    bool slashed;
};
struct fm_java_run fm_java_run_of(framemap_str text);

#endif
