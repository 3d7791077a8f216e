/* Splits an exception as printed into type and message, for the formats that do not do it themselves. Called by
 * document_report.c when a report ends. */
#ifndef FM_FORMATS_SCAN_EXCEPTION_SPLIT_H
#define FM_FORMATS_SCAN_EXCEPTION_SPLIT_H

#include <framemap/frame.h>

/* "a.b.C: message" gives both; a name alone is a type; any other text is a message. Does nothing if the trace has one
 * of the two already. */
void fm_split_exception(framemap_trace *trace);

#endif
