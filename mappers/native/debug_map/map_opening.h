/* Opens the object files of a debug map and lists their units. Called by map_backend.c, which walks the units. */
#ifndef FM_MAPPERS_NATIVE_DEBUG_MAP_MAP_OPENING_H
#define FM_MAPPERS_NATIVE_DEBUG_MAP_MAP_OPENING_H

#include "mappers/native/debug_map/map_object.h"
#include "mappers/native/dwarf/dw_visitor.h"

/* A unit of an object file, or the code of an object file that was not found. */
struct fm_map_unit {
    uint32_t object, number; /* number: number of the unit for the backend that reads the object file */
};

struct fm_map_debug {
    struct fm_heap *heap;
    struct fm_arena arena;
    const struct fm_dw_backend *reader; /* backend that reads the object files */
    struct fm_map_object *objects;
    size_t object_count, missing;
    const struct fm_map_object *first_missing;
    struct fm_map_unit *units;
    size_t unit_count, unit_capacity;
    uint64_t stored_bytes, inflated_bytes; /* bytes of all object files */
    bool inflated_too_much;                /* the limit is exceeded, so the remaining object files are not read */
};

/* Requests the object files from the host, opens their debug info with `reader`, and reports the claims of their units
 * as those of the image. An object file that was not found has one claim of the lowest priority for its code. Free the
 * result with fm_map_close, also NULL. Errors: MEMORY, LIMIT. */
framemap_status fm_map_open(const struct fm_dw_backend *reader, const struct fm_image *image,
                            const struct fm_mapper_host *host, const struct fm_dw_open_callbacks *survey,
                            struct fm_map_debug **out, framemap_error *error);
void fm_map_close(struct fm_map_debug *debug);

#endif
