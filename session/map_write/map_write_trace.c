/* Traces segments back through the build steps. The step that wrote a source always has a higher number than the map
 * that has the source, so one pass over the steps completes all segments. */
#include "session/map_write/map_write_inner.h"

/* Adds a segment, by its index in trace->hops, to the list of segments that have to be looked up in the map of their
 * source. If the source has no map, the segment is traced completely. */
static void wait_for(const struct fm_convert *convert, struct fm_convert_trace *trace, uint32_t hop)
{
    const struct fm_convert_hop *at = &trace->hops[hop];
    const struct fm_convert_map *map = &convert->maps[at->map];
    if (at->source >= map->source_count || map->steps[at->source] == 0) return;
    const uint32_t step = map->steps[at->source];
    trace->next[hop] = trace->heads[step];
    trace->heads[step] = hop;
}

static void arrive(struct fm_convert_hop *hop, uint32_t step, const struct fm_view_segment *found, bool have)
{
    if (!have || found->source == FM_VIEW_NONE) {
        hop->source = hop->name = FM_VIEW_NONE;
        return;
    }
    hop->map = step;
    hop->source = found->source;
    hop->original_line0 = found->original_line0;
    hop->original_col0 = found->original_col0;
    if (found->name == FM_VIEW_NONE) return;
    hop->name_map = step;
    hop->name = found->name;
}

static void lead_through(struct fm_convert *convert, struct fm_convert_trace *trace, uint32_t step)
{
    uint32_t count = 0;
    for (uint32_t hop = trace->heads[step]; hop != FM_VIEW_NONE; hop = trace->next[hop]) {
        trace->which[count] = hop;
        trace->lines0[count] = trace->hops[hop].original_line0;
        trace->cols0[count++] = trace->hops[hop].original_col0;
    }
    fm_view_segments_at(convert->maps[step].view, trace->lines0, trace->cols0, count, trace->found, trace->have);
    convert->maps[step].asked += count;
    /* Segments are visited backwards: since each is put at the head of its list, the lists are then in the order of
     * trace->hops. */
    while (count-- > 0) {
        const uint32_t hop = trace->which[count];
        arrive(&trace->hops[hop], step, &trace->found[count], trace->have[count]);
        convert->maps[step].known += trace->have[count];
        if (trace->hops[hop].source != FM_VIEW_NONE) wait_for(convert, trace, hop);
    }
}

framemap_status fm_convert_trace(struct fm_convert *convert, struct fm_convert_trace *trace, uint64_t first,
                                 uint32_t count)
{
    const bool composes = fm_convert_composes(convert);
    struct fm_view_segment segment;
    for (uint32_t i = 0; i < count; i++) {
        if (!fm_view_segment(convert->maps[0].view, first + i, &segment))
            return fm_convert_damaged(convert, "a segment");
        trace->hops[i] = (struct fm_convert_hop){.line0 = segment.line0,
                                                 .col0 = segment.col0,
                                                 .source = segment.source,
                                                 .original_line0 = segment.original_line0,
                                                 .original_col0 = segment.original_col0,
                                                 .name = segment.source == FM_VIEW_NONE ? FM_VIEW_NONE : segment.name};
    }
    if (!composes) return FRAMEMAP_OK;
    for (uint32_t step = 0; step < convert->map_count; step++) trace->heads[step] = FM_VIEW_NONE;
    for (uint32_t i = count; i-- > 0;)
        if (trace->hops[i].source != FM_VIEW_NONE) wait_for(convert, trace, i);
    for (uint32_t step = 1; step < convert->map_count; step++)
        if (trace->heads[step] != FM_VIEW_NONE) lead_through(convert, trace, step);
    return FRAMEMAP_OK;
}
