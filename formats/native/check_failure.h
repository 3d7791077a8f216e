/* Reads what a program (Chromium, V8, glog and others) printed about a failed check or a signal before it printed
 * its stack. Called by the parsers of such stacks, which do not name the error themselves. */
#ifndef FM_FORMATS_NATIVE_CHECK_FAILURE_H
#define FM_FORMATS_NATIVE_CHECK_FAILURE_H

#include "formats/trace_document.h"

/* Searches for a message about a failed check or a signal between the offset `floor`, where another stack ended, and
 * `line`, which has the first frame. If there is one, sets the trace's exception with type and message, and marks the
 * thread as crashed. Otherwise does nothing. */
void fm_check_failure_above(struct fm_document *doc, const struct fm_line *line, uint64_t floor, framemap_trace *trace);

/* Returns the part of a line that begins at glog's prefix, "F0101 12:00:00.000000    12 cart.cc:12] no cart", before
 * which other loggers may have printed prefixes. Empty if the line has no prefix of glog. Takes linear time. */
framemap_str fm_check_failure_logged(const struct fm_line *line);

#endif
