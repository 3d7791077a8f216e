/* One object file of a debug map, opened and matched with the image that it was linked into. Called by map_opening.c.
 */
#ifndef FM_MAPPERS_NATIVE_DEBUG_MAP_MAP_OBJECT_H
#define FM_MAPPERS_NATIVE_DEBUG_MAP_MAP_OBJECT_H

#include "mappers/native/debug_map/address_moves.h"
#include "mappers/native/debug_map/debug_map.h"

struct fm_map_object {
    framemap_str path;
    uint64_t modified;
    const struct fm_debug_map_function *functions;
    size_t function_count;
    /* Set while the object file is open. */
    struct fm_arena arena; /* memory of the object file's image */
    struct fm_image image;
    struct fm_address_move *items;
    size_t item_capacity;
    struct fm_address_moves moves;
    struct fm_dw_debug *debug; /* debug info of the object file, for the backend; NULL: the file was not found */
};

/* Reads the debug map of an image: a list of its object files, none of which is opened yet. Errors: MEMORY. */
framemap_status fm_map_objects(const struct fm_image *image, struct fm_arena *arena, struct fm_map_object **out,
                               size_t *count, framemap_error *error);

/* Opens a file as the object file. *why: NULL, or, if it is not the file that was linked, the reason; the file is then
 * closed again. Errors: MEMORY. */
framemap_status fm_map_object_open(struct fm_map_object *object, const struct fm_image *image, struct fm_heap *heap,
                                   framemap_str bytes, const char **why, framemap_error *error);
void fm_map_object_close(struct fm_map_object *object);

/* Sets the ranges of a claim to those of the object file's functions in the image. Returns false when out of memory.
 */
bool fm_map_object_code(const struct fm_map_object *object, struct fm_arena *arena, struct fm_dw_claim *claim);

/* Returns how many relocations in the object file's debug info were of unknown kinds. */
unsigned fm_map_object_unapplied(const struct fm_map_object *object);

#endif
