/* The state of the line dispatcher (dispatch.h), shared by its files. */
#ifndef FM_FORMATS_SCAN_DISPATCH_STATE_H
#define FM_FORMATS_SCAN_DISPATCH_STATE_H

#include "formats/scan/lanes.h"
#include "formats/scan/lines.h"
#include "formats/scan/look_back.h"
#include "formats/scan/prefilter.h"
#include "formats/scan/prefilter_use.h"

/* Number of lines of other lanes (struct fm_lane) after which the stack of a lane ends. */
#define FM_LANE_FAR 200

/* A line that is text so far, but may become the title of a stack on the lines below (`leads` of struct fm_format). */
struct fm_lead {
    uint64_t offset, origin, text_number1;
    uint64_t seen1; /* number of the last line from the same origin */
    unsigned lines; /* lines of the origin that are still to come */
};
#define FM_LEADS_MOST FM_LOOK_BACK_FAR

struct fm_dispatch {
    struct fm_heap *heap;
    const struct fm_parser_table *parsers; /* the parsers in use, borrowed */
    enum fm_prefilter_use use;
    uint64_t hold;           /* bytes that an open stack may hold back */
    uint64_t hold_documents; /* bytes that a document without a stack so far, or a line, may hold back; at least
                                `hold` */
    struct fm_trace_sink sink;
    struct fm_lanes lanes;
    bool failed; /* out of memory */

    struct fm_lines at; /* position of the next line to read */
    uint64_t skipped;   /* number of lines that were skipped */
    bool skipping; /* lines from number `from` on are being skipped; the line that ends the skipping is not found yet */
    uint64_t from;
    bool starts;               /* the next line ends the skipping */
    bool dirty;                /* the line at hand has to be cleaned */
    bool any_marks;            /* the line at hand may be significant to any parser, whatever marks it has */
    size_t line_from, line_to; /* offsets of the line at hand */

    unsigned wanting;    /* number of lanes that need all next lines: a stack is open, or a parser keeps lines */
    uint64_t far1;       /* line number from which on one of these lanes may be too far above */
    uint64_t held;       /* offset from which on stacks have been open without a break; UINT64_MAX: none is open */
    size_t closed_seen;  /* traces of the sink that closed_end covers */
    uint64_t closed_end; /* the furthest end of stacks that ended since `held` */

    uint64_t line_lane;    /* origin of the physical line whose pieces are offered */
    uint64_t message1;     /* a line without a prefix below this line continues the message of message_lane */
    uint64_t message_lane; /* lane whose message has a first line with a prefix and further lines without */

    size_t lead_count;
    uint64_t leads_at;         /* the next line that is looked at begins at or after this offset */
    uint64_t announced_origin; /* origin of a line that announces a title */
    unsigned announced;        /* number of next lines of that origin that may be the title */

    /* Not cleared when the state is reset: only leads that were counted are read. */
    struct fm_lead leads[FM_LEADS_MOST]; /* the leads in ascending order */
    struct fm_line_ring ring;            /* the current line and the lines above it */
    struct fm_prefilter_walk walk;
};

#endif
