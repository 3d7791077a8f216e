/* Ends traces and reports of a document: what dispatch.c and document_traces.c call in addition to the calls of
 * trace_document.h. */
#ifndef FM_FORMATS_SCAN_DOCUMENT_REPORT_H
#define FM_FORMATS_SCAN_DOCUMENT_REPORT_H

#include "formats/scan/document.h"

/* Ends the trace and the report that can no longer continue at line `number1` of the lane. */
void fm_document_expire(struct fm_document *doc, uint64_t number1);
/* Ends the current report early: `end` is the offset up to which text was printed or will be. */
void fm_document_close_early(struct fm_document *doc, framemap_closed_by why, uint64_t end);
/* Returns the offset from which on the text may still be changed by what is open; UINT64_MAX if nothing is. */
uint64_t fm_document_begin(const struct fm_document *doc);
/* Records that the current parser took a line, or wants those up to offer_until1: its open trace may go on. */
void fm_document_stay_open(struct fm_document *doc, const struct fm_line *line);

/* Ends the current trace, if one is open, after its format's `finish`. What a continuation repeats of it is copied at
 * once: the memory in which the trace began may be freed when it is handed out. */
void fm_document_end_trace(struct fm_document *doc, framemap_closed_by why);
/* Ends what a stack that begins at a line does not continue: the open trace, and the report unless it may have this
 * stack too. Returns whether a trace was open. */
bool fm_document_end_before_trace(struct fm_document *doc, const struct fm_line *line);
/* Ends the current report if an image at a line belongs to another one. */
void fm_document_end_before_image(struct fm_document *doc, const struct fm_line *line);

#endif
