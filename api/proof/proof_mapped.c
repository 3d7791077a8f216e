/* Makes the chain of frames that a source map has for a position, by the rules of docs/index-format.md ("The answer"),
 * from the records as the mapper gave them. */
#include "api/proof/proof_segments.h"

#include "core/error.h"
#include "core/limits.h"

/* --- finding the segment at a position --- */

static uint64_t key_of(const struct fm_segment *segment) { return fm_proof_spot_key(segment->line0, segment->col0); }

/* Returns the number of segments that begin at or before a position. */
static size_t segments_until(const struct fm_proof_segments *s, uint64_t key)
{
    size_t low = 0, high = s->segment_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (key_of(&s->segments[middle]) <= key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_range(const struct fm_proof_segments *s, uint64_t key)
{
    size_t low = 0, high = s->range_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (fm_proof_spot_key(s->ranges[middle].line0, s->ranges[middle].col0) < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < s->range_count && fm_proof_spot_key(s->ranges[low].line0, s->ranges[low].col0) == key;
}

static uint32_t sum(uint32_t a, uint32_t b) { return a > UINT32_MAX - 1 - b ? UINT32_MAX - 1 : a + b; }

/* Finds the segment of the map at a position. Returns false if the map has nothing there. */
static bool segment_for(const struct fm_proof_segments *s, uint32_t line0, uint32_t col0, struct fm_segment *out)
{
    const size_t until = segments_until(s, fm_proof_spot_key(line0, col0));
    if (until == 0) return false;
    *out = s->segments[until - 1];
    if (is_range(s, key_of(out))) {
        const uint32_t lines = line0 - out->line0;
        out->original_line0 = sum(out->original_line0, lines);
        out->original_col0 = sum(out->original_col0, lines == 0 ? col0 - out->col0 : col0);
        return out->source != FM_NONE;
    }
    if (out->line0 != line0) return false;
    if (out->col0 == col0) { /* if several segments start at this column, the first of them is used */
        size_t first = until - 1;
        while (first > 0 && key_of(&s->segments[first - 1]) == key_of(out)) first--;
        *out = s->segments[first];
    }
    return out->source != FM_NONE;
}

/* --- finding the function at a position --- */

const struct fm_proof_stretch *fm_proof_stretch_at(const struct fm_proof_segments *s, uint32_t source, uint32_t line0,
                                                   uint32_t col0)
{
    const uint64_t key = fm_proof_spot_key(line0, col0);
    size_t low = 0, high = s->stretch_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const struct fm_sort_item *item = &s->stretch_order[middle];
        if (item->group < source || (item->group == source && item->key <= key))
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && s->stretch_order[low - 1].group == source ? &s->stretches[s->stretch_order[low - 1].id] : NULL;
}

static const struct fm_generated_stretch *covering_at(const struct fm_proof_segments *s, uint32_t line0, uint32_t col0)
{
    const uint64_t key = fm_proof_spot_key(line0, col0);
    size_t low = 0, high = s->covering_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (fm_proof_spot_key(s->covering[middle].line0, s->covering[middle].col0) <= key)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 ? &s->covering[low - 1] : NULL;
}

/* A function around a position, and how it was inlined. */
struct around {
    uint32_t function, origin, site;
    bool hidden;
};

/* --- making frames --- */

struct place {
    uint32_t source, line0, col0;
};

static uint32_t one_based(uint32_t number0) { return number0 < UINT32_MAX ? number0 + 1 : number0; }

/* Sets the name of the function. Names in the map itself have priority over names that were read from the generated
 * text. */
static void set_function(const struct fm_proof_segments *s, const struct place *place, const struct around *around,
                         framemap_frame *frame)
{
    const struct fm_proof_stretch *in_source = fm_proof_stretch_at(s, place->source, place->line0, place->col0);
    const framemap_str generated = fm_proof_text(s->proof, around->function),
                       original = in_source ? fm_proof_text(s->proof, in_source->function) : (framemap_str){NULL, 0};
    const bool by_source = original.size > 0 && (generated.size == 0 || in_source->origin < around->origin);
    frame->function = by_source ? original : generated;
    if (frame->function.size > 0)
        frame->function_origin = (framemap_function_origin)(by_source ? in_source->origin : around->origin);
}

static void set_frame(const struct fm_proof_segments *s, const struct place *place, const struct around *around,
                      framemap_frame *frame)
{
    const struct fm_proof_source *source = &s->sources[place->source];
    *frame = (framemap_frame){.line = one_based(place->line0), .column = one_based(place->col0)};
    if ((source->flags & FM_SOURCE_UNKNOWN) == 0) frame->file = fm_proof_text(s->proof, source->address);
    frame->ignored = (source->flags & FM_SOURCE_IGNORED) != 0;
    set_function(s, place, around, frame);
}

static framemap_status add_chain(struct fm_proof_segments *s, struct place place, struct around around, size_t *count)
{
    for (unsigned depth = 0; depth < FM_LIMIT_INLINE_DEPTH; depth++) {
        if (!around.hidden) {
            if (!FM_GROW(s->proof->heap, s->frames, s->frame_capacity, *count + 1))
                return fm_error_memory(s->proof->error);
            set_frame(s, &place, &around, &s->frames[*count]);
            if (*count > 0) s->frames[*count - 1].inlined = true;
            ++*count;
        }
        if (around.site == FM_NONE) break;
        const struct fm_call_site *site = &s->sites[around.site];
        place = (struct place){site->source, site->line0, site->col0};
        around = (struct around){site->function, around.origin, site->caller, site->hidden};
    }
    return FRAMEMAP_OK;
}

framemap_status fm_proof_mapped(struct fm_proof_segments *s, uint32_t line0, uint32_t col0, framemap_frame_list *out)
{
    struct fm_segment segment;
    size_t count = 0;
    *out = (framemap_frame_list){NULL, 0};
    if (!segment_for(s, line0, col0, &segment)) return FRAMEMAP_OK;
    const struct fm_generated_stretch *covering = covering_at(s, line0, col0);
    struct around around = {FM_NONE, 0, FM_NONE, false};
    if (covering)
        around = (struct around){covering->function, (uint32_t)covering->origin, covering->site, covering->hidden};
    const bool hidden = around.hidden;
    const struct place place = {segment.source, segment.original_line0, segment.original_col0};
    const framemap_status status = add_chain(s, place, around, &count);
    if (status != FRAMEMAP_OK) return status;
    if (!hidden && segment.name != FM_NONE) s->frames[0].name = fm_proof_segments_name_text(s, segment.name);
    *out = (framemap_frame_list){s->frames, count};
    return FRAMEMAP_OK;
}
