/* The table of row formats (row_shape.h). */
#include "session/rows/row_shape.h"

static const struct fm_row_shape *const shapes[] = {&fm_row_tsv, &fm_row_ndjson};

const struct fm_row_shape *fm_row_shape_named(const char *name)
{
    for (size_t i = 0; name && i < sizeof shapes / sizeof *shapes; i++)
        if (strcmp(shapes[i]->name, name) == 0) return shapes[i];
    return NULL;
}

framemap_str fm_row_outcome_name(enum fm_row_outcome outcome)
{
    static const framemap_str names[] = {
        [FM_ROW_RESTORED] = FM_STR_INIT("restored"),   [FM_ROW_PARTIAL] = FM_STR_INIT("partial"),
        [FM_ROW_UNMAPPED] = FM_STR_INIT("unmapped"),   [FM_ROW_NONE] = FM_STR_INIT("none"),
        [FM_ROW_NO_FIELD] = FM_STR_INIT("no-field"),   [FM_ROW_UNREADABLE] = FM_STR_INIT("unreadable"),
        [FM_ROW_TOO_LARGE] = FM_STR_INIT("too-large"),
    };
    return names[outcome];
}
