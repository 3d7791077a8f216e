/* The table of row formats (row_shape.h). */
#include "session/rows/row_shape.h"

static const struct fm_row_shape *const shapes[] = {&fm_row_tsv, &fm_row_ndjson};

const struct fm_row_shape *fm_row_shape_named(const char *name)
{
    for (size_t i = 0; name && i < sizeof shapes / sizeof *shapes; i++)
        if (strcmp(shapes[i]->name, name) == 0) return shapes[i];
    return NULL;
}
