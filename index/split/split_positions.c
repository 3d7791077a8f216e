/* The values of the form of positions: a page is 2^FM_PAGE_BITS positions of all scopes. */
#include "core/error.h"
#include "core/limits.h"
#include "index/format/value_page.h"
#include "index/split/record_copy.h"
#include "index/split/split_forms.h"

/* Notes the page in which an entry begins, and up to FM_PAGE_CARRIED of the pages in which it continues. */
static framemap_status note_entry(struct fm_splitter *splitter, const struct fm_hit *hit)
{
    const uint64_t page = fm_page_of_position(hit->start);
    framemap_status status = fm_splitter_note(splitter, page);
    if (hit->place_count == 0 || hit->end == UINT64_MAX || hit->end <= hit->start) return status;
    const uint64_t last = fm_page_of_position(hit->end - 1);
    for (uint64_t i = 1; i <= FM_PAGE_CARRIED && i <= last - page && status == FRAMEMAP_OK; i++)
        status = fm_splitter_note(splitter, page + i);
    return status;
}

static framemap_status note_scope(struct fm_splitter *splitter, uint64_t scope)
{
    framemap_status status = FRAMEMAP_OK;
    struct fm_hit hit;
    uint64_t from = 0;
    while (status == FRAMEMAP_OK && fm_view_next(splitter->view, scope, from, &hit)) {
        if (hit.start < from)
            return fm_error_set(splitter->error, FRAMEMAP_E_CORRUPT,
                                "the index is damaged: the order of entries can't be read");
        status = note_entry(splitter, &hit);
        if (hit.start == UINT64_MAX) break;
        from = hit.start + 1;
    }
    return status;
}

static framemap_status put_page(struct fm_splitter *splitter, uint64_t page)
{
    struct fm_builder *builder;
    bool continues;
    framemap_status status = fm_builder_create(splitter->heap, &builder, splitter->error);
    if (status != FRAMEMAP_OK) return status;
    status = fm_copy_page(splitter->view, page, builder, splitter->heap, &continues, splitter->error);
    if (status == FRAMEMAP_OK) return fm_splitter_put_page(splitter, page, builder, continues);
    fm_builder_free(builder);
    return status;
}

framemap_status fm_split_positions(struct fm_splitter *splitter)
{
    struct fm_view_about about;
    framemap_status status = FRAMEMAP_OK;
    fm_view_about(splitter->view, &about);
    for (uint64_t scope = 0; scope < about.scope_count && status == FRAMEMAP_OK; scope++)
        status = note_scope(splitter, scope);
    if (status == FRAMEMAP_OK) status = fm_splitter_sort(splitter);
    if (status == FRAMEMAP_OK && splitter->page_count > 0 &&
        about.scope_count > FM_LIMIT_SPLIT_PARTS / splitter->page_count)
        return fm_error_set(splitter->error, FRAMEMAP_E_LIMIT,
                            "over-limit: the index has too many scopes and pages to be split");
    for (size_t i = 0; i < splitter->page_count && status == FRAMEMAP_OK; i++)
        status = put_page(splitter, splitter->pages[i].key);
    return status;
}
