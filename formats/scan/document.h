/* Definition of the document of trace_document.h: the traces that are made from the lines of one process and thread (a
 * lane, lanes.h). Made and driven by dispatch.c; read by look_back.c. */
#ifndef FM_FORMATS_SCAN_DOCUMENT_H
#define FM_FORMATS_SCAN_DOCUMENT_H

#include "formats/format.h"

/* A format in use, and the state of its parser, zeroed at the start. */
struct fm_parser {
    const struct fm_format *format;
    void *state;
};

/* Receives the traces of all documents of one text when their reports end. */
struct fm_trace_sink {
    framemap_trace *traces; /* traces in the order in which they ended; their frames are in the document's arena */
    size_t count, capacity;
    struct fm_heap *heap;             /* heap of `traces` */
    uint64_t next_trace, next_report; /* the next numbers to give to a trace and to a report */
};

struct fm_document {
    struct fm_arena *arena;
    struct fm_trace_sink *sink; /* receives ended traces; NULL: traces stay in the document */
    framemap_trace *traces;     /* traces of the current report */
    size_t trace_count, trace_capacity;
    /* unused frames at the end of the newest block; the frames of the current trace directly precede them */
    framemap_frame *spare;
    size_t spare_count;
    size_t frame_room; /* number of frames in all blocks */
    size_t mention_capacity;
    framemap_register *registers; /* the array of registers that was allocated last; NULL: none, or it was moved */
    size_t register_capacity;     /* number of registers for which it has room */
    framemap_image *images;       /* images of the current report */
    size_t image_count, image_capacity;
    size_t image_bytes; /* bytes of all images except the last one */
    /* once image_bytes is at this limit, further images are not kept; 0: the limit is FM_LIMIT_IMAGES */
    size_t image_limit;
    framemap_image image_above; /* an image that is not kept is written here */
    size_t traces_above_images; /* number of traces of the current report before its first image */
    framemap_image *row_images; /* images whose load addresses are printed in frames */
    size_t *row_image_traces;   /* for each element of row_images the number of its trace, ascending */
    size_t row_image_count, row_image_capacity, row_image_trace_capacity;
    uint64_t report_number;  /* number of the current report; valid if has_number is set */
    uint64_t report_number1; /* number of the last line with a frame or an image of the current report */
    bool expects_images;     /* the current report lists its images after its traces */
    bool expects_repeat;     /* a JSON document further down may repeat the current report, which is then dropped */
    bool report_is_whole;    /* only fm_document_report_end ends the current report */
    bool has_number;         /* report_number is set */

    /* The current trace. */
    bool open;            /* more frames may be added to the current trace */
    bool is_rest;         /* the current trace continues one that was closed early, and has no frames yet */
    bool continues;       /* the current trace continues one that was closed early */
    unsigned owner;       /* number of the parser that began the current trace */
    uint64_t open_until1; /* number of the last line on which the current trace may continue */
    uint64_t last_end;    /* offset after the trace's last frame */
    /* number of backslashes of an escaped line end in the string that the trace is in, if the owner gets its lines with
     * their escapes; 0: its strings are decoded, or have no escapes */
    unsigned coded_run;
    bool title_is_decoded; /* the exception of the current trace has no escapes */
    framemap_trace last;   /* copy of the last trace without its frames, for a trace that continues it */
    bool was_cut;          /* the last trace was closed early */
    /* number of the line that ended the previous trace and began the current one; 0: no line did both */
    uint64_t previous1;
    /* offset of the first line that belongs to a trace of the current report and may still change; UINT64_MAX: no
     * line may change */
    uint64_t begin;

    /* Lines that may turn out to be frames (fm_document_may_begin). */
    /* offset of the first pending line, and number of the last line that can decide whether the pending lines are
     * frames */
    uint64_t pending_begin, pending_until1;

    uint64_t released;         /* text before this offset was printed early: it must not change any more */
    uint64_t offer_until1;     /* the current parser requested all lines up to this number (fm_document_offer_until) */
    struct fm_line_ring *ring; /* the lines above the current one (look_back.h) */
    uint64_t lane;             /* origin (process and thread) of the lines that this document gets */
    const struct fm_parser *parsers; /* parsers of these lines; NULL: no parser's `finish` is called */
    /* number of the current line, counted among the lines of the same process and thread */
    uint64_t number1;
    unsigned parser; /* number of the current parser among those in use */
    bool failed;     /* out of memory */
};

/* Makes the document use another arena. Open traces and the images of the report are copied into it; frames stay
 * where they are. */
void fm_document_move(struct fm_document *doc, struct fm_arena *arena);
/* Copies a string into the document's arena; an absent string stays absent. */
void fm_document_keep(struct fm_document *doc, framemap_str *text);

/* Copies those strings of the last trace that a trace continuing it will repeat. Frames are not copied. */
void fm_document_keep_last(struct fm_document *doc);
/* Enlarges a full array in the arena, and returns it; NULL: out of memory. If nothing was allocated after the array,
 * it grows in place by `least` elements; otherwise it is copied to a block of twice the size, so at most twice the
 * memory is used. New elements are not zeroed. */
void *fm_document_grow(struct fm_document *doc, void *array, size_t count, size_t *capacity, size_t size, size_t least);
/* Enlarges an array in the arena if it has no room for one more element. */
static inline void *fm_document_grown(struct fm_document *doc, void *array, size_t count, size_t *capacity, size_t size,
                                      size_t least)
{
    return count < *capacity ? array : fm_document_grow(doc, array, count, capacity, size, least);
}

#endif
