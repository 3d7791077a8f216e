/* Prints the container of one Mach-O image: header and load commands. Called by dart_dump.c. */
#ifndef FM_MAPPERS_DART_DUMP_DART_DUMP_MACHO_H
#define FM_MAPPERS_DART_DUMP_DART_DUMP_MACHO_H

#include "mappers/dart/dump/dart_dump_out.h"

/* Prints the container. bytes: the whole image. false: an error, as from fm_dart_dump_more. */
bool fm_dart_dump_macho(struct fm_dart_dump *dump, framemap_str bytes);

#endif
