/* One frame line of a Java stack: which of its bytes are class, method, source and line number, and whether it is a
 * frame line at all. Called by java_trace.c and java_print.c. */
#ifndef FM_FORMATS_JAVA_JAVA_ROW_H
#define FM_FORMATS_JAVA_JAVA_ROW_H

#include "formats/format.h"
#include "formats/java/java_row_split.h"

/* How much evidence makes a line a frame line. */
enum fm_java_trust {
    FM_JAVA_ALONE = 0, /* the line has no context: the source must look like a Java source */
    FM_JAVA_IN_STACK   /* the line above is a frame line: the shape suffices */
};
/* Parses the body of a line, or the raw text of a frame. Takes linear time. Returns false if it is not a frame line. */
bool fm_java_row_parse(framemap_str body, enum fm_java_trust trust, struct fm_java_row *out);
/* Finds the next frame on a line with several. rest: the text after a frame on its line. Takes linear time. Returns
 * false if there is none. */
bool fm_java_row_next(framemap_str rest, struct fm_java_row *out);
/* Returns where a frame ends: after its parenthesis and the packaging that logback and log4j add, " ~[app.jar:1.2]". */
const char *fm_java_row_end(const struct fm_java_row *row);

#endif
