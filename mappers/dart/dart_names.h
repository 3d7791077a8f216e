/* Mapper of the obfuscation map that Dart's compiler writes with --save-obfuscation-map. The map is a JSON array of
 * strings: for each pair of names first the original name, then the obfuscated one:
 *
 *     ["MaterialApp","ex","Scaffold","ey"]
 *
 * Dart renames each identifier to the same name everywhere, whatever the identifier names. The index stores each pair
 * as it stores a renamed Java class: the obfuscated name as the class, the original name as the original name of this
 * class. */
#ifndef FM_MAPPERS_DART_DART_NAMES_H
#define FM_MAPPERS_DART_DART_NAMES_H

#include "mappers/mapper.h"

#define FM_DART_NAMES_NAME "dart-names"

extern const struct fm_mapper fm_dart_names_mapper;

#endif
