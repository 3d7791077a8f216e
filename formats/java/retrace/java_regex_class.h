/* Translates character classes and properties of Java's regular expressions. Called by java_regex.c. */
#ifndef FM_FORMATS_JAVA_RETRACE_JAVA_REGEX_CLASS_H
#define FM_FORMATS_JAVA_RETRACE_JAVA_REGEX_CLASS_H

#include "formats/java/retrace/java_regex_parts.h"

/* Translates a property, \p{…} or \P{…}, after its letter has been read. */
bool fm_regex_property(struct fm_regex *regex, bool negated, struct fm_buf *out);
/* Translates a character class, after its "[" has been read, into an expression that matches one character. */
bool fm_regex_class(struct fm_regex *regex, struct fm_buf *out, unsigned depth);

#endif
