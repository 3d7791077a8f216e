/* Which parts of a fat file are Dart programs. */
#ifndef FM_MAPPERS_DART_DART_SLICES_H
#define FM_MAPPERS_DART_DART_SLICES_H

#include "mappers/native/image/image.h"

/* Whether an image has a symbol that stands for the text of a Dart program. Reads names alone. */
bool fm_dart_is_program(framemap_str bytes);

/* As fm_image_inspect, of those slices that are Dart programs; of several for one processor that of a dSYM counts, or
 * else the first that has debug info, as in package:native_stack_traces. A file without such slices is as any other. */
framemap_status fm_dart_inspect(framemap_str bytes, struct fm_heap *heap, framemap_image_info *images, size_t capacity,
                                size_t *count, framemap_error *error);

/* As fm_image_open, of the same slices. */
framemap_status fm_dart_image_open(framemap_str bytes, const char *arch, struct fm_arena *arena, struct fm_image *out,
                                   framemap_error *error);

#endif
