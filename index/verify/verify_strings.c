/* Verifies the groups of sorted strings. Called by verify_records.c. */
#include "core/text/text.h"
#include "index/read/table/string_decoder.h"
#include "index/verify/verify_parts.h"

/* Returns the end of the strings of attributes and scopes, which precede the first group of sorted strings. */
static uint64_t plain_end(const struct fm_view *view)
{
    const struct fm_packed *attributes = &view->tables[FMX_ATTRIBUTES], *scopes = &view->tables[FMX_SCOPES];
    uint64_t end = fm_texts_end(attributes, ATTRIBUTE_KEY, fm_texts_end(attributes, ATTRIBUTE_VALUE, 1));
    if ((view->flags & FMX_FLAG_NUMBERED) == 0) end = fm_texts_end(scopes, SCOPE_KEY, end);
    return end;
}

/* Checks a group of strings. before: on entry, the last string of the previous group; on return, the last string of
 * this group. */
static bool check_group(const struct fm_checker *checker, uint64_t group, uint32_t count, framemap_str *before)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t number = (group << FM_SORTED_GROUP_BITS) + i;
        framemap_str text;
        if (!fm_check_read(checker, fm_string_entry_open(checker->view, number, &text), FMX_SORTED_TEXTS, group,
                           "a text that can't be read"))
            return false;
        if (number > 0 && fm_str_compare(*before, text) >= 0)
            return fm_check_fails(checker, FMX_SORTED_TEXTS, group, "texts out of order");
        *before = text;
    }
    return true;
}

bool fm_check_sorted_texts(const struct fm_checker *checker)
{
    const struct fm_view *view = checker->view;
    const uint64_t groups = view->tables[FMX_SORTED_TEXTS].count;
    if (view->version == FMX_VERSION_PLAIN) return true;
    uint64_t expected = plain_end(view);
    framemap_str before = {NULL, 0};
    for (uint64_t i = 0; i < groups; i++) {
        uint64_t begin, end;
        uint32_t count;
        if (!fm_sorted_group_extent(view, i, &begin, &end, &count))
            return fm_check_fails(checker, FMX_SORTED_TEXTS, i, "an invalid group head");
        if (begin != expected) return fm_check_fails(checker, FMX_SORTED_TEXTS, i, "a group out of order");
        if (i + 1 < groups && count != FM_SORTED_GROUP)
            return fm_check_fails(checker, FMX_SORTED_TEXTS, i, "a group with too few texts");
        if (!check_group(checker, i, count, &before)) return false;
        expected = end;
    }
    return expected == view->tables[FMX_STRINGS].size ||
           fm_check_fails(checker, FMX_STRINGS, expected, "bytes outside any text");
}
