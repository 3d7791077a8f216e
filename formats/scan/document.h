/* Definition of the document of trace_document.h. Created and closed by format_registry.c; read by dispatch.c and
 * look_back.c. */
#ifndef FM_FORMATS_SCAN_DOCUMENT_H
#define FM_FORMATS_SCAN_DOCUMENT_H

#include "formats/format.h"

struct fm_document {
    struct fm_arena *arena;
    framemap_trace *traces;
    size_t trace_count, trace_capacity;
    framemap_frame *spare; /* unused frames of the newest block; the frames of the current trace end here */
    size_t spare_count;
    size_t frame_room;       /* number of frames of all blocks */
    size_t mention_capacity; /* capacity of the current trace's mentions */
    framemap_image *images;  /* of the current report */
    size_t image_count, image_capacity;
    size_t traces_above_images; /* number of traces of the current report before its first image */
    framemap_image *row_images; /* images whose load address a frame gives */
    size_t *row_image_traces;   /* parallel to row_images: the trace of each, ascending */
    size_t row_image_count, row_image_capacity, row_image_trace_capacity;
    uint64_t report_number;    /* of the current report, from 0 */
    bool report_is_whole;      /* the current report ends by fm_document_report_end only */
    size_t report_first;       /* first trace of the current report */
    uint64_t report_number1;   /* the last line with a frame or image of the current report */
    uint64_t offer_until1;     /* number of the last line that the current parser requested (fm_document_offer_until) */
    struct fm_line_ring *ring; /* the last lines (look_back.h) */
    unsigned parser;           /* number of the current parser among those in use */
    bool failed;               /* out of memory */
};

#endif
