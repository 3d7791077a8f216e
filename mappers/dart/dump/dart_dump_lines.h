/* Prints the line number programs of one image. Called by dart_dump_dwarf.c. */
#ifndef FM_MAPPERS_DART_DUMP_DART_DUMP_LINES_H
#define FM_MAPPERS_DART_DUMP_DART_DUMP_LINES_H

#include "mappers/dart/dump/dart_dump_out.h"

/* Prints all programs. section: the contents of .debug_line. false: an error, as from fm_dart_dump_more. */
bool fm_dart_dump_lines(struct fm_dart_dump *dump, framemap_str section, bool big_endian);

#endif
