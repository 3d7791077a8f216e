/* Records of Docker's json-file logs, one for each line of a container:
 *
 *     {"log":"  at a.b.c(SourceFile:1)\\n","stream":"stderr","attrs":{"tag":"web"},"time":"2026-01-02T10:00:00.1Z"}
 *
 * The string "log" is the container's line; the other members name its origin. Called by lines.c. */
#ifndef FM_FORMATS_SCAN_PREFIX_LOG_RECORD_H
#define FM_FORMATS_SCAN_PREFIX_LOG_RECORD_H

#include "formats/line.h"
#include <framemap/trace.h>

/* Returns the number of bytes before the content of the string "log"; 0: the line is not a record. */
size_t fm_log_record_head(framemap_str line);
/* Sets the time and the tag from a record. */
void fm_log_record_fields(framemap_str record, framemap_log *out);

#endif
