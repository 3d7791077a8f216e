/* Implements dispatch_lanes.h: finds the lane of a line, which has all lines of one process, thread and tag of a log;
 * determines where the first open stack begins, since text from there on must wait; and ends stacks whose lane has had
 * no line for many lines of the text. */
#include "formats/scan/dispatch_lanes.h"
#include "formats/scan/document_report.h"

uint64_t fm_dispatch_lane_of(struct fm_dispatch *dispatch, const struct fm_line *line, bool piece)
{
    const uint64_t number1 = line->text_number1;
    if (piece) return line->origin ? line->origin : dispatch->line_lane;
    dispatch->line_lane = line->origin;
    if (line->leads && line->origin) {
        dispatch->message_lane = line->origin;
        dispatch->message1 = number1;
    } else if (line->origin == 0 && dispatch->message1 > 0 && number1 == dispatch->message1 + 1) {
        dispatch->line_lane = dispatch->message_lane;
        dispatch->message1 = number1;
    }
    return dispatch->line_lane;
}

/* --- determining which text is held back --- */

/* Updates closed_end, the highest offset at which a stack ended, with the stacks that have ended since the last
 * call. */
static void see_closed(struct fm_dispatch *dispatch)
{
    const struct fm_trace_sink *sink = &dispatch->sink;
    for (; dispatch->closed_seen < sink->count; dispatch->closed_seen++) {
        const framemap_trace *trace = &sink->traces[dispatch->closed_seen];
        if (trace->offset + trace->size > dispatch->closed_end) dispatch->closed_end = trace->offset + trace->size;
    }
}

/* Returns the lane (the lines of one process and thread) whose open stack begins first in the text; NULL: no stack is
 * open. */
static const struct fm_lane *first_open(const struct fm_dispatch *dispatch)
{
    const struct fm_lane *first = NULL;
    for (size_t i = 0; i < dispatch->lanes.count; i++) {
        const struct fm_lane *lane = dispatch->lanes.lanes[i];
        if (lane->begin < (first ? first->begin : UINT64_MAX)) first = lane;
    }
    return first;
}

/* Finds where the first open stack begins. Text from that offset on is held back, and so are the stacks in it that
 * have ended. */
static void find_held(struct fm_dispatch *dispatch)
{
    const struct fm_lane *lane = first_open(dispatch);
    const uint64_t first = lane ? lane->begin : UINT64_MAX;
    see_closed(dispatch);
    if (first != UINT64_MAX && first >= dispatch->held && dispatch->closed_end > first) return;
    dispatch->held = first;
    dispatch->closed_end = 0;
}

void fm_dispatch_update(struct fm_dispatch *dispatch, struct fm_lane *lane)
{
    const struct fm_document *doc = &lane->doc;
    const uint64_t begin = fm_document_begin(doc);
    const bool wants = doc->number1 < lane->last_offer_until1 || begin != UINT64_MAX || doc->open;
    if (doc->failed) dispatch->failed = true;
    if (begin != lane->begin) {
        lane->begin = begin;
        find_held(dispatch);
    }
    if (wants && lane->last1 + FM_LANE_FAR < dispatch->far1) dispatch->far1 = lane->last1 + FM_LANE_FAR;
    if (wants == lane->wants) return;
    lane->wants = wants;
    dispatch->wanting += wants ? 1 : -1u;
}

bool fm_dispatch_waits(const struct fm_dispatch *dispatch, uint64_t *last1)
{
    const struct fm_lane *held = first_open(dispatch);
    const struct fm_lead *lead = dispatch->lead_count > 0 ? &dispatch->leads[0] : NULL;
    if (held && lead && lead->offset < held->begin) held = NULL;
    *last1 = held ? held->last1 : lead ? lead->seen1 : 0;
    const uint64_t origin = held ? held->origin : lead ? lead->origin : 0;
    return origin != 0 && dispatch->at.number1 > *last1;
}

/* --- ending stacks --- */

/* Ends the open report of a lane (the lines of one thread in a log, lanes.h), as the end of the text would. */
static void end_lane(struct fm_dispatch *dispatch, struct fm_lane *lane)
{
    fm_document_report_end(&lane->doc);
    lane->doc.pending_begin = UINT64_MAX;
    lane->last_offer_until1 = 0;
    fm_dispatch_update(dispatch, lane);
}

struct fm_lane *fm_dispatch_add_lane(struct fm_dispatch *dispatch, uint64_t origin)
{
    struct fm_lane *old = fm_lanes_oldest(&dispatch->lanes);
    if (old) end_lane(dispatch, old);
    struct fm_lane *lane = fm_lanes_add(&dispatch->lanes, origin, old);
    if (lane == NULL) dispatch->failed = true;
    return lane;
}

void fm_dispatch_close_far(struct fm_dispatch *dispatch, uint64_t text_number1)
{
    struct fm_lanes *lanes = &dispatch->lanes;
    dispatch->far1 = UINT64_MAX;
    for (size_t i = 0; i < lanes->count; i++) {
        struct fm_lane *lane = lanes->lanes[i];
        if (!lane->wants) continue;
        if (text_number1 > lane->last1 + FM_LANE_FAR)
            end_lane(dispatch, lane);
        else if (lane->last1 + FM_LANE_FAR < dispatch->far1)
            dispatch->far1 = lane->last1 + FM_LANE_FAR;
    }
}

void fm_dispatch_end_all(struct fm_dispatch *dispatch, framemap_closed_by why, uint64_t end)
{
    struct fm_lanes *lanes = &dispatch->lanes;
    if (why != FRAMEMAP_CLOSED_BY_END) lanes->start.released = end;
    for (size_t i = 0; i < lanes->count; i++) {
        struct fm_lane *lane = lanes->lanes[i];
        if (why == FRAMEMAP_CLOSED_BY_END)
            end_lane(dispatch, lane);
        else
            fm_document_close_early(&lane->doc, why, end);
        fm_dispatch_update(dispatch, lane);
    }
    dispatch->lead_count = 0;
    if (why != FRAMEMAP_CLOSED_BY_END && end > dispatch->leads_at) dispatch->leads_at = end;
}

/* Whether traces are held back. False if the only text held back is lines that a later stack may turn into its title
 * (`leads` of struct fm_format). */
static bool has_traces(const struct fm_dispatch *dispatch)
{
    for (size_t i = 0; i < dispatch->lanes.count; i++)
        if (dispatch->lanes.lanes[i]->doc.begin != UINT64_MAX) return true;
    return dispatch->closed_end > 0;
}

void fm_dispatch_over_limit(struct fm_dispatch *dispatch, uint64_t from, uint64_t to)
{
    if (to - dispatch->held > dispatch->hold_documents || has_traces(dispatch))
        fm_dispatch_end_all(dispatch, FRAMEMAP_CLOSED_BY_SIZE, from);
}

void fm_dispatch_move(struct fm_dispatch *dispatch, const struct fm_lane_move *move, struct fm_arena *arena)
{
    struct fm_lanes *lanes = &dispatch->lanes;
    lanes->start.arena = arena;
    fm_lanes_move(lanes, move, arena);
    for (size_t i = 0; i < lanes->count; i++)
        if (lanes->lanes[i]->doc.failed) dispatch->failed = true;
}
