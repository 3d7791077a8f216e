/* Adds parsed rows of Dart traces and crash dumps to the open trace, or to a new one. Called by dart_trace.c, which
 * decides what a line is. */
#ifndef FM_FORMATS_DART_DART_FRAMES_H
#define FM_FORMATS_DART_DART_FRAMES_H

#include "formats/dart/dart_crash_line.h"
#include "formats/dart/dart_state.h"

/* Names of the formats. fm_document_open finds the open trace by the address of such a name. */
extern const char fm_dart_name[], fm_dart_symbolic_name[], fm_dart_crash_name[];

/* Called when a trace has ended. Determines whether a sampling profiler wrote it, and if so, marks its frames as
 * return addresses. */
void fm_dart_settle(struct fm_dart_state *state, struct fm_document *doc);
/* Adds a frame for a row without a name. */
enum fm_line_role fm_dart_add_row(struct fm_dart_state *state, struct fm_document *doc, const struct fm_line *line,
                                  const struct fm_dart_row *row);
/* Adds a frame for a row that already has the function's name. Returns FM_ROLE_NONE if the line is not such a row. */
enum fm_line_role fm_dart_add_named(struct fm_dart_state *state, struct fm_document *doc, const struct fm_line *line);
/* Adds a marker to the open trace. Returns FM_ROLE_NONE if the line is not a marker, or if no trace of Dart is open. */
enum fm_line_role fm_dart_add_marker(struct fm_dart_state *state, struct fm_document *doc, const struct fm_line *line);
/* Adds a frame for a row of a crash dump. */
enum fm_line_role fm_dart_add_crash_row(struct fm_dart_state *state, struct fm_document *doc,
                                        const struct fm_line *line, const struct fm_dart_crash_row *row);

#endif
