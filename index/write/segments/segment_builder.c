/* Implementation of segment_builder.h: sources, names, segments, stretches, offsets. */
#include "core/error.h"
#include "index/write/model/builder_model.h"
#include "index/write/model/record_checks.h"

static framemap_status not_ascending(framemap_error *error, const char *what)
{
    return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "%s are not in ascending order", what);
}

void fm_builder_segments_form(struct fm_builder *b) { b->segments.is_wanted = true; }

framemap_status fm_builder_source(struct fm_builder *b, uint32_t address, uint32_t spelled, uint32_t content,
                                  uint32_t flags, uint32_t *out, framemap_error *error)
{
    struct fm_segment_form *form = &b->segments;
    const size_t strings = b->strings.count;
    if (b->sink != NULL) return b->sink->source(b->sink_context, address, spelled, content, flags, out, error);
    if (address >= strings || !fm_record_is_known(spelled, strings) || !fm_record_is_known(content, strings))
        return fm_no_such_record(error, "string");
    if (flags & ~(uint32_t)(FM_SOURCE_IGNORED | FM_SOURCE_UNKNOWN))
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a flag that is not defined for sources");
    if (fm_records_are_full(form->source_count)) return fm_too_many_records(error, "sources");
    if (!FM_GROW(b->heap, form->sources, form->source_capacity, form->source_count + 1)) return fm_error_memory(error);
    form->is_wanted = true;
    *out = (uint32_t)form->source_count;
    form->sources[form->source_count++] =
        (struct fm_source_record){address, spelled == address ? FM_NONE : spelled, content, flags};
    return FRAMEMAP_OK;
}

framemap_status fm_builder_segment_name(struct fm_builder *b, framemap_str name, uint32_t *out, framemap_error *error)
{
    struct fm_segment_form *form = &b->segments;
    uint32_t text;
    if (b->sink != NULL) return b->sink->segment_name(b->sink_context, name, out, error);
    framemap_status status = fm_builder_string(b, name, &text, error);
    if (status != FRAMEMAP_OK) return status;
    if (fm_records_are_full(form->name_count)) return fm_too_many_records(error, "names");
    if (!FM_GROW(b->heap, form->names, form->name_capacity, form->name_count + 1)) return fm_error_memory(error);
    form->is_wanted = true;
    *out = (uint32_t)form->name_count;
    form->names[form->name_count++] = text;
    return FRAMEMAP_OK;
}

framemap_str fm_builder_segment_name_text(const struct fm_builder *b, uint32_t name)
{
    if (b->sink != NULL) return b->sink->segment_name_text(b->sink_context, name);
    return fm_string_pool_text(&b->strings, b->segments.names[name]);
}

/* --- adding segments --- */

/* Starts a line. The length of the previous line is determined by its last segment. */
static framemap_status begin_line(struct fm_builder *b, uint32_t line0, framemap_error *error)
{
    struct fm_segment_form *form = &b->segments;
    if (fm_records_are_full(form->line_count)) return fm_too_many_records(error, "lines");
    if (!FM_GROW(b->heap, form->lines, form->line_capacity, form->line_count + 1)) return fm_error_memory(error);
    if (form->line_count > 0) form->line_axis_offset += (uint64_t)form->lines[form->line_count - 1].last_col0 + 1;
    if (form->line_axis_offset > FMX_SEGMENT_AXIS_MOST - UINT32_MAX - 1)
        return fm_error_set(error, FRAMEMAP_E_LIMIT, "the generated lines have more than 2^56 columns in total");
    form->lines[form->line_count++] = (struct fm_line_record){line0, 0};
    return FRAMEMAP_OK;
}

static framemap_status no_such_part(const struct fm_segment_form *form, const struct fm_segment *segment,
                                    framemap_error *error)
{
    return fm_no_such_record(error, fm_record_is_known(segment->source, form->source_count) ? "name" : "source");
}

/* Checks segments, sets their offsets on the axis of generated lines, and adds their lines. */
static framemap_status take_segments(struct fm_builder *b, const struct fm_segment *segments, size_t count,
                                     uint64_t *axis_offsets, framemap_error *error)
{
    struct fm_segment_form *form = &b->segments;
    const size_t sources = form->source_count, names = form->name_count;
    const bool begun = form->line_count > 0;
    uint32_t line0 = begun ? form->lines[form->line_count - 1].line0 : 0,
             col0 = begun ? form->lines[form->line_count - 1].last_col0 : 0;
    for (size_t i = 0; i < count; i++) {
        const struct fm_segment *segment = &segments[i];
        /* adding 1 to FM_NONE gives 0, so a segment without a source or a name passes this test */
        if ((uint32_t)(segment->source + 1) > sources || (uint32_t)(segment->name + 1) > names)
            return no_such_part(form, segment, error);
        if (segment->line0 != line0 || form->line_count == 0) {
            if (segment->line0 < line0) return not_ascending(error, "segments");
            if (form->line_count > 0) form->lines[form->line_count - 1].last_col0 = col0;
            const framemap_status status = begin_line(b, line0 = segment->line0, error);
            if (status != FRAMEMAP_OK) return status;
        } else if (segment->col0 < col0) {
            return not_ascending(error, "segments");
        }
        col0 = segment->col0;
        axis_offsets[i] = form->line_axis_offset + col0;
    }
    if (form->line_count > 0) form->lines[form->line_count - 1].last_col0 = col0;
    return FRAMEMAP_OK;
}

/* Adds segments: first completes the current block, then packs whole blocks from the caller's memory. */
framemap_status fm_builder_segments(struct fm_builder *b, const struct fm_segment *segments, size_t count,
                                    framemap_error *error)
{
    struct fm_segment_form *form = &b->segments;
    framemap_status status = FRAMEMAP_OK;
    form->is_wanted = true;
    if (b->sink != NULL) return b->sink->segments(b->sink_context, segments, count, error);
    while (count > 0 && status == FRAMEMAP_OK) {
        const unsigned room = FMX_SEGMENTS_EACH - form->pending_count, some = count < room ? (unsigned)count : room;
        const bool whole = some == FMX_SEGMENTS_EACH;
        status = take_segments(b, segments, some, form->axis_offsets + form->pending_count, error);
        if (status != FRAMEMAP_OK) return status;
        if (!whole) memcpy(form->pending + form->pending_count, segments, some * sizeof *segments);
        form->pending_count += some;
        if (form->pending_count == FMX_SEGMENTS_EACH)
            status = fm_encode_segments(b, whole ? segments : form->pending, error);
        segments += some;
        count -= some;
    }
    return status;
}

/* --- adding stretches and offsets --- */

static framemap_status check_stretch(const struct fm_builder *b, uint32_t function, enum fm_function_origin origin,
                                     size_t count, framemap_error *error)
{
    if (!fm_record_is_known(function, b->strings.count)) return fm_no_such_record(error, "string");
    if (origin < FM_FUNCTION_SCOPES || origin > FM_FUNCTION_TEXT)
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "an unknown origin of a function");
    return fm_records_are_full(count) ? fm_too_many_records(error, "function stretches") : FRAMEMAP_OK;
}

framemap_status fm_builder_source_stretch(struct fm_builder *b, uint32_t source, uint32_t line0, uint32_t col0,
                                          uint32_t function, enum fm_function_origin origin, framemap_error *error)
{
    struct fm_segment_form *form = &b->segments;
    if (b->sink != NULL) return b->sink->source_stretch(b->sink_context, source, line0, col0, function, origin, error);
    if (source >= form->source_count) return fm_no_such_record(error, "source");
    framemap_status status = check_stretch(b, function, origin, form->source_stretch_count, error);
    if (status != FRAMEMAP_OK) return status;
    if (!FM_GROW(b->heap, form->source_stretches, form->source_stretch_capacity, form->source_stretch_count + 1))
        return fm_error_memory(error);
    form->source_stretches[form->source_stretch_count++] =
        (struct fm_stretch_record){source, line0, col0, function, (uint32_t)origin, FM_NONE, 0};
    return FRAMEMAP_OK;
}

framemap_status fm_builder_generated_stretch(struct fm_builder *b, uint32_t line0, uint32_t col0, uint32_t function,
                                             enum fm_function_origin origin, framemap_error *error)
{
    return fm_builder_inlined_stretch(b, &(struct fm_generated_stretch){line0, col0, function, origin, FM_NONE, false},
                                      error);
}

framemap_status fm_builder_inlined_stretch(struct fm_builder *b, const struct fm_generated_stretch *stretch,
                                           framemap_error *error)
{
    struct fm_segment_form *form = &b->segments;
    if (b->sink != NULL) return b->sink->inlined_stretch(b->sink_context, stretch, error);
    framemap_status status = check_stretch(b, stretch->function, stretch->origin, form->generated_stretch_count, error);
    if (status != FRAMEMAP_OK) return status;
    if (!fm_record_is_known(stretch->site, form->site_count)) return fm_no_such_record(error, "call site");
    if (!FM_GROW(b->heap, form->generated_stretches, form->generated_stretch_capacity,
                 form->generated_stretch_count + 1))
        return fm_error_memory(error);
    form->is_wanted = true;
    form->generated_stretches[form->generated_stretch_count++] =
        (struct fm_stretch_record){0,
                                   stretch->line0,
                                   stretch->col0,
                                   stretch->function,
                                   (uint32_t)stretch->origin,
                                   stretch->site,
                                   stretch->hidden ? FM_STRETCH_HIDDEN : 0};
    return FRAMEMAP_OK;
}

framemap_status fm_builder_call_site(struct fm_builder *b, const struct fm_call_site *site, uint32_t *out,
                                     framemap_error *error)
{
    struct fm_segment_form *form = &b->segments;
    if (b->sink != NULL) return b->sink->call_site(b->sink_context, site, out, error);
    if (site->source >= form->source_count) return fm_no_such_record(error, "source");
    if (!fm_record_is_known(site->function, b->strings.count)) return fm_no_such_record(error, "string");
    if (!fm_record_is_known(site->caller, form->site_count)) return fm_no_such_record(error, "call site");
    if (fm_records_are_full(form->site_count)) return fm_too_many_records(error, "call sites");
    if (!FM_GROW(b->heap, form->sites, form->site_capacity, form->site_count + 1)) return fm_error_memory(error);
    *out = (uint32_t)form->site_count;
    form->sites[form->site_count++] = *site;
    return FRAMEMAP_OK;
}

framemap_status fm_builder_segment_range(struct fm_builder *b, uint32_t line0, uint32_t col0, framemap_error *error)
{
    struct fm_segment_form *form = &b->segments;
    if (b->sink != NULL) return b->sink->segment_range(b->sink_context, line0, col0, error);
    const struct fm_range_record *last = form->range_count ? &form->ranges[form->range_count - 1] : NULL;
    if (last && (last->line0 > line0 || (last->line0 == line0 && last->col0 >= col0)))
        return not_ascending(error, "ranges");
    if (fm_records_are_full(form->range_count)) return fm_too_many_records(error, "ranges");
    if (!FM_GROW(b->heap, form->ranges, form->range_capacity, form->range_count + 1)) return fm_error_memory(error);
    form->is_wanted = true;
    form->ranges[form->range_count++] = (struct fm_range_record){line0, col0};
    return FRAMEMAP_OK;
}

framemap_status fm_builder_offsets(struct fm_builder *b, enum fm_offsets_kind kind, uint32_t group,
                                   const uint32_t *values, size_t count, framemap_error *error)
{
    struct fm_segment_form *form = &b->segments;
    if (b->sink != NULL) return b->sink->offsets(b->sink_context, kind, group, values, count, error);
    if (kind < FM_OFFSETS_MODULES || kind > FM_OFFSETS_SEGMENTS)
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "an unknown kind of offset list");
    if (fm_records_are_full(form->list_count) || count > UINT32_MAX - 2 - form->offset_count)
        return fm_too_many_records(error, "offsets");
    if (!FM_GROW(b->heap, form->lists, form->list_capacity, form->list_count + 1) ||
        !FM_GROW(b->heap, form->offsets, form->offset_capacity, form->offset_count + count))
        return fm_error_memory(error);
    form->is_wanted = true;
    form->lists[form->list_count++] = (struct fm_offset_list){(uint32_t)kind, group, form->offset_count, count};
    if (count > 0) memcpy(form->offsets + form->offset_count, values, count * sizeof *values);
    form->offset_count += count;
    return FRAMEMAP_OK;
}
