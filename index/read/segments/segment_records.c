/* Decodes sources, names, functions, call sites, ranges and offset lists of the segment form: lookups of
 * segment_view.h. segment_lookup.c finds the segments themselves. */
#include "core/text/text.h"
#include "index/read/segments/segment_block_decoder.h"

static uint64_t count_of(const struct fm_view *view, unsigned section) { return view->tables[section].count; }

uint64_t fm_segment_lines(const struct fm_view *view)
{
    const struct fm_packed *lines = &view->tables[FMX_LINES];
    const uint64_t rows = fm_segment_line_rows(view);
    return rows == 0 || fm_segment_dense(lines) ? rows : fm_field(lines, rows - 1, LINE_NUMBER) + 1;
}

/* Whether each section whose rows callers address by 32-bit numbers has fewer than UINT32_MAX rows. */
bool fm_segments_open(const struct fm_view *view)
{
    static const unsigned numbered[] = {FMX_SOURCES,      FMX_SOURCE_STRETCHES, FMX_GENERATED_STRETCHES,
                                        FMX_OFFSET_LISTS, FMX_OFFSETS,          FMX_CALL_SITES};
    for (unsigned i = 0; i < sizeof numbered / sizeof *numbered; i++)
        if (count_of(view, numbered[i]) >= UINT32_MAX) return false;
    const uint64_t blocks = count_of(view, FMX_SEGMENT_BLOCKS);
    if ((view->flags & FMX_FLAG_HEAD) != 0) return blocks == 0;
    return view->position_count / FMX_SEGMENTS_EACH + (view->position_count % FMX_SEGMENTS_EACH != 0) == blocks;
}

bool fm_view_segments(const struct fm_view *view, struct fm_segments_about *out)
{
    if (!fm_is_segments(view)) return false;
    *out = (struct fm_segments_about){.segment_count = view->position_count,
                                      .line_count = fm_segment_lines(view),
                                      .source_count = count_of(view, FMX_SOURCES),
                                      .name_count = count_of(view, FMX_TEXTS),
                                      .stretch_count = count_of(view, FMX_SOURCE_STRETCHES) +
                                                       count_of(view, FMX_GENERATED_STRETCHES),
                                      .has_content = view->tables[FMX_SOURCES].width[SOURCE_CONTENT] > 0};
    return true;
}

/* --- reading what segments refer to --- */

bool fm_view_source_address(const struct fm_view *view, uint32_t source, framemap_str *address, uint32_t *flags)
{
    const struct fm_packed *sources = &view->tables[FMX_SOURCES];
    if (source >= sources->count) return false;
    const struct fm_table_row row = fm_table_row_at(sources, source);
    *address = fm_table_row_text(view, row, SOURCE_ADDRESS);
    *flags = (uint32_t)fm_table_row_field(row, SOURCE_FLAGS);
    return true;
}

bool fm_view_source(const struct fm_view *view, uint32_t source, struct fm_view_source *out)
{
    const struct fm_packed *sources = &view->tables[FMX_SOURCES];
    if (source >= sources->count) return false;
    const struct fm_table_row row = fm_table_row_at(sources, source);
    out->address = fm_table_row_text(view, row, SOURCE_ADDRESS);
    out->spelled = fm_table_row_text(view, row, SOURCE_SPELLED);
    if (out->spelled.data == NULL) out->spelled = out->address;
    out->content = fm_table_row_text(view, row, SOURCE_CONTENT);
    out->flags = (uint32_t)fm_table_row_field(row, SOURCE_FLAGS);
    return true;
}

uint32_t fm_view_source_at_address(const struct fm_view *view, framemap_str address)
{
    const struct fm_packed *sources = &view->tables[FMX_SOURCES];
    for (uint64_t i = 0; fm_is_segments(view) && i < sources->count; i++)
        if (fm_str_equal(fm_table_row_text(view, fm_table_row_at(sources, i), SOURCE_ADDRESS), address))
            return (uint32_t)i;
    return UINT32_MAX;
}

bool fm_view_segment_name(const struct fm_view *view, uint32_t name, framemap_str *out)
{
    if (!fm_is_segments(view) || name >= count_of(view, FMX_TEXTS)) return false;
    *out = fm_text_field(view, &view->tables[FMX_TEXTS], name, TEXT_AT);
    return true;
}

/* --- looking up stretches (intervals with one innermost function) --- */

/* Whether the first `fields` fields of a row are, in lexicographic order, at most the key. */
static bool at_most(const struct fm_packed *rows, uint64_t row, const uint64_t *key, unsigned fields)
{
    for (unsigned i = 0; i < fields; i++) {
        const uint64_t value = fm_field(rows, row, i);
        if (value != key[i]) return value < key[i];
    }
    return true;
}

uint64_t fm_segment_stretch(const struct fm_view *view, unsigned section, const uint64_t *key, unsigned fields)
{
    const struct fm_packed *rows = &view->tables[section];
    uint64_t low = 0, high = rows->count;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (at_most(rows, middle, key, fields))
            low = middle + 1;
        else
            high = middle;
    }
    return low - 1;
}

static uint32_t number_of_code(uint64_t code)
{
    return code == 0 || code > UINT32_MAX ? FM_VIEW_NONE : (uint32_t)(code - 1);
}

static void read_stretch(const struct fm_view *view, unsigned section, uint64_t row, unsigned text,
                         struct fm_view_stretch *out)
{
    out->function = fm_text_field(view, &view->tables[section], row, text);
    out->origin = (uint32_t)fm_field(&view->tables[section], row, text + 2);
}

bool fm_view_source_stretch_at(const struct fm_view *view, uint64_t number, struct fm_view_stretch *out)
{
    const struct fm_packed *rows = &view->tables[FMX_SOURCE_STRETCHES];
    if (number >= rows->count) return false;
    read_stretch(view, FMX_SOURCE_STRETCHES, number, SOURCE_STRETCH_TEXT, out);
    out->source = (uint32_t)fm_field(rows, number, SOURCE_STRETCH_SOURCE);
    out->line0 = (uint32_t)fm_field(rows, number, SOURCE_STRETCH_LINE);
    out->col0 = (uint32_t)fm_field(rows, number, SOURCE_STRETCH_COL);
    out->site = FM_VIEW_NONE;
    out->hidden = false;
    return true;
}

bool fm_view_generated_stretch_at(const struct fm_view *view, uint64_t number, struct fm_view_stretch *out)
{
    const struct fm_packed *rows = &view->tables[FMX_GENERATED_STRETCHES];
    if (number >= rows->count) return false;
    read_stretch(view, FMX_GENERATED_STRETCHES, number, GENERATED_STRETCH_TEXT, out);
    out->source = FM_VIEW_NONE;
    out->line0 = (uint32_t)fm_field(rows, number, GENERATED_STRETCH_LINE);
    out->col0 = (uint32_t)fm_field(rows, number, GENERATED_STRETCH_COL);
    out->site = number_of_code(fm_field(rows, number, GENERATED_STRETCH_SITE));
    out->hidden = fm_field(rows, number, GENERATED_STRETCH_FLAGS) & FM_STRETCH_HIDDEN;
    return true;
}

bool fm_view_source_stretch(const struct fm_view *view, uint32_t source, uint32_t line0, uint32_t col0,
                            struct fm_view_stretch *out)
{
    const uint64_t key[] = {source, line0, col0}, row = fm_segment_stretch(view, FMX_SOURCE_STRETCHES, key, 3);
    return fm_view_source_stretch_at(view, row, out) && out->source == source && out->function.data != NULL;
}

bool fm_view_generated_stretch(const struct fm_view *view, uint32_t line0, uint32_t col0, struct fm_view_stretch *out)
{
    const uint64_t key[] = {line0, col0}, row = fm_segment_stretch(view, FMX_GENERATED_STRETCHES, key, 2);
    return fm_view_generated_stretch_at(view, row, out) &&
           (out->function.data != NULL || out->site != FM_VIEW_NONE || out->hidden);
}

bool fm_view_call_site(const struct fm_view *view, uint32_t number, struct fm_view_call_site *out)
{
    const struct fm_packed *rows = &view->tables[FMX_CALL_SITES];
    if (number >= rows->count) return false;
    out->source = (uint32_t)fm_field(rows, number, SITE_SOURCE);
    out->line0 = (uint32_t)fm_field(rows, number, SITE_LINE);
    out->col0 = (uint32_t)fm_field(rows, number, SITE_COL);
    out->function = fm_text_field(view, rows, number, SITE_TEXT);
    out->caller = number_of_code(fm_field(rows, number, SITE_CALLER));
    out->hidden = fm_field(rows, number, SITE_FLAGS) & FM_STRETCH_HIDDEN;
    return out->caller == FM_VIEW_NONE || out->caller < number;
}

/* --- looking up ranges --- */

bool fm_view_range(const struct fm_view *view, uint64_t number, uint32_t *line0, uint32_t *col0)
{
    const struct fm_packed *rows = &view->tables[FMX_SEGMENT_RANGES];
    if (number >= rows->count) return false;
    *line0 = (uint32_t)fm_field(rows, number, SEGMENT_RANGE_LINE);
    *col0 = (uint32_t)fm_field(rows, number, SEGMENT_RANGE_COL);
    return true;
}

/* Whether no line after line above0 and before line line0 has segments. */
static bool is_last_above(const struct fm_view *view, uint32_t above0, uint32_t line0)
{
    struct fm_segment_line line, next;
    return fm_segment_line(view, above0, &line) && (!fm_segment_line_of(view, line.end, &next) || next.line0 >= line0);
}

bool fm_view_range_at(const struct fm_view *view, uint32_t line0, uint32_t col0, struct fm_view_segment *out)
{
    const uint64_t key[] = {line0, col0};
    uint32_t range_line0, range_col0;
    if (count_of(view, FMX_SEGMENT_RANGES) == 0) return false;
    if (!fm_view_range(view, fm_segment_stretch(view, FMX_SEGMENT_RANGES, key, 2), &range_line0, &range_col0))
        return false;
    if (range_line0 == line0) return fm_view_segment_at(view, line0, col0, out) && out->col0 == range_col0;
    if (fm_view_segment_at(view, line0, col0, out)) return false;
    return fm_view_segment_at(view, range_line0, UINT32_MAX, out) && out->col0 == range_col0 &&
           is_last_above(view, range_line0, line0);
}

/* --- looking up offsets --- */

/* Gets the offsets of a list, as rows [*first, *end) of OFFSETS. false: no such list, or damaged. */
static bool open_segment_list(const struct fm_view *view, uint64_t list, uint64_t *first, uint64_t *end)
{
    const struct fm_packed *lists = &view->tables[FMX_OFFSET_LISTS];
    if (lists->count == 0 || list >= lists->count - 1) return false;
    *first = fm_field(lists, list, OFFSET_LIST_FIRST);
    *end = fm_field(lists, list + 1, OFFSET_LIST_FIRST);
    return *first <= *end && *end <= count_of(view, FMX_OFFSETS);
}

bool fm_view_offset(const struct fm_view *view, uint32_t kind, uint32_t group, uint64_t which, uint32_t *out)
{
    const struct fm_packed *lists = &view->tables[FMX_OFFSET_LISTS];
    const uint64_t key[] = {kind, group};
    uint64_t low = 0, high = lists->count ? lists->count - 1 : 0, end;
    while (low < high) { /* the loop finds the number of the last list that is at most the key, plus one */
        const uint64_t middle = low + (high - low) / 2;
        if (at_most(lists, middle, key, 2))
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0 || fm_field(lists, low - 1, OFFSET_LIST_KIND) != kind ||
        fm_field(lists, low - 1, OFFSET_LIST_GROUP) != group)
        return false;
    if (!open_segment_list(view, low - 1, &low, &end) || which >= end - low) return false;
    const uint64_t code = fm_field(&view->tables[FMX_OFFSETS], low + which, OFFSET_CODE);
    *out = (uint32_t)(code - 1);
    return code > 0 && code <= UINT32_MAX;
}

bool fm_view_offsets_at(const struct fm_view *view, uint64_t list, struct fm_view_offsets *out)
{
    const struct fm_packed *lists = &view->tables[FMX_OFFSET_LISTS];
    uint64_t first, end;
    if (!open_segment_list(view, list, &first, &end)) return false;
    out->kind = (uint32_t)fm_field(lists, list, OFFSET_LIST_KIND);
    out->group = (uint32_t)fm_field(lists, list, OFFSET_LIST_GROUP);
    out->count = end - first;
    return true;
}
