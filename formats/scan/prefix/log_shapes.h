/* Prefixes of build tools, containers and logging libraries, alone or after another prefix. Called by log_prefix.c. */
#ifndef FM_FORMATS_SCAN_LOG_SHAPES_H
#define FM_FORMATS_SCAN_LOG_SHAPES_H

#include "core/text/scan.h"
#include "formats/scan/prefix/log_fields.h"

/* Moves over the prefix of a build tool, container or logging library at `s`, and stores its fields in `log`. line: the
 * whole line that contains `s`; a few prefixes are only recognized after a time or a severity. has: enum fm_has of the
 * line. Takes time linear in the longest prefix. */
bool fm_log_shape(struct fm_scan *s, framemap_str line, unsigned has, struct fm_log_fields *log);
/* Moves over a prefix that begins with a blank; only a few do. */
bool fm_log_shape_indented(struct fm_scan *s);

#endif
