/* Writes an index of the segment form. Blocks are packed already; tables are measured and then packed directly to the
 * file's memory. */
#include "core/error.h"
#include "index/write/model/builder_model.h"

#define DENSE_LEAST 4 /* LINES has a row for every line if there are fewer than 4 lines for each line with segments */

struct segment_encoder {
    struct fm_builder *b;
    struct fm_segment_form *form;
    bool is_dense;        /* LINES has a row for every line up to the last */
    uint64_t line_rows;   /* rows of LINES, without the last row, which marks the end */
    uint64_t axis_length; /* length of all lines together */
    unsigned shift;       /* binary logarithm of the positions per row of the guide */
    uint64_t guide_rows;
    struct { /* state of a walk over the lines, whose rows are requested in order */
        size_t next;
        uint64_t axis_offset;
    } lines;
    uint64_t guided; /* the block in the last row of the guide that was made */
    struct fm_output_section outputs[FMX_SECTION_END];
};

/* --- making the rows of tables --- */

static void put_segment_string(const struct segment_encoder *f, uint32_t string, uint64_t fields[2])
{
    fm_pooled_text(f->b, string, fields);
}

static void source_row(void *context, uint64_t i, uint64_t fields[FMX_FIELDS])
{
    const struct segment_encoder *f = context;
    const struct fm_source_record *source = &f->form->sources[i];
    put_segment_string(f, source->address, &fields[SOURCE_ADDRESS]);
    put_segment_string(f, source->spelled, &fields[SOURCE_SPELLED]);
    put_segment_string(f, source->content, &fields[SOURCE_CONTENT]);
    fields[SOURCE_FLAGS] = source->flags;
}
FM_OUTPUT_ROWS(source)

static void name_row(void *context, uint64_t i, uint64_t fields[FMX_FIELDS])
{
    const struct segment_encoder *f = context;
    put_segment_string(f, f->form->names[i], &fields[TEXT_AT]);
}
FM_OUTPUT_ROWS(name)

/* Fills a row of LINES. A line without segments starts at the start of the next line. */
static void line_row(void *context, uint64_t i, uint64_t fields[FMX_FIELDS])
{
    struct segment_encoder *f = context;
    const struct fm_line_record *lines = f->form->lines;
    if (i == 0) f->lines.next = 0, f->lines.axis_offset = 0;
    const size_t at = f->lines.next;
    fields[LINE_AXIS] = f->lines.axis_offset;
    fields[LINE_NUMBER] = f->is_dense || i == f->line_rows ? 0 : lines[at].line0;
    if (i == f->line_rows || (f->is_dense && lines[at].line0 != i)) return;
    f->lines.axis_offset += (uint64_t)lines[at].last_col0 + 1;
    f->lines.next++;
}
FM_OUTPUT_ROWS(line)

static void block_row(void *context, uint64_t i, uint64_t fields[FMX_FIELDS])
{
    const struct segment_encoder *f = context;
    fields[SEGMENT_BLOCK_AXIS] = f->form->blocks[i].axis_offset;
    fields[SEGMENT_BLOCK_AT] = f->form->blocks[i].at;
}
FM_OUTPUT_ROWS(block)

/* Fills a row of the guide table: the last block that starts before the row's bucket (an interval of the axis of
 * generated lines), or the first block. */
static void guide_row(void *context, uint64_t i, uint64_t fields[FMX_FIELDS])
{
    struct segment_encoder *f = context;
    if (i == 0) f->guided = 0;
    while (f->guided + 1 < f->form->block_count && f->form->blocks[f->guided + 1].axis_offset < i << f->shift)
        f->guided++;
    fields[GUIDE_BLOCK] = f->guided;
}
FM_OUTPUT_ROWS(guide)

static void source_stretch_row(void *context, uint64_t i, uint64_t fields[FMX_FIELDS])
{
    const struct segment_encoder *f = context;
    const struct fm_stretch_record *stretch = &f->form->source_stretches[i];
    fields[SOURCE_STRETCH_SOURCE] = stretch->source;
    fields[SOURCE_STRETCH_LINE] = stretch->line0;
    fields[SOURCE_STRETCH_COL] = stretch->col0;
    put_segment_string(f, stretch->function, &fields[SOURCE_STRETCH_TEXT]);
    fields[SOURCE_STRETCH_ORIGIN] = stretch->origin;
}
FM_OUTPUT_ROWS(source_stretch)

static void generated_stretch_row(void *context, uint64_t i, uint64_t fields[FMX_FIELDS])
{
    const struct segment_encoder *f = context;
    const struct fm_stretch_record *stretch = &f->form->generated_stretches[i];
    fields[GENERATED_STRETCH_LINE] = stretch->line0;
    fields[GENERATED_STRETCH_COL] = stretch->col0;
    put_segment_string(f, stretch->function, &fields[GENERATED_STRETCH_TEXT]);
    fields[GENERATED_STRETCH_ORIGIN] = stretch->origin;
    fields[GENERATED_STRETCH_SITE] = stretch->site == FM_NONE ? 0 : (uint64_t)stretch->site + 1;
    fields[GENERATED_STRETCH_FLAGS] = stretch->flags;
}
FM_OUTPUT_ROWS(generated_stretch)

static void site_row(void *context, uint64_t i, uint64_t fields[FMX_FIELDS])
{
    const struct segment_encoder *f = context;
    const struct fm_call_site *site = &f->form->sites[i];
    fields[SITE_SOURCE] = site->source;
    fields[SITE_LINE] = site->line0;
    fields[SITE_COL] = site->col0;
    put_segment_string(f, site->function, &fields[SITE_TEXT]);
    fields[SITE_CALLER] = site->caller == FM_NONE ? 0 : (uint64_t)site->caller + 1;
    fields[SITE_FLAGS] = site->hidden ? FM_STRETCH_HIDDEN : 0;
}
FM_OUTPUT_ROWS(site)

static void range_row(void *context, uint64_t i, uint64_t fields[FMX_FIELDS])
{
    const struct fm_range_record *range = &((const struct segment_encoder *)context)->form->ranges[i];
    fields[SEGMENT_RANGE_LINE] = range->line0;
    fields[SEGMENT_RANGE_COL] = range->col0;
}
FM_OUTPUT_ROWS(range)

/* Returns the index of a list's first offset; after the last list, the end of its offsets. */
static void list_row(void *context, uint64_t i, uint64_t fields[FMX_FIELDS])
{
    const struct fm_segment_form *form = ((const struct segment_encoder *)context)->form;
    const bool is_list = i < form->list_count;
    fields[OFFSET_LIST_KIND] = is_list ? form->lists[i].kind : 0;
    fields[OFFSET_LIST_GROUP] = is_list ? form->lists[i].group : 0;
    fields[OFFSET_LIST_FIRST] = is_list ? form->lists[i].first : form->offset_count;
}
FM_OUTPUT_ROWS(list)

static void offset_row(void *context, uint64_t i, uint64_t fields[FMX_FIELDS])
{
    const uint32_t offset = ((const struct segment_encoder *)context)->form->offsets[i];
    fields[OFFSET_CODE] = offset == UINT32_MAX ? 0 : (uint64_t)offset + 1;
}
FM_OUTPUT_ROWS(offset)

/* --- sorting records --- */

static bool stretch_rises(const struct fm_stretch_record *a, const struct fm_stretch_record *b)
{
    if (a->source != b->source) return a->source < b->source;
    return a->line0 != b->line0 ? a->line0 < b->line0 : a->col0 < b->col0;
}

/* Sorts stretches (intervals with one innermost function) by source; those of one source stay in the given order. */
static framemap_status sort_stretches(struct segment_encoder *f, framemap_error *error)
{
    struct fm_segment_form *form = f->form;
    struct fm_heap *heap = f->b->heap;
    const size_t count = form->source_stretch_count;
    size_t sorted = count == 0 ? 0 : 1;
    while (sorted < count && form->source_stretches[sorted - 1].source <= form->source_stretches[sorted].source)
        sorted++;
    if (sorted == count) return FRAMEMAP_OK;
    struct fm_sort_item *items = fm_heap_zalloc(heap, count, sizeof *items);
    struct fm_stretch_record *copy = fm_heap_resize(heap, NULL, 0, count * sizeof *copy);
    framemap_status status = items && copy ? FRAMEMAP_OK : fm_error_memory(error);
    for (size_t i = 0; items && i < count; i++)
        items[i] = (struct fm_sort_item){form->source_stretches[i].source, 0, (uint32_t)i};
    if (status == FRAMEMAP_OK && !fm_sort(heap, items, count, NULL, NULL)) status = fm_error_memory(error);
    if (status == FRAMEMAP_OK) {
        memcpy(copy, form->source_stretches, count * sizeof *copy);
        for (size_t i = 0; i < count; i++) form->source_stretches[i] = copy[items[i].id];
    }
    fm_heap_free(heap, copy, count * sizeof *copy);
    fm_heap_free(heap, items, count * sizeof *items);
    return status;
}

/* Drops each stretch (an interval with one innermost function) that is followed by another one at the same location:
 * the last one counts. */
static framemap_status settle_stretches(struct fm_stretch_record *stretches, size_t *count, framemap_error *error)
{
    size_t kept = 0;
    for (size_t i = 0; i < *count; i++) {
        if (kept > 0 && stretch_rises(&stretches[i], &stretches[kept - 1]))
            return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "function stretches are not in ascending order");
        if (kept > 0 && !stretch_rises(&stretches[kept - 1], &stretches[i])) kept--;
        stretches[kept++] = stretches[i];
    }
    *count = kept;
    return FRAMEMAP_OK;
}

/* Sorts lists by kind and group, and their values accordingly. */
static framemap_status sort_lists(struct segment_encoder *f, framemap_error *error)
{
    struct fm_segment_form *form = f->form;
    struct fm_heap *heap = f->b->heap;
    const size_t lists = form->list_count, offsets = form->offset_count;
    struct fm_sort_item *items = fm_heap_zalloc(heap, lists, sizeof *items);
    struct fm_offset_list *list_copy = fm_heap_zalloc(heap, lists, sizeof *list_copy);
    uint32_t *copy = fm_heap_zalloc(heap, offsets, sizeof *copy);
    framemap_status status = items && list_copy && copy ? FRAMEMAP_OK : fm_error_memory(error);
    for (size_t i = 0; status == FRAMEMAP_OK && i < lists; i++)
        items[i] = (struct fm_sort_item){(uint64_t)form->lists[i].kind << 32 | form->lists[i].group, 0, (uint32_t)i};
    if (status == FRAMEMAP_OK && !fm_sort(heap, items, lists, NULL, NULL)) status = fm_error_memory(error);
    for (size_t i = 0, at = 0; status == FRAMEMAP_OK && i < lists; i++) {
        const struct fm_offset_list *list = &form->lists[items[i].id];
        if (i > 0 && items[i].key == items[i - 1].key)
            status = fm_error_set(error, FRAMEMAP_E_ARGUMENT, "two offset lists of the same kind and group");
        list_copy[i] = (struct fm_offset_list){list->kind, list->group, at, list->count};
        if (list->count > 0) memcpy(copy + at, form->offsets + list->first, list->count * sizeof *copy);
        at += list->count;
    }
    if (status == FRAMEMAP_OK) {
        memcpy(form->lists, list_copy, lists * sizeof *list_copy);
        if (offsets > 0) memcpy(form->offsets, copy, offsets * sizeof *copy);
    }
    fm_heap_free(heap, copy, offsets * sizeof *copy);
    fm_heap_free(heap, list_copy, lists * sizeof *list_copy);
    fm_heap_free(heap, items, lists * sizeof *items);
    return status;
}

static framemap_status sort_segment_records(struct segment_encoder *f, framemap_error *error)
{
    struct fm_segment_form *form = f->form;
    framemap_status status = form->pending_count > 0 ? fm_encode_segments(f->b, form->pending, error) : FRAMEMAP_OK;
    if (status == FRAMEMAP_OK) status = sort_stretches(f, error);
    if (status == FRAMEMAP_OK) status = settle_stretches(form->source_stretches, &form->source_stretch_count, error);
    if (status == FRAMEMAP_OK)
        status = settle_stretches(form->generated_stretches, &form->generated_stretch_count, error);
    if (status == FRAMEMAP_OK && form->list_count > 0) status = sort_lists(f, error);
    return status;
}

/* --- writing the sections --- */

/* Plans a row of LINES for every line, so that a line is found without a search. If too many lines have no segments,
 * only the lines with segments get rows. */
static void plan_lines(struct segment_encoder *f)
{
    const struct fm_segment_form *form = f->form;
    if (form->line_count == 0) return;
    const struct fm_line_record *last = &form->lines[form->line_count - 1];
    f->is_dense = last->line0 / DENSE_LEAST < form->line_count;
    f->line_rows = f->is_dense ? (uint64_t)last->line0 + 1 : form->line_count;
    f->axis_length = form->line_axis_offset + last->last_col0 + 1;
}

/* Plans the guide table, which finds blocks by buckets, with one to two buckets per block. */
static void plan_guide(struct segment_encoder *f)
{
    const uint64_t blocks = f->form->block_count;
    if (blocks == 0) return;
    while ((f->axis_length - 1) >> f->shift >= blocks * 2) f->shift++;
    if (blocks > 1) f->guide_rows = ((f->axis_length - 1) >> f->shift) + 1;
}

static void write_segment_pieces(void *context, const struct fm_output_section *output, unsigned char *to)
{
    struct segment_encoder *f = context;
    (void)output;
    for (size_t i = 0; i < f->form->piece_count; i++) {
        struct fm_segment_piece *piece = &f->form->pieces[i];
        memcpy(to, piece->data, piece->size);
        to += piece->size;
        fm_heap_free(f->b->heap, piece->data, piece->capacity);
        *piece = (struct fm_segment_piece){NULL, 0, 0};
    }
}
static void drop_segments(void *context)
{
    struct segment_encoder *f = context;
    fm_segment_pieces_free(f->form, f->b->heap);
}
static void copy_strings(void *context, const struct fm_output_section *output, unsigned char *to)
{
    memcpy(to, ((const struct segment_encoder *)context)->b->strings.bytes, (size_t)output->count);
}
static void drop_strings(void *context) { fm_string_pool_drop_bytes(&((struct segment_encoder *)context)->b->strings); }

static void plan_bytes(struct segment_encoder *f, unsigned section, size_t size,
                       void (*fill)(void *, const struct fm_output_section *, unsigned char *), void (*done)(void *))
{
    f->outputs[section] = (struct fm_output_section){
        .count = size, .bits.bits = (uint64_t)size * 8, .fill = fill, .done = done, .context = f};
}

static void plan_sections(struct segment_encoder *f)
{
    const struct fm_segment_form *form = f->form;
    plan_lines(f);
    plan_guide(f);
    fm_sort_attributes(f->b);
    fm_output_section_plan(&f->outputs[FMX_ATTRIBUTES], f->b->attribute_count, fm_pooled_attribute_rows, f->b);
    fm_output_section_plan(&f->outputs[FMX_TEXTS], form->name_count, name_rows, f);
    plan_bytes(f, FMX_STRINGS, f->b->strings.size, copy_strings, drop_strings);
    fm_output_section_plan(&f->outputs[FMX_SOURCES], form->source_count, source_rows, f);
    fm_output_section_plan(&f->outputs[FMX_LINES], f->line_rows ? f->line_rows + 1 : 0, line_rows, f);
    fm_output_section_plan(&f->outputs[FMX_SEGMENT_BLOCKS], form->block_count, block_rows, f);
    fm_output_section_plan(&f->outputs[FMX_SEGMENT_GUIDE], f->guide_rows, guide_rows, f);
    plan_bytes(f, FMX_SEGMENTS, form->byte_count, write_segment_pieces, drop_segments);
    fm_output_section_plan(&f->outputs[FMX_SOURCE_STRETCHES], form->source_stretch_count, source_stretch_rows, f);
    fm_output_section_plan(&f->outputs[FMX_GENERATED_STRETCHES], form->generated_stretch_count, generated_stretch_rows,
                           f);
    fm_output_section_plan(&f->outputs[FMX_OFFSET_LISTS], form->list_count ? form->list_count + 1 : 0, list_rows, f);
    fm_output_section_plan(&f->outputs[FMX_OFFSETS], form->offset_count, offset_rows, f);
    fm_output_section_plan(&f->outputs[FMX_CALL_SITES], form->site_count, site_rows, f);
    fm_output_section_plan(&f->outputs[FMX_SEGMENT_RANGES], form->range_count, range_rows, f);
}

static framemap_status check_used(const struct fm_builder *b, framemap_error *error)
{
    if (b->position_count > 0 || b->scope_keys.count > 0 || b->number_count > 0 || fm_class_form_used(&b->classes))
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "segments and another form in one index");
    return FRAMEMAP_OK;
}

framemap_status fm_finish_segments(struct fm_builder *b, struct fm_built *out, framemap_error *error)
{
    struct segment_encoder f = {.b = b, .form = &b->segments};
    framemap_status status = check_used(b, error);
    if (status == FRAMEMAP_OK) {
        fm_table_free(&b->strings.table); /* the string table: not needed any more */
        status = sort_segment_records(&f, error);
        /* no further segment is added, so this set is not needed any more */
        fm_heap_free(b->heap, b->segments.seen, b->segments.seen_capacity * sizeof *b->segments.seen);
        b->segments.seen = NULL;
        b->segments.seen_capacity = 0;
    }
    if (status != FRAMEMAP_OK) return status;
    plan_sections(&f);
    const struct fm_header header = {.base = b->base,
                                     .positions = f.form->segment_count,
                                     .shift = (uint8_t)f.shift,
                                     .address_bits = b->address_bits,
                                     .flags = (uint8_t)(FMX_FLAG_SEGMENTS | (b->big_endian ? FMX_FLAG_BIG_ENDIAN : 0u) |
                                                        (f.form->has_lines ? FMX_FLAG_LINES : 0u))};
    return fm_output_sections_join(b->heap, f.outputs, &header, 1, &out->data, &out->size) ? FRAMEMAP_OK
                                                                                           : fm_error_memory(error);
}
