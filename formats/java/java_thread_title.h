/* Parses the titles of threads in dumps of HotSpot, ART and other tools. Called by java_heading.c. */
#ifndef FM_FORMATS_JAVA_JAVA_THREAD_TITLE_H
#define FM_FORMATS_JAVA_JAVA_THREAD_TITLE_H

#include "core/text/scan.h"

struct fm_java_thread {
    /* `name` is empty if the thread is named by members of a JSON document above the line */
    framemap_str name, id, state;
};

/* Reads the title of a thread, which begins with a quote, '#' or '3'. Returns false if the line is not a title; *out is
 * then undefined. */
bool fm_java_thread_title(struct fm_scan s, struct fm_java_thread *out);
/* The same for the title of a coroutine in a dump of kotlinx.coroutines. */
bool fm_java_coroutine_title(struct fm_scan s, struct fm_java_thread *out);

#endif
