/* Fills a frame from a parsed row. Called by the parsers of JavaScript. */
#ifndef FM_FORMATS_JAVASCRIPT_JS_FRAME_H
#define FM_FORMATS_JAVASCRIPT_JS_FRAME_H

#include "formats/javascript/js_row_parts.h"
#include "formats/trace_document.h"

/* The reason given for a frame that has no file because its code was a string. The text is static. */
extern const char fm_js_no_file[];

/* Fills a new frame. from_0: the column in the row counts from 0. */
void fm_js_fill(struct fm_document *doc, framemap_frame *frame, const struct fm_js_row *row, bool from_0);

/* Parses a line that is printed in place of omitted frames: "... skipping 12 frames", "... 4 lines matching cause stack
 * trace ...",
 * "... 3 more". Returns false for other lines. */
bool fm_js_marker_parse(framemap_str body, framemap_marker *marker, uint64_t *count);
/* Adds a marker to the current trace. has_count: whether `count` is known. */
void fm_js_marker_add(struct fm_document *doc, const struct fm_line *line, framemap_marker marker, bool has_count,
                      uint64_t count);

#endif
