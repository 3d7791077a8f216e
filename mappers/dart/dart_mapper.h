/* Snapshots of Dart, compiled ahead of time, and the files that their debug info was split to: ELF and Mach-O with a
 * text symbol of Dart's.
 *
 * Beside what the debug info says, the index tells in attributes where the text begins, for stacks that count from
 * there:
 *
 *     dart_text       the symbol of the text, "_kDartSnapshotText" (from Dart 3.13 on) or
 * "_kDartIsolateSnapshotInstructions" dart_text_at    its value as linked, 0x and hex digits; dart_text_end: where the
 * section that it stands in ends dart_vm_at      the value of "_kDartVmSnapshotInstructions", where there is one (up to
 * Dart 3.12) */
#ifndef FM_MAPPERS_DART_DART_MAPPER_H
#define FM_MAPPERS_DART_DART_MAPPER_H

#include "mappers/mapper.h"

#define FM_DART_NAME "dart"

extern const struct fm_mapper fm_dart_mapper;

#endif
