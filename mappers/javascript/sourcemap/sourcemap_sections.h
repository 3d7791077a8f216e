/* The maps of an index map, flattened: each with the place where it begins and where the next one does. */
#ifndef FM_SM_SECTIONS_H
#define FM_SM_SECTIONS_H

#include "mappers/javascript/sourcemap/sourcemap_job.h"

struct fm_sm_section {
    struct fm_sm_place begin, limit;
    framemap_str map; /* a JSON object, borrowed */
};
struct fm_sm_sections {
    struct fm_sm_section *list;
    size_t count, capacity;
};
/* By rising begin. Errors: CORRUPT, LIMIT (nesting), MEMORY. Free it in any case. */
framemap_status fm_sm_sections_read(framemap_str array, struct fm_sm_place begin, struct fm_heap *heap, struct fm_sm_faults *faults,
                                    struct fm_sm_sections *out);
void fm_sm_sections_free(struct fm_sm_sections *sections, struct fm_heap *heap);

#endif
