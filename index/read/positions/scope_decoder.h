/* From scopes to their ranges on the axis, and from a position to the range that holds it. */
#ifndef FM_INDEX_READ_POSITIONS_SCOPE_DECODER_H
#define FM_INDEX_READ_POSITIONS_SCOPE_DECODER_H

#include "index/read/table/tables.h"

/* The ranges of a scope: rows [first, end) of RANGES. false: damaged. */
bool fm_scope_ranges(const struct fm_view *view, uint64_t scope, uint64_t *first, uint64_t *end);
enum fm_axis_result {
    FM_AXIS_FOUND,
    FM_AXIS_BEFORE /* the scope's first position; out->next is it */,
    FM_AXIS_DAMAGED
};
/* Where a position of a scope falls. */
enum fm_axis_result fm_axis_find(const struct fm_view *view, uint64_t scope, uint64_t position,
                                 struct fm_axis_position *out);
/* The spot of a position that is in the range, or behind its end and before the next one. */
static inline uint64_t fm_axis_offset_of(const struct fm_axis_position *range, uint64_t position)
{
    const uint64_t behind = (position - range->first) >> range->unit, most = range->end - range->begin - 1;
    return range->begin + (behind < most ? behind : most);
}
/* When an index is opened: finds the image's scope and its longest range, among a bounded number. */
void fm_scopes_open(struct fm_view *view);
/* The position of a spot of that range; where it is at or behind the range's end, the next range's begin. */
static inline uint64_t fm_axis_to_position(const struct fm_axis_position *spot, uint64_t at)
{
    return at >= spot->end ? spot->next : spot->first + ((at - spot->begin) << spot->unit);
}

#endif
