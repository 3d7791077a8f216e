/* Writes the head of the split form: all attributes, the list of values, and the offsets of a bundle. */
#include "core/error.h"
#include "index/read/table/tables.h"
#include "index/split/record_copy.h"
#include "index/split/split_forms.h"
#include "index/write/segment_builder.h"
#include "index/write/table_writer.h"

/* Builds and opens an index that has only attributes; the head borrows them. */
static framemap_status make_attributes(struct fm_splitter *splitter, struct fm_built *built, struct fm_view **out)
{
    struct fm_builder *builder;
    framemap_status status = fm_builder_create(splitter->heap, &builder, splitter->error);
    if (status != FRAMEMAP_OK) return status;
    /* the index gets the segment form, because only an index of this form may be empty */
    fm_builder_segments_form(builder);
    status = fm_copy_attributes(splitter->view, builder, splitter->error);
    if (status == FRAMEMAP_OK) status = fm_builder_finish(builder, built, splitter->error);
    if (status == FRAMEMAP_OK)
        status = fm_view_open(fm_str(built->data, built->size), splitter->heap, out, splitter->error);
    fm_builder_free(builder);
    return status;
}

/* Copies a section unchanged. The output section borrows the bytes. */
static void borrow(struct fm_output_section *sheet, const struct fm_packed *table)
{
    sheet->bits = (struct fm_bit_buffer){.borrowed = table->data, .bits = table->size * 8};
    sheet->count = table->count;
    memcpy(sheet->widths, table->width, sizeof sheet->widths);
}

static void page_row(void *context, uint64_t row, uint64_t fields[FMX_FIELDS])
{
    const struct fm_page_run *run = &((const struct fm_splitter *)context)->runs[row];
    fields[PAGE_FIRST] = run->first;
    fields[PAGE_COUNT] = run->count - 1;
    fields[PAGE_CONTINUES] = run->continues;
}
FM_OUTPUT_ROWS(page)

static void check_row(void *context, uint64_t row, uint64_t fields[FMX_FIELDS])
{
    fields[CHECK_CLASS] = ((const struct fm_splitter *)context)->checks[row].key;
}
FM_OUTPUT_ROWS(check)

static bool write_lists(struct fm_splitter *splitter, struct fm_output_section sheets[FMX_SECTION_END])
{
    sheets[FMX_PAGES].bits.heap = sheets[FMX_CLASS_CHECKS].bits.heap = splitter->heap;
    /* A row must have at least one bit. If page 0 were the only page, all numbers would be 0 and the row would have
     * none. */
    sheets[FMX_PAGES].widths[PAGE_CONTINUES] = sheets[FMX_CLASS_CHECKS].widths[CHECK_CLASS] = 1;
    return fm_sort(splitter->heap, splitter->checks, splitter->check_count, NULL, NULL) &&
           (splitter->run_count == 0 ||
            fm_output_section_write(&sheets[FMX_PAGES], splitter->run_count, page_rows, splitter)) &&
           (splitter->check_count == 0 ||
            fm_output_section_write(&sheets[FMX_CLASS_CHECKS], splitter->check_count, check_rows, splitter));
}

static framemap_status join_head(struct fm_splitter *splitter, const struct fm_view *attributes)
{
    struct fm_output_section sheets[FMX_SECTION_END] = {{.count = 0}};
    static const unsigned lent[] = {FMX_ATTRIBUTES, FMX_STRINGS}, kept[] = {FMX_OFFSET_LISTS, FMX_OFFSETS};
    const struct fm_view *view = splitter->view;
    for (unsigned i = 0; i < sizeof lent / sizeof *lent; i++) borrow(&sheets[lent[i]], &attributes->tables[lent[i]]);
    for (unsigned i = 0; i < sizeof kept / sizeof *kept; i++) borrow(&sheets[kept[i]], &view->tables[kept[i]]);
    const struct fm_header header = {view->face.about.base, 0, 0, view->address_bits,
                                     (uint8_t)(view->flags | FMX_FLAG_HEAD)};
    unsigned char *data = NULL;
    size_t size = 0;
    framemap_status status = FRAMEMAP_OK;
    if (!write_lists(splitter, sheets) || !fm_output_sections_join(splitter->heap, sheets, &header, 1, &data, &size))
        status = fm_error_memory(splitter->error);
    else
        status = splitter->sink->put(splitter->sink->context, FM_STR("head"), fm_str(data, size), splitter->error);
    fm_bit_buffer_free(&sheets[FMX_PAGES].bits);
    fm_bit_buffer_free(&sheets[FMX_CLASS_CHECKS].bits);
    fm_heap_free(splitter->heap, data, size);
    return status;
}

framemap_status fm_split_head(struct fm_splitter *splitter)
{
    struct fm_built built = {NULL, 0};
    struct fm_view *attributes = NULL;
    framemap_status status = make_attributes(splitter, &built, &attributes);
    if (status == FRAMEMAP_OK) status = join_head(splitter, attributes);
    fm_view_close(attributes);
    fm_heap_free(splitter->heap, built.data, built.size);
    return status;
}
