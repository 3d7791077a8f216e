/* Receives the records of a source map. */
#include "api/proof/proof_segments.h"

#include "core/error.h"

struct fm_proof_segments *fm_proof_segments_new(struct fm_proof *proof)
{
    struct fm_proof_segments *segments = fm_heap_zalloc(proof->heap, 1, sizeof *segments);
    if (segments != NULL) segments->proof = proof;
    return segments;
}

void fm_proof_segments_free(struct fm_proof_segments *s)
{
    if (s == NULL) return;
    struct fm_heap *heap = s->proof->heap;
    fm_heap_free(heap, s->sources, s->source_capacity * sizeof *s->sources);
    fm_heap_free(heap, s->names, s->name_capacity * sizeof *s->names);
    fm_heap_free(heap, s->segments, s->segment_capacity * sizeof *s->segments);
    fm_heap_free(heap, s->stretches, s->stretch_capacity * sizeof *s->stretches);
    fm_heap_free(heap, s->stretch_order, s->stretch_count * sizeof *s->stretch_order);
    fm_heap_free(heap, s->covering, s->covering_capacity * sizeof *s->covering);
    fm_heap_free(heap, s->sites, s->site_capacity * sizeof *s->sites);
    fm_heap_free(heap, s->ranges, s->range_capacity * sizeof *s->ranges);
    fm_heap_free(heap, s->lists, s->list_capacity * sizeof *s->lists);
    fm_heap_free(heap, s->offsets, s->offset_capacity * sizeof *s->offsets);
    fm_heap_free(heap, s->frames, s->frame_capacity * sizeof *s->frames);
    fm_heap_free(heap, s, sizeof *s);
}

/* Appends one record to an array of the receiver; returns MEMORY from the function if there is no room. */
#define APPEND(s, array, capacity, count, error, ...)                                   \
    do {                                                                                \
        if ((s)->count >= UINT32_MAX - 2 ||                                             \
            !FM_GROW_SOME((s)->proof->heap, (s)->array, (s)->capacity, (s)->count + 1)) \
            return fm_error_memory(error);                                              \
        (s)->array[(s)->count++] = __VA_ARGS__;                                         \
    } while (0)

framemap_status fm_proof_segments_source(struct fm_proof_segments *s, uint32_t address, uint32_t spelled,
                                         uint32_t content, uint32_t flags, uint32_t *out, framemap_error *error)
{
    const struct fm_proof_source fresh = {address, spelled == FM_NONE ? address : spelled, content, flags};
    *out = (uint32_t)s->source_count;
    APPEND(s, sources, source_capacity, source_count, error, fresh);
    return FRAMEMAP_OK;
}

framemap_status fm_proof_segments_name(struct fm_proof_segments *s, framemap_str name, uint32_t *out,
                                       framemap_error *error)
{
    uint32_t text;
    const framemap_status status = fm_proof_intern(s->proof, name, &text, error);
    if (status != FRAMEMAP_OK) return status;
    *out = (uint32_t)s->name_count;
    APPEND(s, names, name_capacity, name_count, error, text);
    return FRAMEMAP_OK;
}

framemap_str fm_proof_segments_name_text(const struct fm_proof_segments *s, uint32_t name)
{
    return fm_proof_text(s->proof, s->names[name]);
}

framemap_status fm_proof_segments_add(struct fm_proof_segments *s, const struct fm_segment *segments, size_t count,
                                      framemap_error *error)
{
    if (!FM_GROW_SOME(s->proof->heap, s->segments, s->segment_capacity, s->segment_count + count))
        return fm_error_memory(error);
    if (count > 0) memcpy(s->segments + s->segment_count, segments, count * sizeof *segments);
    s->segment_count += count;
    return FRAMEMAP_OK;
}

framemap_status fm_proof_segments_stretch(struct fm_proof_segments *s, const struct fm_proof_stretch *stretch,
                                          framemap_error *error)
{
    APPEND(s, stretches, stretch_capacity, stretch_count, error, *stretch);
    return FRAMEMAP_OK;
}

framemap_status fm_proof_segments_covering(struct fm_proof_segments *s, const struct fm_generated_stretch *stretch,
                                           framemap_error *error)
{
    APPEND(s, covering, covering_capacity, covering_count, error, *stretch);
    return FRAMEMAP_OK;
}

framemap_status fm_proof_segments_site(struct fm_proof_segments *s, const struct fm_call_site *site, uint32_t *out,
                                       framemap_error *error)
{
    *out = (uint32_t)s->site_count;
    APPEND(s, sites, site_capacity, site_count, error, *site);
    return FRAMEMAP_OK;
}

framemap_status fm_proof_segments_range(struct fm_proof_segments *s, uint32_t line0, uint32_t col0,
                                        framemap_error *error)
{
    const struct fm_proof_spot spot = {line0, col0};
    APPEND(s, ranges, range_capacity, range_count, error, spot);
    return FRAMEMAP_OK;
}

framemap_status fm_proof_segments_offsets(struct fm_proof_segments *s, uint32_t kind, uint32_t group,
                                          const uint32_t *values, size_t count, framemap_error *error)
{
    const struct fm_proof_list list = {kind, group, s->offset_count, count};
    if (!FM_GROW_SOME(s->proof->heap, s->offsets, s->offset_capacity, s->offset_count + count))
        return fm_error_memory(error);
    if (count > 0) memcpy(s->offsets + s->offset_count, values, count * sizeof *values);
    s->offset_count += count;
    APPEND(s, lists, list_capacity, list_count, error, list);
    return FRAMEMAP_OK;
}
