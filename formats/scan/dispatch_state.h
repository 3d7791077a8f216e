/* The state of the line dispatcher (dispatch.h), shared by its files. */
#ifndef FM_FORMATS_SCAN_DISPATCH_STATE_H
#define FM_FORMATS_SCAN_DISPATCH_STATE_H

#include "formats/scan/lanes.h"
#include "formats/scan/lines.h"
#include "formats/scan/look_back.h"
#include "formats/scan/prefilter.h"
#include "formats/scan/prefilter_use.h"

/* The stack of a lane (the lines of one thread in a log, lanes.h) ends after this many lines that belong to other
 * lanes. */
#define FM_LANE_FAR 200

/* A line that is text so far, but may become the title of a stack on the lines below (`leads` of struct fm_format). */
struct fm_lead {
    uint64_t offset, origin, text_number1;
    uint64_t seen1; /* number of the last line from the same origin */
    /* how many more lines of the origin may follow before it is certain that the line is not a title */
    unsigned lines;
};
#define FM_LEADS_MOST FM_LOOK_BACK_FAR

struct fm_dispatch {
    struct fm_heap *heap;
    const struct fm_parser_table *parsers; /* the parsers in use, borrowed */
    enum fm_prefilter_use use;
    uint64_t hold; /* maximum number of bytes of text that are held back while a stack is open */
    /* maximum number of bytes that a JSON document in which no stack was found yet, or a line that may be one, may hold
     * back; at least `hold_lines` */
    uint64_t hold_documents;
    uint64_t hold_lines; /* maximum number of bytes that another line may hold back; at least `hold` */
    struct fm_trace_sink sink;
    struct fm_lanes lanes;
    bool failed; /* out of memory */

    struct fm_lines at; /* position of the next line to read */
    uint64_t skipped;   /* number of lines that were skipped */
    bool skipping;      /* lines from number `from` on are being skipped, because no parser needs them */
    uint64_t from;
    bool starts;               /* the next line is the significant line that ended the skipping */
    bool dirty;                /* the current line has to be cleaned */
    bool in_string;            /* the current line is one of several that are made of strings in a physical line */
    bool any_marks;            /* the current line may be significant to any parser, whatever marks it has */
    size_t line_from, line_to; /* where the current line starts and ends in the text */

    /* number of lanes (each has the lines of one process and thread) that need every next line, because a stack is open
     * in them or a parser keeps state between lines */
    unsigned wanting;
    /* A line after this number may be so far from the last line of a lane counted in `wanting` that the lane's stack
     * ends. */
    uint64_t far1;
    /* text from this offset on is held back, because a stack that began there or later is open; UINT64_MAX: no stack is
     * open */
    uint64_t held;
    size_t closed_seen;  /* this many traces of the sink have been taken into account in closed_end */
    uint64_t closed_end; /* the highest offset at which a stack ended, of the stacks that ended since `held` was set */

    uint64_t line_lane; /* origin (process and thread) of the physical line whose pieces are being offered */
    /* number of the last line of a message whose further lines have no log prefix; the next line without a prefix
     * continues that message */
    uint64_t message1;
    /* origin (process and thread) of the message that message1 belongs to; only the first line of the message names
     * it */
    uint64_t message_lane;

    size_t lead_count;
    uint64_t leads_at;         /* the search for leads continues at the line that begins at or after this offset */
    uint64_t announced_origin; /* origin of a line that announces a title below it */
    unsigned announced;        /* how many of the next lines of announced_origin may be the title */

    /* A reset of the state does not clear `leads`: only the first lead_count elements are read. */
    struct fm_lead leads[FM_LEADS_MOST]; /* the lines that may become titles, sorted by offset */
    struct fm_line_ring ring;            /* the current line and the lines above it */
    struct fm_prefilter_walk walk;
};

#endif
