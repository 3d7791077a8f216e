/* Ends traces and reports of a document. Declares the functions that dispatch.c and document_traces.c call in
 * addition to those of trace_document.h. */
#ifndef FM_FORMATS_SCAN_DOCUMENT_REPORT_H
#define FM_FORMATS_SCAN_DOCUMENT_REPORT_H

#include "formats/scan/document.h"

/* Implements fm_document_expire for the lines that its test cannot decide. */
void fm_document_expire_now(struct fm_document *doc, uint64_t number1);
/* Ends the current trace and the current report, if neither can continue at line `number1`. This number counts the
 * lines of the same process and thread. */
static inline void fm_document_expire(struct fm_document *doc, uint64_t number1)
{
    const bool goes_on = doc->open && number1 <= doc->open_until1 && doc->pending_begin == UINT64_MAX;
    if (!goes_on) fm_document_expire_now(doc, number1);
}
/* Ends the current report early. end: offset up to which the text was printed, or is about to be printed. */
void fm_document_close_early(struct fm_document *doc, framemap_closed_by why, uint64_t end);
/* Returns the offset from which on an open trace or report may still change the text; UINT64_MAX if nothing is open. */
static inline uint64_t fm_document_begin(const struct fm_document *doc)
{
    return doc->begin < doc->pending_begin ? doc->begin : doc->pending_begin;
}
/* Records that the current parser took a line, or requested the lines up to offer_until1: its open trace may
 * continue. */
void fm_document_stay_open(struct fm_document *doc, const struct fm_line *line);

/* Ends the current trace, if one is open, and calls `finish` of its format before that. If the trace may be
 * continued, the strings that its continuation repeats are copied now: their memory may be freed when the trace is
 * handed out. */
void fm_document_end_trace(struct fm_document *doc, framemap_closed_by why);
/* Called before a stack that begins at a line. Ends the open trace, and also the report unless the new stack may
 * belong to it. Returns whether a trace was open. */
bool fm_document_end_before_trace(struct fm_document *doc, const struct fm_line *line);
/* Ends the current report if an image on a line belongs to another report. */
void fm_document_end_before_image(struct fm_document *doc, const struct fm_line *line);

#endif
