/* The units of an image and the addresses that each claims, listed when the image is opened. Called by dw_backend.c. */
#ifndef FM_MAPPERS_NATIVE_DWARF_BACKEND_DW_CLAIMS_H
#define FM_MAPPERS_NATIVE_DWARF_BACKEND_DW_CLAIMS_H

#include "mappers/native/dwarf/backend/dw_worker.h"

/* Finds the units of an opened image, including those in companion files, and reports what they claim. Errors: MEMORY,
 * LIMIT.
 */
framemap_status fm_dw_claims_list(struct fm_dw_debug *debug, const struct fm_mapper_host *host,
                                  const struct fm_dw_open_callbacks *to, framemap_error *error);
/* Whether a skeleton unit describes no functions. GCC and clang write no entries there, but clang with
 * -fsplit-dwarf-inlining writes those functions into which others are inlined. */
bool fm_dw_lacks_functions(const struct fm_dw_debug *debug, const struct fm_dw_unit_data *unit);

#endif
