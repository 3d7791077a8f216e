/* Implements splitter.h: collects the pages, writes them as values, and lists in the head which of them exist. */
#include "index/split/splitter.h"

#include "core/error.h"
#include "core/hash/hash.h"
#include "core/text/buffer.h"
#include <inttypes.h>
#include <stdio.h>

/* --- collecting pages --- */

framemap_status fm_splitter_note(struct fm_splitter *splitter, uint64_t page)
{
    const size_t count = splitter->page_count;
    if (count > 0 && splitter->pages[count - 1].key == page) return FRAMEMAP_OK;
    if (!FM_GROW(splitter->heap, splitter->pages, splitter->page_capacity, count + 1))
        return fm_error_memory(splitter->error);
    splitter->pages[splitter->page_count++] = (struct fm_sort_item){page, 0, 0};
    return FRAMEMAP_OK;
}

framemap_status fm_splitter_sort(struct fm_splitter *splitter)
{
    size_t kept = 0;
    if (!fm_sort(splitter->heap, splitter->pages, splitter->page_count, NULL, NULL))
        return fm_error_memory(splitter->error);
    for (size_t i = 0; i < splitter->page_count; i++)
        if (kept == 0 || splitter->pages[kept - 1].key != splitter->pages[i].key)
            splitter->pages[kept++] = splitter->pages[i];
    splitter->page_count = kept;
    return FRAMEMAP_OK;
}

/* --- writing values --- */

/* Finishes the builder and writes its index as a value. *any: whether it had records, so that a value was written. */
static framemap_status put_built(struct fm_splitter *splitter, framemap_str field, struct fm_builder *builder,
                                 bool *any)
{
    struct fm_built built = {NULL, 0};
    framemap_status status = fm_builder_finish(builder, &built, splitter->error);
    fm_builder_free(builder);
    *any = status == FRAMEMAP_OK;
    if (status == FRAMEMAP_OK)
        status = splitter->sink->put(splitter->sink->context, field, fm_str(built.data, built.size), splitter->error);
    fm_heap_free(splitter->heap, built.data, built.size);
    return status == FRAMEMAP_E_EMPTY && !*any ? FRAMEMAP_OK : status;
}

static framemap_status list_page(struct fm_splitter *splitter, uint64_t page, bool continues)
{
    struct fm_page_run *last = splitter->run_count ? &splitter->runs[splitter->run_count - 1] : NULL;
    if (last && last->first + last->count == page) {
        last->count++;
        last->continues = continues;
        return FRAMEMAP_OK;
    }
    if (!FM_GROW(splitter->heap, splitter->runs, splitter->run_capacity, splitter->run_count + 1))
        return fm_error_memory(splitter->error);
    splitter->runs[splitter->run_count++] = (struct fm_page_run){page, 1, continues};
    return FRAMEMAP_OK;
}

framemap_status fm_splitter_put_page(struct fm_splitter *splitter, uint64_t page, struct fm_builder *builder,
                                     bool continues)
{
    char field[32];
    bool any;
    snprintf(field, sizeof field, "page:%" PRIx64, page);
    const framemap_status status = put_built(splitter, framemap_str_of(field), builder, &any);
    return status == FRAMEMAP_OK && any ? list_page(splitter, page, continues) : status;
}

static framemap_status list_class(struct fm_splitter *splitter, framemap_str name)
{
    if (!FM_GROW(splitter->heap, splitter->checks, splitter->check_capacity, splitter->check_count + 1))
        return fm_error_memory(splitter->error);
    const uint64_t check = fm_hash64(name.data, name.size, 0) & UINT32_MAX;
    splitter->checks[splitter->check_count++] = (struct fm_sort_item){check, 0, 0};
    return FRAMEMAP_OK;
}

framemap_status fm_splitter_put_class(struct fm_splitter *splitter, framemap_str name, struct fm_builder *builder)
{
    struct fm_buf field;
    bool any = false;
    fm_buf_init(&field, splitter->heap);
    fm_buf_str(&field, FM_STR("class:"));
    fm_buf_str(&field, name);
    framemap_status status = field.failed ? fm_error_memory(splitter->error) : FRAMEMAP_OK;
    if (status == FRAMEMAP_OK)
        status = put_built(splitter, fm_buf_view(&field), builder, &any);
    else
        fm_builder_free(builder);
    fm_buf_free(&field);
    return status == FRAMEMAP_OK && any ? list_class(splitter, name) : status;
}
