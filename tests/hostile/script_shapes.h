/* Source maps that are made to be slow, large or confusing, each of any size: script_shapes.c has the table. */
#ifndef FM_TESTS_HOSTILE_SCRIPT_SHAPES_H
#define FM_TESTS_HOSTILE_SCRIPT_SHAPES_H

#include "map_shapes.h"

struct script_shape {
    const char *name, *why;
    void (*write)(struct grown *text, size_t n);
    size_t n;           /* that takes some milliseconds */
    const char *strict; /* a word of what strict reading says; NULL: it takes the map */
    int lenient;        /* what lenient reading answers; FRAMEMAP_OK: it takes the map */
};

const struct script_shape *script_shapes(size_t *count);

#endif
