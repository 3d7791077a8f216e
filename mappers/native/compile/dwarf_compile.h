/* Writes the debug info and symbols of an object file to an index builder. Called by the mappers of native and Dart
 * programs. Independent of container formats (image/) and of the encoding of DWARF (dwarf/). */
#ifndef FM_MAPPERS_NATIVE_COMPILE_DWARF_COMPILE_H
#define FM_MAPPERS_NATIVE_COMPILE_DWARF_COMPILE_H

#include "mappers/mapper.h"
#include "mappers/native/compile/compile_flags.h"
#include "mappers/native/dwarf/dw_visitor.h"
#include "mappers/native/image/image.h"

/* Writes what is known of the image as a whole: kind ("elf"), architecture, id, base. `name` is the name of its file.
 * Errors: MEMORY, LIMIT. */
framemap_status fm_debuginfo_about(const struct fm_image *image, framemap_str kind, framemap_str name,
                                   struct fm_builder *builder, framemap_error *error);

/* Writes positions, inline chains and symbols of the image. `flags` are of enum fm_debuginfo_flags. Up to host->threads
 * threads read units if the DWARF backend (host->reader) allows it; records, warnings and progress do not depend on
 * their number. With host->positions, only what these addresses need is written. */
framemap_status fm_debuginfo_compile(struct fm_image *image, unsigned flags, const struct fm_mapper_host *host,
                                     struct fm_builder *builder, framemap_error *error);

/* Does the same as fm_debuginfo_compile, with a given backend instead of the one that host->reader names. */
framemap_status fm_debuginfo_compile_by(const struct fm_dw_backend *backend, struct fm_image *image, unsigned flags,
                                        const struct fm_mapper_host *host, struct fm_builder *builder,
                                        framemap_error *error);

#endif
