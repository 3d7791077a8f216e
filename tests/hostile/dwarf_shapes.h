/* The shapes of debug info that is made to be slow, large or confusing to read. */
#ifndef FM_TESTS_HOSTILE_DWARF_SHAPES_H
#define FM_TESTS_HOSTILE_DWARF_SHAPES_H

#include "fuzz/support/dwarf_make.h"

struct dwarf_shape {
    const char *name;
    const char *why; /* the mistake that the shape would reveal in a reader */
    void (*write)(struct made_dwarf *to, size_t n);
    size_t n; /* number of elements in the smaller of the two trials */
};

const struct dwarf_shape *dwarf_shapes_of_entries(size_t *count); /* returns the shapes of dwarf_shapes.c */
const struct dwarf_shape *dwarf_shapes_of_lines(size_t *count);   /* returns the shapes of dwarf_line_shapes.c */

#endif
