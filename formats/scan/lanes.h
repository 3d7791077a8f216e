/* Lanes: the lines of a text by their origin, the process, thread and tag that their log prefix names. Each lane has
 * its own parser states and its own traces, so that two crashes whose lines alternate in one log stay two. Lines
 * without such a prefix are one lane. Called by dispatch.c. */
#ifndef FM_FORMATS_SCAN_LANES_H
#define FM_FORMATS_SCAN_LANES_H

#include "formats/scan/document.h"
#include "formats/scan/parser_table.h"

#define FM_LANES_MOST 64 /* if there are more origins, the lane that got no line for the longest time is closed */

struct fm_lane {
    uint64_t origin;                        /* origin of the lane's lines; 0: lines without a log prefix */
    uint64_t count;                         /* lines so far, without skipped ones */
    uint64_t last1;                         /* number of the lane's last line in the whole text */
    bool wants;                             /* a stack of the lane is open, or a parser needs its next lines */
    uint64_t begin;                         /* result of fm_document_begin */
    uint64_t offer_until1[FM_PARSERS_MOST]; /* a parser that keeps lines is offered all lines up to this number */
    uint64_t last_offer_until1;             /* the highest value of offer_until1 */
    struct fm_parser_set offered;           /* the parsers that were offered the last line because of offer_until1 */
    struct fm_parser_set used; /* the parsers that were ever offered a line: the states of others are undefined */
    struct fm_parser parsers[FM_PARSERS_MOST];
    void *states;
    struct fm_document doc;
};

struct fm_lanes {
    struct fm_heap *heap;
    const struct fm_parser_table *parsers; /* parsers of every lane; borrowed */
    struct fm_document start;              /* copied to the document of each new lane */
    struct fm_lane *lanes[FM_LANES_MOST];
    size_t count;         /* lanes[0] has the lines without an origin */
    struct fm_lane *last; /* the lane that fm_lanes_find returned last */
};

/* Makes the lane without an origin. false: out of memory. */
bool fm_lanes_open(struct fm_lanes *lanes, const struct fm_parser_table *parsers, const struct fm_document *start);
void fm_lanes_close(struct fm_lanes *lanes);
/* Restores the state that fm_lanes_open leaves: the lane without an origin is cleared, the others are closed. */
void fm_lanes_restart(struct fm_lanes *lanes);

/* Returns the lane of an origin; NULL if there is none. */
static inline struct fm_lane *fm_lanes_find(struct fm_lanes *lanes, uint64_t origin);
/* Returns the lane that has to be closed before another is added; NULL: there is room. */
struct fm_lane *fm_lanes_oldest(const struct fm_lanes *lanes);
/* Adds a lane. old: a lane whose traces are closed, to be used again; NULL: a new one. NULL: out of memory. */
struct fm_lane *fm_lanes_add(struct fm_lanes *lanes, uint64_t origin, struct fm_lane *old);
/* Starts a lane anew: states and document as at the start of a text. */
void fm_lane_clear(const struct fm_lanes *lanes, struct fm_lane *lane);
/* Zeroes the state of a parser that is about to be offered the first line of the lane. */
void fm_lane_first_use(struct fm_lane *lane, unsigned parser);
/* Memory that is about to be freed, and what replaces it. */
struct fm_lane_move {
    const struct fm_arena *arena;  /* arena that is freed, because documents were allocated from it */
    framemap_str window, to;       /* the part of the text in memory before and after the move; equal if it stays */
    uint64_t window_base, to_base; /* offsets of `window` and `to` in the whole text */
};
/* Moves what all lanes keep into another arena: their documents, and the strings in the states of their parsers. Such a
 * string is recognized by its address and size, which are a slice of the memory to be freed. */
void fm_lanes_move(const struct fm_lanes *lanes, const struct fm_lane_move *move, struct fm_arena *arena);

static inline struct fm_lane *fm_lanes_find(struct fm_lanes *lanes, uint64_t origin)
{
    if (lanes->last->origin == origin) return lanes->last;
    for (size_t i = 0; i < lanes->count; i++)
        if (lanes->lanes[i]->origin == origin) return lanes->last = lanes->lanes[i];
    return NULL;
}

#endif
