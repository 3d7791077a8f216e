/* A text cut into lines, each split once from what loggers and mailers put around it. */
#ifndef FM_FORMATS_LINES_H
#define FM_FORMATS_LINES_H

#include "formats/format.h"

struct fm_lines {
    framemap_str text;
    size_t at;
    uint64_t number1;
};

/* The next line; false at the end of the text. A line longer than FM_LIMIT_LINE has an empty body: readers pass it over. */
bool fm_lines_next(struct fm_lines *lines, struct fm_line *out);

/* Bytes that a log prefix takes at the start of a line: logcat (threadtime, brief, time, both of Android Studio), ISO and NSLog times,
 * kernel, syslog, glog. 0 when there is none. */
size_t fm_log_prefix(framemap_str line);

/* The same with quoting, colours and a byte order mark before it: where a line's body begins. */
size_t fm_line_prefix(framemap_str line);

#endif
