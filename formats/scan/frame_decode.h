/* Decodes what pages and JSON writers put in place of characters of a frame's names: "&lt;init&gt;",
 * "\u003cinit\u003e", "src\/a.cc". Called by document_report.c. */
#ifndef FM_FORMATS_SCAN_FRAME_DECODE_H
#define FM_FORMATS_SCAN_FRAME_DECODE_H

#include "core/heap.h"
#include <framemap/frame.h>

/* Decodes module, class, function and file of all frames of a trace; decoded strings are in the arena. `raw` of the
 * frames is not changed. Frames of JavaScript and Dart are left out: their parsers decode entities themselves. Takes
 * linear time. Returns false if out of memory. */
bool fm_decode_frames(struct fm_arena *arena, const framemap_trace *trace);

#endif
