/* Iterates over the scopes of an index, and over the entries of a scope as they were built. An entry that continues in
 * the next bucket (an interval of the axis of positions) is stored again at the start of that bucket; such repetitions
 * are skipped. Implements fm_view_next and fm_view_scope_at of view.h. */
#include "index/read/positions/lookup.h"
#include "index/read/positions/scope_decoder.h"
#include "index/read/table/tables.h"

/* Finds the first entry of a range at or after offset `from` of the axis of positions. Returns false if no entry is
 * found, or the index is damaged. */
static bool find_begin(const struct fm_view *view, const struct fm_axis_position *range, uint64_t from,
                       struct fm_block *block, uint32_t *row, uint64_t *axis_offset)
{
    for (; from < range->end; from = ((from >> view->shift) + 1) << view->shift) {
        const uint64_t bucket = from >> view->shift, begin = bucket << view->shift;
        if (bucket >= view->tables[FMX_BUCKETS].count || !fm_block_open(view, bucket, block)) return false;
        *row = from == begin ? 0 : fm_block_find(block, from - begin - 1).row + 1;
        if (*row == 0 && (block->flags & FMX_BLOCK_CARRIED)) *row = 1;
        if (*row >= block->rows) continue;
        *axis_offset = begin + fm_block_low(block, *row);
        return *axis_offset >= from && *axis_offset < range->end;
    }
    return false;
}

/* Returns the first offset on the axis, within the range, whose position is at or after `position`; a result of
 * range->end or more: the range has no such position. */
static uint64_t axis_offset_from(const struct fm_axis_position *range, uint64_t position)
{
    const uint64_t distance = position - range->first, steps = distance >> range->unit;
    if (steps >= range->end - range->begin) return range->end;
    return range->begin + steps + (distance > steps << range->unit);
}

bool fm_view_next(const struct fm_view *view, uint64_t scope, uint64_t from, struct fm_hit *out)
{
    struct fm_axis_position range;
    struct fm_block block;
    uint32_t row;
    uint64_t axis_offset;
    for (unsigned tries = 0; tries < 3; tries++) {
        const enum fm_axis_result result = fm_axis_find(view, scope, from, &range);
        if (result == FM_AXIS_DAMAGED) return false;
        if (result == FM_AXIS_FOUND &&
            find_begin(view, &range, axis_offset_from(&range, from), &block, &row, &axis_offset)) {
            const uint64_t position = fm_axis_to_position(&range, axis_offset);
            *out = (struct fm_hit){.scope = scope, .position = position, .start = position, .end = range.next};
            if (!fm_block_entry(view, &block, row, out)) return false;
            if (find_begin(view, &range, axis_offset + 1, &block, &row, &axis_offset))
                out->end = fm_axis_to_position(&range, axis_offset);
            return true;
        }
        if (range.next <= from) return false;
        /* continues at the start of the scope's next range, where an entry starts; UINT64_MAX: the scope has no
         * further range */
        from = range.next;
    }
    return false;
}

bool fm_view_scope_at(const struct fm_view *view, uint64_t scope, framemap_str *key, uint64_t *number, uint64_t *first,
                      uint64_t *last)
{
    uint64_t range, end;
    if (!fm_scope_ranges(view, scope, &range, &end)) return false;
    const bool numbered = (view->flags & FMX_FLAG_NUMBERED) != 0;
    *key = numbered ? (framemap_str){NULL, 0} : fm_text_field(view, &view->tables[FMX_SCOPES], scope, SCOPE_KEY);
    *number = numbered ? fm_field_wide(&view->tables[FMX_SCOPES], scope, SCOPE_KEY) : 0;
    *first = *last = 0;
    if (range == end) return true; /* the index has the scope, but no positions in it */
    *first = fm_field_wide(&view->tables[FMX_RANGES], range, RANGE_FIRST);
    *last = UINT64_MAX;
    struct fm_hit hit;
    if (fm_view_lookup(view, scope, UINT64_MAX, &hit) == FRAMEMAP_OK && hit.place_count == 0 && hit.start > *first)
        *last = hit.start - 1;
    return true;
}
