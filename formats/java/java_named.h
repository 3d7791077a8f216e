/* Classes that the message of an exception names: "class a.b cannot be cast to class c.d". Called by java_trace.c. */
#ifndef FM_FORMATS_JAVA_JAVA_NAMED_H
#define FM_FORMATS_JAVA_JAVA_NAMED_H

#include "core/text/text.h"

/* Finds the next dotted name in a message, from *at on, as in "class a.b cannot be cast to class c.d". For a member in
 * quotes it returns all text between the quotes, as in "'void a.b.c(int)' on a null object reference". Returns false if
 * there is none. */
bool fm_java_named(framemap_str message, size_t *at, framemap_str *name);

#endif
