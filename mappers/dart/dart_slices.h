/* Chooses those slices of a fat file that are Dart programs. */
#ifndef FM_MAPPERS_DART_DART_SLICES_H
#define FM_MAPPERS_DART_DART_SLICES_H

#include "mappers/native/image/image.h"

/* Whether an image has a symbol for the text of a Dart program. Reads symbol names only. */
bool fm_dart_is_program(framemap_str bytes);

/* Lists the slices of a file as fm_image_inspect does, but only those that are Dart programs. If several slices are for
 * the same processor, only one of them is listed: the slice of a dSYM, or else the first slice with debug info, as
 * package:native_stack_traces chooses. If no slice is a Dart program, all slices are listed. */
framemap_status fm_dart_inspect(framemap_str bytes, struct fm_heap *heap, framemap_image_info *images, size_t capacity,
                                size_t *count, framemap_error *error);

/* Opens a slice as fm_image_open does, choosing among the slices that fm_dart_inspect lists. */
framemap_status fm_dart_image_open(framemap_str bytes, const char *arch, struct fm_arena *arena, struct fm_image *out,
                                   framemap_error *error);

#endif
