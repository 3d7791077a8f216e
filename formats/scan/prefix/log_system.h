/* The lines that systems and their services write: syslog, the kernel, NSLog, glog. Called by log_prefix.c and
 * log_shapes.c. Each function moves over a prefix on success, and stores its fields in `log`. Sources: RFC 3164 and
 * 5424, journalctl's man page, printk's timestamps, glog's header. */
#ifndef FM_FORMATS_SCAN_PREFIX_LOG_SYSTEM_H
#define FM_FORMATS_SCAN_PREFIX_LOG_SYSTEM_H

#include "core/text/scan.h"
#include "formats/scan/prefix/log_fields.h"

/* Parses "Nov 21 10:00:00 host process[12]: ". */
bool fm_log_syslog(struct fm_scan *s, struct fm_log_fields *log);
/* Parses "juil. 21 10:00:00 host process[12]: ", where journalctl names the month in the language of the system. */
bool fm_log_syslog_abroad(struct fm_scan *s, struct fm_log_fields *log);
/* Parses "<165>1 2026-01-02T10:00:00.003Z host app 123 ID47 - " of RFC 5424, "<13>Jan  2 10:00:00 host app: " of RFC
 * 3164. */
bool fm_log_priority(struct fm_scan *s, struct fm_log_fields *log);
/* Parses "Jan 02 10:00:00.123456 host app[123]: " of journalctl -o short-precise. */
bool fm_log_precise_month(struct fm_scan *s, struct fm_log_fields *log);
/* Parses "host app[123]: ", "app[web.1]: ", after a time. */
bool fm_log_host_process(struct fm_scan *s, struct fm_log_fields *log);
/* Parses " App[pid:tid] " of NSLog, after a time. Does not accept " app  12 [002] " of perf script. */
bool fm_log_nslog(struct fm_scan *s, struct fm_log_fields *log);
/* Parses "<6>[   12.345678] [ T123] ". */
bool fm_log_kernel(struct fm_scan *s, struct fm_log_fields *log);
/* Parses "[Fri Jan  2 10:00:00 2026] " of dmesg -T. */
bool fm_log_kernel_date(struct fm_scan *s);
/* Parses "** 12 printk messages dropped ** " of the kernel, before the prefix of the next message. */
bool fm_log_dropped_messages(struct fm_scan *s);
/* Parses "host login: ", a console's prompt, if a message of the kernel follows on the same line: "[   12.345678] ". */
bool fm_log_login_prompt(struct fm_scan *s);
/* Parses "F1121 10:00:00.123456  77 file.cc:12] ". */
bool fm_log_glog(struct fm_scan *s, struct fm_log_fields *log);
/* Parses "E20260102 10:00:00.123456  1234 file.cc:12] " of glog with a year. */
bool fm_log_glog_year(struct fm_scan *s);

#endif
