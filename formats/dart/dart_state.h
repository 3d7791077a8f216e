/* State that the parser of Dart's formats keeps between lines. Shared by dart_above.c, dart_frames.c and
 * dart_trace.c; all zero at the start of a text. */
#ifndef FM_FORMATS_DART_DART_STATE_H
#define FM_FORMATS_DART_DART_STATE_H

#include "formats/dart/dart_error.h"
#include "formats/dart/dart_line.h"

struct fm_dart_state {
    struct fm_dart_header header;
    framemap_str thread, thread_id; /* thread of the next trace, from a line above it */
    uint64_t process_id;
    bool has_process_id;
    struct fm_dart_box box; /* error of the next trace, from a box above it */
    /* offset of the first frame of the last trace: lines above this offset are not searched for the next trace's
     * error */
    uint64_t floor;
    bool fresh; /* a header was read since the last frame */
    /* has_virtual: a frame of the trace has a virtual address; odd: a frame has an odd address; gap: the frame numbers
     * have a gap */
    bool has_virtual, odd, gap;
    /* has_starts: the trace's header states where instructions start; has_no_vm: the header has no vm_instructions;
     * is_arm: the code is for ARM */
    bool has_starts, has_no_vm, is_arm;
    /* the offsets of all frames count from the symbol of the isolate's instructions, which Dart has up to 3.12 */
    bool isolate_symbol;
    bool restarts;    /* rows are numbered from 0 again after the last line */
    uint64_t number1; /* line number of the last frame or marker */
    uint64_t index;   /* index of the last row */
    framemap_str id;  /* id of the unit to which the last frame with an address belongs, in memory of the document */
    uint64_t id_unit;
    bool has_id; /* `id` is set, because the trace has a frame with an address */
};

#endif
