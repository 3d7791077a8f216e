/* Dumps an index of a source map. Called by dump.c. */
#include "session/dump/dump_out.h"

#include "core/error.h"

static framemap_status segments_damaged(framemap_error *error, const char *what)
{
    return fm_error_set(error, FRAMEMAP_E_CORRUPT, "the index is damaged: %s can't be read", what);
}

/* Writes a line and a column, counted from 1. Adding 1 needs 64 bits, since both may be the largest number of 32
 * bits. */
static void place(struct fm_buf *out, uint32_t line0, uint32_t col0)
{
    fm_buf_dec(out, (uint64_t)line0 + 1);
    fm_buf_byte(out, ':');
    fm_buf_dec(out, (uint64_t)col0 + 1);
}

static framemap_str address_of(const struct fm_dump *dump, uint32_t number)
{
    struct fm_view_source source;
    return fm_view_source(dump->index->view, number, &source) ? source.address : (framemap_str){NULL, 0};
}

static framemap_str origin_name(uint32_t origin)
{
    switch (origin) {
    case FM_FUNCTION_SCOPES: return FM_STR("scopes");
    case FM_FUNCTION_MAP: return FM_STR("map");
    case FM_FUNCTION_TEXT: return FM_STR("text");
    default: return FM_STR("?");
    }
}

static const char *offsets_name(const struct fm_view_offsets *list, bool json)
{
    if (list->kind == FM_OFFSETS_MODULES) return json ? "modules" : "offsets of modules";
    if (list->kind == FM_OFFSETS_FUNCTIONS) return json ? "functions" : "offsets of functions";
    if (list->group == FM_OFFSETS_ENDS) return json ? "segment_ends" : "ends of segments";
    return json ? "segment_starts" : "starts of segments";
}

/* --- writing segments as text --- */

static void text_source(struct fm_dump *dump, const struct fm_view_source *source)
{
    struct fm_buf *out = &dump->out;
    fm_buf_str(out, FM_STR("source "));
    fm_buf_json(out, source->address);
    if (!fm_str_equal(source->spelled, source->address)) {
        fm_buf_str(out, FM_STR(" spelled "));
        fm_buf_json(out, source->spelled);
    }
    if (source->flags & FM_SOURCE_IGNORED) fm_buf_str(out, FM_STR(" ignored"));
    if (source->flags & FM_SOURCE_UNKNOWN) fm_buf_str(out, FM_STR(" unknown"));
    if (source->content.data) fm_buf_printf(out, " content %llu bytes", (unsigned long long)source->content.size);
    fm_buf_byte(out, '\n');
}

static void text_segment(struct fm_dump *dump, const struct fm_view_segment *segment)
{
    struct fm_buf *out = &dump->out;
    framemap_str name;
    place(out, segment->line0, segment->col0);
    if (segment->source == FM_VIEW_NONE) {
        fm_buf_str(out, FM_STR("  nothing"));
    } else {
        fm_buf_str(out, FM_STR("  "));
        fm_buf_str(out, address_of(dump, segment->source));
        fm_buf_byte(out, ':');
        place(out, segment->original_line0, segment->original_col0);
    }
    if (fm_view_segment_name(dump->index->view, segment->name, &name)) {
        fm_buf_str(out, FM_STR(" name "));
        fm_buf_str(out, name);
    }
    fm_buf_byte(out, '\n');
}

static void text_stretch(struct fm_dump *dump, const struct fm_view_stretch *stretch)
{
    struct fm_buf *out = &dump->out;
    fm_buf_str(out, FM_STR("from "));
    if (stretch->source != FM_VIEW_NONE) {
        fm_buf_str(out, address_of(dump, stretch->source));
        fm_buf_byte(out, ':');
    }
    place(out, stretch->line0, stretch->col0);
    if (stretch->function.data) {
        fm_buf_str(out, FM_STR(" function "));
        fm_buf_json(out, stretch->function);
        fm_buf_str(out, FM_STR(" of "));
        fm_buf_str(out, origin_name(stretch->origin));
    } else {
        fm_buf_str(out, FM_STR(" no function"));
    }
    if (stretch->site != FM_VIEW_NONE) fm_buf_printf(out, " inlined at call site %lu", (unsigned long)stretch->site);
    if (stretch->hidden) fm_buf_str(out, FM_STR(" hidden"));
    fm_buf_byte(out, '\n');
}

static void text_site(struct fm_dump *dump, uint32_t number, const struct fm_view_call_site *site)
{
    struct fm_buf *out = &dump->out;
    fm_buf_printf(out, "call site %lu ", (unsigned long)number);
    fm_buf_str(out, address_of(dump, site->source));
    fm_buf_byte(out, ':');
    place(out, site->line0, site->col0);
    if (site->function.data) {
        fm_buf_str(out, FM_STR(" function "));
        fm_buf_json(out, site->function);
    } else {
        fm_buf_str(out, FM_STR(" no function"));
    }
    if (site->caller != FM_VIEW_NONE) fm_buf_printf(out, " inlined at call site %lu", (unsigned long)site->caller);
    if (site->hidden) fm_buf_str(out, FM_STR(" hidden"));
    fm_buf_byte(out, '\n');
}

static void text_range(struct fm_dump *dump, uint32_t line0, uint32_t col0)
{
    fm_buf_str(&dump->out, FM_STR("range "));
    place(&dump->out, line0, col0);
    fm_buf_byte(&dump->out, '\n');
}

/* --- writing segments as JSON lines --- */

static void json_text(struct fm_buf *out, const char *name, framemap_str value)
{
    if (value.data == NULL) return;
    fm_buf_printf(out, ",\"%s\":", name);
    fm_buf_json(out, value);
}

static void json_place(struct fm_buf *out, const char *line, const char *column, uint32_t line0, uint32_t col0)
{
    fm_buf_printf(out, "\"%s\":%llu,\"%s\":%llu", line, (unsigned long long)line0 + 1, column,
                  (unsigned long long)col0 + 1);
}

static void json_source(struct fm_dump *dump, uint64_t number, const struct fm_view_source *source)
{
    struct fm_buf *out = &dump->out;
    fm_buf_printf(out, "{\"source\":%llu", (unsigned long long)number);
    json_text(out, "address", source->address);
    if (!fm_str_equal(source->spelled, source->address)) json_text(out, "spelled", source->spelled);
    if (source->flags & FM_SOURCE_IGNORED) fm_buf_str(out, FM_STR(",\"ignored\":true"));
    if (source->flags & FM_SOURCE_UNKNOWN) fm_buf_str(out, FM_STR(",\"unknown\":true"));
    json_text(out, "content", source->content);
    fm_dump_end_line(out, FM_STR("}"));
}

static void json_segment(struct fm_dump *dump, const struct fm_view_segment *segment)
{
    struct fm_buf *out = &dump->out;
    framemap_str name;
    fm_buf_byte(out, '{');
    json_place(out, "line", "column", segment->line0, segment->col0);
    if (segment->source != FM_VIEW_NONE) {
        fm_buf_printf(out, ",\"original\":{\"source\":%lu,", (unsigned long)segment->source);
        json_place(out, "line", "column", segment->original_line0, segment->original_col0);
        fm_buf_byte(out, '}');
    }
    if (fm_view_segment_name(dump->index->view, segment->name, &name)) json_text(out, "name", name);
    fm_dump_end_line(out, FM_STR("}"));
}

/* Writes the last members of a line about a function: the call site at which it is inlined, and whether it is
 * hidden. */
static void json_called(struct fm_buf *out, uint32_t site, bool hidden)
{
    if (site != FM_VIEW_NONE) fm_buf_printf(out, ",\"inlined_at\":%lu", (unsigned long)site);
    if (hidden) fm_buf_str(out, FM_STR(",\"hidden\":true"));
    fm_dump_end_line(out, FM_STR("}"));
}

static void json_stretch(struct fm_dump *dump, const struct fm_view_stretch *stretch)
{
    struct fm_buf *out = &dump->out;
    fm_buf_str(out, FM_STR("{\"from\":{"));
    if (stretch->source != FM_VIEW_NONE) fm_buf_printf(out, "\"source\":%lu,", (unsigned long)stretch->source);
    json_place(out, "line", "column", stretch->line0, stretch->col0);
    fm_buf_byte(out, '}');
    json_text(out, "function", stretch->function);
    json_text(out, "of", origin_name(stretch->origin));
    json_called(out, stretch->site, stretch->hidden);
}

static void json_site(struct fm_dump *dump, uint32_t number, const struct fm_view_call_site *site)
{
    struct fm_buf *out = &dump->out;
    fm_buf_printf(out, "{\"call_site\":%lu,\"source\":%lu,", (unsigned long)number, (unsigned long)site->source);
    json_place(out, "line", "column", site->line0, site->col0);
    json_text(out, "function", site->function);
    json_called(out, site->caller, site->hidden);
}

static void json_range(struct fm_dump *dump, uint32_t line0, uint32_t col0)
{
    fm_buf_str(&dump->out, FM_STR("{\"range\":{"));
    json_place(&dump->out, "line", "column", line0, col0);
    fm_dump_end_line(&dump->out, FM_STR("}}"));
}

/* --- walking over the index --- */

static framemap_status dump_sources(struct fm_dump *dump, uint64_t count, bool json, framemap_error *error)
{
    framemap_status status = FRAMEMAP_OK;
    for (uint64_t i = 0; i < count && status == FRAMEMAP_OK; i++) {
        struct fm_view_source source;
        if (!fm_view_source(dump->index->view, (uint32_t)i, &source)) return segments_damaged(error, "a source");
        if (json)
            json_source(dump, i, &source);
        else
            text_source(dump, &source);
        status = fm_dump_flush(dump, FM_DUMP_FLUSH, error);
    }
    return status;
}

static framemap_status dump_all_segments(struct fm_dump *dump, uint64_t count, bool json, framemap_error *error)
{
    framemap_status status = FRAMEMAP_OK;
    for (uint64_t i = 0; i < count && status == FRAMEMAP_OK; i++) {
        struct fm_view_segment segment;
        if (!fm_view_segment(dump->index->view, i, &segment)) return segments_damaged(error, "a segment");
        if (json)
            json_segment(dump, &segment);
        else
            text_segment(dump, &segment);
        status = fm_dump_flush(dump, FM_DUMP_FLUSH, error);
    }
    return status;
}

static framemap_status dump_stretch(struct fm_dump *dump, const struct fm_view_stretch *stretch, bool json,
                                    framemap_error *error)
{
    if (json)
        json_stretch(dump, stretch);
    else
        text_stretch(dump, stretch);
    return fm_dump_flush(dump, FM_DUMP_FLUSH, error);
}

static framemap_status dump_stretches(struct fm_dump *dump, bool json, framemap_error *error)
{
    const struct fm_view *view = dump->index->view;
    struct fm_view_stretch stretch;
    framemap_status status = FRAMEMAP_OK;
    for (uint64_t i = 0; status == FRAMEMAP_OK && fm_view_source_stretch_at(view, i, &stretch); i++)
        status = dump_stretch(dump, &stretch, json, error);
    for (uint64_t i = 0; status == FRAMEMAP_OK && fm_view_generated_stretch_at(view, i, &stretch); i++)
        status = dump_stretch(dump, &stretch, json, error);
    return status;
}

static framemap_status dump_sites(struct fm_dump *dump, bool json, framemap_error *error)
{
    struct fm_view_call_site site;
    framemap_status status = FRAMEMAP_OK;
    for (uint32_t i = 0; status == FRAMEMAP_OK && fm_view_call_site(dump->index->view, i, &site); i++) {
        if (json)
            json_site(dump, i, &site);
        else
            text_site(dump, i, &site);
        status = fm_dump_flush(dump, FM_DUMP_FLUSH, error);
    }
    return status;
}

static framemap_status dump_ranges(struct fm_dump *dump, bool json, framemap_error *error)
{
    uint32_t line0, col0;
    framemap_status status = FRAMEMAP_OK;
    for (uint64_t i = 0; status == FRAMEMAP_OK && fm_view_range(dump->index->view, i, &line0, &col0); i++) {
        if (json)
            json_range(dump, line0, col0);
        else
            text_range(dump, line0, col0);
        status = fm_dump_flush(dump, FM_DUMP_FLUSH, error);
    }
    return status;
}

static void dump_offset(struct fm_dump *dump, const struct fm_view_offsets *list, uint64_t which, bool json)
{
    struct fm_buf *out = &dump->out;
    uint32_t value;
    if (which > 0) fm_buf_str(out, json ? FM_STR(",") : FM_STR(" "));
    if (fm_view_offset(dump->index->view, list->kind, list->group, which, &value))
        fm_buf_dec(out, value);
    else
        fm_buf_str(out, json ? FM_STR("null") : FM_STR("-"));
}

static framemap_status dump_offsets(struct fm_dump *dump, bool json, framemap_error *error)
{
    struct fm_buf *out = &dump->out;
    struct fm_view_offsets list;
    framemap_status status = FRAMEMAP_OK;
    for (uint64_t i = 0; status == FRAMEMAP_OK && fm_view_offsets_at(dump->index->view, i, &list); i++) {
        fm_buf_printf(out, json ? "{\"offsets\":\"%s\"" : "%s", offsets_name(&list, json));
        if (list.kind != FM_OFFSETS_SEGMENTS) /* the group of such a list says what its lines are */
            fm_buf_printf(out, json ? ",\"group\":%lu" : ", group %lu", (unsigned long)list.group);
        fm_buf_str(out, json ? FM_STR(",\"values\":[") : FM_STR(": "));
        for (uint64_t n = 0; n < list.count && status == FRAMEMAP_OK; n++) {
            dump_offset(dump, &list, n, json);
            status = fm_dump_flush(dump, FM_DUMP_FLUSH, error);
        }
        fm_dump_end_line(out, json ? FM_STR("]}") : FM_STR(""));
    }
    return status;
}

static void dump_counts(struct fm_dump *dump, const struct fm_segments_about *about)
{
    fm_buf_printf(&dump->out, "# lines %llu, segments %llu, sources %llu, names %llu, functions %llu\n",
                  (unsigned long long)about->line_count, (unsigned long long)about->segment_count,
                  (unsigned long long)about->source_count, (unsigned long long)about->name_count,
                  (unsigned long long)about->stretch_count);
}

framemap_status fm_dump_segments(struct fm_dump *dump, bool json, framemap_error *error)
{
    struct fm_segments_about about;
    if (!fm_view_segments(dump->index->view, &about)) return segments_damaged(error, "a segment");
    if (!json) dump_counts(dump, &about);
    framemap_status status = dump_sources(dump, about.source_count, json, error);
    if (status == FRAMEMAP_OK) status = dump_all_segments(dump, about.segment_count, json, error);
    if (status == FRAMEMAP_OK) status = dump_stretches(dump, json, error);
    if (status == FRAMEMAP_OK) status = dump_sites(dump, json, error);
    if (status == FRAMEMAP_OK) status = dump_ranges(dump, json, error);
    return status == FRAMEMAP_OK ? dump_offsets(dump, json, error) : status;
}
