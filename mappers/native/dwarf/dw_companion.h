/* Requests the files that belong to an image from the caller of a build, and records what was requested. */
#ifndef FM_MAPPERS_NATIVE_DWARF_DW_COMPANION_H
#define FM_MAPPERS_NATIVE_DWARF_DW_COMPANION_H

#include "mappers/mapper.h"
#include "mappers/native/image/image_types.h"

/* Requests one file. Returns false if the caller does not have it, or answers no requests. */
bool fm_companion_get(const struct fm_mapper_host *host, const framemap_companion_request *wanted, framemap_str *bytes);

/* Opens the supplementary file of an image (.gnu_debugaltlink, .debug_sup) as image->alternate. A file with another id
 * causes a warning and is not used. Errors: MEMORY. */
framemap_status fm_companion_alternate(struct fm_image *image, const struct fm_mapper_host *host,
                                       framemap_error *error);

/* Takes the symbol table from the program that a debug file was split from, if it was left in the program. Without that
 * program, names are those of the debug info alone. Errors: MEMORY. */
framemap_status fm_companion_program(struct fm_image *image, const struct fm_mapper_host *host, framemap_error *error);

enum { FM_DWO_ID_SIZE = 17 };
/* Writes the id of a .dwo file as text: 16 hexadecimal digits. Returns `out`. */
const char *fm_dwo_id(uint64_t id, char out[FM_DWO_ID_SIZE]);

#endif
