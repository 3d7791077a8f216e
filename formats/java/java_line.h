/* Handles a line with more than one Java frame, or with other text around a frame. Called by java_trace.c. */
#ifndef FM_FORMATS_JAVA_JAVA_LINE_H
#define FM_FORMATS_JAVA_JAVA_LINE_H

#include "formats/java/java_heading.h"
#include "formats/java/java_row.h"

/* Whether the text after the only frame of a line may be repeated on each line that is printed for the frame. Such a
 * text is empty, a comma, an HTML line break, or a quote that closes a quote in `before`. */
bool fm_java_line_repeats(framemap_str before, framemap_str rest);
/* Finds the exception in the text before the first frame of a line. The exception begins at the start of the text, or
 * after a tag, a quote or a CSV column. head->kind: TITLE, CAUSE, WORD or NONE. Takes time linear in the text, times
 * FM_JAVA_LINE_STARTS. */
#define FM_JAVA_LINE_STARTS 16
void fm_java_line_head(framemap_str before, struct fm_java_head *head);
/* Whether the text before the only frame of a line belongs to this line only. If so, it is not repeated on further
 * lines, while a log prefix is. */
bool fm_java_line_is_own(framemap_str before, const struct fm_java_head *head);
/* Finds the next cause, such as "Caused by: a.b: c", in the text between two frames. The search begins at *at, which
 * is set to the end of the cause. Returns false if not found. */
bool fm_java_line_cause(framemap_str between, size_t *at, struct fm_java_head *head);

#endif
