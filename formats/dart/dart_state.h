/* What the parser of Dart's formats remembers between lines. Shared by dart_above.c, dart_frames.c and dart_trace.c; a
 * text begins with all of it zero. */
#ifndef FM_FORMATS_DART_DART_STATE_H
#define FM_FORMATS_DART_DART_STATE_H

#include "formats/dart/dart_error.h"
#include "formats/dart/dart_line.h"

struct fm_dart_state {
    struct fm_dart_header header;
    framemap_str thread, thread_id; /* thread of the trace that comes next */
    uint64_t process_id;
    bool has_process_id;
    struct fm_dart_box box; /* the error of the trace that comes next */
    uint64_t floor;         /* offset of the first frame of the last trace; the search above the next one stops there */
    bool fresh;             /* a header was read since the last frame */
    /* Whether a frame of the trace has a virtual address, whether one has an odd address, and whether numbers of
     * frames are missing. */
    bool has_virtual, odd, gap;
    /* Whether the header of the trace has the starts of the texts, whether it has no text of the VM, and whether the
     * code is ARM's. */
    bool has_starts, has_no_vm, is_arm;
    bool isolate_symbol; /* the offsets of all frames count from the text of the isolate, a symbol that Dart has up
                            to 3.12 */
    bool restarts;       /* the next frame is numbered from 0 again */
    uint64_t number1;    /* line number of the last frame or marker */
    uint64_t index;      /* index of the last row */
    framemap_str id;     /* id of the unit of the last frame with an address; memory of the document */
    uint64_t id_unit;
    bool has_id; /* `id` is set: the trace has a frame with an address */
};

#endif
