/* The members of log records in JSON (scan/record_line.h) that name the origin of their line:
 *
 *     {"log":"  at a.b.c(SourceFile:1)\\n","stream":"stderr","attrs":{"tag":"web"},"time":"2026-01-02T10:00:00.1Z"}
 *     {"message":"  at a.b.c(SourceFile:1)","kubernetes":{"pod_name":"web-1","container_name":"app"}}
 *
 * Called by lines.c. */
#ifndef FM_FORMATS_SCAN_PREFIX_LOG_RECORD_H
#define FM_FORMATS_SCAN_PREFIX_LOG_RECORD_H

#include "formats/scan/prefix/log_fields.h"

/* Returns the number of bytes before the content of the string "log" of Docker's records; 0: the line is no such
 * record. */
size_t fm_log_record_head(framemap_str line);
/* Sets the fields that members of a record give. */
void fm_log_record_fields(framemap_str record, struct fm_log_fields *out);

#endif
