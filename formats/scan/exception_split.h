/* Splits an exception such as "a.b.C: message" into type and message, for formats that do not do it themselves.
 * Called by document_report.c when a report ends. */
#ifndef FM_FORMATS_SCAN_EXCEPTION_SPLIT_H
#define FM_FORMATS_SCAN_EXCEPTION_SPLIT_H

#include <framemap/frame.h>

/* Splits "a.b.C: message" into type and message; a name alone is a type, any other text a message. Does nothing if the
 * trace already has a type or a message. */
void fm_split_exception(framemap_trace *trace);

#endif
