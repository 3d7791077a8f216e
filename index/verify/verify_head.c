/* Verifies the head of the split form. */
#include "index/verify/verify_parts.h"

/* Checks that runs of pages ascend and do not overlap. */
static bool check_pages(const struct fm_checker *checker)
{
    const struct fm_packed *pages = &checker->view->tables[FMX_PAGES];
    uint64_t next = 0;
    for (uint64_t i = 0; i < pages->count; i++) {
        const uint64_t first = fm_field_wide(pages, i, PAGE_FIRST), more = fm_field_wide(pages, i, PAGE_COUNT);
        if (i > 0 && first < next) return fm_check_fails(checker, FMX_PAGES, i, "pages out of order");
        if (more > UINT64_MAX - first || (first + more == UINT64_MAX && i + 1 < pages->count))
            return fm_check_fails(checker, FMX_PAGES, i, "a page past the last one");
        if (!fm_check_most(checker, FMX_PAGES, i, PAGE_CONTINUES, 1)) return false;
        next = first + more + 1;
    }
    return true;
}

static bool check_classes(const struct fm_checker *checker)
{
    const struct fm_packed *checks = &checker->view->tables[FMX_CLASS_CHECKS];
    for (uint64_t i = 0; i < checks->count; i++) {
        if (!fm_check_most(checker, FMX_CLASS_CHECKS, i, CHECK_CLASS, UINT32_MAX)) return false;
        if (i > 0 && fm_field(checks, i, CHECK_CLASS) < fm_field(checks, i - 1, CHECK_CLASS))
            return fm_check_fails(checker, FMX_CLASS_CHECKS, i, "checks out of order");
    }
    return true;
}

bool fm_check_head(const struct fm_checker *checker)
{
    return check_pages(checker) && check_classes(checker) && fm_check_offsets(checker);
}
