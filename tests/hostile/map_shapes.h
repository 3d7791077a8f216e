/* The shapes of mappings and stack traces that are made to be slow, large or confusing. Each can be written in any
 * size. The table is in map_shapes.c. */
#ifndef FM_TESTS_HOSTILE_MAP_SHAPES_H
#define FM_TESTS_HOSTILE_MAP_SHAPES_H

#include <framemap/framemap.h>

/* A growing buffer; ends the program if memory runs out. */
struct grown {
    char *data;
    size_t size, room;
};
void grown_say(struct grown *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void grown_bytes(struct grown *text, const void *bytes, size_t size);
void grown_repeat(struct grown *text, const char *piece, size_t times);
void grown_free(struct grown *text);

/* Writes a text whose size n is a number of bytes, of lines or of levels. A shape without a writer (NULL) uses the
 * small mapping or small trace of map_shapes.c. */
typedef void (*shape_writer)(struct grown *text, size_t n);

struct shape {
    const char *name, *why;
    shape_writer mapping, trace;
    size_t n;               /* a size of the text that takes some milliseconds to read */
    const char *expression; /* regular expression for retrace; NULL: the default one */
    /* The time need not be proportional to the bytes. One line of the text may represent so many lines that only a
     * limit ends the work. */
    bool to_the_limit;
};

const struct shape *shape_of_mappings(size_t *count); /* returns the shapes of map_shapes.c */
const struct shape *shape_of_ranges(size_t *count);   /* returns the shapes of map_ranges.c */
const struct shape *shape_of_traces(size_t *count);   /* returns the shapes of trace_shapes.c */

void shape_small_mapping(struct grown *text, size_t n);
void shape_small_trace(struct grown *text, size_t n);

/* Writes n class lines with names of 64 letters whose XXH64 with seed 0 is the same. Defined in map_collisions.c. */
void shape_colliding_classes(struct grown *text, size_t n);
void shape_colliding_methods(struct grown *text, size_t n);
/* Writes frames of the classes that shape_colliding_classes writes. */
void shape_colliding_trace(struct grown *text, size_t n);

#endif
