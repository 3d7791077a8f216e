/* Prints restored frames of events in place of the JSON objects that they were read from. Called by
 * output/text_rows.c through `print_frame` of the formats. */
#ifndef FM_FORMATS_EVENTS_EVENT_PRINT_H
#define FM_FORMATS_EVENTS_EVENT_PRINT_H

#include "formats/format.h"

/* Each function prints a frame of the vendor in its name. */
void fm_event_print_sentry(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol);
void fm_event_print_bugsnag(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol);
void fm_event_print_measure(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol);
void fm_event_print_crashlytics(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol);
void fm_event_print_cdp(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol);
void fm_event_print_react_native(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix,
                                 framemap_str eol);
void fm_event_print_minidump(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol);
void fm_event_print_error(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol);

#endif
