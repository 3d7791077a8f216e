/* The prefixes that loggers put before every line. Called by lines.c. */
#ifndef FM_FORMATS_SCAN_LOG_PREFIX_H
#define FM_FORMATS_SCAN_LOG_PREFIX_H

#include "formats/line.h"

/* What a prefix says, as printed; absent strings are {NULL, 0}. */
struct fm_log_fields {
    framemap_str time, pid, tid, tag, level, process, host;
    framemap_str cpu; /* of the kernel: "[    C0]" */
    bool leads;       /* this logger prints its prefix before the first line of a message only */
    bool one_origin;  /* all messages of such a log are one program's */
};

/* Bytes that a log prefix takes at the start of a line: logcat (threadtime, brief, time, tag, process, thread, both of
 * Android Studio), ISO and NSLog times, kernel, syslog, glog; 0 if it has none. has: enum fm_has of the line. Linear.
 */
size_t fm_log_prefix(framemap_str line, unsigned has);
/* The same, with what the prefix says. */
size_t fm_log_prefix_fields(framemap_str line, unsigned has, struct fm_log_fields *log);
/* A number for the process, thread and tag that a prefix names; 0: it names none. */
uint64_t fm_log_origin(const struct fm_log_fields *log);

#endif
