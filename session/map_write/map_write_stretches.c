/* Finds those ranges of generated text that have a known function and belong to one source. Called by
 * map_write_functions.c and map_write_scopes.c. */
#include "session/map_write/map_write_inner.h"

/* Returns the number of the first function range whose source is this one or a later one. */
static uint64_t first_of(const struct fm_view *view, uint32_t source, uint64_t count)
{
    struct fm_view_stretch stretch;
    uint64_t low = 0, high = count;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (fm_view_source_stretch_at(view, middle, &stretch) && stretch.source < source)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool fm_convert_source_functions(const struct fm_convert *convert, struct fm_convert_ref ref, uint32_t origin,
                                 uint64_t *first)
{
    const struct fm_view *view = convert->maps[ref.map].view;
    struct fm_segments_about about = {.stretch_count = 0};
    struct fm_view_stretch stretch;
    fm_view_segments(view, &about);
    *first = first_of(view, ref.number, about.stretch_count);
    return fm_view_source_stretch_at(view, *first, &stretch) && stretch.source == ref.number &&
           (origin == 0 || stretch.origin == origin);
}
