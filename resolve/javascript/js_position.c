/* Converts the position printed in a JavaScript stack to a generated position of the source map: it handles parts of
 * React Native bundles and addresses of bytecode. */
#include "resolve/javascript/js_position.h"

#include "core/text/scan.h"
#include "core/text/text.h"
#include "index/read/segments/segment_view.h"

static const char no_column[] = "the frame has no column, and a line of generated text contains code of many sources";
static const char no_line[] = "the frame has no line number";
static const char no_module[] = "the source map has no such module of the bundle";
static const char no_segment[] = "the source map has no such segment of the bundle";
static const char past_segment[] = "the line is past the last one that the source map has of this part of the bundle";
static const char no_scope[] = "a source map needs a line and column of the generated text";
static const char no_function[] = "the source map has no such function of the bytecode";
static const char beyond[] = "the position is past the largest line or column of a source map";

struct part {
    uint64_t segment, module;
    bool has_module;
};

/* Parses the name of a part, "123.js", "seg-3.js" or "seg-3_5.js", at the end of any path. */
static bool read_part(framemap_str file, struct part *out)
{
    struct fm_scan s = fm_scan_of(fm_str_basename(file));
    struct part part = {.segment = 0};
    if (fm_scan_text(&s, FM_STR("seg-"))) {
        if (!fm_scan_dec(&s, &part.segment, NULL)) return false;
        part.has_module = fm_scan_byte(&s, '_');
    } else {
        part.has_module = true;
    }
    if (part.has_module && !fm_scan_dec(&s, &part.module, NULL)) return false;
    if (!fm_scan_text(&s, FM_STR(".js")) || !fm_scan_done(&s)) return false;
    *out = part;
    return true;
}

bool fm_script_is_part(framemap_str file)
{
    struct part part;
    return read_part(file, &part);
}

bool fm_script_has_parts(const struct fm_view *view)
{
    struct fm_view_offsets list;
    for (uint64_t i = 0; fm_view_offsets_at(view, i, &list); i++)
        if (list.kind == FM_OFFSETS_MODULES || list.kind == FM_OFFSETS_SEGMENTS) return true;
    return false;
}

bool fm_script_may_be_bytecode(const struct fm_view *view)
{
    struct fm_view_offsets list;
    framemap_str columns;
    for (uint64_t i = 0; fm_view_offsets_at(view, i, &list); i++)
        if (list.kind == FM_OFFSETS_FUNCTIONS) return true;
    return fm_view_attribute(view, FM_STR("columns"), &columns) && fm_str_equal(columns, FM_STR("addresses"));
}

bool fm_script_may_be_wasm(const struct fm_view *view)
{
    struct fm_segments_about about = {.line_count = 0};
    return fm_view_segments(view, &about) && about.line_count <= 1;
}

/* Gets the line at which a part starts. Returns NULL, or the reason why the map does not have the part. */
static const char *begin_of(const struct fm_view *view, const struct part *part, uint32_t *line0)
{
    *line0 = 0;
    if (part->segment > UINT32_MAX) return no_segment;
    const uint32_t segment = (uint32_t)part->segment;
    if (segment > 0 && !fm_view_offset(view, FM_OFFSETS_SEGMENTS, FM_OFFSETS_STARTS, segment, line0)) return no_segment;
    if (part->has_module && !fm_view_offset(view, FM_OFFSETS_MODULES, segment, part->module, line0)) return no_module;
    return NULL;
}

/* Returns the generated line of a segment. Frames of bytecode give the segment of the bundle as the line. An index map
 * with one map per segment starts each segment at a recorded line; in a map composed for the whole bundle, segment N is
 * line N. */
static uint32_t line_of_segment(const struct fm_view *view, uint32_t line0)
{
    uint32_t begin0;
    const bool has_start =
        view && line0 > 0 && fm_view_offset(view, FM_OFFSETS_SEGMENTS, FM_OFFSETS_STARTS, line0, &begin0);
    return has_start ? begin0 : line0;
}

/* Whether a generated line is after the last line of a part's segment; such a line may belong to another segment. */
static bool is_past(const struct fm_view *view, const struct part *part, uint32_t line0)
{
    uint32_t end0;
    return fm_view_offset(view, FM_OFFSETS_SEGMENTS, FM_OFFSETS_ENDS, part->segment, &end0) && line0 >= end0;
}

const char *fm_js_map_position(const struct fm_view *view, const struct fm_printed_place *row,
                               struct fm_generated_place *out)
{
    struct part part = {.segment = 0};
    uint32_t begin0 = 0;
    if (row->line1 == 0) return no_line;
    if (!row->bytecode && row->column1 == 0) return no_column;
    if (row->bytecode && row->address > UINT32_MAX) return beyond;
    uint32_t line0 = row->line1 - 1;
    if (view && read_part(row->file, &part) && fm_script_has_parts(view)) {
        const char *reason = begin_of(view, &part, &begin0);
        if (reason) return reason;
    } else if (row->bytecode) {
        line0 = line_of_segment(view, line0);
    }
    if (line0 > UINT32_MAX - begin0) return beyond;
    if (view && !row->bytecode && is_past(view, &part, line0 + begin0)) return past_segment;
    *out = (struct fm_generated_place){line0 + begin0, row->bytecode ? (uint32_t)row->address : row->column1 - 1};
    return NULL;
}

const char *fm_js_function_position(const struct fm_view *view, const framemap_query *query, framemap_query *out)
{
    struct fm_scan s = fm_scan_of(query->scope);
    uint64_t function;
    uint32_t begin;
    if (!fm_scan_dec(&s, &function, NULL) || !fm_scan_done(&s)) return no_scope;
    if (query->scope_number > UINT32_MAX ||
        !fm_view_offset(view, FM_OFFSETS_FUNCTIONS, (uint32_t)query->scope_number, function, &begin))
        return no_function;
    if (query->position > UINT32_MAX - begin) return beyond;
    *out = *query;
    out->scope = (framemap_str){NULL, 0};
    out->position = begin + query->position;
    return NULL;
}
