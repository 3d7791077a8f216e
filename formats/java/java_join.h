/* Joins native rows and the Java rows directly below them into one stack. Stacks of threads have this form if they were
 * copied from the Play Console without the threads' titles. Called by java_trace.c and android_anr.c. */
#ifndef FM_FORMATS_JAVA_JAVA_JOIN_H
#define FM_FORMATS_JAVA_JAVA_JOIN_H

#include "formats/trace_document.h"

/* Name of the format of stacks with rows of both Java and native code. */
extern const char fm_android_anr_name[];

/* Whether the Java row on this line continues the open stack: the last frame is on the line directly above, and no line
 * above the stack gave it an exception. If so, the format of the stack becomes android-anr. */
bool fm_java_joins_thread(struct fm_document *doc, const struct fm_line *line);

#endif
