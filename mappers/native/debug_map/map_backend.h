/* The debug info of a Mach-O image that was linked without dsymutil: it stays in the object files, which the image
 * names (debug_map/debug_map.h). This backend (dw_visitor.h) opens each object file with another backend. As dsymutil
 * does, it moves all that the other backend reports to where the linker placed the functions. Called by compile/. */
#ifndef FM_MAPPERS_NATIVE_DEBUG_MAP_MAP_BACKEND_H
#define FM_MAPPERS_NATIVE_DEBUG_MAP_MAP_BACKEND_H

#include "mappers/native/dwarf/dw_visitor.h"

/* Returns the backend to use for an image in place of `reader`. This is `reader` itself, unless the image has a debug
 * map and no debug info of its own. The returned backend requests the object files from the host. An object file that
 * is missing, or does not have the functions that the map lists, becomes a unit whose code lacks debug info; a fault
 * reports how many such files there are, and the name of the first. */
const struct fm_dw_backend *fm_map_backend_for(const struct fm_image *image, const struct fm_dw_backend *reader);

#endif
