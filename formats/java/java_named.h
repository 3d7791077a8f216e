/* Finds classes that the message of an exception names: "class a.b cannot be cast to class c.d". Called by
 * java_trace.c. */
#ifndef FM_FORMATS_JAVA_JAVA_NAMED_H
#define FM_FORMATS_JAVA_JAVA_NAMED_H

#include "core/text/text.h"

/* Finds the next name with dots in a message, from offset *at on: "a.b", then "c.d" in "class a.b cannot be cast to
 * class c.d". A method or field in quotes is returned with all text between the quotes: "void a.b.c(int)" of "'void
 * a.b.c(int)' on a null object reference". Returns false if there is no further name. */
bool fm_java_named(framemap_str message, size_t *at, framemap_str *name);

#endif
