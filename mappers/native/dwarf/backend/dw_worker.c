/* Makes the workers of a backend. */
#include "mappers/native/dwarf/backend/dw_worker.h"

#include "core/error.h"

void fm_dw_worker_free(struct fm_dw_worker *walk)
{
    if (walk == NULL) return;
    struct fm_heap *heap = walk->heap;

    fm_heap_free(heap, walk->levels, walk->level_capacity * sizeof *walk->levels);
    fm_dw_scopes_free(&walk->scopes);
    fm_dw_names_free(&walk->names);
    fm_dw_library_free(walk->library);
    fm_dw_range_list_free(&walk->ranges);
    fm_dw_lines_free(&walk->lines);
    fm_dw_abbrevs_free(&walk->abbrevs);
    fm_heap_free(heap, walk, sizeof *walk);
}

framemap_status fm_dw_worker_make(struct fm_dw_debug *debug, struct fm_dw_worker **out, framemap_error *error)
{
    struct fm_dw_worker *walk = fm_heap_zalloc(debug->heap, 1, sizeof *walk);

    *out = walk;
    if (walk == NULL) return fm_error_memory(error);
    walk->debug = debug;
    walk->heap = debug->heap;
    walk->ranges = (struct fm_dw_range_list){.image = debug->image, .heap = debug->heap};
    fm_dw_lines_init(&walk->lines, debug->heap, &debug->sections, NULL);
    fm_dw_abbrevs_init(&walk->abbrevs, debug->heap, &debug->sections);
    walk->abbrevs.begins = debug->units.tables;
    walk->abbrevs.begin_count = debug->units.table_count;
    if (debug->library) walk->library = fm_dw_library_create(debug->heap, &debug->sections);
    fm_dw_names_init(&walk->names, debug->heap, &debug->units, &walk->abbrevs, walk->library);
    fm_dw_scopes_init(&walk->scopes, debug->heap, &debug->units, &walk->abbrevs, walk->library);
    if (walk->library != NULL || !debug->library) return FRAMEMAP_OK;
    fm_dw_worker_free(walk);
    *out = NULL;
    return fm_error_memory(error);
}
