/* Definition of the document of trace_document.h, one for each lane (lanes.h). Made and driven by dispatch.c; read by
 * look_back.c. */
#ifndef FM_FORMATS_SCAN_DOCUMENT_H
#define FM_FORMATS_SCAN_DOCUMENT_H

#include "formats/format.h"

/* A format in use, with its zeroed state. */
struct fm_parser {
    const struct fm_format *format;
    void *state;
};

/* Where the traces of all documents of one text go when their report is over. */
struct fm_trace_sink {
    framemap_trace *traces; /* traces in the order in which they ended; their frames are in the document's arena */
    size_t count, capacity;
    struct fm_heap *heap;             /* heap of `traces` */
    uint64_t next_trace, next_report; /* numbers to give out */
};

struct fm_document {
    struct fm_arena *arena;
    struct fm_trace_sink *sink; /* receives ended traces; NULL: traces stay in the document */
    framemap_trace *traces;     /* traces of the current report */
    size_t trace_count, trace_capacity;
    framemap_frame *spare; /* unused frames of the newest block; the frames of the current trace end here */
    size_t spare_count;
    size_t frame_room;       /* number of frames of all blocks */
    size_t mention_capacity; /* capacity of the current trace's mentions */
    framemap_image *images;  /* images of the current report */
    size_t image_count, image_capacity;
    size_t image_bytes;         /* bytes of all images but the last */
    size_t image_limit;         /* if image_bytes reach it, further images are not kept; 0: FM_LIMIT_IMAGES */
    framemap_image image_above; /* takes the place of such an image */
    size_t traces_above_images; /* number of traces of the current report before its first image */
    framemap_image *row_images; /* images whose load address a frame gives */
    size_t *row_image_traces;   /* parallel to row_images: the trace of each, ascending */
    size_t row_image_count, row_image_capacity, row_image_trace_capacity;
    uint64_t report_number;  /* number of the current report, once that has a trace */
    uint64_t report_number1; /* the last line with a frame or image of the current report */
    bool expects_images;     /* the current report lists its images after its traces */
    bool expects_repeat;     /* a document below reports the same again, which may drop the current report */
    bool report_is_whole;    /* the current report ends by fm_document_report_end only */
    bool has_number;         /* report_number was given out */

    /* The current trace. */
    bool open;            /* more frames may be added to the current trace */
    bool is_rest;         /* the current trace continues one that was closed early, and has no frames yet */
    bool continues;       /* the current trace continues one that was closed early */
    unsigned owner;       /* number of the parser that began the current trace */
    uint64_t open_until1; /* the last line that may continue the current trace */
    uint64_t last_end;    /* offset after the trace's last frame */
    framemap_trace last;  /* the last trace without its frames, for a continuation */
    bool was_cut;         /* the last trace was closed early */
    uint64_t previous1;   /* the line that began the current trace and ended the one before; 0: none did */
    uint64_t begin; /* offset of the first line of the report's traces that may change; UINT64_MAX: there is none */

    /* Lines that may turn out to be frames (fm_document_may_begin). */
    uint64_t pending_begin, pending_until1; /* offset of the first pending line; number of the last line that may decide
                                               whether the pending lines are frames */

    uint64_t released;         /* text before this offset was printed early: it must not change any more */
    uint64_t offer_until1;     /* number of the last line that the current parser requested (fm_document_offer_until) */
    struct fm_line_ring *ring; /* the last lines (look_back.h) */
    uint64_t lane;             /* origin of the lane's lines */
    const struct fm_parser *parsers; /* parsers of the lane; NULL: no `finish` is called */
    uint64_t number1;                /* number of the current line of the lane */
    unsigned parser;                 /* number of the current parser among those in use */
    bool failed;                     /* out of memory */
};

/* Continues in another arena. Open traces and the images of the report are copied; frames stay where they are. */
void fm_document_move(struct fm_document *doc, struct fm_arena *arena);
/* Copies a string into the document's arena; an absent one stays absent. */
void fm_document_keep(struct fm_document *doc, framemap_str *text);

/* Copies what a continuation of the last trace repeats from it: strings, but not frames. */
void fm_document_keep_last(struct fm_document *doc);
/* Extends a full array of the arena, and returns it; NULL: out of memory. Extends it in place by `least` elements if
 * nothing was allocated after it; otherwise doubles it in a new block, and the old one stays in the arena, so at most
 * twice the memory is used. New elements are not zeroed. */
void *fm_document_grow(struct fm_document *doc, void *array, size_t count, size_t *capacity, size_t size, size_t least);
/* Makes room for one more element in an array of the arena. */
static inline void *fm_document_grown(struct fm_document *doc, void *array, size_t count, size_t *capacity, size_t size,
                                      size_t least)
{
    return count < *capacity ? array : fm_document_grow(doc, array, count, capacity, size, least);
}

#endif
