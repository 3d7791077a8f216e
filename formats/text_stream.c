/* Implements text_stream.h: parses text as it arrives, finds the last offset before which no stack can change any more,
 * and passes text and stacks up to there to the caller. The rest is copied to a new window (buffer) when the old one is
 * full. */
#include "formats/text_stream.h"
#include "core/error.h"
#include "core/limits.h"
#include "formats/format_registry.h"
#include "formats/output/event_group.h"

/* A new generation begins when the arena of the current one has more than a limit: ARENA_MOST bytes, plus ARENA_LANE
 * for each lane (the lines of one thread in a log), since the lane's state is copied then; or, if that is more,
 * ARENA_HOLDS times the bytes that may be held back. */
#define ARENA_MOST ((size_t)256 << 10)
#define ARENA_LANE ((size_t)16 << 10)
#define ARENA_HOLDS 4
/* a whole text is parsed in parts of this many bytes; after each part, finished traces are handed out */
#define PART ((size_t)32 << 10)
/* text without stacks, in a whole text, may be collected up to this many bytes and then handed out in one call */
#define LATE ((size_t)1 << 20)

/* A stream normally parses all text that arrives in one call as one part, since each part costs time. But the traces of
 * short frames without text between them take much memory. If traces take more than ARENA_LARGE bytes, the stream
 * divides what arrives into parts like those of a whole text, until they take less than ARENA_LARGE / ARENA_LARGE_SHARE
 * bytes. */
#define ARENA_LARGE ((size_t)4 << 20)
#define ARENA_LARGE_SHARE 16

/* --- opening and closing a stream --- */

framemap_status fm_text_stream_open(struct fm_text_stream *stream, struct fm_heap *heap,
                                    const struct fm_parser_table *parsers, size_t hold, fm_stream_batch *batch,
                                    void *context, framemap_error *error)
{
    const uint64_t most = (uint64_t)FM_STREAM_DOCUMENT_HOLDS * hold,
                   documents = most < FM_LIMIT_DOCUMENT ? most : FM_LIMIT_DOCUMENT;
    *stream = (struct fm_text_stream){.heap = heap, .hold = hold, .batch = batch, .context = context};
    fm_arena_init(&stream->arena, heap);
    stream->dispatch = fm_heap_resize(heap, NULL, 0, sizeof *stream->dispatch);
    if (stream->dispatch == NULL) return fm_error_memory(error);
    if (fm_dispatch_open(stream->dispatch, heap, &stream->arena, parsers, FM_PREFILTER_ALWAYS, hold, documents))
        return FRAMEMAP_OK;
    return fm_error_memory(error);
}

/* Returns the size of a window, unless it has to hold a large JSON document. */
static size_t usual_capacity(const struct fm_text_stream *stream)
{
    return 3 * stream->hold + 2 * (size_t)stream->dispatch->ring.reach;
}

static void free_generation(struct fm_text_stream *stream, struct fm_generation *old)
{
    if (old->window && stream->spare == NULL && old->capacity == usual_capacity(stream))
        stream->spare = old->window;
    else
        fm_heap_free(stream->heap, old->window, old->capacity);
    fm_arena_free(&old->arena);
}

void fm_text_stream_close(struct fm_text_stream *stream)
{
    for (size_t i = 0; i < stream->old_count; i++) free_generation(stream, &stream->old[i]);
    fm_heap_free(stream->heap, stream->window, stream->capacity);
    if (stream->dispatch) {
        fm_heap_free(stream->heap, stream->spare, usual_capacity(stream));
        fm_dispatch_close(stream->dispatch);
        fm_heap_free(stream->heap, stream->dispatch, sizeof *stream->dispatch);
    }
    fm_arena_free(&stream->arena);
    *stream = (struct fm_text_stream){.heap = stream->heap};
}

/* --- replacing the arena of the parsers' states by a new one (a generation) --- */

/* Returns the offset up to which traces were handed out and are needed no more. */
static uint64_t taken_to(const struct fm_text_stream *stream)
{
    return stream->taken ? stream->taken(stream->context) : stream->done;
}

/* Frees the generations that nothing refers to any more. */
static void free_old(struct fm_text_stream *stream)
{
    if (stream->old_count == 0) return;
    const uint64_t taken = taken_to(stream);
    size_t kept = 0;
    for (size_t i = 0; i < stream->old_count; i++) {
        if (stream->old[i].until <= taken)
            free_generation(stream, &stream->old[i]);
        else
            stream->old[kept++] = stream->old[i];
    }
    stream->old_count = kept;
}

/* Whether there are traces that were not handed out yet, or are still needed by the caller. */
static bool has_traces(const struct fm_text_stream *stream)
{
    const struct fm_dispatch *dispatch = stream->dispatch;
    if (taken_to(stream) < stream->done) return true;
    for (size_t i = 0; i < dispatch->lanes.count; i++)
        if (dispatch->lanes.lanes[i]->doc.trace_count > 0) return true;
    return dispatch->sink.count > 0;
}

/* Begins a generation: the parsers' states move to a new arena. The old arena, and the window with the text if that
 * moved (else NULL, 0), are kept until all traces that refer to them have been handed out. */
static void new_generation(struct fm_text_stream *stream, struct fm_lane_move *move, char *window, size_t capacity)
{
    struct fm_generation *old = &stream->old[stream->old_count++];
    const uint64_t until = has_traces(stream) ? stream->parsed : 0;
    *old = (struct fm_generation){.window = window, .capacity = capacity, .arena = stream->arena, .until = until};
    move->arena = &old->arena;
    move->to = stream->text;
    move->to_base = stream->base;
    fm_arena_init(&stream->arena, stream->heap);
    fm_dispatch_move(stream->dispatch, move, &stream->arena);
}

static bool arena_is_full(const struct fm_text_stream *stream)
{
    const size_t most = ARENA_MOST + stream->dispatch->lanes.count * ARENA_LANE;
    return stream->arena.total > most || stream->arena.total > ARENA_HOLDS * stream->hold;
}

/* Moves the parsers' states to a new arena, when the arena is full, without moving the text window. Does nothing if
 * there are already too many old arenas. */
static void new_arena(struct fm_text_stream *stream)
{
    struct fm_lane_move move = {.window = stream->text, .window_base = stream->base};
    if (stream->old_count < FM_GENERATIONS_MOST) new_generation(stream, &move, NULL, 0);
}

/* Returns the offset in memory of the first line that the new window has to contain. */
static size_t first_kept(const struct fm_text_stream *stream)
{
    const uint64_t reach = stream->dispatch->ring.reach;
    uint64_t from = stream->parsed > reach ? stream->parsed - reach : 0;
    if (from > stream->done) from = stream->done;
    if (from <= stream->base) return 0;
    const size_t at = (size_t)(from - stream->base) - 1;
    const size_t newline = fm_str_find_byte(fm_str_from(stream->text, at), '\n');
    const size_t line = newline == FM_NOT_FOUND ? stream->text.size : at + newline + 1;
    const size_t most = (size_t)((stream->done < stream->parsed ? stream->done : stream->parsed) - stream->base);
    return line < most ? line : most;
}

/* Returns the size of a window that has room for more text below `kept` bytes. For a large JSON document, each window
 * has twice the size of the one before, so that the document is copied few times. */
static size_t capacity_for(const struct fm_text_stream *stream, size_t kept)
{
    const size_t usual = usual_capacity(stream), room = usual / 3;
    const size_t most = (size_t)stream->dispatch->hold_documents + usual;
    size_t capacity = usual;
    while (capacity - room < kept) capacity *= 2;
    return capacity > most && kept < most - room ? most : capacity;
}

static char *take_window(struct fm_text_stream *stream, size_t capacity)
{
    char *spare = stream->spare;
    if (spare == NULL || capacity != usual_capacity(stream)) return fm_heap_resize(stream->heap, NULL, 0, capacity);
    stream->spare = NULL;
    return spare;
}

/* Copies the text that is still needed into a new window. */
static bool new_window(struct fm_text_stream *stream)
{
    const size_t from = stream->window ? first_kept(stream) : 0, before_capacity = stream->capacity;
    const size_t capacity = capacity_for(stream, stream->text.size - from);
    if (stream->old_count == FM_GENERATIONS_MOST) return false;
    char *window = take_window(stream, capacity);
    if (window == NULL) return false;
    struct fm_lane_move move = {.window = stream->text, .window_base = stream->base};
    char *before = stream->window;
    if (stream->text.size > from) memcpy(window, stream->text.data + from, stream->text.size - from);
    stream->window = window;
    stream->capacity = capacity;
    stream->text = fm_str(window, stream->text.size - from);
    stream->base += from;
    fm_dispatch_window(stream->dispatch, stream->text, stream->base);
    if (before) new_generation(stream, &move, before, before_capacity);
    free_old(stream);
    return true;
}

/* --- passing text and traces on --- */

/* Returns the offset at which a trace begins, with the title above it. */
static uint64_t begin_of(const framemap_trace *trace)
{
    const bool above = trace->mention_count > 0 && trace->mentions[0].raw_offset < trace->offset;
    return above ? trace->mentions[0].raw_offset : trace->offset;
}

/* Whether an offset divides a report that lists images. Such a report must stay whole, since its images are printed
 * once for all frames of the report. */
static bool divides_report(const struct fm_trace_sink *sink, size_t number, uint64_t to)
{
    const framemap_trace *trace = &sink->traces[number], *next = trace + 1;
    return trace->lists_images && number + 1 < sink->count && next->report == trace->report && next->offset >= to;
}

/* Returns the start of the line that contains an offset: a stack may begin in a string within its line, and the text
 * before it on the line shows how the string is escaped. An offset far after the start of its line is returned
 * unchanged. */
static uint64_t line_begin(const struct fm_text_stream *stream, uint64_t offset)
{
    enum { LINE_MOST = 1 << 18 };
    if (offset <= stream->done) return offset;
    const uint64_t from = offset - stream->done > LINE_MOST ? offset - LINE_MOST : stream->done;
    const framemap_str text =
        fm_str_slice(stream->text, (size_t)(from - stream->base), (size_t)(offset - stream->base));
    const size_t end = fm_str_find_last_byte(text, '\n');
    if (end != FM_NOT_FOUND) return from + end + 1;
    return from == stream->done ? from : offset;
}

/* Returns the last offset, not after `to`, that is not inside a stack, a line in which a stack starts, or a report with
 * images. */
static uint64_t before_traces(const struct fm_text_stream *stream, uint64_t to)
{
    const struct fm_trace_sink *sink = &stream->dispatch->sink;
    uint64_t before;
    do {
        before = to;
        for (size_t i = sink->count; i-- > 0;) {
            const framemap_trace *trace = &sink->traces[i];
            const uint64_t begin = begin_of(trace);
            if (begin < to && (trace->offset >= to || trace->offset + trace->size > to || divides_report(sink, i, to)))
                to = line_begin(stream, begin);
        }
    } while (to != before);
    return to;
}

/* Hands out the text up to an offset, or less if a stack extends beyond that offset. */
static framemap_status hand_out(struct fm_text_stream *stream, uint64_t to, framemap_error *error)
{
    struct fm_trace_sink *sink = &stream->dispatch->sink;
    size_t count = sink->count;
    fm_traces_sort(sink->traces, count);
    to = before_traces(stream, to);
    while (count > 0 && sink->traces[count - 1].offset >= to) count--;
    if (to <= stream->done) return FRAMEMAP_OK;
    const framemap_str text =
        fm_str_slice(stream->text, (size_t)(stream->done - stream->base), (size_t)(to - stream->base));
    const framemap_status status = stream->batch(stream->context, text, stream->done, sink->traces, count, error);
    stream->done = to;
    sink->count -= count;
    if (count && sink->count) memmove(sink->traces, sink->traces + count, sink->count * sizeof *sink->traces);
    stream->dispatch->closed_seen = sink->count;
    free_old(stream);
    if (arena_is_full(stream)) new_arena(stream);
    free_old(stream);
    return status;
}

/* Whether one of the event's stacks has not ended, and the event together with it is small enough to be held back. */
static bool has_open_part(const struct fm_text_stream *stream, const framemap_trace *event, size_t size)
{
    const struct fm_dispatch *dispatch = stream->dispatch;
    for (size_t i = 0; i < dispatch->lanes.count; i++) {
        const struct fm_document *doc = &dispatch->lanes.lanes[i]->doc;
        for (size_t t = 0; t < doc->trace_count; t++)
            if (fm_event_continues(event, size, &doc->traces[t]) &&
                doc->traces[t].offset + doc->traces[t].size - event->offset <= stream->hold)
                return true;
    }
    return false;
}

/* Whether all stacks of an event end before an offset. */
static bool ends_before(const framemap_trace *event, size_t size, uint64_t to)
{
    for (size_t i = 0; i < size; i++)
        if (event[i].offset + event[i].size > to) return false;
    return true;
}

/* Returns how many traces of an event may be held back together. If the event has more, it is cut there; the place
 * does not depend on how the text arrives. */
static size_t held_size(const struct fm_text_stream *stream, const framemap_trace *event, size_t size)
{
    for (size_t i = 1; i < size; i++)
        if (event[i].offset + event[i].size - event->offset > stream->hold) return i;
    return size;
}

/* Returns the offset of the first event that must not be handed out yet, because it ends after `to` or may get a
 * further stack; `to` if there is none. The rest of an event that was cut counts as an event. */
static uint64_t before_event(const struct fm_text_stream *stream, uint64_t to)
{
    const struct fm_dispatch *dispatch = stream->dispatch;
    const struct fm_trace_sink *sink = &dispatch->sink;
    size_t size;
    for (size_t i = 0; i < sink->count; i += size) {
        const framemap_trace *event = &sink->traces[i];
        const size_t whole = fm_event_size(event, sink->count - i);
        size = held_size(stream, event, whole);
        const bool may_grow = i + size == sink->count && stream->parsed - event->offset <= stream->hold &&
                              fm_event_may_grow(event, size, dispatch->at.number1, stream->parsed);
        const bool is_held = may_grow || !ends_before(event, size, to) || has_open_part(stream, event, size);
        if (!is_held && size == whole) continue;
        const uint64_t begin = line_begin(stream, begin_of(is_held ? event : event + size));
        return begin < to ? begin : to;
    }
    return to;
}

/* Returns the last offset up to `to` that divides no event. The search is repeated, because an event may begin above
 * the end of another. */
static uint64_t event_floor(struct fm_text_stream *stream, uint64_t to)
{
    uint64_t before;
    fm_traces_sort(stream->dispatch->sink.traces, stream->dispatch->sink.count);
    do {
        before = to;
        to = before_event(stream, to);
    } while (to != before);
    return to;
}

/* Counts the line ends between the line that the dispatcher reads next and an offset. */
static uint64_t line_ends(const struct fm_text_stream *stream, uint64_t end)
{
    const struct fm_lines *at = &stream->dispatch->at;
    return fm_str_count_byte(fm_str_slice(stream->text, at->at, (size_t)(end - at->base)), '\n');
}

/* Handles lack of memory in the parsers: forgets what was parsed but not handed out, if the caller accepts that this
 * text gets no traces. */
static framemap_status lack(struct fm_text_stream *stream, framemap_error *error)
{
    struct fm_dispatch *dispatch = stream->dispatch;
    struct fm_lanes *lanes = &dispatch->lanes;
    const uint64_t end = stream->parsed;
    if (!stream->survives || !stream->survives(stream->survivor, end - stream->done, dispatch->at.number1 + 1))
        return fm_error_memory(error);
    dispatch->failed = false;
    dispatch->sink.count = dispatch->closed_seen = 0;
    lanes->start.released = end;
    for (size_t i = 0; i < lanes->count; i++) {
        lanes->lanes[i]->doc.released = end;
        fm_lane_clear(lanes, lanes->lanes[i]);
    }
    dispatch->wanting = 0;
    dispatch->held = UINT64_MAX;
    dispatch->lead_count = 0;
    dispatch->at.pieces.at = NULL;
    if (end > dispatch->at.base + dispatch->at.at) fm_dispatch_pass(dispatch, end, line_ends(stream, end));
    fm_arena_reset(&stream->arena);
    return hand_out(stream, end, error);
}

/* Records that a part of a whole text ends here. Returns whether the lines of the last parts are short: the last
 * FM_LOOK_BACK_FAR lines have at most FM_EARLY_NEAR bytes. */
static bool has_short_lines(struct fm_text_stream *stream)
{
    const struct fm_text_part now = {stream->parsed, stream->dispatch->at.number1};
    const struct fm_text_part *before = &stream->parts[(stream->part_count + 1) % FM_STREAM_PARTS];
    const bool known = stream->part_count >= FM_STREAM_PARTS - 1;
    stream->parts[stream->part_count++ % FM_STREAM_PARTS] = now;
    return known && now.number1 - before->number1 >= FM_LOOK_BACK_FAR && now.end - before->end <= FM_EARLY_NEAR;
}

/* Whether the text since the last stack may be handed out later than now. The delay does not change the line at which
 * the text is cut, so that each call of `batch` gets the same traces. */
static bool can_wait(struct fm_text_stream *stream)
{
    return has_short_lines(stream) && fm_dispatch_is_plain(stream->dispatch) && !stream->joins_stacks &&
           stream->parsed - stream->done < LATE && stream->arena.total <= ARENA_MOST;
}

/* Hands out the text that was postponed. */
static framemap_status hand_out_late(struct fm_text_stream *stream, framemap_error *error)
{
    const uint64_t late = stream->late;
    stream->late = 0;
    if (late <= stream->done) return FRAMEMAP_OK;
    return hand_out(stream, fm_dispatch_last_lines(stream->dispatch, stream->done, late), error);
}

/* Hands out the events up to an offset. A large event is handed out in the parts that it was cut into. */
static framemap_status hand_out_events(struct fm_text_stream *stream, uint64_t to, framemap_error *error)
{
    framemap_status status = FRAMEMAP_OK;
    uint64_t before;
    do {
        before = stream->done;
        status = hand_out(stream, event_floor(stream, to), error);
    } while (status == FRAMEMAP_OK && before < stream->done && stream->done < to);
    return status;
}

static void choose_parts(struct fm_text_stream *stream)
{
    if (stream->arena.total > ARENA_LARGE) stream->in_parts = true;
    if (stream->arena.total < ARENA_LARGE / ARENA_LARGE_SHARE) stream->in_parts = false;
}

/* Parses whole lines up to `end`, and hands out the text whose stacks cannot change any more. */
static framemap_status parse(struct fm_text_stream *stream, uint64_t end, framemap_error *error)
{
    if (end > stream->parsed) fm_dispatch_parse(stream->dispatch, end);
    stream->parsed = end;
    stream->searched = 0;
    choose_parts(stream);
    if (stream->whole && !stream->dispatch->failed && can_wait(stream)) {
        stream->late = end;
        return FRAMEMAP_OK;
    }
    const framemap_status status = hand_out_late(stream, error);
    if (status != FRAMEMAP_OK) return status;
    if (stream->dispatch->failed) return lack(stream, error);
    const uint64_t first_held = stream->whole && !stream->joins_stacks
                                    ? fm_dispatch_early_floor(stream->dispatch, stream->done)
                                    : fm_dispatch_floor(stream->dispatch);
    const uint64_t floor = first_held < end ? line_begin(stream, first_held) : first_held;
    return stream->joins_stacks ? hand_out_events(stream, floor, error) : hand_out(stream, floor, error);
}

static uint64_t text_end(const struct fm_text_stream *stream) { return stream->base + stream->text.size; }

/* Parses whole lines in parts of PART bytes. Leaves the text after the last complete part to the caller. */
static framemap_status parse_parts(struct fm_text_stream *stream, uint64_t end, framemap_error *error)
{
    /* With a low memory ceiling, less text than PART may be held back. */
    const size_t part = stream->hold < PART ? stream->hold : PART;
    framemap_status status = FRAMEMAP_OK;
    while (status == FRAMEMAP_OK && end - stream->parsed > part) {
        const framemap_str rest =
            fm_str_slice(stream->text, (size_t)(stream->parsed - stream->base) + part, (size_t)(end - stream->base));
        const size_t newline = fm_str_find_byte(rest, '\n');
        if (newline == FM_NOT_FOUND) break;
        status = parse(stream, stream->parsed + part + newline + 1, error);
    }
    return status;
}

/* Parses the whole lines that arrived. */
static framemap_status parse_added(struct fm_text_stream *stream, uint64_t end, framemap_error *error)
{
    const framemap_status status = stream->in_parts ? parse_parts(stream, end, error) : FRAMEMAP_OK;
    return status == FRAMEMAP_OK && end > stream->parsed ? parse(stream, end, error) : status;
}

/* Passes on the text up to `end` without parsing it, because it is the start or the rest of a line that is too long. */
static framemap_status pass(struct fm_text_stream *stream, uint64_t end, bool ends_line, framemap_error *error)
{
    fm_dispatch_pass(stream->dispatch, end, ends_line);
    stream->parsed = end;
    stream->searched = 0;
    stream->within = !ends_line;
    return hand_out(stream, end, error);
}

/* Passes on, unchanged, a line that is longer than `most`, the number of bytes that may be held back. */
static framemap_status pass_long_line(struct fm_text_stream *stream, uint64_t most, framemap_error *error)
{
    if (stream->long_count++ == 0) {
        stream->long_number1 = stream->dispatch->at.number1 + 1;
        stream->long_most = most;
    }
    fm_dispatch_end_all(stream->dispatch, FRAMEMAP_CLOSED_BY_SIZE, stream->parsed);
    const framemap_status status = hand_out(stream, stream->parsed, error);
    return status == FRAMEMAP_OK ? pass(stream, text_end(stream), false, error) : status;
}

/* Handles an incomplete line that is longer than what may be held back, unless it may be a JSON document. Such a line
 * may hold back more, but ends what is open above it as soon as both together are too large. */
static framemap_status hold_long_line(struct fm_text_stream *stream, framemap_error *error)
{
    struct fm_dispatch *dispatch = stream->dispatch;
    const framemap_str line = fm_str_from(stream->text, (size_t)(stream->parsed - stream->base));
    const uint64_t most = fm_line_may_be_json(line) ? dispatch->hold_documents : stream->hold;
    if (line.size > most) return pass_long_line(stream, most, error);
    fm_dispatch_limit(dispatch, stream->parsed, text_end(stream));
    const framemap_status status = parse(stream, stream->parsed, error);
    stream->searched = line.size;
    return status;
}

/* Parses what was added to the window. */
static framemap_status take_added(struct fm_text_stream *stream, framemap_error *error)
{
    framemap_status status = FRAMEMAP_OK;
    fm_dispatch_window(stream->dispatch, stream->text, stream->base);
    if (stream->within) {
        const framemap_str rest = fm_str_from(stream->text, (size_t)(stream->parsed - stream->base));
        const size_t newline = fm_str_find_byte(rest, '\n');
        status = pass(stream, newline == FM_NOT_FOUND ? text_end(stream) : stream->parsed + newline + 1,
                      newline != FM_NOT_FOUND, error);
    }
    if (status != FRAMEMAP_OK || stream->within) return status;
    const size_t from = (size_t)(stream->parsed - stream->base) + stream->searched;
    const size_t newline = fm_str_find_last_byte(fm_str_from(stream->text, from), '\n');
    if (newline != FM_NOT_FOUND) status = parse_added(stream, stream->base + from + newline + 1, error);
    stream->searched = (size_t)(text_end(stream) - stream->parsed);
    if (status == FRAMEMAP_OK && stream->searched > stream->hold) status = hold_long_line(stream, error);
    return status;
}

/* Begins a window for more text. Without memory for a window, or with too many generations, first hands out all text
 * that is held back; this frees memory and generations. */
static framemap_status make_room(struct fm_text_stream *stream, framemap_error *error)
{
    if (new_window(stream)) return FRAMEMAP_OK;
    if (stream->window == NULL) return fm_error_memory(error);
    fm_dispatch_end_all(stream->dispatch, FRAMEMAP_CLOSED_BY_SIZE, stream->parsed);
    const framemap_status status = hand_out(stream, stream->parsed, error);
    if (status != FRAMEMAP_OK || new_window(stream)) return status;
    return fm_error_memory(error);
}

framemap_status fm_text_stream_feed(struct fm_text_stream *stream, framemap_str text, framemap_error *error)
{
    framemap_status status = FRAMEMAP_OK;
    while (text.size > 0 && status == FRAMEMAP_OK) {
        if (stream->window == NULL || stream->text.size == stream->capacity) status = make_room(stream, error);
        if (status != FRAMEMAP_OK) return status;
        const size_t room = stream->capacity - stream->text.size, size = text.size < room ? text.size : room;
        memcpy(stream->window + stream->text.size, text.data, size);
        stream->text.size += size;
        text = fm_str_from(text, size);
        status = take_added(stream, error);
    }
    return status;
}

/* Returns the first byte that is neither a blank nor a line end, and moves after it; '\0': there is none. */
static char next_visible(struct fm_scan *s)
{
    while (s->at < s->end && (fm_is_blank(*s->at) || *s->at == '\n' || *s->at == '\r')) s->at++;
    return fm_scan_done(s) ? '\0' : *s->at++;
}

/* Whether a text begins like JSON, and not like a line such as "[INFO] x" or "[y/n]". */
static bool begins_json(framemap_str text)
{
    struct fm_scan s = fm_scan_of(text);
    fm_scan_text(&s, FM_STR("\xEF\xBB\xBF"));
    const char bracket = next_visible(&s), next = next_visible(&s);
    if (bracket == '{') return next == '"' || next == '\0';
    return bracket == '[' && (next == '"' || next == '{' || next == '[' || next == '\0');
}

bool fm_text_stream_in_document(const struct fm_text_stream *stream)
{
    const struct fm_dispatch *dispatch = stream->dispatch;
    if (!fm_text_stream_waits(stream) || stream->within) return false;
    bool is_open = text_end(stream) > stream->parsed || dispatch->lead_count > 0;
    for (size_t i = 0; i < dispatch->lanes.count && !is_open; i++)
        is_open = dispatch->lanes.lanes[i]->doc.pending_begin != UINT64_MAX;
    return is_open && begins_json(fm_str_from(stream->text, (size_t)(stream->done - stream->base)));
}

framemap_status fm_text_stream_flush(struct fm_text_stream *stream, framemap_error *error)
{
    if (!fm_text_stream_waits(stream)) return FRAMEMAP_OK;
    fm_dispatch_end_all(stream->dispatch, FRAMEMAP_CLOSED_BY_DEADLINE, text_end(stream));
    framemap_status status = hand_out(stream, stream->parsed, error);
    if (status == FRAMEMAP_OK && text_end(stream) > stream->parsed)
        status = pass(stream, text_end(stream), false, error);
    return status;
}

framemap_status fm_text_stream_end(struct fm_text_stream *stream, framemap_error *error)
{
    const uint64_t end = text_end(stream);
    if (end > stream->parsed) fm_dispatch_parse(stream->dispatch, end);
    stream->parsed = end;
    fm_dispatch_end_all(stream->dispatch, FRAMEMAP_CLOSED_BY_END, end);
    const framemap_status status = hand_out_late(stream, error);
    if (status != FRAMEMAP_OK) return status;
    if (stream->dispatch->failed) return lack(stream, error);
    return hand_out(stream, end, error);
}

framemap_status fm_text_stream_whole(struct fm_text_stream *stream, framemap_str text, framemap_error *error)
{
    stream->whole = true;
    stream->dispatch->hold_documents = stream->dispatch->hold_lines = FM_LIMIT_DOCUMENT;
    stream->text = text;
    fm_dispatch_window(stream->dispatch, text, 0);
    const framemap_status status = parse_parts(stream, text.size, error);
    return status == FRAMEMAP_OK ? fm_text_stream_end(stream, error) : status;
}

void fm_text_stream_restart(struct fm_text_stream *stream)
{
    for (size_t i = 0; i < stream->old_count; i++) free_generation(stream, &stream->old[i]);
    stream->old_count = 0;
    stream->text = (framemap_str){NULL, 0};
    stream->base = stream->done = stream->parsed = 0;
    stream->within = stream->in_parts = false;
    stream->long_count = 0;
    stream->searched = 0;
    stream->late = 0;
    stream->part_count = 0;
    fm_arena_reset(&stream->arena);
    stream->dispatch->lanes.start.arena = &stream->arena;
    fm_dispatch_restart(stream->dispatch);
}
