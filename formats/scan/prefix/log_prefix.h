/* The prefixes that loggers put before every line. Called by lines.c. */
#ifndef FM_FORMATS_SCAN_LOG_PREFIX_H
#define FM_FORMATS_SCAN_LOG_PREFIX_H

#include "formats/line.h"
#include "formats/scan/prefix/log_fields.h"

/* Returns the size of the log prefix at the start of a line; 0 if the line has no prefix. Prefixes are those of logcat
 * (threadtime, brief, time, tag, process, thread, both forms of Android Studio), ISO and NSLog times, kernel, syslog,
 * glog. has: enum fm_has of the line. Takes linear time. */
size_t fm_log_prefix(framemap_str line, unsigned has);
/* Does what fm_log_prefix does, and stores the fields of the prefix in `log`. */
size_t fm_log_prefix_fields(framemap_str line, unsigned has, struct fm_log_fields *log);
/* Returns a number for the process, thread and tag that a prefix names; 0: the prefix names none of these. */
uint64_t fm_log_origin(const struct fm_log_fields *log);

#endif
