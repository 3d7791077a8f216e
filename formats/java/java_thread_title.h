/* Parses the titles of threads in dumps of HotSpot, ART and other tools. Called by java_heading.c. */
#ifndef FM_FORMATS_JAVA_JAVA_THREAD_TITLE_H
#define FM_FORMATS_JAVA_JAVA_THREAD_TITLE_H

#include "core/text/scan.h"

struct fm_java_thread {
    framemap_str name, id, state; /* name is empty if members of a JSON document above the line name the thread */
};

/* Reads a line that begins with a quote, '#' or '3'. Returns false, with *out undefined, if it is not a title. */
bool fm_java_thread_title(struct fm_scan s, struct fm_java_thread *out);

#endif
