/* The layouts of logging libraries. Called by log_shapes.c. Each function moves over a prefix on success. Sources: the
 * default layouts of Log4j, Logback, Spring Boot, Python's logging, Loguru. */
#ifndef FM_FORMATS_SCAN_PREFIX_LOG_LIBRARIES_H
#define FM_FORMATS_SCAN_PREFIX_LOG_LIBRARIES_H

#include "core/text/scan.h"

/* Parses the thread and the logger that Log4j and Logback print: "[main] c.e.App - " after a severity, or "[main] ERROR
 * c.e.App - " after a time. */
bool fm_log_thread_logger(struct fm_scan *s);
/* Parses the name of a thread in brackets, after a severity: "[main] " or " [main] ". */
bool fm_log_thread(struct fm_scan *s);
/* Parses "1234 --- [app] [           main] c.e.App                : " of Spring Boot, after a severity. */
bool fm_log_spring(struct fm_scan *s);
/* Parses "| ERROR    | app:main:12 - " of Loguru, after a time. */
bool fm_log_loguru(struct fm_scan *s);
/* Parses "- app - ERROR - " of Python's logging, after a time. */
bool fm_log_between_dashes(struct fm_scan *s);
/* Parses the name of a Python logger: "root: " after "ERROR ", or "root:" after "ERROR:". after: the byte after the
 * name's colon or severity, ' ' or ':'. */
bool fm_log_python_logger(struct fm_scan *s, char after);
/* Parses "ERROR:root:" of Python's logging.basicConfig. */
bool fm_log_basic_config(struct fm_scan *s);

#endif
