/* A line that holds more than one row of a Java stack, or text that a row must not take along. */
#ifndef FM_FORMATS_JAVA_JAVA_LINE_H
#define FM_FORMATS_JAVA_JAVA_LINE_H

#include "formats/java/java_heading.h"
#include "formats/java/java_row.h"

/* Whether the rest of a line can be repeated with its only row: nothing, a comma, a closing quote of which `before` has
 * the opening one, a line break of HTML. */
bool fm_java_line_repeats(framemap_str before, framemap_str rest);
/* What was thrown, as the text before the first row of a line says it: after a tag, a quote or a column of CSV, too.
 * head->kind: TITLE, CAUSE, WORD or NONE. Linear in the text, as many times as FM_JAVA_LINE_STARTS. */
#define FM_JAVA_LINE_STARTS 16
void fm_java_line_head(framemap_str before, struct fm_java_head *head);
/* Whether the text before the only row of a line is of this line alone, so that it is not repeated as a logger's prefix
 * is. */
bool fm_java_line_is_own(framemap_str before, const struct fm_java_head *head);
/* The next cause in the text between two rows, from *at on. false: there is none. */
bool fm_java_line_cause(framemap_str between, size_t *at, struct fm_java_head *head);

#endif
