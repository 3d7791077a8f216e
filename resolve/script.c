#include "resolve/script.h"

#include "core/fault.h"
#include "core/text.h"
#include "index/segments_view.h"

static const char no_scope[] = "a source map is asked for a line and column of the generated text";
static const char no_column[] = "a source map needs a column: a line of generated text holds code of many sources";
static const char no_line[] = "the source map has nothing on that line of the generated text";
static const char before_segments[] = "on that line the source map has nothing at or before that column";
static const char no_source[] = "the source map says that this code is of no source";
static const char unknown_source[] = "the source map does not name the source";

/* What is to be told of the place. */
struct found {
    framemap_frame_status status;
    const char *reason;
    framemap_frame_list restored;
};

static uint32_t clamped(uint64_t number) { return number < UINT32_MAX ? (uint32_t)number : UINT32_MAX; }

static uint32_t added(uint32_t a, uint32_t b) { return a > UINT32_MAX - 1 - b ? UINT32_MAX - 1 : a + b; }

/* A range maps what is behind its begin place for place; on a line further down the source's columns are those of the generated text, beside the
 * column where the range begins in the source. */
static void go_along(struct fm_view_segment *segment, uint32_t line0, uint32_t col0)
{
    const uint32_t lines = line0 - segment->line0;
    segment->original_line0 = added(segment->original_line0, lines);
    segment->original_col0 = added(segment->original_col0, lines == 0 ? col0 - segment->col0 : col0);
}

/* false: the reason says why nothing is known there. */
static bool find_segment(const struct fm_view *view, const framemap_query *query, struct fm_view_segment *segment, const char **reason)
{
    *reason = no_scope;
    if (query->scope.size) return false;
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

/* What stands in the map itself goes before what was read out of the generated text. */
static const struct fm_view_stretch *better(const struct fm_view_stretch *a, const struct fm_view_stretch *b)
{
    if (a->function.size == 0 || b->function.size == 0) return a->function.size ? a : b;
    return a->origin <= b->origin ? a : b;
}

static void name_function(const struct fm_view *view, const struct fm_view_segment *segment, const framemap_query *query,
                          framemap_frame *frame)
{
    struct fm_view_stretch generated = {.origin = 0}, source = generated;
    fm_view_generated_stretch(view, segment->line0, clamped(query->position), &generated);
    fm_view_source_stretch(view, segment->source, segment->original_line0, segment->original_col0, &source);
    const struct fm_view_stretch *best = better(&generated, &source);
    frame->function = best->function;
    if (best->function.size) frame->function_origin = (framemap_function_origin)best->origin;
}

static uint32_t one_based(uint32_t number0) { return number0 < UINT32_MAX ? number0 + 1 : number0; }

static bool fill_source(const struct fm_view *view, const struct fm_view_segment *segment, framemap_frame *frame)
{
    struct fm_view_source source;
    if (!fm_view_source(view, segment->source, &source)) return false;
    const bool unknown = source.flags & FM_SOURCE_UNKNOWN;
    frame->status = unknown ? FRAMEMAP_FRAME_SYMBOL : FRAMEMAP_FRAME_OK;
    if (!unknown) frame->file = source.address;
    frame->ignored = source.flags & FM_SOURCE_IGNORED;
    frame->line = one_based(segment->original_line0);
    frame->column = one_based(segment->original_col0);
    return true;
}

static framemap_status damaged(framemap_error *error)
{
    return fm_fault(error, FRAMEMAP_E_CORRUPT, "the index is damaged: what a segment leads to can't be read");
}

static framemap_status answer(const struct fm_view *view, const framemap_query *query, const struct fm_view_segment *segment,
                              struct fm_arena *arena, struct found *out, framemap_error *error)
{
    framemap_frame *frame = FM_ARENA_NEW(arena, framemap_frame);
    if (frame == NULL) return fm_fault_memory(error);
    frame->kind = FRAMEMAP_KIND_JS;
    frame->index = -1;
    if (!fill_source(view, segment, frame)) return damaged(error);
    if (segment->name != FM_VIEW_NONE && !fm_view_segment_name(view, segment->name, &frame->name)) return damaged(error);
    name_function(view, segment, query, frame);
    *out = (struct found){frame->status, frame->status == FRAMEMAP_FRAME_SYMBOL ? unknown_source : NULL, {frame, 1}};
    return FRAMEMAP_OK;
}

/* Written in place: a frame is too big to be copied a million times a second. */
static void fill_frame(const struct fm_view *view, const framemap_query *query, const struct found *found, framemap_frame *out)
{
    struct fm_view_about about;
    fm_view_about(view, &about);
    memset(out, 0, sizeof *out);
    out->kind = FRAMEMAP_KIND_JS;
    out->status = found->status;
    out->reason = found->reason;
    out->restored = found->restored;
    out->index = -1;
    out->module = about.name;
    out->id = about.id;
    out->arch = about.arch;
    out->address_kind = query->address_kind;
    out->has_address = query->address_kind != FRAMEMAP_ADDRESS_NONE;
    out->address = query->position;
}

framemap_status fm_resolve_script(const struct fm_view *view, const framemap_query *query, struct fm_arena *arena, framemap_frame *out,
                                  framemap_error *error)
{
    struct fm_view_segment segment;
    struct found found = {.status = FRAMEMAP_FRAME_NO_MATCH};
    framemap_status status = FRAMEMAP_OK;
    if (find_segment(view, query, &segment, &found.reason)) status = answer(view, query, &segment, arena, &found, error);
    if (status == FRAMEMAP_OK) fill_frame(view, query, &found, out);
    return status;
}
