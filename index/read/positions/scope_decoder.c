/* Finds a scope by its key, the range of the scope that has a position, and the offset of the position on the axis, on
 * which all positions of an index follow each other. */
#include "index/read/positions/scope_decoder.h"
#include "core/hash/hash.h"
#include "index/read/table/tables.h"

static framemap_str key_at(const struct fm_view *view, uint64_t scope)
{
    return fm_text_field(view, &view->tables[FMX_SCOPES], scope, SCOPE_KEY);
}

static bool hash_find(const struct fm_view *view, framemap_str key, uint64_t *scope)
{
    const struct fm_packed *slots = &view->tables[FMX_SCOPE_HASH];
    uint64_t at = fm_hash64(key.data, key.size, 0) & (slots->count - 1);
    for (unsigned probes = 0; probes < FMX_PROBES_MOST; probes++, at = (at + 1) & (slots->count - 1)) {
        const uint64_t code = fm_field(slots, at, HASH_SCOPE);
        if (code == 0 || code > view->tables[FMX_SCOPES].count) return false;
        if (!fm_str_equal(key_at(view, code - 1), key)) continue;
        *scope = code - 1;
        return true;
    }
    return false;
}

bool fm_view_scope(const struct fm_view *view, framemap_str key, uint64_t *scope)
{
    if (view->flags & FMX_FLAG_NUMBERED) return false;
    if (key.size == 0 && view->face.about.has_image) {
        *scope = view->face.about.image;
        return true;
    }
    if (view->tables[FMX_SCOPE_HASH].count > 0) return hash_find(view, key, scope);
    return fm_text_row(view, &view->tables[FMX_SCOPES], SCOPE_KEY, key, scope);
}

bool fm_view_scope_number(const struct fm_view *view, uint64_t key, uint64_t *scope)
{
    const struct fm_packed *scopes = &view->tables[FMX_SCOPES];
    if ((view->flags & FMX_FLAG_NUMBERED) == 0 || scopes->count == 0) return false;
    const uint64_t first = fm_field_wide(scopes, 0, SCOPE_KEY);
    if (key < first) return false;
    /* Each key is greater than the one before it, so a key's row number is at most its distance from the first key. If
     * every line of a generated file is mapped, the keys ascend by exactly one, and the distance is the row number. */
    uint64_t low = 0, high = key - first < scopes->count ? key - first + 1 : scopes->count;
    for (uint64_t middle = high - 1; low < high; middle = low + (high - low) / 2) {
        const uint64_t found = fm_field_wide(scopes, middle, SCOPE_KEY);
        if (found == key) {
            *scope = middle;
            return true;
        }
        if (found < key)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

bool fm_scope_ranges(const struct fm_view *view, uint64_t scope, uint64_t *first, uint64_t *end)
{
    const struct fm_packed *scopes = &view->tables[FMX_SCOPES], *ranges = &view->tables[FMX_RANGES];
    if (scope >= scopes->count) return false;
    if (view->one_range_each) {
        *first = scope;
        *end = scope + 1;
        return true;
    }
    *first = fm_field(scopes, scope, SCOPE_RANGE);
    *end = scope + 1 < scopes->count ? fm_field(scopes, scope + 1, SCOPE_RANGE) : ranges->count - 1;
    return *first <= *end && *end < ranges->count;
}

/* Reads a range of a scope. end: the end of the scope's ranges. false: damaged. */
static bool read_range(const struct fm_view *view, uint64_t scope, uint64_t range, uint64_t end,
                       struct fm_axis_position *out)
{
    const struct fm_packed *ranges = &view->tables[FMX_RANGES];
    out->first = fm_field_wide(ranges, range, RANGE_FIRST);
    out->begin = fm_field_wide(ranges, range, RANGE_AXIS);
    out->end = fm_field_wide(ranges, range + 1, RANGE_AXIS);
    out->next = range + 1 < end ? fm_field_wide(ranges, range + 1, RANGE_FIRST) : UINT64_MAX;
    out->unit = (unsigned)fm_field(&view->tables[FMX_SCOPES], scope, SCOPE_UNIT) & 63;
    return out->begin < out->end && out->end <= FMX_AXIS_MOST;
}

static struct fm_longest_range main_of(const struct fm_axis_position *range)
{
    return (struct fm_longest_range){.first = range->first,
                                     .positions = range->next - range->first,
                                     .begin = range->begin,
                                     .last = range->end - range->begin - 1,
                                     .unit = range->unit};
}

/* Reads the ranges of the image, up to SEEN_MOST: stores the longest one, and all of them if there are few. */
static void open_ranges(struct fm_view *view, uint64_t first, uint64_t end)
{
    /* maximum number of ranges that are read here, so that the time to open an index has a limit */
    enum { SEEN_MOST = 1024 };
    bool sound = true;
    for (uint64_t i = first; i < end && i - first < SEEN_MOST; i++) {
        struct fm_axis_position range = {.axis_offset = 0};
        if (!read_range(view, view->face.about.image, i, end, &range) || range.next <= range.first) {
            sound = false;
            continue;
        }
        if (range.end - range.begin - 1 >= view->main.last) view->main = main_of(&range);
        if (i - first < FM_RANGES_FEW) view->few[i - first] = range;
    }
    view->few_count = sound && end - first <= FM_RANGES_FEW ? (unsigned)(end - first) : 0;
}

void fm_scopes_open(struct fm_view *view)
{
    uint64_t first, end;
    view->main = (struct fm_longest_range){.positions = 0};
    view->few_count = 0;
    view->face.about.has_image = !fm_is_classes(view) && !fm_is_segments(view) &&
                                 fm_view_scope(view, (framemap_str){NULL, 0}, &view->face.about.image);
    if (view->face.about.has_image && fm_scope_ranges(view, view->face.about.image, &first, &end))
        open_ranges(view, first, end);
}

/* Finds the last range that starts at or before a position. */
static enum fm_axis_result search_few(const struct fm_view *view, uint64_t position, struct fm_axis_position *out)
{
    unsigned i = view->few_count;
    while (i > 0 && view->few[i - 1].first > position) i--;
    if (i == 0) {
        out->next = view->few[0].first;
        return FM_AXIS_BEFORE;
    }
    *out = view->few[i - 1];
    out->axis_offset = fm_axis_offset_of(out, position);
    return FM_AXIS_FOUND;
}

static enum fm_axis_result search_all(const struct fm_view *view, uint64_t scope, uint64_t position,
                                      struct fm_axis_position *out)
{
    const struct fm_packed *ranges = &view->tables[FMX_RANGES];
    uint64_t first, end;
    if (!fm_scope_ranges(view, scope, &first, &end)) return FM_AXIS_DAMAGED;
    const uint64_t above = fm_first_above(ranges, first, end, RANGE_FIRST, position, true);
    if (above == first) {
        out->next = above < end ? fm_field_wide(ranges, above, RANGE_FIRST) : UINT64_MAX;
        return FM_AXIS_BEFORE;
    }
    if (!read_range(view, scope, above - 1, end, out)) return FM_AXIS_DAMAGED;
    out->axis_offset = fm_axis_offset_of(out, position);
    return FM_AXIS_FOUND;
}

enum fm_axis_result fm_axis_find(const struct fm_view *view, uint64_t scope, uint64_t position,
                                 struct fm_axis_position *out)
{
    if (view->few_count > 0 && scope == view->face.about.image) return search_few(view, position, out);
    return search_all(view, scope, position, out);
}
