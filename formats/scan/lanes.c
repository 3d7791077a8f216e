/* Implements lanes.h: creates, clears and reuses lanes: the states of all parsers, and the open stacks, for the
 * lines of one process, thread and tag of a log. When text is moved in memory, all strings in these states are moved
 * with it. */
#include "formats/scan/lanes.h"

bool fm_lanes_open(struct fm_lanes *lanes, const struct fm_parser_table *parsers, const struct fm_document *start)
{
    lanes->parsers = parsers;
    lanes->start = *start;
    lanes->count = 0;
    lanes->last = fm_lanes_add(lanes, 0, NULL);
    return lanes->last != NULL;
}

static void free_lanes(struct fm_lanes *lanes, size_t from)
{
    for (size_t i = from; i < lanes->count; i++) {
        fm_heap_free(lanes->heap, lanes->lanes[i]->states, lanes->parsers->states_size);
        fm_heap_free(lanes->heap, lanes->lanes[i], sizeof *lanes->lanes[i]);
    }
    lanes->count = from;
}

void fm_lanes_close(struct fm_lanes *lanes) { free_lanes(lanes, 0); }

void fm_lanes_restart(struct fm_lanes *lanes)
{
    struct fm_lane *first = lanes->lanes[0];
    free_lanes(lanes, 1);
    lanes->last = first;
    lanes->start.released = 0;
    first->count = first->last1 = first->doc.released = 0;
    fm_lane_clear(lanes, first);
}

struct fm_lane *fm_lanes_oldest(const struct fm_lanes *lanes)
{
    struct fm_lane *oldest = lanes->lanes[1];
    if (lanes->count < FM_LANES_MOST) return NULL;
    for (size_t i = 2; i < lanes->count; i++)
        if (lanes->lanes[i]->last1 < oldest->last1) oldest = lanes->lanes[i];
    return oldest;
}

void fm_lane_clear(const struct fm_lanes *lanes, struct fm_lane *lane)
{
    const uint64_t origin = lane->origin, count = lane->count, last1 = lane->last1, released = lane->doc.released;
    void *states = lane->states;
    fm_clear(lane, sizeof *lane);
    lane->origin = origin;
    lane->count = count;
    lane->last1 = last1;
    lane->states = states;
    for (size_t i = 0; i < lanes->parsers->count; i++)
        lane->parsers[i] =
            (struct fm_parser){lanes->parsers->formats[i], (char *)states + lanes->parsers->state_from[i]};
    lane->begin = UINT64_MAX;
    lane->doc = lanes->start;
    lane->doc.parsers = lane->parsers;
    lane->doc.lane = origin;
    if (released > lane->doc.released) lane->doc.released = released;
}

struct fm_lane *fm_lanes_add(struct fm_lanes *lanes, uint64_t origin, struct fm_lane *old)
{
    struct fm_lane *lane = old ? old : fm_heap_zalloc(lanes->heap, 1, sizeof *lane);
    if (lane == NULL) return NULL;
    if (old == NULL) {
        const size_t size = lanes->parsers->states_size;
        lane->states = fm_heap_resize(lanes->heap, NULL, 0, size ? size : 1);
        if (lane->states == NULL) {
            fm_heap_free(lanes->heap, lane, sizeof *lane);
            return NULL;
        }
        lanes->lanes[lanes->count++] = lane;
    }
    lane->origin = origin;
    lane->count = lane->last1 = lane->doc.released = 0;
    fm_lane_clear(lanes, lane);
    return lanes->last = lane;
}

void fm_lane_first_use(struct fm_lane *lane, unsigned parser)
{
    const struct fm_parser *first = &lane->parsers[parser];
    if (first->format->state_size) fm_clear(first->state, first->format->state_size);
    fm_parsers_add(&lane->used, parser);
}

/* Whether a slice points into a text. */
static bool is_slice_of(framemap_str slice, framemap_str text)
{
    const uintptr_t at = (uintptr_t)slice.data, begin = (uintptr_t)text.data;
    return text.data && at >= begin && at - begin <= text.size && slice.size <= text.size - (at - begin);
}

/* Points a slice of text that stays in memory at the text's new address. It is not copied, so that lines which followed
 * each other in memory still do. Returns false if the string has to be copied, because its memory is about to be
 * freed. */
static bool stays(const struct fm_lane_move *move, framemap_str *text)
{
    if (!is_slice_of(*text, move->window)) return !fm_arena_holds(move->arena, text->data, text->size);
    const uint64_t offset = move->window_base + (uint64_t)(text->data - move->window.data);
    if (move->to.data == move->window.data) return true;
    if (offset < move->to_base) return false;
    text->data = move->to.data + (offset - move->to_base);
    return true;
}

/* The range of addresses that covers all memory to be freed. Most words of a parser's state are outside of this
 * range, which is tested first. */
struct freed {
    uintptr_t begin, size;
};

static struct freed freed_by(const struct fm_lane_move *move)
{
    uintptr_t begin, end;
    fm_arena_extent(move->arena, &begin, &end);
    if (move->to.data != move->window.data) {
        const uintptr_t window = (uintptr_t)move->window.data, window_end = window + move->window.size;
        if (begin == end || window < begin) begin = window;
        if (window_end > end) end = window_end;
    }
    return (struct freed){begin, end - begin};
}

struct state {
    unsigned char *bytes;
    size_t size;
};

/* Reads the string at an offset of a state. Returns false if there is none in memory that is about to be freed. */
static bool string_at(const struct state *state, struct freed freed, size_t at, framemap_str *text)
{
    memcpy(text, state->bytes + at, sizeof *text);
    return (uintptr_t)text->data - freed.begin <= freed.size && text->data != NULL && text->size != 0;
}

/* Copies a string of a state, together with all strings of the state that overlap it: the body of a cleaned line is a
 * slice of the line's `cleaned`, and must be one in the copy, too. */
static void keep_string(struct fm_lane *lane, const struct fm_lane_move *move, struct freed freed,
                        const struct state *state, framemap_str text)
{
    framemap_str whole = text, other;
    for (size_t at = 0; at + sizeof other <= state->size; at += _Alignof(framemap_str))
        if (string_at(state, freed, at, &other) && other.size > whole.size && is_slice_of(whole, other) &&
            !stays(move, &other))
            whole = other;
    framemap_str copy = whole;
    fm_document_keep(&lane->doc, &copy);
    for (size_t at = 0; at + sizeof other <= state->size; at += _Alignof(framemap_str)) {
        if (!string_at(state, freed, at, &other) || !is_slice_of(other, whole)) continue;
        other = copy.data ? fm_str(copy.data + (other.data - whole.data), other.size) : copy;
        memcpy(state->bytes + at, &other, sizeof other);
    }
}

/* Moves the strings of a parser's state to new memory if their memory is about to be freed. */
static void move_state(struct fm_lane *lane, const struct fm_lane_move *move, struct freed freed,
                       const struct state *state)
{
    for (size_t at = 0; at + sizeof(framemap_str) <= state->size; at += _Alignof(framemap_str)) {
        framemap_str text;
        if (!string_at(state, freed, at, &text)) continue;
        const char *const before = text.data;
        if (!stays(move, &text))
            keep_string(lane, move, freed, state, text);
        else if (text.data != before)
            memcpy(state->bytes + at, &text, sizeof text);
    }
}

void fm_lanes_move(const struct fm_lanes *lanes, const struct fm_lane_move *move, struct fm_arena *arena)
{
    const struct freed freed = freed_by(move);
    for (size_t l = 0; l < lanes->count; l++) {
        struct fm_lane *lane = lanes->lanes[l];
        fm_document_move(&lane->doc, arena);
        for (struct fm_parser_set left = lane->used; fm_parsers_any(left);) {
            const unsigned i = fm_parsers_take(&left);
            const struct state state = {lane->parsers[i].state, lane->parsers[i].format->state_size};
            move_state(lane, move, freed, &state);
        }
    }
}
