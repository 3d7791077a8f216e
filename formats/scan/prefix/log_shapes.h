/* Prefixes of loggers that stand alone or follow another prefix: of builds, containers and logging libraries. Called by
 * log_prefix.c. */
#ifndef FM_FORMATS_SCAN_LOG_SHAPES_H
#define FM_FORMATS_SCAN_LOG_SHAPES_H

#include "core/text/scan.h"
#include "formats/scan/prefix/log_fields.h"

/* Moves over one such prefix at `s`, and stores its fields in `log`. line: what `s` is within, from the line's first
 * byte; a few prefixes are only recognized after a time or a severity. has: enum fm_has of the line. Takes linear
 * time, bounded by the longest prefix. */
bool fm_log_shape(struct fm_scan *s, framemap_str line, unsigned has, struct fm_log_fields *log);
/* Moves over a prefix that begins with a blank, as few do. */
bool fm_log_shape_indented(struct fm_scan *s);

#endif
