/* Copies a page of segments of an opened index into a builder, with everything that their results need. Called by
 * split_segments.c and split_head.c. */
#include "core/error.h"
#include "core/hash/hash.h"
#include "core/limits.h"
#include "core/text/merge_sort.h"
#include "index/format/value_page.h"
#include "index/read/segments/segment_block_decoder.h"
#include "index/split/record_copy.h"
#include "index/write/segment_builder.h"

/* The records that were copied: their numbers in the whole index, in the order of their new numbers. */
struct numbers {
    struct fm_table table;
    uint32_t *old;
    size_t count, capacity;
};
struct copier {
    const struct fm_view *view;
    struct fm_builder *builder;
    struct fm_heap *heap;
    framemap_error *error;
    struct numbers sources, names, sites;
    /* the function intervals of sources that are to be copied; key: a row number of SOURCE_STRETCHES */
    struct fm_sort_item *stretches;
    size_t stretch_count, stretch_capacity;
    uint64_t next_segment, next_stretch, next_range; /* rows before these need not be copied, or were copied already */
};

/* The part of a line that is copied: columns [begin, end), or to the end of the line. */
struct part {
    struct fm_segment_line line;
    uint64_t begin, end;
};

static framemap_status damaged(const struct copier *c, const char *what)
{
    return fm_error_set(c->error, FRAMEMAP_E_CORRUPT, "the index is damaged: %s can't be read", what);
}

static bool number_equal(const void *context, uint32_t id, const void *key)
{
    return ((const uint32_t *)context)[id] == *(const uint32_t *)key;
}
static uint64_t number_hash(uint32_t number) { return number * UINT64_C(0x9E3779B97F4A7C15); }

/* Finds the new number of a record. *out: FM_NONE if the record is not copied yet. */
static void find_number(const struct numbers *numbers, uint32_t old, uint32_t *out)
{
    *out = fm_table_find(&numbers->table, number_hash(old), number_equal, numbers->old, &old);
}
static bool add_number(struct copier *c, struct numbers *numbers, uint32_t old)
{
    if (!FM_GROW(c->heap, numbers->old, numbers->capacity, numbers->count + 1) ||
        !fm_table_add(&numbers->table, number_hash(old), (uint32_t)numbers->count))
        return false;
    numbers->old[numbers->count++] = old;
    return true;
}

static framemap_status copy_text(struct copier *c, framemap_str text, uint32_t *out)
{
    *out = FM_NONE;
    return text.data == NULL ? FRAMEMAP_OK : fm_builder_string(c->builder, text, out, c->error);
}

static framemap_status copy_source(struct copier *c, uint32_t old, uint32_t *out)
{
    struct fm_view_source source;
    uint32_t address, spelled, content;
    find_number(&c->sources, old, out);
    if (*out != FM_NONE) return FRAMEMAP_OK;
    if (!fm_view_source(c->view, old, &source) || source.address.data == NULL) return damaged(c, "a source");
    framemap_status status = copy_text(c, source.address, &address);
    if (status == FRAMEMAP_OK) status = copy_text(c, source.spelled, &spelled);
    if (status == FRAMEMAP_OK) status = copy_text(c, source.content, &content);
    if (status == FRAMEMAP_OK)
        status = fm_builder_source(c->builder, address, spelled, content, source.flags, out, c->error);
    return status != FRAMEMAP_OK || add_number(c, &c->sources, old) ? status : fm_error_memory(c->error);
}

static framemap_status copy_name(struct copier *c, uint32_t old, uint32_t *out)
{
    framemap_str name;
    find_number(&c->names, old, out);
    if (*out != FM_NONE) return FRAMEMAP_OK;
    if (!fm_view_segment_name(c->view, old, &name) || name.data == NULL) return damaged(c, "a name");
    framemap_status status = fm_builder_segment_name(c->builder, name, out, c->error);
    return status != FRAMEMAP_OK || add_number(c, &c->names, old) ? status : fm_error_memory(c->error);
}

/* Notes the function interval that contains a position, so that it is copied later. */
static framemap_status note_stretch(struct copier *c, uint32_t source, uint32_t line0, uint32_t col0)
{
    const uint64_t key[] = {source, line0, col0};
    const uint64_t row = fm_segment_stretch(c->view, FMX_SOURCE_STRETCHES, key, 3);
    struct fm_view_stretch stretch;
    if (!fm_view_source_stretch_at(c->view, row, &stretch) || stretch.source != source) return FRAMEMAP_OK;
    if (c->stretch_count > 0 && c->stretches[c->stretch_count - 1].key == row) return FRAMEMAP_OK;
    if (!FM_GROW(c->heap, c->stretches, c->stretch_capacity, c->stretch_count + 1)) return fm_error_memory(c->error);
    c->stretches[c->stretch_count++] = (struct fm_sort_item){row, 0, 0};
    return FRAMEMAP_OK;
}

static framemap_status copy_segment(struct copier *c, const struct fm_view_segment *segment)
{
    struct fm_segment copy = {segment->line0,          segment->col0,          FM_NONE,
                              segment->original_line0, segment->original_col0, FM_NONE};
    framemap_status status = FRAMEMAP_OK;
    if (segment->source != FM_VIEW_NONE) {
        status = copy_source(c, segment->source, &copy.source);
        if (status == FRAMEMAP_OK)
            status = note_stretch(c, segment->source, segment->original_line0, segment->original_col0);
    }
    if (status == FRAMEMAP_OK && segment->name != FM_VIEW_NONE) status = copy_name(c, segment->name, &copy.name);
    return status == FRAMEMAP_OK ? fm_builder_segments(c->builder, &copy, 1, c->error) : status;
}

/* Copies the segments in the interval [begin, end) of the axis of generated lines; the interval is within one line. If
 * no segment starts at `begin`, the last one before it on the line is copied too, because it covers `begin`. */
static framemap_status copy_segments(struct copier *c, const struct fm_segment_line *line, uint64_t begin, uint64_t end)
{
    framemap_status status = FRAMEMAP_OK;
    uint64_t number = fm_segment_first(c->view, begin), axis_offset;
    if (number > 0 && (!fm_segment_axis_offset_of(c->view, number, &axis_offset) || axis_offset != begin) &&
        fm_segment_axis_offset_of(c->view, number - 1, &axis_offset) && axis_offset >= line->begin)
        number--;
    if (number < c->next_segment) return damaged(c, "the order of segments");
    for (uint64_t before = 0; status == FRAMEMAP_OK && number < c->view->position_count; number++) {
        struct fm_view_segment segment;
        if (!fm_segment_axis_offset_of(c->view, number, &axis_offset)) return damaged(c, "a segment");
        if (axis_offset >= end) break;
        if (axis_offset < before || axis_offset < line->begin) return damaged(c, "the order of segments");
        before = axis_offset;
        if (!fm_view_segment(c->view, number, &segment)) return damaged(c, "a segment");
        status = copy_segment(c, &segment);
        c->next_segment = number + 1;
    }
    return status;
}

/* Copies the segments of a part of a line. If the line ends before the part begins, the line's last segment is copied,
 * because it covers the part. */
static framemap_status copy_part(struct copier *c, const struct part *part)
{
    const struct fm_segment_line *line = &part->line;
    const uint64_t size = line->end - line->begin;
    const uint64_t begin = part->begin < size ? part->begin : size - 1, end = part->end < size ? part->end : size;
    return copy_segments(c, line, line->begin + begin, line->begin + (end > begin ? end : begin + 1));
}

/* Copies the last segment before the lines of a page if it is a range, because a range also answers for the lines after
 * it. */
static framemap_status copy_range_before(struct copier *c, const struct part *first)
{
    struct fm_segment_line line;
    struct fm_view_segment segment;
    uint64_t axis_offset;
    if (first->line.begin == 0 || c->view->tables[FMX_SEGMENT_RANGES].count == 0) return FRAMEMAP_OK;
    const uint64_t before = fm_segment_first(c->view, first->line.begin);
    if (before == 0 || !fm_segment_axis_offset_of(c->view, before - 1, &axis_offset) ||
        !fm_segment_line_of(c->view, axis_offset, &line))
        return FRAMEMAP_OK;
    const uint64_t key[] = {line.line0, axis_offset - line.begin},
                   row = fm_segment_stretch(c->view, FMX_SEGMENT_RANGES, key, 2);
    uint32_t line0, col0;
    if (!fm_view_range(c->view, row, &line0, &col0) || line0 != key[0] || col0 != key[1]) return FRAMEMAP_OK;
    if (!fm_view_segment(c->view, before - 1, &segment)) return damaged(c, "a segment");
    framemap_status status = fm_builder_segment_range(c->builder, line0, col0, c->error);
    c->next_range = row + 1;
    c->next_segment = before;
    return status == FRAMEMAP_OK ? copy_segment(c, &segment) : status;
}

static framemap_status copy_source_stretches(struct copier *c)
{
    framemap_status status = FRAMEMAP_OK;
    if (!fm_sort(c->heap, c->stretches, c->stretch_count, NULL, NULL)) return fm_error_memory(c->error);
    for (size_t i = 0; i < c->stretch_count && status == FRAMEMAP_OK; i++) {
        struct fm_view_stretch stretch;
        uint32_t function, source;
        if (i > 0 && c->stretches[i].key == c->stretches[i - 1].key) continue;
        if (!fm_view_source_stretch_at(c->view, c->stretches[i].key, &stretch)) return damaged(c, "a function");
        find_number(&c->sources, stretch.source, &source);
        status = copy_text(c, stretch.function, &function);
        if (status == FRAMEMAP_OK)
            status = fm_builder_source_stretch(c->builder, source, stretch.line0, stretch.col0, function,
                                               (enum fm_function_origin)stretch.origin, c->error);
    }
    return status;
}

/* --- copying call sites --- */

static framemap_status copy_site(struct copier *c, uint32_t old, const struct fm_view_call_site *site)
{
    struct fm_call_site copy = {.line0 = site->line0, .col0 = site->col0, .caller = FM_NONE, .hidden = site->hidden};
    uint32_t number;
    framemap_status status = copy_source(c, site->source, &copy.source);
    if (status == FRAMEMAP_OK) status = note_stretch(c, site->source, site->line0, site->col0);
    if (status == FRAMEMAP_OK) status = copy_text(c, site->function, &copy.function);
    if (site->caller != FM_VIEW_NONE) find_number(&c->sites, site->caller, &copy.caller);
    if (status == FRAMEMAP_OK) status = fm_builder_call_site(c->builder, &copy, &number, c->error);
    return status != FRAMEMAP_OK || add_number(c, &c->sites, old) ? status : fm_error_memory(c->error);
}

/* Copies a call site, after its callers. At most as many callers are copied as a result can have. *out: the new number
 * of the call site. */
static framemap_status copy_sites(struct copier *c, uint32_t old, uint32_t *out)
{
    uint32_t chain[FM_LIMIT_INLINE_DEPTH];
    struct fm_view_call_site site;
    framemap_status status = FRAMEMAP_OK;
    size_t depth = 0;
    *out = FM_NONE;
    while (old != FM_VIEW_NONE && depth < FM_LIMIT_INLINE_DEPTH) {
        find_number(&c->sites, old, out);
        if (*out != FM_NONE) break;
        if (!fm_view_call_site(c->view, old, &site)) return damaged(c, "a call site");
        chain[depth++] = old;
        old = site.caller;
    }
    while (status == FRAMEMAP_OK && depth > 0) {
        if (!fm_view_call_site(c->view, chain[--depth], &site)) return damaged(c, "a call site");
        status = copy_site(c, chain[depth], &site);
        if (status == FRAMEMAP_OK) find_number(&c->sites, chain[depth], out);
    }
    return status;
}

static framemap_status copy_generated_stretch(struct copier *c, const struct fm_view_stretch *stretch)
{
    struct fm_generated_stretch copy = {.line0 = stretch->line0,
                                        .col0 = stretch->col0,
                                        .origin = (enum fm_function_origin)stretch->origin,
                                        .site = FM_NONE,
                                        .hidden = stretch->hidden};
    framemap_status status = copy_text(c, stretch->function, &copy.function);
    if (status == FRAMEMAP_OK && stretch->site != FM_VIEW_NONE) status = copy_sites(c, stretch->site, &copy.site);
    return status == FRAMEMAP_OK ? fm_builder_inlined_stretch(c->builder, &copy, c->error) : status;
}

/* Returns the first row that a part of a line needs, in a table sorted by line and column: the last row that starts at
 * or before the part. If that row was copied for an earlier part, returns the next row. */
static uint64_t first_row(const struct copier *c, unsigned section, const struct part *part, uint64_t next)
{
    const uint64_t key[] = {part->line.line0, part->begin}, row = fm_segment_stretch(c->view, section, key, 2);
    return row == UINT64_MAX || row < next ? next : row;
}

static bool is_after(const struct part *part, uint32_t line0, uint32_t col0)
{
    return line0 > part->line.line0 || (line0 == part->line.line0 && col0 >= part->end);
}

/* Copies the function intervals from the one that contains the start of the part to the last one that starts in it. */
static framemap_status copy_generated_stretches(struct copier *c, const struct part *part)
{
    struct fm_view_stretch stretch;
    framemap_status status = FRAMEMAP_OK;
    uint64_t i = first_row(c, FMX_GENERATED_STRETCHES, part, c->next_stretch);
    for (; status == FRAMEMAP_OK && fm_view_generated_stretch_at(c->view, i, &stretch); i++) {
        if (is_after(part, stretch.line0, stretch.col0)) break;
        status = copy_generated_stretch(c, &stretch);
        c->next_stretch = i + 1;
    }
    return status;
}

/* Copies the ranges of a part of a line. They are chosen as copy_generated_stretches chooses function intervals. A
 * range whose segment was not copied has no effect. */
static framemap_status copy_ranges(struct copier *c, const struct part *part)
{
    framemap_status status = FRAMEMAP_OK;
    uint32_t line0, col0;
    uint64_t i = first_row(c, FMX_SEGMENT_RANGES, part, c->next_range);
    for (; status == FRAMEMAP_OK && fm_view_range(c->view, i, &line0, &col0); i++) {
        if (is_after(part, line0, col0)) break;
        status = fm_builder_segment_range(c->builder, line0, col0, c->error);
        c->next_range = i + 1;
    }
    return status;
}

static framemap_status copy_line(struct copier *c, const struct part *part, bool *any)
{
    framemap_status status = *any ? FRAMEMAP_OK : copy_range_before(c, part);
    *any = true;
    if (status == FRAMEMAP_OK) status = copy_part(c, part);
    if (status == FRAMEMAP_OK) status = copy_generated_stretches(c, part);
    return status == FRAMEMAP_OK ? copy_ranges(c, part) : status;
}

static framemap_status copy_page(struct copier *c, uint64_t page)
{
    const uint64_t first = page >> FM_PAGE_BLOCK_BITS << FM_PAGE_LINE_BITS,
                   column = (page & ((UINT64_C(1) << FM_PAGE_BLOCK_BITS) - 1)) << FM_PAGE_COLUMN_BITS;
    framemap_status status = FRAMEMAP_OK;
    bool any = false;
    for (uint64_t line0 = first; line0 < first + (1u << FM_PAGE_LINE_BITS) && status == FRAMEMAP_OK; line0++) {
        struct part part = {.begin = column, .end = column + (UINT64_C(1) << FM_PAGE_COLUMN_BITS)};
        if (line0 > UINT32_MAX || !fm_segment_line(c->view, (uint32_t)line0, &part.line)) continue;
        if (part.line.end <= part.line.begin) continue;
        part.line.line0 = (uint32_t)line0;
        status = copy_line(c, &part, &any);
    }
    return status;
}

static void numbers_free(struct fm_heap *heap, struct numbers *numbers)
{
    fm_table_free(&numbers->table);
    fm_heap_free(heap, numbers->old, numbers->capacity * sizeof *numbers->old);
}

framemap_status fm_copy_segment_page(const struct fm_view *view, uint64_t page, struct fm_builder *builder,
                                     struct fm_heap *heap, framemap_error *error)
{
    struct copier c = {.view = view, .builder = builder, .heap = heap, .error = error};
    fm_table_init(&c.sources.table, heap);
    fm_table_init(&c.names.table, heap);
    fm_table_init(&c.sites.table, heap);
    framemap_status status = fm_copy_about(view, builder, error);
    if (status == FRAMEMAP_OK) status = copy_page(&c, page);
    if (status == FRAMEMAP_OK) status = copy_source_stretches(&c);
    numbers_free(heap, &c.sources);
    numbers_free(heap, &c.names);
    numbers_free(heap, &c.sites);
    fm_heap_free(heap, c.stretches, c.stretch_capacity * sizeof *c.stretches);
    return status;
}

framemap_status fm_copy_attributes(const struct fm_view *view, struct fm_builder *builder, framemap_error *error)
{
    const struct fm_packed *rows = &view->tables[FMX_ATTRIBUTES];
    struct fm_view_about about;
    fm_view_about(view, &about);
    const struct fm_builder_about copy = {
        .kind = about.kind, .id = about.id, .arch = about.arch, .name = about.name, .base = about.base};
    framemap_status status = fm_builder_about(builder, &copy, error);
    for (uint64_t i = 0; i < rows->count && status == FRAMEMAP_OK; i++) {
        const framemap_str key = fm_text_field(view, rows, i, ATTRIBUTE_KEY);
        if (key.size > 0 && key.data[0] != '.')
            status = fm_builder_attribute(builder, key, fm_text_field(view, rows, i, ATTRIBUTE_VALUE), error);
    }
    return status;
}
