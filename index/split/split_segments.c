/* The values of the segment form: a page is 2^FM_PAGE_COLUMN_BITS columns of 2^FM_PAGE_LINE_BITS generated lines. */
#include "core/error.h"
#include "index/format/value_page.h"
#include "index/read/segments/segment_block_decoder.h"
#include "index/split/record_copy.h"
#include "index/split/split_forms.h"
#include "index/write/segment_builder.h"

/* Notes the page of each segment. */
static framemap_status note_segments(struct fm_splitter *splitter)
{
    struct fm_segment_line line = {0, 0, 0};
    framemap_status status = FRAMEMAP_OK;
    for (uint64_t i = 0; i < splitter->view->position_count && status == FRAMEMAP_OK; i++) {
        uint64_t axis_offset;
        if (!fm_segment_axis_offset_of(splitter->view, i, &axis_offset)) break;
        if ((axis_offset < line.begin || axis_offset >= line.end) &&
            !fm_segment_line_of(splitter->view, axis_offset, &line))
            break;
        if (axis_offset - line.begin > UINT32_MAX) break;
        status = fm_splitter_note(splitter, fm_page_of_segment(line.line0, (uint32_t)(axis_offset - line.begin)));
        if (i + 1 == splitter->view->position_count) return status;
    }
    if (status != FRAMEMAP_OK || splitter->view->position_count == 0) return status;
    return fm_error_set(splitter->error, FRAMEMAP_E_CORRUPT, "the index is damaged: a segment can't be read");
}

static framemap_status put_page(struct fm_splitter *splitter, uint64_t page)
{
    struct fm_builder *builder;
    framemap_status status = fm_builder_create(splitter->heap, &builder, splitter->error);
    if (status != FRAMEMAP_OK) return status;
    fm_builder_segments_form(builder);
    status = fm_copy_segment_page(splitter->view, page, builder, splitter->heap, splitter->error);
    if (status == FRAMEMAP_OK) return fm_splitter_put_page(splitter, page, builder, true);
    fm_builder_free(builder);
    return status;
}

framemap_status fm_split_segments(struct fm_splitter *splitter)
{
    framemap_status status = note_segments(splitter);
    if (status == FRAMEMAP_OK) status = fm_splitter_sort(splitter);
    for (size_t i = 0; i < splitter->page_count && status == FRAMEMAP_OK; i++)
        status = put_page(splitter, splitter->pages[i].key);
    return status;
}
