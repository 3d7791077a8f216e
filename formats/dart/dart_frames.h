/* Frames of Dart traces and crash dumps: adds a parsed line to the open trace, or to a new one. Called by dart_trace.c,
 * which decides what a line is. */
#ifndef FM_FORMATS_DART_DART_FRAMES_H
#define FM_FORMATS_DART_DART_FRAMES_H

#include "formats/dart/dart_crash_line.h"
#include "formats/dart/dart_state.h"

/* Names of the formats, by which the document finds the open trace. */
extern const char fm_dart_name[], fm_dart_symbolic_name[], fm_dart_crash_name[];

/* Determines, when a trace has ended, whether a sampler wrote it; its frames are return addresses then. */
void fm_dart_settle(struct fm_dart_state *state, struct fm_document *doc);
/* Adds a frame without a name. */
enum fm_line_role fm_dart_add_row(struct fm_dart_state *state, struct fm_document *doc, const struct fm_line *line,
                                  const struct fm_dart_row *row);
/* Adds a frame whose line already has the function's name. NONE: the line is not such a frame line. */
enum fm_line_role fm_dart_add_named(struct fm_dart_state *state, struct fm_document *doc, const struct fm_line *line);
/* Adds a marker to the open trace. NONE: the line is not a marker, or no trace of Dart is open. */
enum fm_line_role fm_dart_add_marker(struct fm_dart_state *state, struct fm_document *doc, const struct fm_line *line);
/* Adds a frame of a crash dump. */
enum fm_line_role fm_dart_add_crash_row(struct fm_dart_state *state, struct fm_document *doc,
                                        const struct fm_line *line, const struct fm_dart_crash_row *row);

#endif
