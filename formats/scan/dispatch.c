/* Implements the line dispatcher (dispatch.h): chooses the parsers that a line is offered to, skips lines that no
 * parser needs, and walks over the lines. dispatch_lanes.c ends open stacks; dispatch_leads.c finds lines at the end of
 * the text that must still be held back. */
#include "formats/scan/dispatch.h"
#include "core/limits.h"
#include "core/text/bits64.h"
#include "formats/scan/dispatch_lanes.h"
#include "formats/scan/document_report.h"
#include "formats/scan/line_clean.h"

/* --- choosing the parsers that a line may be for --- */

/* Returns the parsers whose conditions on the bytes of a line (firsts, lasts and others of struct fm_format) the
 * line meets. views: the line after the cleaning that each parser wants (struct fm_line_views). */
static struct fm_parser_set candidates_of(const struct fm_dispatch *dispatch, const struct fm_line_views *views)
{
    struct fm_parser_set any = FM_PARSERS_NONE;
    for (unsigned keeps = 0; keeps <= FM_KEEPS_ALL; keeps++)
        if (views->of[keeps]->first)
            any = fm_parsers_or(any, fm_parser_table_candidates(dispatch->parsers, views->of[keeps]));
    return any;
}

static bool passes_probe(const struct fm_format *format, const struct fm_line *line)
{
    return format->probe == NULL || format->probe(line);
}
static bool is_significant(const struct fm_format *format, const struct fm_line *line)
{
    return format->is_significant == NULL || format->is_significant(line);
}

/* Sets what the dispatcher notes about the line [from, to). The prefilter's marks are ignored for a JSON document and
 * for the first lines of a text. */
static void see_line(struct fm_dispatch *dispatch, const struct fm_line *line, size_t from, size_t to, bool pieces)
{
    dispatch->dirty = fm_line_is_dirty(line);
    dispatch->in_string = pieces;
    const bool is_first = line->text_number1 <= FM_FIRST_LINES;
    dispatch->any_marks = dispatch->use == FM_PREFILTER_NEVER || line->is_document || (!pieces && is_first);
    dispatch->line_from = from;
    dispatch->line_to = to;
}

/* Returns the parsers that the current line may be significant to, by the needles and shapes that the prefilter finds
 * in it. line: the current line or a cleaned copy. A line of an escaped string is searched both in the bytes of the
 * text and in its copy, since an escape may be part of a needle. */
static struct fm_parser_set by_marks(struct fm_dispatch *dispatch, const struct fm_line *line)
{
    if (dispatch->any_marks) return FM_PARSERS_ALL;
    if (!dispatch->in_string && line->cleaned.data == NULL)
        return fm_prefilter_parsers(&dispatch->walk, dispatch->line_from, dispatch->line_to);
    if (!dispatch->in_string) return fm_prefilter_parsers_in(&dispatch->walk, line->body, line->body.size);
    const framemap_str all = dispatch->at.text;
    struct fm_parser_set found =
        fm_prefilter_parsers_in(&dispatch->walk, line->text, (size_t)(all.data + all.size - line->text.data));
    fm_parsers_include(&found, dispatch->parsers->prefilter.of_all);
    if (line->cleaned.data == NULL) return found;
    return fm_parsers_or(found, fm_prefilter_parsers_in(&dispatch->walk, line->body, line->body.size));
}

/* Returns the parsers that by_marks returns for a line, together with those that it returns for the line's cleaned
 * copies. */
static struct fm_parser_set by_marks_of_views(struct fm_dispatch *dispatch, const struct fm_line *const views[])
{
    const struct fm_line *before = views[FM_KEEPS_ALL];
    struct fm_parser_set found = by_marks(dispatch, before);
    if (dispatch->any_marks || !dispatch->dirty) return found;
    for (unsigned keeps = 0; keeps < FM_KEEPS_ALL; keeps++) {
        /* most cleaned copies of a line are equal to the copy before */
        if (views[keeps] != before && !fm_str_equal(views[keeps]->body, before->body))
            fm_parsers_include(&found, by_marks(dispatch, views[keeps]));
        before = views[keeps];
    }
    return found;
}

/* Whether the line is significant to one of a set of parsers. */
static bool is_significant_to(struct fm_dispatch *dispatch, const struct fm_line *line, struct fm_parser_set parsers)
{
    if (!line->first) return false;
    parsers = fm_parsers_and(parsers, fm_parser_table_candidates(dispatch->parsers, line));
    if (fm_parsers_any(parsers)) parsers = fm_parsers_and(parsers, by_marks(dispatch, line));
    while (fm_parsers_any(parsers)) {
        const struct fm_format *format = dispatch->parsers->formats[fm_parsers_take(&parsers)];
        if (passes_probe(format, line) && is_significant(format, line)) return true;
    }
    return false;
}

/* Whether a line that has to be cleaned is significant to one of the parsers. */
static bool is_dirty_significant(struct fm_dispatch *dispatch, const struct fm_line *line)
{
    char room[FM_KEEPS_ALL * FM_CLEAN_MOST];
    struct fm_line_views views;
    fm_line_views_fill(line, room, &views);
    for (unsigned keeps = 0; keeps <= FM_KEEPS_ALL; keeps++)
        if (is_significant_to(dispatch, views.of[keeps], dispatch->parsers->by_keeps[keeps])) return true;
    return false;
}

static bool is_significant_to_any(struct fm_dispatch *dispatch, const struct fm_line *line)
{
    return dispatch->dirty ? is_dirty_significant(dispatch, line) : is_significant_to(dispatch, line, FM_PARSERS_ALL);
}

/* --- offering lines --- */

/* Extends the range of lines that a parser is offered in a lane (the lines of one process and thread): the range then
 * ends at line `number1`. all: every line of the range is offered. */
static void extend_offers(struct fm_lane *lane, unsigned parser, uint64_t number1, bool all)
{
    if (number1 > lane->offer_until1[parser]) lane->offer_until1[parser] = number1;
    if (number1 > lane->last_offer_until1) lane->last_offer_until1 = number1;
    fm_parsers_add(&lane->reached, parser);
    if (all) fm_parsers_add(&lane->offered, parser);
}

/* Returns the parsers that are offered a line because it may continue what they have open: keepers (parsers with
 * keeps_state), and parsers that requested the line with fm_document_offer_until. */
static struct fm_parser_set open_parsers(struct fm_lane *lane, uint64_t number1)
{
    for (struct fm_parser_set left = lane->reached; fm_parsers_any(left);) {
        const unsigned i = fm_parsers_take(&left);
        if (number1 > lane->offer_until1[i]) fm_parsers_remove(&lane->reached, i);
    }
    return lane->offered = fm_parsers_and(lane->offered, lane->reached);
}

/* Returns the parsers of `left` that a line is offered to, given the result of by_marks_of_views for the line. A
 * parser that needs no mark is still not offered a line in which the prefilter finds nothing, unless it took a line
 * shortly above: the prefilter skips such lines elsewhere. */
static struct fm_parser_set keep_marked(const struct fm_dispatch *dispatch, const struct fm_lane *lane,
                                        struct fm_parser_set left, struct fm_parser_set keepers,
                                        struct fm_parser_set marked)
{
    const struct fm_parser_set near = fm_parsers_without(lane->reached, dispatch->parsers->marked);
    return fm_parsers_and(left, fm_parsers_or(fm_parsers_or(marked, keepers), near));
}

/* Whether a keeper (a parser with keeps_state) is offered a line: it may continue what the parser has open, or it is
 * significant by itself. */
static bool is_for_keeper(struct fm_lane *lane, unsigned parser, const struct fm_line *line, bool is_candidate)
{
    const struct fm_format *format = lane->parsers[parser].format;
    if (line->number1 <= lane->offer_until1[parser]) return true;
    if (!is_candidate || !passes_probe(format, line) || !is_significant(format, line)) return false;
    extend_offers(lane, parser, line->number1 + FM_LINES_AFTER, true);
    return true;
}

static enum fm_line_role offer_to(struct fm_lane *lane, unsigned parser, const struct fm_line *line)
{
    const struct fm_parser *one = &lane->parsers[parser];
    struct fm_document *doc = &lane->doc;
    doc->offer_until1 = 0;
    doc->parser = parser;
    if (!fm_parsers_have(lane->used, parser)) fm_lane_first_use(lane, parser);
    const enum fm_line_role role = one->format->offer(one->state, doc, line);
    const bool asked = doc->offer_until1 != 0;
    if (role != FM_ROLE_NONE) fm_document_offer_until(doc, line->number1 + FM_LINES_AFTER);
    if (doc->offer_until1 == 0) return role;
    fm_document_stay_open(doc, line);
    extend_offers(lane, parser, doc->offer_until1, asked || one->format->keeps_state);
    return role;
}

static bool is_offered(const struct fm_dispatch *dispatch, struct fm_lane *lane, unsigned parser,
                       const struct fm_line *line, bool is_candidate, bool all)
{
    if (fm_parsers_have(dispatch->parsers->keepers, parser))
        return is_for_keeper(lane, parser, line, is_candidate) || all;
    return passes_probe(dispatch->parsers->formats[parser], line);
}

/* Offers a line to the parsers that it may be for, and returns the parsers that skip the line when they look back.
 * views: the line after the cleaning that each format wants, by enum fm_keeps. Some lines are offered to every keeper
 * (parser with keeps_state): the first line of an escaped string, since the string ends what was open above it; the
 * text around strings; and each line of a physical line in which strings are single rows. */
static struct fm_parser_set offer_views(struct fm_dispatch *dispatch, struct fm_lane *lane,
                                        const struct fm_line *const views[], struct fm_parser_set by_bytes)
{
    const struct fm_line *printed = views[FM_KEEPS_ALL];
    const bool all = dispatch->use == FM_PREFILTER_NEVER ||
                     (dispatch->in_string && (printed->begins || printed->run == 0 || dispatch->at.pieces.has_rows));
    struct fm_parser_set hidden = FM_PARSERS_NONE;
    struct fm_parser_set keepers = FM_PARSERS_NONE;
    if (!printed->is_document) keepers = open_parsers(lane, printed->number1);
    if (!printed->is_document && all) keepers = fm_parsers_or(keepers, dispatch->parsers->keepers);
    struct fm_parser_set left = fm_parsers_or(by_bytes, keepers),
                         to_check = fm_parsers_without(fm_parsers_and(left, dispatch->parsers->marked), keepers);
    while (fm_parsers_any(left)) {
        const unsigned i = fm_parsers_take(&left);
        const struct fm_line *line = views[dispatch->parsers->formats[i]->keeps];
        /* The marks of a line cost time, so they are computed only when a parser depends on them. */
        if (fm_parsers_have(to_check, i)) {
            if (!passes_probe(dispatch->parsers->formats[i], line)) continue;
            const struct fm_parser_set marked = by_marks_of_views(dispatch, views);
            left = keep_marked(dispatch, lane, left, keepers, marked);
            to_check = FM_PARSERS_NONE;
            if (!fm_parsers_have(marked, i)) continue;
        }
        if (!is_offered(dispatch, lane, i, line, fm_parsers_have(by_bytes, i), all)) continue;
        const enum fm_line_role role = offer_to(lane, i, line);
        if (role == FM_ROLE_CONTEXT) fm_parsers_add(&hidden, i);
        /* The parser that took the line skips its own frames when it looks back. Parsers later in the list were not
         * offered the line, and skip it too. */
        if (role == FM_ROLE_FRAME) return fm_parsers_or(hidden, fm_parsers_from(i));
    }
    return hidden;
}

static struct fm_parser_set offer_dirty(struct fm_dispatch *dispatch, struct fm_lane *lane, const struct fm_line *line)
{
    struct fm_line_views views;
    char *room = fm_document_alloc(&lane->doc, FM_KEEPS_ALL * line->body.size);
    if (room == NULL) return FM_PARSERS_NONE;
    fm_line_views_fill(line, room, &views);
    return offer_views(dispatch, lane, views.of, candidates_of(dispatch, &views));
}

static struct fm_parser_set offer(struct fm_dispatch *dispatch, struct fm_lane *lane, const struct fm_line *line)
{
    const struct fm_line *const same[] = {line, line, line, line};
    if (dispatch->dirty) return offer_dirty(dispatch, lane, line);
    return offer_views(dispatch, lane, same, fm_parser_table_candidates(dispatch->parsers, line));
}

/* --- skipping lines --- */

/* Whether the line [from, to) is too long to be parsed: a stream could not hold it back. */
static bool is_over_long(const struct fm_dispatch *dispatch, size_t from, size_t to)
{
    if (to - from <= dispatch->hold_lines) return false;
    return to - from > dispatch->hold_documents || !fm_line_may_be_json(fm_str_slice(dispatch->at.text, from, to));
}

/* Whether a log record (record_line.h) is significant, as the line that it has or, because it may be a JSON document,
 * as a whole. */
static bool is_significant_record(struct fm_dispatch *dispatch, const struct fm_line *line, framemap_str record,
                                  size_t from, size_t to)
{
    if (is_significant_to_any(dispatch, line)) return true;
    struct fm_line whole = {.text = record, .number1 = line->number1, .text_number1 = line->text_number1};
    fm_line_cut(&whole);
    if (whole.first == '\0') return false;
    see_line(dispatch, &whole, from, to, false);
    const bool is_significant = is_significant_to(dispatch, &whole, dispatch->parsers->document_readers);
    see_line(dispatch, line, from, to, true);
    return is_significant;
}

/* Whether a line, read from offset `from` up to the position *to, has to be parsed; also does what see_line does. A
 * line with an escaped string of several lines always has to be parsed, because such a string ends every open trace. */
static bool matters(struct fm_dispatch *dispatch, const struct fm_line *line, const struct fm_lines *to, size_t from)
{
    if (is_over_long(dispatch, from, to->at)) return false;
    see_line(dispatch, line, from, to->at, to->record.data != NULL);
    if (to->record.data == NULL) return is_significant_to_any(dispatch, line);
    return !to->pieces.is_record || is_significant_record(dispatch, line, to->record, from, to->at);
}

/* Moves to the next line that is significant to a parser. Returns false at the end of the part of the text; skipping
 * then continues in the next part. */
static bool skip_lines(struct fm_dispatch *dispatch)
{
    struct fm_line line;
    if (!dispatch->skipping) dispatch->from = dispatch->at.number1;
    dispatch->skipping = true;
    for (;;) {
        if (dispatch->use == FM_PREFILTER_ALWAYS && dispatch->at.number1 >= FM_FIRST_LINES) {
            const struct fm_prefilter_line next = fm_prefilter_next(&dispatch->walk, dispatch->at.at);
            fm_lines_skip(&dispatch->at, next.at, next.lines);
        }
        struct fm_lines ahead = dispatch->at;
        if (!fm_lines_next(&ahead, &line)) return false;
        if (matters(dispatch, &line, &ahead, dispatch->at.at)) break;
        ahead.pieces.at = NULL;
        dispatch->at = ahead;
    }
    const uint64_t skipped = dispatch->at.number1 - dispatch->from;
    dispatch->skipped += skipped;
    dispatch->skipping = false;
    dispatch->starts = true;
    if (skipped > 0) fm_line_ring_skip(&dispatch->ring, skipped, dispatch->at.at);
    return true;
}

/* --- walking over the lines of a text --- */

/* Parses the current line, which is in the current slot of the ring (look_back.h). piece: the line is a piece of an
 * escaped string, and not the first piece on its physical line. */
static void take_line(struct fm_dispatch *dispatch, struct fm_line *line, bool piece)
{
    const uint64_t origin = fm_dispatch_lane_of(dispatch, line, piece);
    fm_line_ring_slot(&dispatch->ring)->lane = origin;
    if (line->text_number1 > dispatch->far1) fm_dispatch_close_far(dispatch, line->text_number1);
    struct fm_lane *lane = fm_lanes_find(&dispatch->lanes, origin);
    const bool starts = dispatch->starts;
    const bool passes = dispatch->use == FM_PREFILTER_NEVER && dispatch->wanting == 0 && !starts;
    if (passes) dispatch->message1 = 0; /* with the prefilter, the line would be skipped and begin no message */
    if (lane == NULL && is_significant_to_any(dispatch, line)) lane = fm_dispatch_add_lane(dispatch, origin);
    if (lane == NULL) {
        if (passes && !piece) dispatch->skipped++;
        dispatch->starts = false;
        fm_line_ring_push(&dispatch->ring, FM_PARSERS_NONE);
        return;
    }
    if (lane->last1 != line->text_number1) {
        if (passes)
            dispatch->skipped++;
        else
            lane->count++;
    }
    lane->last1 = line->text_number1;
    line->number1 = lane->doc.number1 = lane->count + dispatch->skipped;
    if (starts && line->number1 + FM_LINES_AFTER > lane->last_offer_until1)
        lane->last_offer_until1 = line->number1 + FM_LINES_AFTER;
    dispatch->starts = false;
    fm_document_expire(&lane->doc, line->number1);
    fm_line_ring_push(&dispatch->ring, line->first ? offer(dispatch, lane, line) : FM_PARSERS_NONE);
    fm_dispatch_update(dispatch, lane);
}

/* Reads the next line into the current slot of the ring (look_back.h). Returns false at the end of the part of the
 * text. */
static bool next_line(struct fm_dispatch *dispatch)
{
    struct fm_line *line = &fm_line_ring_slot(&dispatch->ring)->line;
    const bool piece = dispatch->at.pieces.at != NULL;
    const size_t from = dispatch->at.at;
    if (!fm_lines_next(&dispatch->at, line)) return false;
    const bool is_piece = piece && dispatch->at.at == from;
    if (!is_piece) {
        fm_dispatch_limit(dispatch, dispatch->at.base + from, dispatch->at.base + dispatch->at.at);
        if (is_over_long(dispatch, from, dispatch->at.at)) {
            dispatch->at.pieces.at = NULL;
            /* a stream that gets the line in pieces ends all stacks before it knows where the line ends */
            fm_dispatch_end_all(dispatch, FRAMEMAP_CLOSED_BY_SIZE, dispatch->at.base + from);
            return true;
        }
        if (dispatch->use == FM_PREFILTER_NEVER && dispatch->wanting == 0)
            dispatch->starts = matters(dispatch, line, &dispatch->at, from);
        else
            see_line(dispatch, line, from, dispatch->at.at, dispatch->at.record.data != NULL);
    }
    if (is_piece) dispatch->dirty = fm_line_is_dirty(line);
    take_line(dispatch, line, is_piece);
    return true;
}

void fm_dispatch_parse(struct fm_dispatch *dispatch, uint64_t end)
{
    dispatch->at.text = fm_str(dispatch->ring.text.data, (size_t)(end - dispatch->at.base));
    if (dispatch->use == FM_PREFILTER_ALWAYS)
        fm_prefilter_start(&dispatch->walk, &dispatch->parsers->prefilter, dispatch->at.text);
    for (;;) {
        /* the physical line has no more pieces (lines within its strings) */
        if (dispatch->at.pieces.at == dispatch->at.pieces.end) dispatch->at.pieces.at = NULL;
        const bool free = dispatch->at.pieces.at == NULL && dispatch->wanting == 0;
        if (dispatch->failed) return;
        if (free && dispatch->use != FM_PREFILTER_NEVER && !skip_lines(dispatch)) return;
        if (!next_line(dispatch)) return;
    }
}

void fm_dispatch_pass(struct fm_dispatch *dispatch, uint64_t end, uint64_t lines)
{
    if (!dispatch->skipping && dispatch->wanting == 0 && dispatch->use != FM_PREFILTER_NEVER) {
        dispatch->skipping = true;
        dispatch->from = dispatch->at.number1;
    }
    dispatch->at.at = (size_t)(end - dispatch->at.base);
    dispatch->at.number1 += lines;
    dispatch->leads_at = end;
}

void fm_dispatch_window(struct fm_dispatch *dispatch, framemap_str text, uint64_t base)
{
    struct fm_line_ring *ring = &dispatch->ring;
    const uint64_t at = dispatch->at.base + dispatch->at.at;
    if (ring->text.data == text.data && ring->base == base)
        ring->text = text;
    else
        fm_line_ring_move(ring, text, base);
    dispatch->at.text = text;
    dispatch->at.base = base;
    dispatch->at.at = (size_t)(at - base);
}

/* --- opening and closing a dispatcher --- */

/* Initializes, for the start of a text, those members whose initial value is not zero. */
static void start_text(struct fm_dispatch *dispatch)
{
    dispatch->far1 = dispatch->held = UINT64_MAX;
    dispatch->ring.text = (framemap_str){NULL, 0};
    dispatch->ring.base = dispatch->ring.count = 0;
    dispatch->ring.cut_count = 0;
    dispatch->ring.ended1 = 0;
    dispatch->ring.lines[0].skipped = dispatch->ring.lines[0].at = 0;
}

bool fm_dispatch_open(struct fm_dispatch *dispatch, struct fm_heap *heap, struct fm_arena *arena,
                      const struct fm_parser_table *parsers, enum fm_prefilter_use use, uint64_t hold,
                      uint64_t hold_documents)
{
    enum { REACH = 64 << 10, IMAGE_HOLDS = 16 };
    fm_clear(dispatch, offsetof(struct fm_dispatch, leads));
    dispatch->heap = heap;
    dispatch->parsers = parsers;
    dispatch->use = use;
    dispatch->hold = hold;
    dispatch->hold_documents = hold_documents > hold ? hold_documents : hold;
    dispatch->hold_lines = hold;
    dispatch->sink.heap = dispatch->lanes.heap = heap;
    start_text(dispatch);
    dispatch->ring.reach = hold / 2 < REACH ? hold / 2 : REACH;
    const struct fm_document start = {.arena = arena,
                                      .sink = &dispatch->sink,
                                      .ring = &dispatch->ring,
                                      .image_limit =
                                          hold < FM_LIMIT_IMAGES / IMAGE_HOLDS ? (size_t)hold * IMAGE_HOLDS : 0,
                                      .begin = UINT64_MAX,
                                      .pending_begin = UINT64_MAX};
    return fm_lanes_open(&dispatch->lanes, parsers, &start);
}

void fm_dispatch_restart(struct fm_dispatch *dispatch)
{
    struct fm_trace_sink *sink = &dispatch->sink;
    fm_clear(&dispatch->at, offsetof(struct fm_dispatch, leads) - offsetof(struct fm_dispatch, at));
    dispatch->failed = false;
    sink->count = 0;
    sink->next_trace = sink->next_report = 0;
    fm_lanes_restart(&dispatch->lanes);
    start_text(dispatch);
}

void fm_dispatch_close(struct fm_dispatch *dispatch)
{
    struct fm_trace_sink *sink = &dispatch->sink;
    fm_lanes_close(&dispatch->lanes);
    fm_heap_free(dispatch->heap, sink->traces, sink->capacity * sizeof *sink->traces);
    sink->traces = NULL;
    sink->count = sink->capacity = 0;
}
