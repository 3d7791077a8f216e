/* Threads of which a text has only the rows: those of machine code, and directly below them those of Java, as in pastes
 * from the Play Console without titles. They are one stack. Called by java_trace.c and android_anr.c. */
#ifndef FM_FORMATS_JAVA_JAVA_JOIN_H
#define FM_FORMATS_JAVA_JAVA_JOIN_H

#include "formats/trace_document.h"

/* Name of the format of stacks with rows of both Java and native code. */
extern const char fm_android_anr_name[];

/* Whether the row of Java in this line continues the open stack, which then is one of format android-anr and takes the
 * frame: the last frame is directly above, and no header gave the stack an exception. */
bool fm_java_joins_thread(struct fm_document *doc, const struct fm_line *line);

#endif
