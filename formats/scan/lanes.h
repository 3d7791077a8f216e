/* Lanes. The origin of a line is the process, thread and tag that its log prefix names; a lane has all lines of one
 * origin. Each lane has its own parser states and its own traces, so that two crashes whose lines alternate in one
 * log are kept apart. Lines without such a prefix are one lane. Called by dispatch.c. */
#ifndef FM_FORMATS_SCAN_LANES_H
#define FM_FORMATS_SCAN_LANES_H

#include "formats/scan/document.h"
#include "formats/scan/parser_table.h"

/* maximum number of lanes at a time; when a further one is needed, the lane that has had no line for the longest time
 * is closed */
#define FM_LANES_MOST 64

struct fm_lane {
    /* process, thread and tag, as a number, of the lines in the lane; 0: lines without a log prefix */
    uint64_t origin;
    uint64_t count; /* number of lines so far, without those that were skipped */
    uint64_t last1; /* number, in the whole text, of the last line that the lane got */
    /* a stack is open in the lane, or a parser needs the next lines of the lane */
    bool wants;
    uint64_t begin;                         /* result of the last call of fm_document_begin for the lane's document */
    uint64_t offer_until1[FM_PARSERS_MOST]; /* for each parser: it is offered all lines up to this number */
    uint64_t last_offer_until1;             /* the highest value of offer_until1 */
    /* the parsers whose offer_until1 included the last line, and those of them that were offered it whatever it was */
    struct fm_parser_set reached, offered;
    /* the parsers that were ever offered a line; the state of every other parser is not zeroed yet */
    struct fm_parser_set used;
    struct fm_parser parsers[FM_PARSERS_MOST];
    void *states;
    struct fm_document doc;
};

struct fm_lanes {
    struct fm_heap *heap;
    const struct fm_parser_table *parsers; /* the parsers of which each lane has states of its own; borrowed */
    struct fm_document start;              /* copied to the document of each new lane */
    struct fm_lane *lanes[FM_LANES_MOST];
    size_t count;         /* number of lanes; lanes[0] has the lines without an origin */
    struct fm_lane *last; /* the lane that fm_lanes_find found last */
};

/* Makes the lane of lines without an origin. Returns false if out of memory. */
bool fm_lanes_open(struct fm_lanes *lanes, const struct fm_parser_table *parsers, const struct fm_document *start);
void fm_lanes_close(struct fm_lanes *lanes);
/* Restores the state after fm_lanes_open: the lane of the lines without an origin is cleared, and all other lanes are
 * closed. */
void fm_lanes_restart(struct fm_lanes *lanes);

/* Returns the lane with the lines of one origin (process, thread and tag); NULL: not found. */
static inline struct fm_lane *fm_lanes_find(struct fm_lanes *lanes, uint64_t origin);
/* Returns the lane that has to be closed before another one can be added, which is the one without a line for the
 * longest time; NULL: there is room for another one. */
struct fm_lane *fm_lanes_oldest(const struct fm_lanes *lanes);
/* Adds a lane for an origin. old: a lane whose traces have ended and whose memory is reused; NULL: allocate one.
 * Returns NULL if out of memory. */
struct fm_lane *fm_lanes_add(struct fm_lanes *lanes, uint64_t origin, struct fm_lane *old);
/* Resets a lane: its parser states and its document are as at the start of a text. */
void fm_lane_clear(const struct fm_lanes *lanes, struct fm_lane *lane);
/* Zeroes the state of a parser that is about to be offered a line of this lane for the first time. */
void fm_lane_first_use(struct fm_lane *lane, unsigned parser);
/* Memory that is about to be freed, and what replaces it. */
struct fm_lane_move {
    const struct fm_arena *arena; /* the arena that is about to be freed */
    /* the part of the text that is in memory, before and after the move; both are equal if it does not move */
    framemap_str window, to;
    uint64_t window_base, to_base; /* offsets of `window` and `to` in the whole text */
};
/* Moves what all lanes need into another arena: their documents, and the strings in the states of their parsers. A
 * string in a state is recognized as a pointer and a size that describe a slice of the memory to be freed. */
void fm_lanes_move(const struct fm_lanes *lanes, const struct fm_lane_move *move, struct fm_arena *arena);

static inline struct fm_lane *fm_lanes_find(struct fm_lanes *lanes, uint64_t origin)
{
    if (lanes->last->origin == origin) return lanes->last;
    for (size_t i = 0; i < lanes->count; i++)
        if (lanes->lanes[i]->origin == origin) return lanes->last = lanes->lanes[i];
    return NULL;
}

#endif
