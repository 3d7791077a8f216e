/* Joins native rows and the Java rows directly below them into one stack: threads that were pasted from the Play
 * Console without their titles. Called by java_trace.c and android_anr.c. */
#ifndef FM_FORMATS_JAVA_JAVA_JOIN_H
#define FM_FORMATS_JAVA_JAVA_JOIN_H

#include "formats/trace_document.h"

/* Name of the format of stacks with rows of both Java and native code. */
extern const char fm_android_anr_name[];

/* Whether the Java row on this line continues the open stack: the last frame is directly above, and no header gave
 * the stack an exception. The stack then gets the format android-anr. */
bool fm_java_joins_thread(struct fm_document *doc, const struct fm_line *line);

#endif
