/* What a program printed about a check that failed, above the stack that it printed then: Chromium, V8 and glog. Called
 * by the parsers of such stacks, which do not name the error themselves. */
#ifndef FM_FORMATS_NATIVE_CHECK_FAILURE_H
#define FM_FORMATS_NATIVE_CHECK_FAILURE_H

#include "formats/trace_document.h"

/* Searches the text between the offset `floor`, where another stack ended, and `line`, which has the first frame, for
 * a message. Sets exception, its type and its message, and that the thread crashed; does nothing if there is no
 * message. */
void fm_check_failure_above(struct fm_document *doc, const struct fm_line *line, uint64_t floor, framemap_trace *trace);

/* The text from "F0101 12:00:00.000000    12 cart.cc:12] no cart" of glog on, which the prefixes of other loggers may
 * precede; empty if the line has none. Linear. */
framemap_str fm_check_failure_logged(const struct fm_line *line);

#endif
