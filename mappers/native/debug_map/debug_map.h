/* The debug map of a linked Mach-O image: the object files that it was linked from, and the addresses of their
 * functions in the image. Linkers write it as stabs (mach-o/stab.h): N_OSO names an object file, "libx.a(x.o)" in a
 * static archive, and N_FUN a function of that file with its address and size. The debug info stays in the object
 * files; `strip -S` removes the map. */
#ifndef FM_MAPPERS_NATIVE_DEBUG_MAP_DEBUG_MAP_H
#define FM_MAPPERS_NATIVE_DEBUG_MAP_DEBUG_MAP_H

#include "mappers/native/image/image_types.h"

struct fm_debug_map_function {
    framemap_str name; /* name of the function's symbol, with the underscore; borrowed from the file */
    uint64_t address;  /* address as linked */
    uint64_t size;     /* size in bytes; 0: unknown */
};

struct fm_debug_map_object {
    framemap_str path;   /* path of the object file, borrowed from the image */
    uint64_t modified;   /* time of the last change of the object file, seconds since 1970; 0: not recorded */
    size_t first, count; /* functions of the object file: index of the first one, and their number */
};

struct fm_debug_map {
    struct fm_debug_map_object *objects;
    struct fm_debug_map_function *functions;
    size_t object_count, function_count;
};

/* Reads the debug map into memory of the arena; an image that has no debug map gets an empty one. Objects after the
 * first FM_LIMIT_DEBUG_MAP_OBJECTS are left out. Errors: MEMORY. */
framemap_status fm_image_debug_map(const struct fm_image *image, struct fm_arena *arena, struct fm_debug_map *out,
                                   framemap_error *error);

#endif
