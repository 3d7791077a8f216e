/* Parses and prints one row of a crash dump of Dart's VM. Called by dart_frames.c and dart_trace.c.
 *
 *       pc 0x00007fcf2482a8ce fp 0x00007fcf1fffd4d0 _kDartSnapshotText+0x168ce */
#ifndef FM_FORMATS_DART_DART_CRASH_LINE_H
#define FM_FORMATS_DART_DART_CRASH_LINE_H

#include "core/text/buffer.h"
#include "formats/format.h"

struct fm_dart_crash_row {
    uint64_t pc, offset;
    framemap_str head; /* the start of the row, up to the symbol */
    framemap_str symbol;
    /* the row is in the second list of a dump, in which the VM prints names: "[Optimized] _Set@3099033.add+0x1b",
     * "[Stub] Entry frame" */
    bool named;
    bool is_stub;
    /* The row has an offset. There is no offset for JIT code, "[Unoptimized] main", for libraries without symbols,
     * "Unknown symbol", and in dumps of the VM up to 2.6. */
    bool has_offset;
};

/* Reads a line above the first frame of a crash dump into the trace; ignores lines without information about the crash.
 * text: the line without blanks around it. Takes linear time. */
void fm_dart_crash_head(framemap_str text, framemap_trace *trace);
/* Parses a row of a crash dump in linear time. Returns false if the text is not one. */
bool fm_dart_crash_row_parse(framemap_str body, struct fm_dart_crash_row *row);
/* Prints a restored frame; used as print_frame of struct fm_format. */
void fm_dart_print_crash(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol);

#endif
