/* One line of a crash dump of Dart's VM. Called by dart_frames.c and dart_trace.c.
 *
 *       pc 0x00007fcf2482a8ce fp 0x00007fcf1fffd4d0 _kDartSnapshotText+0x168ce
 */
#ifndef FM_FORMATS_DART_DART_CRASH_LINE_H
#define FM_FORMATS_DART_DART_CRASH_LINE_H

#include "core/text/buffer.h"
#include "formats/format.h"

struct fm_dart_crash_row {
    uint64_t pc, offset;
    framemap_str head; /* text of the row up to the symbol */
    framemap_str symbol;
    bool named; /* the row is of the second list, in which the VM prints names itself: "[Optimized]
                   _Set@3099033.add+0x1b", "[Stub] Entry frame" */
    bool is_stub;
    bool has_offset; /* the row has an offset, except for code of the JIT, "[Unoptimized] main", and libraries without
                        symbols, "Unknown symbol"; versions of the VM up to 2.6 never print it */
};

/* Reads a line above the first frame of a crash dump, without blanks around it, into the trace; other lines leave it as
 * it is. Takes linear time. */
void fm_dart_crash_head(framemap_str text, framemap_trace *trace);
/* Parses a frame of a crash dump, in linear time. Returns false if the line is not one. */
bool fm_dart_crash_row_parse(framemap_str body, struct fm_dart_crash_row *row);
/* Prints a restored frame: the slot print_frame of fm_format. */
void fm_dart_print_crash(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol);

#endif
