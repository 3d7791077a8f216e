/* Chooses the slices of a fat file that are Dart programs. */
#ifndef FM_MAPPERS_DART_DART_SLICES_H
#define FM_MAPPERS_DART_DART_SLICES_H

#include "mappers/native/image/image.h"

/* Whether an image has a symbol for the text of a Dart program. Reads symbol names only. */
bool fm_dart_is_program(framemap_str bytes);

/* As fm_image_inspect, but only for slices that are Dart programs. Of several for one processor, the one of a dSYM
 * counts, or else the first with debug info, as in package:native_stack_traces. A file without such slices is treated
 * as by fm_image_inspect. */
framemap_status fm_dart_inspect(framemap_str bytes, struct fm_heap *heap, framemap_image_info *images, size_t capacity,
                                size_t *count, framemap_error *error);

/* As fm_image_open, for the same slices. */
framemap_status fm_dart_image_open(framemap_str bytes, const char *arch, struct fm_arena *arena, struct fm_image *out,
                                   framemap_error *error);

#endif
