/* Mapper of Dart programs that were compiled ahead of time: snapshots, and the files into which their debug info was
 * split off. Both kinds of files are ELF or Mach-O and have one of Dart's text symbols; such a symbol is at the start
 * of an instruction section.
 *
 * Besides the debug info, the index has attributes for traces that count addresses from the start of the text:
 *
 *     dart_text       name of the text symbol: "_kDartSnapshotText" (since Dart 3.13) or
 *                     "_kDartIsolateSnapshotInstructions"
 *     dart_text_at    value of that symbol as linked: 0x and hex digits
 *     dart_text_end   end of the section that contains the symbol
 *     dart_vm_at      value of "_kDartVmSnapshotInstructions", if there is one (until Dart 3.12) */
#ifndef FM_MAPPERS_DART_DART_MAPPER_H
#define FM_MAPPERS_DART_DART_MAPPER_H

#include "mappers/mapper.h"

#define FM_DART_NAME "dart"

extern const struct fm_mapper fm_dart_mapper;

#endif
