/* The shapes of source maps that are made to be slow, large or confusing. Each can be written in any size. The table
 * is in script_shapes.c. */
#ifndef FM_TESTS_HOSTILE_SCRIPT_SHAPES_H
#define FM_TESTS_HOSTILE_SCRIPT_SHAPES_H

#include "map_shapes.h"

struct script_shape {
    const char *name, *why;
    void (*write)(struct grown *text, size_t n);
    size_t n;           /* a size that takes some milliseconds */
    const char *strict; /* part of the error message of strict reading; NULL: strict reading accepts the map */
    int lenient;        /* status of lenient reading; FRAMEMAP_OK: it accepts the map */
};

const struct script_shape *script_shapes(size_t *count);

#endif
