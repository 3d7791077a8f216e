/* Finds the line of a program's output that a logger wrote as one member of a JSON record. Called by
 * escaped_strings.c. */
#ifndef FM_FORMATS_SCAN_RECORD_LINE_H
#define FM_FORMATS_SCAN_RECORD_LINE_H

#include "core/text/text.h"

/* Returns the content of the string that has the program's line, with its escapes; absent if the text is no record. A
 * record is a JSON object on one line, such as
 *
 *     {"@timestamp":"2026-01-02T10:00:00.1Z","message":"\tat a.b.c(SourceFile:1)","host":{"name":"web"}}
 *
 * Takes linear time. */
framemap_str fm_record_line(framemap_str text);

#endif
