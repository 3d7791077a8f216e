/* Prefixes of logcat in its various formats, and of logcat's lines as Android Studio and Visual Studio show them.
 * Called by log_prefix.c. Each function moves over a prefix on success, and stores its fields in `log`. Source:
 * logcat's man page, and logprint.c of Android. */
#ifndef FM_FORMATS_SCAN_PREFIX_LOG_ANDROID_H
#define FM_FORMATS_SCAN_PREFIX_LOG_ANDROID_H

#include "core/text/scan.h"
#include "formats/scan/prefix/log_fields.h"

/* Parses "  PID  TID L TAG   : " after a time, or at the start of a line whose time a tool left out; a uid may
 * precede the PID. */
bool fm_logcat_threadtime(struct fm_scan *s, struct fm_log_fields *log);
/* Parses " PID-TID/package L/TAG: " of Android Studio up to 2021. */
bool fm_logcat_studio_old(struct fm_scan *s, struct fm_log_fields *log);
/* Parses what logcat prints after a date and time, in the format threadtime, in that of old Android Studio, and in
 * others. */
bool fm_logcat_after_date(struct fm_scan *s, struct fm_log_fields *log);
/* Parses "10:00:00.000  L  ", the compact view of Android Studio. */
bool fm_logcat_studio_compact(struct fm_scan *s, struct fm_log_fields *log);
/* Parses "L/TAG( PID): ", and "ERROR/TAG( PID): " of DDMS and Eclipse. */
bool fm_logcat_brief(struct fm_scan *s, struct fm_log_fields *log);
/* Parses "L/TAG: " of logcat -v tag, or of a line from which a tool removed the process. */
bool fm_logcat_tagged(struct fm_scan *s, struct fm_log_fields *log);
/* Parses "L TAG: ", the end of a threadtime prefix whose start was cut off. */
bool fm_logcat_tagged_by_blank(struct fm_scan *s, struct fm_log_fields *log);
/* Parses "L( PID) " and "L( PID: TID) " of logcat -v process and -v thread. */
bool fm_logcat_by_process(struct fm_scan *s, struct fm_log_fields *log);
/* Parses "2024/03/13 12:00:41.221 PID TID Fatal TAG ". */
bool fm_logcat_unity(struct fm_scan *s, struct fm_log_fields *log);
/* Parses "DEBUG   : ", the end of a prefix whose start was cut off. */
bool fm_logcat_bare_tag(struct fm_scan *s, struct fm_log_fields *log);
/* Skips the thread and the times that Titanium puts before a message: "(main) [37,2512] ". */
bool fm_logcat_titanium(struct fm_scan *s);
/* Parses "[AndroidRuntime] " of Visual Studio. */
bool fm_logcat_device_tag(struct fm_scan *s, struct fm_log_fields *log);

#endif
