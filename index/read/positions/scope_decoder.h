/* Finds the ranges of a scope on the axis, on which all positions of an index follow each other, and the range that
 * contains a position. Called by the lookups in this folder and by view_open.c. */
#ifndef FM_INDEX_READ_POSITIONS_SCOPE_DECODER_H
#define FM_INDEX_READ_POSITIONS_SCOPE_DECODER_H

#include "index/read/table/tables.h"

/* Gets the ranges of a scope: rows [first, end) of RANGES. false: damaged. */
bool fm_scope_ranges(const struct fm_view *view, uint64_t scope, uint64_t *first, uint64_t *end);
enum fm_axis_result {
    FM_AXIS_FOUND,
    FM_AXIS_BEFORE /* the position is before the first position of the scope; out->next is that first position */,
    FM_AXIS_DAMAGED
};
/* Finds the range that has a position of a scope, and the offset of the position on the axis of all positions. */
enum fm_axis_result fm_axis_find(const struct fm_view *view, uint64_t scope, uint64_t position,
                                 struct fm_axis_position *out);
/* Returns the offset on the axis of a position in the range. For a position between the end of the range and the next
 * range it returns the range's last offset. */
static inline uint64_t fm_axis_offset_of(const struct fm_axis_position *range, uint64_t position)
{
    const uint64_t steps = (position - range->first) >> range->unit, most = range->end - range->begin - 1;
    return range->begin + (steps < most ? steps : most);
}
/* Finds the image's scope, and the longest of its first ranges, of which a limited number is read. Called when an index
 * is opened. */
void fm_scopes_open(struct fm_view *view);
/* Returns the position that an offset on the axis has in the range. For an offset at or after the range's end it
 * returns the start of the next range. */
static inline uint64_t fm_axis_to_position(const struct fm_axis_position *range, uint64_t at)
{
    return at >= range->end ? range->next : range->first + ((at - range->begin) << range->unit);
}

#endif
