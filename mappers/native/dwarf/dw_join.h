/* Joins the debug info of an image with that of its companions: the supplementary file that dwz made, and the .dwo and
 * .dwp files that the compiler split off. The companions' sections are appended to the image's. So there is one set of
 * sections in which an offset identifies an entry among all files, and the rest of the reader need not distinguish
 * files. Called when an image is opened; an image without companions is left as it is. */
#ifndef FM_MAPPERS_NATIVE_DWARF_DW_JOIN_H
#define FM_MAPPERS_NATIVE_DWARF_DW_JOIN_H

#include "mappers/native/dwarf/dw_units.h"

/* Joins the debug info of an image with that of its companions. sections, units: those of the image, already scanned;
 * both are replaced if something was joined. Requests the companions from host->companion, and checks their ids. A
 * companion that cannot be used is a fault; a missing one is not, because the caller counts the units that lack one.
 * Errors: MEMORY. */
framemap_status fm_dw_join(const struct fm_image *image, const struct fm_mapper_host *host,
                           struct fm_dw_sections *sections, struct fm_dw_units *units, fm_dw_fault *fault,
                           void *context, framemap_error *error);

#endif
