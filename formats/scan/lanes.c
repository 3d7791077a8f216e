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

/* Moves a string of a parser's state to new memory if its memory is about to be freed. A slice of text that stays in
 * memory is pointed at the text's new address and not copied, so that lines which followed each other in memory
 * still do. */
static void move_string(struct fm_lane *lane, const struct fm_lane_move *move, framemap_str *text)
{
    if (is_slice_of(*text, move->window)) {
        const uint64_t offset = move->window_base + (uint64_t)(text->data - move->window.data);
        if (move->to.data == move->window.data) return;
        if (offset >= move->to_base)
            text->data = move->to.data + (offset - move->to_base);
        else
            fm_document_keep(&lane->doc, text);
    } else if (fm_arena_holds(move->arena, text->data, text->size)) {
        fm_document_keep(&lane->doc, text);
    }
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

static void move_state(struct fm_lane *lane, const struct fm_lane_move *move, struct freed freed, unsigned char *state,
                       size_t size)
{
    for (size_t at = 0; at + sizeof(framemap_str) <= size; at += _Alignof(framemap_str)) {
        framemap_str text, before;
        memcpy(&text, state + at, sizeof text);
        if ((uintptr_t)text.data - freed.begin > freed.size || text.data == NULL || text.size == 0) continue;
        before = text;
        move_string(lane, move, &text);
        if (text.data != before.data) memcpy(state + at, &text, sizeof text);
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
            move_state(lane, move, freed, lane->parsers[i].state, lane->parsers[i].format->state_size);
        }
    }
}
