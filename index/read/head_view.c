/* Implements head_view.h: two binary searches. */
#include "index/read/head_view.h"

#include "core/hash/hash.h"
#include "index/read/table/tables.h"

bool fm_view_is_head(const struct fm_view *view) { return (view->flags & FMX_FLAG_HEAD) != 0; }

bool fm_head_page(const struct fm_view *head, uint64_t page, uint64_t *out)
{
    const struct fm_packed *pages = &head->tables[FMX_PAGES];
    const uint64_t rows = fm_first_above(pages, 0, pages->count, PAGE_FIRST, page, true);
    if (rows == 0) return false;
    const uint64_t first = fm_field_wide(pages, rows - 1, PAGE_FIRST),
                   more = fm_field_wide(pages, rows - 1, PAGE_COUNT);
    *out = page - first <= more ? page : first + more;
    return page - first <= more || fm_field(pages, rows - 1, PAGE_CONTINUES) != 0;
}

bool fm_head_has_class(const struct fm_view *head, framemap_str name)
{
    const struct fm_packed *checks = &head->tables[FMX_CLASS_CHECKS];
    const uint32_t check = (uint32_t)fm_hash64(name.data, name.size, 0);
    const uint64_t rows = fm_first_above(checks, 0, checks->count, CHECK_CLASS, check, true);
    return rows > 0 && fm_field(checks, rows - 1, CHECK_CLASS) == check;
}
