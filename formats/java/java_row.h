/* Parses one row of a Java stack: decides whether a line is a row, and which of its bytes are class, method, source
 * and line number. Called by java_trace.c and java_print.c. */
#ifndef FM_FORMATS_JAVA_JAVA_ROW_H
#define FM_FORMATS_JAVA_JAVA_ROW_H

#include "formats/format.h"
#include "formats/java/java_row_split.h"

/* How much a line must look like a Java row to be accepted. */
enum fm_java_trust {
    FM_JAVA_ALONE = 0, /* nothing is known about the lines around this one: the source must look like a Java source */
    FM_JAVA_IN_STACK   /* the line above is a row: the general form suffices */
};
/* Parses the body of a line, or the raw text of a frame. Takes linear time. Returns false if it is not a frame line. */
bool fm_java_row_parse(framemap_str body, enum fm_java_trust trust, struct fm_java_row *out);
/* Finds the next frame on a line with several frames. rest: the text after the previous frame. Takes linear time.
 * Returns false if there is no further frame. */
bool fm_java_row_next(framemap_str rest, struct fm_java_row *out);
/* Returns the position after a frame: after its closing parenthesis, and after packaging data such as " ~[app.jar:1.2]"
 * that logback and log4j add. */
const char *fm_java_row_end(const struct fm_java_row *row);

#endif
