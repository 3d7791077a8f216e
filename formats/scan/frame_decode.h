/* Decodes what pages and JSON writers put in place of characters of names and messages: "&lt;init&gt;",
 * "\u003cinit\u003e", "src\/a.cc", "no \"cart\"". Called by document_report.c. */
#ifndef FM_FORMATS_SCAN_FRAME_DECODE_H
#define FM_FORMATS_SCAN_FRAME_DECODE_H

#include "core/heap.h"
#include <framemap/frame.h>

/* Decodes module, class, function and file of all frames of a trace; decoded strings are in the arena. `raw` of the
 * frames is not changed. Frames of JavaScript and Dart are left out: their parsers decode entities themselves. Takes
 * linear time. Returns false if out of memory. */
bool fm_decode_frames(struct fm_arena *arena, const framemap_trace *trace);

/* Decodes the strings of a trace that is in a string of JSON, and whose parser leaves the escapes in them: thread,
 * process, and the names of frames; with `title` also type and message of the exception. What the members named `raw`
 * and `exception` have stays as it is in the text; a mention in the message then points into the decoded copy. run:
 * number of backslashes of an escaped line end in that string. Takes linear time. Returns false if out of memory. */
bool fm_decode_trace(struct fm_arena *arena, framemap_trace *trace, unsigned run, bool title);

#endif
