/* Prints the container of one ELF image: header, segments, sections. Called by dart_dump.c. */
#ifndef FM_MAPPERS_DART_DUMP_DART_DUMP_ELF_H
#define FM_MAPPERS_DART_DUMP_DART_DUMP_ELF_H

#include "mappers/dart/dump/dart_dump_out.h"

/* Prints the container. bytes: the whole file. false: an error, as from fm_dart_dump_more. */
bool fm_dart_dump_elf(struct fm_dart_dump *dump, framemap_str bytes);

#endif
