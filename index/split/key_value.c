/* The split form: an index as key-value pairs, where each value is an index of its own. Implements fm_view_bucket,
 * fm_view_bucket_count and fm_view_bucket_key of view.h.
 *
 *     KIND:ID:head      scopes and ranges without a bucket; enough to compute the key of any position
 *     KIND:ID:NUMBER    the entries of 2^FMX_SPLIT_BITS neighbouring buckets, built like any index
 *
 * NUMBER is decimal: the axis offset of the position, shifted right by the header's shift plus FMX_SPLIT_BITS.
 *
 * The segment form has the same two: its head has the lines, and NUMBER is computed from the axis offset of a segment.
 * The segment that covers the start of a value is part of it, at its own position.
 *
 *     KIND:ID:CLASS     the class form: a residual class with all records that its results need, or the source file of
 *                       an original class */
#include "core/error.h"
#include "core/text/buffer.h"
#include "index/read/classes/class_view.h"
#include "index/read/positions/scope_decoder.h"
#include "index/read/segments/segment_block_decoder.h"
#include "index/split/record_copy.h"
#include "index/write/builder.h"
#include "index/write/segment_builder.h"
#include "index/write/table_writer.h"
#include <inttypes.h>
#include <stdio.h>

/* The binary logarithm of the axis offsets that one value covers. The axis has at most 2^FMX_SHIFT_MOST. */
static unsigned split_shift(const struct fm_view *view)
{
    return view->shift + FMX_SPLIT_BITS < FMX_SHIFT_MOST ? view->shift + FMX_SPLIT_BITS : FMX_SHIFT_MOST;
}

/* The class form has a value for each class, then one for each original name, most of which are empty. */
static uint64_t class_values(const struct fm_view *view)
{
    return view->tables[FMX_CLASSES].count + view->tables[FMX_NAMES].count;
}

static uint64_t value_count(const struct fm_view *view)
{
    const uint64_t buckets = view->tables[FMX_BUCKETS].count;
    return (buckets >> FMX_SPLIT_BITS) + ((buckets & ((1u << FMX_SPLIT_BITS) - 1)) != 0);
}

/* The segment form has the head, and a value for 2^FMX_SPLIT_BITS neighbouring buckets, of which there are at most two
 * a block. */
static uint64_t segment_values(const struct fm_view *view)
{
    const uint64_t axis_size = fm_segment_axis_size(view),
                   most = (view->tables[FMX_SEGMENT_BLOCKS].count * 2 >> FMX_SPLIT_BITS) + 1;
    const uint64_t values = axis_size == 0 ? 0 : ((axis_size - 1) >> split_shift(view)) + 1;
    return (values < most ? values : most) + 1;
}

uint64_t fm_view_bucket_count(const struct fm_view *view)
{
    if (fm_is_segments(view)) return segment_values(view);
    return fm_is_classes(view) ? class_values(view) : value_count(view) + 1;
}

/* --- keys --- */

/* last: the third of the key's three parts. */
static framemap_status make_key(const struct fm_view *view, framemap_str last, struct fm_arena *arena,
                                framemap_str *key, framemap_error *error)
{
    struct fm_view_about about;
    struct fm_buf text;
    fm_view_about(view, &about);
    fm_buf_init(&text, arena->heap);
    fm_buf_str(&text, about.kind);
    fm_buf_byte(&text, ':');
    fm_buf_str(&text, about.id);
    fm_buf_byte(&text, ':');
    fm_buf_str(&text, last);
    const bool ok = !text.failed && fm_arena_str(arena, fm_buf_view(&text), key);
    fm_buf_free(&text);
    return ok ? FRAMEMAP_OK : fm_error_memory(error);
}

static framemap_status make_number_key(const struct fm_view *view, uint64_t number, struct fm_arena *arena,
                                       framemap_str *key, framemap_error *error)
{
    char digits[24];
    snprintf(digits, sizeof digits, "%" PRIu64, number);
    return make_key(view, framemap_str_of(digits), arena, key, error);
}

static framemap_status class_key(const struct fm_view *view, uint64_t class, struct fm_arena *arena, framemap_str *key,
                                 framemap_error *error)
{
    struct fm_view_class found;
    if (!fm_view_class_at(view, class, &found))
        return fm_error_set(error, FRAMEMAP_E_CORRUPT, "the index is damaged: a class can't be read");
    return make_key(view, found.residual, arena, key, error);
}

/* scope: a generated line; position: a column of it. A column after the line's last segment has that segment's key. */
static framemap_status segment_key(const struct fm_view *view, uint64_t scope, uint64_t position,
                                   struct fm_arena *arena, framemap_str *key, framemap_error *error)
{
    struct fm_segment_line line;
    *key = (framemap_str){NULL, 0};
    if (scope > UINT32_MAX || !fm_segment_line(view, (uint32_t)scope, &line)) return FRAMEMAP_OK;
    const uint64_t axis_offset = position < line.end - line.begin ? line.begin + position : line.end - 1;
    return make_number_key(view, axis_offset >> split_shift(view), arena, key, error);
}

framemap_status fm_view_bucket_key(const struct fm_view *view, uint64_t scope, uint64_t position,
                                   struct fm_arena *arena, framemap_str *key, framemap_error *error)
{
    struct fm_axis_position range;
    if (fm_is_classes(view)) return class_key(view, scope, arena, key, error);
    if (fm_is_segments(view)) return segment_key(view, scope, position, arena, key, error);
    switch (fm_axis_find(view, scope, position, &range)) {
    case FM_AXIS_BEFORE: *key = (framemap_str){NULL, 0}; return FRAMEMAP_OK;
    case FM_AXIS_FOUND: return make_number_key(view, range.axis_offset >> split_shift(view), arena, key, error);
    case FM_AXIS_DAMAGED: break;
    }
    return fm_error_set(error, FRAMEMAP_E_CORRUPT, "the index is damaged: its ranges can't be read");
}

/* Moves bytes from the heap into the arena. */
static framemap_status hand_over(struct fm_heap *heap, unsigned char *data, size_t size, struct fm_arena *arena,
                                 framemap_str *out, framemap_error *error)
{
    const bool ok = fm_arena_str(arena, fm_str(data, size), out);
    fm_heap_free(heap, data, size);
    return ok ? FRAMEMAP_OK : fm_error_memory(error);
}

/* Copies the records between two axis offsets into a builder. EMPTY: there are none. */
typedef framemap_status copy_part(const struct fm_view *view, uint64_t begin, uint64_t end, struct fm_builder *builder,
                                  struct fm_heap *heap, framemap_error *error);

static framemap_status make_value(const struct fm_view *view, uint64_t value, copy_part *copy, struct fm_arena *arena,
                                  framemap_str *out, framemap_error *error)
{
    struct fm_builder *builder;
    struct fm_built built = {NULL, 0};
    const uint64_t begin = value << split_shift(view), end = begin + (UINT64_C(1) << split_shift(view));
    framemap_status status = fm_builder_create(arena->heap, &builder, error);
    if (status != FRAMEMAP_OK) return status;
    status = copy(view, begin, end, builder, arena->heap, error);
    if (status == FRAMEMAP_OK) status = fm_builder_finish(builder, &built, error);
    if (status == FRAMEMAP_OK) status = hand_over(arena->heap, built.data, built.size, arena, out, error);
    if (status == FRAMEMAP_E_EMPTY) status = FRAMEMAP_OK; /* no entries in the whole interval */
    fm_builder_free(builder);
    return status;
}

/* --- the head --- */

/* Copies a section of the whole index unchanged. The output section borrows the bytes. */
static void borrow(struct fm_output_section *sheet, const struct fm_packed *table, uint64_t size)
{
    sheet->bits = (struct fm_bit_buffer){.borrowed = table->data, .bits = size * 8};
    sheet->count = table->count;
    memcpy(sheet->widths, table->width, sizeof sheet->widths);
}

/* The strings of attributes and scopes precede all others, so the strings of the head are a prefix of the whole index's
 * strings. */
static framemap_status make_head(const struct fm_view *view, struct fm_arena *arena, framemap_str *out,
                                 framemap_error *error)
{
    struct fm_output_section sheets[FMX_SECTION_END] = {{.count = 0}};
    const struct fm_packed *tables = view->tables, *strings = &tables[FMX_STRINGS];
    static const unsigned kept[] = {FMX_ATTRIBUTES, FMX_SCOPES, FMX_SCOPE_HASH, FMX_RANGES};
    for (unsigned i = 0; i < sizeof kept / sizeof *kept; i++)
        borrow(&sheets[kept[i]], &tables[kept[i]], tables[kept[i]].size);
    uint64_t end =
        fm_texts_end(&tables[FMX_ATTRIBUTES], ATTRIBUTE_KEY, fm_texts_end(&tables[FMX_ATTRIBUTES], ATTRIBUTE_VALUE, 1));
    if ((view->flags & FMX_FLAG_NUMBERED) == 0) end = fm_texts_end(&tables[FMX_SCOPES], SCOPE_KEY, end);
    if (end > strings->size) end = strings->size;
    borrow(&sheets[FMX_STRINGS], strings, end);
    sheets[FMX_STRINGS].count = end;
    const struct fm_header header = {view->face.about.base, 0, (uint8_t)view->shift, view->address_bits,
                                     (uint8_t)(view->flags | FMX_FLAG_HEAD)};
    unsigned char *data;
    size_t size;
    if (!fm_output_sections_join(arena->heap, sheets, &header, 1, &data, &size)) return fm_error_memory(error);
    return hand_over(arena->heap, data, size, arena, out, error);
}

/* --- the class form --- */

/* Whether an original class has a source file and its name is not also a residual name. *text: the name. */
static bool lone_source(const struct fm_view *view, uint32_t name, framemap_str *text)
{
    struct fm_view_class class;
    framemap_str source;
    *text = fm_text_field(view, &view->tables[FMX_NAMES], name, NAME_TEXT);
    return fm_view_name_source(view, name, &source) && !fm_view_class(view, *text, &class);
}

static framemap_status make_class_value(const struct fm_view *view, uint64_t number, struct fm_arena *arena,
                                        framemap_str *out, framemap_error *error)
{
    const uint64_t classes = view->tables[FMX_CLASSES].count;
    struct fm_builder *builder;
    struct fm_built built = {NULL, 0};
    framemap_status status = fm_builder_create(arena->heap, &builder, error);
    if (status != FRAMEMAP_OK) return status;
    status = number < classes ? fm_copy_class(view, number, builder, arena->heap, error)
                              : fm_copy_source(view, (uint32_t)(number - classes), builder, error);
    if (status == FRAMEMAP_OK) status = fm_builder_finish(builder, &built, error);
    if (status == FRAMEMAP_OK) status = hand_over(arena->heap, built.data, built.size, arena, out, error);
    fm_builder_free(builder);
    return status;
}

static framemap_status class_value(const struct fm_view *view, uint64_t number, struct fm_arena *arena,
                                   framemap_str *key, framemap_str *out, framemap_error *error)
{
    const uint64_t classes = view->tables[FMX_CLASSES].count;
    framemap_str name;
    if (number >= class_values(view)) return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "no such bucket");
    if (number >= classes && !lone_source(view, (uint32_t)(number - classes), &name)) return FRAMEMAP_OK;
    framemap_status status = make_class_value(view, number, arena, out, error);
    if (status != FRAMEMAP_OK) return status;
    return number < classes ? class_key(view, number, arena, key, error) : make_key(view, name, arena, key, error);
}

/* --- the segment form --- */

/* Builds and opens an index that has only attributes; the head borrows them. */
static framemap_status make_attributes(const struct fm_view *view, struct fm_heap *heap, struct fm_built *built,
                                       struct fm_view **out, framemap_error *error)
{
    struct fm_builder *builder;
    framemap_status status = fm_builder_create(heap, &builder, error);
    if (status != FRAMEMAP_OK) return status;
    fm_builder_segments_form(builder);
    status = fm_copy_attributes(view, builder, error);
    if (status == FRAMEMAP_OK) status = fm_builder_finish(builder, built, error);
    if (status == FRAMEMAP_OK) status = fm_view_open(fm_str(built->data, built->size), heap, out, error);
    fm_builder_free(builder);
    return status;
}

static framemap_status join_segment_head(const struct fm_view *view, const struct fm_view *attributes,
                                         struct fm_arena *arena, framemap_str *out, framemap_error *error)
{
    struct fm_output_section sheets[FMX_SECTION_END] = {{.count = 0}};
    static const unsigned lent[] = {FMX_ATTRIBUTES, FMX_STRINGS}, kept[] = {FMX_LINES, FMX_OFFSET_LISTS, FMX_OFFSETS};
    for (unsigned i = 0; i < sizeof lent / sizeof *lent; i++)
        borrow(&sheets[lent[i]], &attributes->tables[lent[i]], attributes->tables[lent[i]].size);
    for (unsigned i = 0; i < sizeof kept / sizeof *kept; i++)
        borrow(&sheets[kept[i]], &view->tables[kept[i]], view->tables[kept[i]].size);
    const struct fm_header header = {view->face.about.base, 0, (uint8_t)view->shift, view->address_bits,
                                     (uint8_t)(view->flags | FMX_FLAG_HEAD)};
    unsigned char *data;
    size_t size;
    if (!fm_output_sections_join(arena->heap, sheets, &header, 1, &data, &size)) return fm_error_memory(error);
    return hand_over(arena->heap, data, size, arena, out, error);
}

static framemap_status make_segment_head(const struct fm_view *view, struct fm_arena *arena, framemap_str *out,
                                         framemap_error *error)
{
    struct fm_built built = {NULL, 0};
    struct fm_view *attributes = NULL;
    framemap_status status = make_attributes(view, arena->heap, &built, &attributes, error);
    if (status == FRAMEMAP_OK) status = join_segment_head(view, attributes, arena, out, error);
    fm_view_close(attributes);
    fm_heap_free(arena->heap, built.data, built.size);
    return status;
}

static framemap_status copy_segments(const struct fm_view *view, uint64_t begin, uint64_t end,
                                     struct fm_builder *builder, struct fm_heap *heap, framemap_error *error)
{
    const framemap_status status = fm_copy_segments(view, begin, end, builder, heap, error);
    return status == FRAMEMAP_OK && !fm_builder_has_segments(builder) ? FRAMEMAP_E_EMPTY : status;
}

static framemap_status segment_value(const struct fm_view *view, uint64_t value, struct fm_arena *arena,
                                     framemap_str *key, framemap_str *out, framemap_error *error)
{
    if (value >= segment_values(view)) return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "no such bucket");
    framemap_status status = value == 0 ? make_segment_head(view, arena, out, error)
                                        : make_value(view, value - 1, copy_segments, arena, out, error);
    if (status != FRAMEMAP_OK || out->size == 0) return status;
    return value == 0 ? make_key(view, FM_STR("head"), arena, key, error)
                      : make_number_key(view, value - 1, arena, key, error);
}

framemap_status fm_view_bucket(const struct fm_view *view, uint64_t bucket, struct fm_arena *arena, framemap_str *key,
                               framemap_str *out, framemap_error *error)
{
    *key = *out = (framemap_str){NULL, 0};
    if (fm_is_segments(view)) return segment_value(view, bucket, arena, key, out, error);
    if (fm_is_classes(view)) return class_value(view, bucket, arena, key, out, error);
    if (bucket > value_count(view)) return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "no such bucket");
    framemap_status status = bucket == 0 ? make_head(view, arena, out, error)
                                         : make_value(view, bucket - 1, fm_copy_axis_range, arena, out, error);
    if (status != FRAMEMAP_OK || out->size == 0) return status;
    return bucket == 0 ? make_key(view, FM_STR("head"), arena, key, error)
                       : make_number_key(view, bucket - 1, arena, key, error);
}
