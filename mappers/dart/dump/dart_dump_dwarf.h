/* Prints the debug information of one image. Called by dart_dump.c. */
#ifndef FM_MAPPERS_DART_DUMP_DART_DUMP_DWARF_H
#define FM_MAPPERS_DART_DUMP_DART_DUMP_DWARF_H

#include "mappers/dart/dump/dart_dump_out.h"
#include "mappers/native/image/image.h"

/* Prints abbreviations, debugging entries and line programs. The image must have .debug_abbrev, .debug_info and
 * .debug_line. false: an error, as from fm_dart_dump_more. */
bool fm_dart_dump_dwarf(struct fm_dart_dump *dump, const struct fm_image *image);

#endif
