/* Resolves a position of generated JavaScript by the segments and scopes of its source map. */
#include "resolve/javascript/js_resolve.h"

#include "core/error.h"
#include "core/limits.h"
#include "index/read/segments/segment_view.h"
#include "resolve/answer_limits.h"
#include "resolve/javascript/js_position.h"

static const char no_column[] = "a source map needs a column: a line of generated text contains code of many sources";
static const char no_line[] = "the source map has no segment on that line of the generated text";
static const char before_segments[] = "the source map has no segment at or before that column of the line";
static const char no_source[] = "the source map marks this code as belonging to no source";
static const char not_shown[] = "the source map marks this function as compiler-generated and hidden";
static const char unknown_source[] = "the source map does not name the source";

/* Intermediate result; copied to the caller's frame only on success. */
struct found {
    framemap_frame_status status;
    const char *reason;
    framemap_frame_list restored;
    bool over; /* whether calling functions were left out because of the limits */
};

static uint32_t clamped(uint64_t number) { return number < UINT32_MAX ? (uint32_t)number : UINT32_MAX; }

static uint32_t added(uint32_t a, uint32_t b) { return a > UINT32_MAX - 1 - b ? UINT32_MAX - 1 : a + b; }

/* Moves the source position of a range mapping (ECMA-426 proposal), whose positions map one to one. On later lines the
 * source column is the generated column plus the source column where the range starts. */
static void go_along(struct fm_view_segment *segment, uint32_t line0, uint32_t col0)
{
    const uint32_t lines = line0 - segment->line0;
    segment->original_line0 = added(segment->original_line0, lines);
    segment->original_col0 = added(segment->original_col0, lines == 0 ? col0 - segment->col0 : col0);
}

/* Finds the segment for a query. false: *reason explains why there is no match. */
static bool find_segment(const struct fm_view *view, const framemap_query *query, struct fm_view_segment *segment,
                         const char **reason)
{
    *reason = no_column;
    if (query->no_position) return false;
    *reason = no_line;
    if (query->scope_number > UINT32_MAX) return false;
    const uint32_t line0 = (uint32_t)query->scope_number;
    if (fm_view_range_at(view, line0, clamped(query->position), segment)) {
        go_along(segment, line0, clamped(query->position));
    } else if (!fm_view_segment_at(view, line0, clamped(query->position), segment)) {
        if (fm_view_segment_at(view, line0, UINT32_MAX, segment)) *reason = before_segments;
        return false;
    }
    *reason = no_source;
    return segment->source != FM_VIEW_NONE;
}

struct place { /* a location in a source */
    uint32_t source, line0, col0;
};

/* Chooses the better of two names: names of the map itself take precedence over names parsed from the generated
 * text. */
static const struct fm_view_stretch *better(const struct fm_view_stretch *a, const struct fm_view_stretch *b)
{
    if (a->function.size == 0 || b->function.size == 0) return a->function.size ? a : b;
    return a->origin <= b->origin ? a : b;
}

/* Names the function around a location of a source; `generated` is the function of the generated text there. */
static void name_function(const struct fm_view *view, const struct place *place,
                          const struct fm_view_stretch *generated, framemap_frame *frame)
{
    struct fm_view_stretch source;
    if (!fm_view_source_stretch(view, place->source, place->line0, place->col0, &source))
        source = (struct fm_view_stretch){.origin = 0}; /* clears `source`, which the failed search may have filled */
    const struct fm_view_stretch *best = better(generated, &source);
    frame->function = best->function;
    if (best->function.size) frame->function_origin = (framemap_function_origin)best->origin;
}

static uint32_t one_based(uint32_t number0) { return number0 < UINT32_MAX ? number0 + 1 : number0; }

static bool fill_source(const struct fm_view *view, const struct place *place, framemap_frame *frame)
{
    framemap_str address;
    uint32_t flags;
    if (!fm_view_source_address(view, place->source, &address, &flags)) return false;
    frame->kind = FRAMEMAP_KIND_JS;
    frame->index = -1;
    const bool unknown = flags & FM_SOURCE_UNKNOWN;
    frame->status = unknown ? FRAMEMAP_FRAME_SYMBOL : FRAMEMAP_FRAME_OK;
    if (!unknown) frame->file = address;
    frame->ignored = flags & FM_SOURCE_IGNORED;
    frame->line = one_based(place->line0);
    frame->column = one_based(place->col0);
    return true;
}

static framemap_status damaged(framemap_error *error)
{
    return fm_error_set(error, FRAMEMAP_E_CORRUPT, "the index is damaged: what a segment leads to can't be read");
}

/* --- resolving positions in inlined functions --- */

/* Returns the number of inlined functions around a location, up to the one that has a frame in the generated text. */
static size_t chain_length(const struct fm_view *view, uint32_t site)
{
    struct fm_view_call_site called;
    size_t length = 1;
    for (; length < FM_LIMIT_INLINE_DEPTH && fm_view_call_site(view, site, &called); site = called.caller) length++;
    return length;
}

/* Fills frames from the innermost function outwards, each at the location where its function calls the previous one;
 * hidden functions are left out. `function` is passed along, since a copy of fields that were just written one by one
 * would stall (store forwarding). */
static bool fill_chain(const struct fm_view *view, struct place place, struct fm_view_stretch *function, size_t length,
                       struct fm_answer_room *room, framemap_frame *frames, size_t *count)
{
    *count = 0;
    for (size_t i = 0; i < length; i++) {
        struct fm_view_call_site called;
        if (!function->hidden) {
            framemap_frame *frame = &frames[(*count)++];
            if (!fill_source(view, &place, frame)) return false;
            name_function(view, &place, function, frame);
            if (*count > 1) frame[-1].inlined = true;
            if (!fm_answer_take(room, (uint64_t)frame->file.size + frame->function.size) && *count > 1) {
                --*count;
                break;
            }
        }
        if (!fm_view_call_site(view, function->site, &called)) break;
        place = (struct place){called.source, called.line0, called.col0};
        function->function = called.function;
        function->site = called.caller;
        function->hidden = called.hidden;
    }
    return true;
}

static framemap_status answer(const struct fm_view *view, const framemap_query *query,
                              const struct fm_view_segment *segment, struct fm_arena *arena, struct found *out,
                              framemap_error *error)
{
    const struct place place = {segment->source, segment->original_line0, segment->original_col0};
    struct fm_view_stretch around = {.site = FM_VIEW_NONE};
    if (!fm_view_generated_stretch(view, (uint32_t)query->scope_number, clamped(query->position), &around))
        around.site = FM_VIEW_NONE;
    const size_t length = chain_length(view, around.site);
    const bool hidden = around.hidden;
    struct fm_answer_room room = fm_answer_room(arena);
    size_t count;
    framemap_frame *frames = FM_ARENA_ARRAY(arena, framemap_frame, length);
    if (frames == NULL) return fm_error_memory(error);
    if (!fill_chain(view, place, &around, length, &room, frames, &count)) return damaged(error);
    if (!hidden && segment->name != FM_VIEW_NONE && !fm_view_segment_name(view, segment->name, &frames[0].name))
        return damaged(error);
    const bool over = room.over && count > 0;
    const framemap_frame_status status = over        ? FRAMEMAP_FRAME_SYMBOL
                                         : count > 0 ? frames[0].status
                                                     : FRAMEMAP_FRAME_OK;
    const char *reason = count == 0                        ? not_shown
                         : over                            ? fm_over_limit
                         : status == FRAMEMAP_FRAME_SYMBOL ? unknown_source
                                                           : NULL;
    *out = (struct found){status, reason, {frames, count}, over};
    return FRAMEMAP_OK;
}

/* Fills the caller's frame directly: a frame is too large to be copied a million times a second. */
static void fill_frame(const struct fm_view *view, const framemap_query *query, const struct found *found,
                       framemap_frame *out)
{
    const struct fm_view_identity *about = fm_view_identity(view);
    fm_clear(out, sizeof *out);
    out->kind = FRAMEMAP_KIND_JS;
    out->status = found->status;
    out->reason = found->reason;
    out->restored = found->restored;
    out->over_limit = found->over;
    out->index = -1;
    out->module = about->name;
    out->id = about->id;
    out->arch = about->arch;
    out->address_kind = query->address_kind;
    out->has_address = query->address_kind != FRAMEMAP_ADDRESS_NONE;
    out->address = query->position;
}

framemap_status fm_resolve_js(const struct fm_view *view, const framemap_query *query, struct fm_arena *arena,
                              framemap_frame *out, framemap_error *error)
{
    struct fm_view_segment segment;
    framemap_query placed;
    struct found found = {.status = FRAMEMAP_FRAME_NO_MATCH};
    framemap_status status = FRAMEMAP_OK;
    if (query->scope.size) {
        found.reason = fm_js_function_position(view, query, &placed);
        query = found.reason ? query : &placed;
    }
    if (found.reason == NULL && find_segment(view, query, &segment, &found.reason))
        status = answer(view, query, &segment, arena, &found, error);
    if (status == FRAMEMAP_OK) fill_frame(view, query, &found, out);
    return status;
}
