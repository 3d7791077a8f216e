/* Decodes what pages and JSON writers put in place of characters of a frame's names: "&lt;init&gt;", "\u003cinit\u003e",
 * "src\/a.cc". Called by document.c. */
#ifndef FM_FORMATS_SCAN_FRAME_DECODE_H
#define FM_FORMATS_SCAN_FRAME_DECODE_H

#include "formats/trace_document.h"

/* Decodes module, class, function and file of all frames of a trace; what changes is in memory of the document. Rows
 * stay as they are printed. Parsers of JavaScript and Dart decode entities themselves. Linear. */
void fm_decode_frames(struct fm_document *doc, const framemap_trace *trace);

#endif
