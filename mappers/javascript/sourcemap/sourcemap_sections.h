/* The sections of an index map as a flat list. For each section the list has the start of its generated text and the
 * start of the next section's text. */
#ifndef FM_MAPPERS_JAVASCRIPT_SOURCEMAP_SOURCEMAP_SECTIONS_H
#define FM_MAPPERS_JAVASCRIPT_SOURCEMAP_SOURCEMAP_SECTIONS_H

#include "mappers/javascript/sourcemap/sourcemap_job.h"

struct fm_sourcemap_section {
    struct fm_sourcemap_position begin, limit;
    framemap_str map; /* the map of the section: a JSON object, borrowed */
};
struct fm_sourcemap_sections {
    struct fm_sourcemap_section *list;
    size_t count, capacity;
};
/* Reads the sections, sorted by `begin`. Errors: CORRUPT, LIMIT (nesting), MEMORY. Free the list in any case. */
framemap_status fm_sourcemap_sections_read(framemap_str array, struct fm_sourcemap_position begin, struct fm_heap *heap,
                                           struct fm_sourcemap_faults *faults, struct fm_sourcemap_sections *out);
void fm_sourcemap_sections_free(struct fm_sourcemap_sections *sections, struct fm_heap *heap);

#endif
