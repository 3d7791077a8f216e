/* Reads the lines above the frames of a Dart trace: its header, its thread, and the error that was printed before
 * it. Called by dart_frames.c when a trace begins, and by dart_trace.c for each line. */
#ifndef FM_FORMATS_DART_DART_ABOVE_H
#define FM_FORMATS_DART_DART_ABOVE_H

#include "formats/dart/dart_state.h"

/* Reads a line of a header, or the build id that Crashlytics prints in place of a header, into the state. Returns
 * false for other lines. */
bool fm_dart_read_header(struct fm_dart_state *state, const struct fm_line *line);
/* Reads "pid: 1, tid: 2, name 1.ui" into the state. Returns false for other lines. */
bool fm_dart_read_thread(struct fm_dart_state *state, framemap_str body);
/* Whether fm_dart_read_header would read a line as one of a header. */
bool fm_dart_is_header(const struct fm_line *line);
/* Searches the lines above the first frame of a trace for its error, and adds it to the trace. The error is on the line
 * that announces it, "[ERROR:flutter/...] Unhandled Exception: ex: it went wrong", or on the line below that. */
void fm_dart_read_error(const struct fm_dart_state *state, struct fm_document *doc, framemap_trace *trace,
                        const struct fm_line *line);
/* Implements `leads` of struct fm_format for lines of errors: names in an error are restored if a trace follows it. */
unsigned fm_dart_leads(const struct fm_line *line, bool announced);

#endif
