/* Classes and properties in Java's regular expressions. Called by java_regex.c. */
#ifndef FM_FORMATS_JAVA_RETRACE_JAVA_REGEX_CLASS_H
#define FM_FORMATS_JAVA_RETRACE_JAVA_REGEX_CLASS_H

#include "formats/java/retrace/java_regex_parts.h"

/* \p{…} and \P{…}, after the letter. */
bool fm_regex_property(struct fm_regex *regex, bool negated, struct fm_buf *out);
/* A class, after its "[". Appends an expression of one character. */
bool fm_regex_class(struct fm_regex *regex, struct fm_buf *out, unsigned depth);

#endif
