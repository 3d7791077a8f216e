/* Writes `rangeMappings`: for each generated line the numbers of its range segments, counted from 1, each as the
 * difference from the previous one. */
#include "session/map_write/map_write_inner.h"

#include "core/error.h"
#include "core/limits.h"

/* Returns the number of the first segment on this line or a later one. */
static uint64_t first_of_line(const struct fm_view *view, uint32_t line0, uint64_t count)
{
    struct fm_view_segment segment;
    uint64_t low = 0, high = count;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (fm_view_segment(view, middle, &segment) && segment.line0 < line0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct ranges {
    struct fm_convert *convert;
    uint64_t segments;
    uint32_t line0; /* the line that is being written */
    /* The number of the next range on this line is counted from this segment: the segment after the last range that was
     * written, or, before the first range, the first segment of the line. */
    uint64_t before;
};

static framemap_status move_to_line(struct ranges *r, uint32_t line0)
{
    framemap_status status = FRAMEMAP_OK;
    if (line0 < r->line0 || line0 > FM_LIMIT_MAP_LINES) return fm_convert_damaged(r->convert, "a range");
    while (status == FRAMEMAP_OK && r->line0 < line0) {
        fm_buf_byte(&r->convert->out, ';');
        if (++r->line0 == line0) r->before = first_of_line(r->convert->maps[0].view, line0, r->segments);
        status = fm_convert_flush(r->convert, FM_CONVERT_FLUSH);
    }
    return status;
}

/* Finds the last segment that starts at a position. A range that starts at this position is written with the number of
 * this segment. */
static bool last_at(const struct fm_view *view, uint32_t line0, uint32_t col0, uint64_t *number)
{
    struct fm_view_segment segment;
    if (col0 == UINT32_MAX || !fm_view_segment_at(view, line0, col0 + 1, &segment)) return false;
    *number = segment.number - (segment.col0 > col0);
    return fm_view_segment(view, *number, &segment) && segment.line0 == line0 && segment.col0 == col0;
}

static framemap_status write_range(struct ranges *r, uint32_t line0, uint32_t col0)
{
    uint64_t number;
    framemap_status status = move_to_line(r, line0);
    if (status != FRAMEMAP_OK) return status;
    if (!last_at(r->convert->maps[0].view, line0, col0, &number) || number < r->before)
        return fm_convert_damaged(r->convert, "a range");
    if (!fm_convert_vlq_unsigned(&r->convert->out, number - r->before + 1))
        return fm_error_set(r->convert->error, FRAMEMAP_E_LIMIT, "line %lu has more than 2^31 segments",
                            (unsigned long)line0 + 1);
    r->before = number + 1;
    return FRAMEMAP_OK;
}

framemap_status fm_convert_ranges(struct fm_convert *convert)
{
    const struct fm_view *view = convert->maps[0].view;
    struct fm_segments_about about = {.segment_count = 0};
    struct ranges r = {.convert = convert};
    framemap_status status = FRAMEMAP_OK;
    uint32_t line0, col0;
    if (fm_convert_composes(convert) || !fm_view_range(view, 0, &line0, &col0)) return FRAMEMAP_OK;
    fm_view_segments(view, &about);
    r.segments = about.segment_count;
    fm_buf_str(&convert->out, FM_STR(",\"rangeMappings\":\""));
    for (uint64_t i = 0; status == FRAMEMAP_OK && fm_view_range(view, i, &line0, &col0); i++)
        status = write_range(&r, line0, col0);
    fm_buf_byte(&convert->out, '"');
    return status;
}
