/* Titles of threads in dumps that neither HotSpot nor ART print themselves. Called by java_heading.c. */
#ifndef FM_FORMATS_JAVA_JAVA_THREAD_TITLE_H
#define FM_FORMATS_JAVA_JAVA_THREAD_TITLE_H

#include "core/text/scan.h"
#include "formats/java/java_heading.h"

/* Reads a line that begins with a quote, '#' or '3'. Sets kind, thread, thread_id and state only if it is a title; the
 * one of a JSON document has no thread, which is named by members above it. */
bool fm_java_thread_title(struct fm_scan s, struct fm_java_head *out);

#endif
