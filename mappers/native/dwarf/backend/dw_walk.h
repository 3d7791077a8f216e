/* Walks one unit of an opened image: its lines, then its functions. Called by dw_backend.c. */
#ifndef FM_MAPPERS_NATIVE_DWARF_BACKEND_DW_WALK_H
#define FM_MAPPERS_NATIVE_DWARF_BACKEND_DW_WALK_H

#include "mappers/native/dwarf/backend/dw_worker.h"

/* Implements fm_dw_backend.walk. */
framemap_status fm_dw_walk_unit(struct fm_dw_worker *walk, uint32_t number, const struct fm_dw_visitor *visitor,
                                framemap_error *error);

#endif
