/* Mappings and stacks that are made to be slow, large or confusing, each of any size: map_shapes.c has the table. */
#ifndef FM_TESTS_HOSTILE_MAP_SHAPES_H
#define FM_TESTS_HOSTILE_MAP_SHAPES_H

#include <framemap/framemap.h>

/* A text that grows; ends the program where there is no memory. */
struct grown {
    char *data;
    size_t size, room;
};
void grown_say(struct grown *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void grown_bytes(struct grown *text, const void *bytes, size_t size);
void grown_repeat(struct grown *text, const char *piece, size_t times);
void grown_free(struct grown *text);

/* Writes something that is n large: bytes, lines or nested things. NULL in a shape: the small mapping, or the small
 * stack, of map_shapes.c. */
typedef void (*shape_writer)(struct grown *text, size_t n);

struct shape {
    const char *name, *why;
    shape_writer mapping, trace;
    size_t n;               /* that takes some milliseconds */
    const char *expression; /* of retrace; NULL: the default one */
    bool to_the_limit;      /* a line may stand for so many that only the limit ends it: time does not go with bytes */
};

const struct shape *shape_of_mappings(size_t *count); /* map_shapes.c */
const struct shape *shape_of_ranges(size_t *count);   /* map_ranges.c */
const struct shape *shape_of_traces(size_t *count);   /* trace_shapes.c */

void shape_small_mapping(struct grown *text, size_t n);
void shape_small_trace(struct grown *text, size_t n);

/* n class lines whose names of 64 letters all have the same XXH64 with seed 0. map_collisions.c */
void shape_colliding_classes(struct grown *text, size_t n);
void shape_colliding_methods(struct grown *text, size_t n);
/* Frames of them. */
void shape_colliding_trace(struct grown *text, size_t n);

#endif
